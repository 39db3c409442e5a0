import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Next } from 'hono';
import type { Action } from '../behaviour/fault-actions.ts';
import { errorResponse } from '../behaviour/responses.ts';
import type { SandboxContext, SandboxMiddleware } from '../http/context.ts';
import { originOf, sendResponse } from '../http/send-response.ts';
import { alteredResponses } from './altered-responses.ts';
import { brokenResponses, lostConnections } from './broken-responses.ts';
import {
  type ActionHandlers,
  type ActionOf,
  createFaultContext,
  type FaultContext,
  type FaultService,
  type HandledKind,
} from './fault-context.ts';
import { writeRetryAfter } from './retry-after.ts';
import { substituteResponses } from './substitute-responses.ts';

export function injectFaults(service: FaultService): SandboxMiddleware {
  const { faults } = service;
  return async (context, next) => {
    const logged = context.get('logged');
    const { merchantId } = context.get('caller');
    const externalIdOf = (id: string) =>
      service.store.orders.find(merchantId, id.toLowerCase())?.externalOrderId ?? undefined;
    const { rule, latencyMs } = faults.draw(context.req.method, logged, externalIdOf);
    if (service.latencyMs + latencyMs > 0) await faults.sleep(service.latencyMs + latencyMs);
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
  { faults, requestLog, behaviour, clock }: FaultService,
  context: SandboxContext,
  next: Next,
  { seconds, status }: Extract<Action, { kind: 'late_commit' }>,
): Promise<Response> {
  const logged = context.get('logged');
  logged.status = status;
  await requestLog.complete(logged);
  faults.runLater(seconds * 1000, next);
  const error = { status, code: 'GATEWAY_TIMEOUT', message: 'No response in time' };
  return sendResponse(context, errorResponse(behaviour, error, originOf(context, clock.now())));
}

const tooManyRequests = { code: 'TOO_MANY_REQUESTS', message: 'There are too many requests' };

export function throttle(service: FaultService): SandboxMiddleware {
  const { faults, clock } = service;
  return async (context, next) => {
    const admission = faults.enter();
    if ('waitSeconds' in admission) {
      const { status, retryAfter } = faults.settings().limits;
      if (retryAfter !== null) {
        const { headers, notBefore } = writeRetryAfter[retryAfter](admission.waitSeconds, clock.machine());
        context.get('logged').notBefore = notBefore;
        for (const [name, value] of Object.entries(headers)) context.header(name, value);
      }
      const origin = originOf(context, clock.now());
      return sendResponse(context, errorResponse(service.behaviour, { ...tooManyRequests, status }, origin));
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

const handlers: ActionHandlers = {
  ...lostConnections,
  ...brokenResponses,
  ...substituteResponses,
  ...alteredResponses,
};

async function applyAction(
  service: FaultService,
  context: SandboxContext,
  action: ActionOf<HandledKind>,
  response: Response | undefined,
): Promise<void> {
  const fault = await createFaultContext(service, context, response);
  const handle = handlers[action.kind] as (
    fault: FaultContext,
    action: Action,
  ) => Promise<Response | undefined>;
  const substitute = await handle(fault, action);
  // Otherwise Hono merges the headers of the earlier response into the new one.
  context.res = undefined;
  context.res = substitute ?? RESPONSE_ALREADY_SENT;
}
