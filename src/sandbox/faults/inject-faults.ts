import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Rule } from '../behaviour/fault-settings.ts';
import { bodyToSend, errorResponse, type WireResponse } from '../behaviour/responses.ts';
import { identifyingHeaders, type SandboxContext, type SandboxMiddleware } from '../http/context.ts';
import { sendResponse } from '../http/send-response.ts';
import { cutText } from '../record/journal.ts';
import { findStoredResponse, storeResponse } from '../rules/create-once.ts';
import type { Service } from '../rules/service.ts';
import type { createFaultControl } from './fault-control.ts';

export interface FaultService extends Service {
  faults: ReturnType<typeof createFaultControl>;
  latencyMs: number;
}

export function injectFaults(service: FaultService): SandboxMiddleware {
  const { faults, requestLog } = service;
  return async (context, next) => {
    const logged = context.get('logged');
    const { merchantId } = context.get('caller');
    const externalIdOf = (id: string) =>
      service.store.orders.find(merchantId, id.toLowerCase())?.externalOrderId ?? undefined;
    const rule = faults.draw(logged, externalIdOf);
    const latencyMs = service.latencyMs + faults.settings().latencyMs;
    if (latencyMs > 0) await faults.sleep(latencyMs);
    if (!rule) return next();
    const { when, do: action } = rule;
    logged.fault = action.kind;
    logged.faultWhen = when;
    const isBefore = when === 'before_commit';
    if (action.kind === 'late_commit') {
      const { status, seconds } = action;
      logged.status = status;
      await requestLog.complete(logged);
      faults.runLater(seconds * 1000, next);
      return sendFailure(service, context, status, 'GATEWAY_TIMEOUT', 'No response in time');
    }
    if (action.kind === 'wait' && isBefore) await faults.sleep(action.seconds * 1000);
    if (action.kind === 'wait' || !isBefore) {
      await next();
      logged.status = context.res.status;
    }
    if (action.kind !== 'wait') await replaceResponse(service, context, action, isBefore);
    else if (!isBefore) await faults.sleep(action.seconds * 1000);
    return undefined;
  };
}

export function throttle(service: FaultService): SandboxMiddleware {
  return async (context, next) => {
    const admission = service.faults.enter();
    if ('waitSeconds' in admission) {
      const seconds = Math.ceil(admission.waitSeconds);
      context.get('logged').notBefore = service.clock.now() + seconds * 1000;
      context.header('Retry-After', String(seconds));
      return sendFailure(service, context, 429, 'TOO_MANY_REQUESTS', 'There are too many requests');
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

function sendFailure(
  { behaviour }: Service,
  context: SandboxContext,
  status: number,
  code: string,
  message: string,
): Response {
  const error = { status, code, message };
  return sendResponse(context, errorResponse(behaviour, error, context.get('requestId')));
}

type Action = Rule['do'];
type Replacing = Exclude<Action, { kind: 'wait' | 'late_commit' }>;

/** `isBefore`: the request was not processed. */
async function replaceResponse(
  service: FaultService,
  context: SandboxContext,
  action: Replacing,
  isBefore: boolean,
): Promise<void> {
  const { socket } = context.env.outgoing;
  if (!socket) throw new Error('the connection is gone');
  const response = isBefore ? undefined : context.res;
  const substitute =
    action.kind === 'status'
      ? await substituteResponse(service, context, action, isBefore)
      : await breakResponse(service, context, action, { socket, response });
  // Otherwise Hono merges the headers of the earlier response into the new one.
  context.res = undefined;
  context.res = substitute ?? RESPONSE_ALREADY_SENT;
}

/** The request is logged before anything is sent. */
async function breakResponse(
  { behaviour, faults, requestLog }: FaultService,
  context: SandboxContext,
  action: Exclude<Replacing, { kind: 'status' }>,
  { socket, response }: { socket: Socket; response: Response | undefined },
): Promise<undefined> {
  const logged = context.get('logged');
  let part: Buffer | undefined;
  if (action.kind === 'cut_body') {
    // A response is invented for a request that was not processed.
    const whole =
      response?.clone() ??
      new Response(JSON.stringify({ id: context.get('requestId'), status: 'CONFIRMED' }), {
        status: logged.route === 'create' ? behaviour.responses.createStatus : 200,
        headers: { ...identifyingHeaders(context), 'content-type': 'application/json' },
      });
    logged.status ??= whole.status;
    const body = Buffer.from(await whole.arrayBuffer());
    // One byte is announced for an empty body, so that there is something to cut off.
    const length = Math.max(1, body.length);
    whole.headers.set('content-length', String(length));
    const lines = [...whole.headers].map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `HTTP/1.1 ${whole.status} ${STATUS_CODES[whole.status]}\r\n${lines.join('')}\r\n`;
    part = Buffer.concat([Buffer.from(head), body.subarray(0, Math.min(action.afterBytes, length - 1))]);
  }
  await requestLog.complete(logged);
  if (socket.destroyed) return;
  // `once` of node:events would reject when the client resets the connection first.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (part) await new Promise<void>((resolve) => socket.write(part, () => resolve()));
  if (action.kind === 'stall') await Promise.race([closed, faults.sleep()]);
  if (action.kind === 'reset') socket.resetAndDestroy();
  else socket.destroySoon();
  await closed;
}

async function substituteResponse(
  service: FaultService,
  context: SandboxContext,
  action: Extract<Action, { kind: 'status' }>,
  isBefore: boolean,
): Promise<Response> {
  const logged = context.get('logged');
  const { status, retryAfter } = action;
  const wait = retryAfter === undefined ? undefined : Math.ceil(retryAfter);
  if (wait !== undefined) logged.notBefore = service.clock.now() + wait * 1000;
  const substitute = substituteOf(service, context, action);
  if (isBefore) logged.status = status;
  await service.requestLog.write(logged, () => {
    if (isBefore && status >= 500) storeFailure(service, context, substitute);
  });
  const body = bodyToSend(substitute);
  logged.responseBody ??= cutText(body ?? '');
  return new Response(body, {
    status,
    headers: {
      ...identifyingHeaders(context),
      ...(body === null || substitute.contentType == null ? {} : { 'Content-Type': substitute.contentType }),
      ...(wait === undefined ? {} : { 'Retry-After': String(wait) }),
    },
  });
}

function substituteOf(
  { behaviour }: Service,
  context: SandboxContext,
  { status, body, code }: Extract<Action, { kind: 'status' }>,
): WireResponse {
  const message = 'This response is a requested fault';
  if (body === 'error') {
    return errorResponse(behaviour, { status, code, message }, context.get('requestId'));
  }
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${message}</h1></body></html>`;
  return body === 'html' ? { status, text: page, contentType: 'text/html' } : { status, text: '' };
}

/** If the behaviour stores failures, and no response is stored under the key. */
function storeFailure(service: Service, context: SandboxContext, failure: WireResponse): void {
  const { route, idempotencyKey } = context.get('logged');
  if (route !== 'create') return;
  const bodyHash = context.get('body').comparedHash;
  const request = { caller: context.get('caller'), idempotencyKey, bodyHash };
  if (!findStoredResponse(service, request)) storeResponse(service, request, failure);
}
