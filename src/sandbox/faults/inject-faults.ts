import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Next } from 'hono';
import type { Action } from '../behaviour/fault-settings.ts';
import { errorResponse } from '../behaviour/responses.ts';
import type { SandboxContext, SandboxMiddleware } from '../http/context.ts';
import { sendResponse } from '../http/send-response.ts';
import { type Fault, type FaultService, faultResponses, type HandledKind } from './fault-responses.ts';

export function injectFaults(service: FaultService): SandboxMiddleware {
  const { faults } = service;
  return async (context, next) => {
    const logged = context.get('logged');
    const { merchantId } = context.get('caller');
    const externalIdOf = (id: string) =>
      service.store.orders.find(merchantId, id.toLowerCase())?.externalOrderId ?? undefined;
    const rule = faults.draw(context.req.method, logged, externalIdOf);
    const latencyMs = service.latencyMs + faults.settings().latencyMs;
    if (latencyMs > 0) await faults.sleep(latencyMs);
    if (!rule) return next();
    logged.fault = rule.do.kind;
    logged.faultWhen = rule.when;
    if (rule.do.kind === 'wait') {
      if (rule.when === 'before_commit') await faults.sleep(rule.do.seconds * 1000);
      await next();
      if (rule.when === 'after_commit') await faults.sleep(rule.do.seconds * 1000);
      logged.status = context.res.status;
      return undefined;
    }
    if (rule.do.kind === 'late_commit') return commitLater(service, context, next, rule.do);
    if (rule.when === 'before_commit') return applyAction(service, context, rule.do, undefined);
    await next();
    logged.status = context.res.status;
    await applyAction(service, context, rule.do, context.res);
  };
}

async function commitLater(
  { faults, requestLog, behaviour }: FaultService,
  context: SandboxContext,
  next: Next,
  { seconds, status }: Extract<Action, { kind: 'late_commit' }>,
): Promise<Response> {
  const logged = context.get('logged');
  logged.status = status;
  await requestLog.complete(logged);
  faults.runLater(seconds * 1000, next);
  const error = { status, code: 'GATEWAY_TIMEOUT', message: 'No response in time' };
  return sendResponse(context, errorResponse(behaviour, error, context.get('requestId')));
}

const tooManyRequests = { status: 429, code: 'TOO_MANY_REQUESTS', message: 'There are too many requests' };

export function throttle(service: FaultService): SandboxMiddleware {
  const { faults, clock } = service;
  return async (context, next) => {
    const admission = faults.enter();
    if ('waitSeconds' in admission) {
      const seconds = Math.ceil(admission.waitSeconds);
      context.get('logged').notBefore = clock.machine() + seconds * 1000;
      context.header('Retry-After', String(seconds));
      return sendResponse(
        context,
        errorResponse(service.behaviour, tooManyRequests, context.get('requestId')),
      );
    }
    // A client that disconnects frees its place, even while the request is still being processed.
    context.env.outgoing.once('close', admission.leave);
    try {
      await next();
    } finally {
      admission.leave();
    }
  };
}

async function applyAction(
  service: FaultService,
  context: SandboxContext,
  action: Extract<Action, { kind: HandledKind }>,
  response: Response | undefined,
): Promise<void> {
  const { socket } = context.env.outgoing;
  if (!socket) throw new Error('the connection is gone');
  const log = () => service.requestLog.complete(context.get('logged'));
  const act = faultResponses[action.kind] as (fault: Fault, action: Action) => Promise<Response | undefined>;
  const substitute = await act({ service, context, socket, response, log }, action);
  // Otherwise Hono merges the headers of the earlier response into the new one.
  context.res = undefined;
  context.res = substitute ?? RESPONSE_ALREADY_SENT;
}
