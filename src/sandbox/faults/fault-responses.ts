import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Action } from '../behaviour/fault-settings.ts';
import { bodyToSend, errorResponse, type WireResponse } from '../behaviour/responses.ts';
import { identifyingHeaders, type SandboxContext } from '../http/context.ts';
import { cutText } from '../record/journal.ts';
import { findStoredResponse, storeResponse } from '../rules/create-once.ts';
import type { Service } from '../rules/service.ts';
import type { FaultControl } from './fault-control.ts';

export interface FaultService extends Service {
  faults: FaultControl;
  latencyMs: number;
}

export interface Fault {
  service: FaultService;
  context: SandboxContext;
  socket: Socket;
  /** Undefined if the request was not processed. */
  response: Response | undefined;
  /** Must be called before anything is sent. */
  log(): Promise<void>;
}

export type HandledKind = Exclude<Action['kind'], 'wait' | 'late_commit'>;
type ActionOf<K extends HandledKind> = Extract<Action, { kind: K }>;

/** They return the response to send, or undefined after they have done everything to the connection themselves. */
export const faultResponses: {
  [K in HandledKind]: (fault: Fault, action: ActionOf<K>) => Promise<Response | undefined>;
} = {
  reset: async ({ socket, log }) => {
    await log();
    await endConnection(socket, 'reset');
    return undefined;
  },
  close: async ({ socket, log }) => {
    await log();
    await endConnection(socket, 'close');
    return undefined;
  },
  stall: async ({ service, socket, log }, { seconds }) => {
    await log();
    const closed = endConnection(socket, 'stall');
    if (seconds !== undefined) {
      await Promise.race([closed, service.faults.sleep(seconds * 1000)]);
      await endConnection(socket, 'close');
    }
    await closed;
    return undefined;
  },
  cut_body: async (fault, { afterBytes, end }) => {
    const { service, socket, log } = fault;
    const { status, head, body } = await readWhole(fault);
    setStatus(fault, status);
    await log();
    // One byte is announced for an empty body, so that there is something to cut off.
    const length = Math.max(1, body.length);
    const part = body.subarray(0, Math.min(afterBytes, length - 1));
    await write(socket, Buffer.concat([Buffer.from(`${head}Content-Length: ${length}\r\n\r\n`), part]));
    // A client that receives bytes and a reset at once may take the reset for a normal end.
    if (end === 'reset') await service.faults.sleep(30);
    await endConnection(socket, end);
    return undefined;
  },
  status: async (fault, action) => {
    const { service, context } = fault;
    const logged = context.get('logged');
    const { status, headers, retryAfter } = action;
    if (retryAfter !== undefined) {
      logged.notBefore = service.clock.machine() + Math.ceil(retryAfter) * 1000;
    }
    const substitute = substituteOf(fault, action);
    setStatus(fault, status);
    await service.requestLog.write(logged, () => storeFailure(fault, substitute));
    const body = bodyToSend(substitute);
    logged.responseBody ??= cutText(body ?? '');
    return new Response(body, {
      status,
      headers: {
        ...identifyingHeaders(context),
        ...(body === null || substitute.contentType == null
          ? {}
          : { 'Content-Type': substitute.contentType }),
        ...headers,
        ...(retryAfter === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfter)) }),
      },
    });
  },
};

/** The status that the client receives, unless the service itself has one. */
function setStatus({ context, response }: Fault, status: number): void {
  if (response === undefined) context.get('logged').status = status;
}

/** With an invented response if the request was not processed. */
async function readWhole({ service, context, response }: Fault) {
  const { behaviour, randomUuid } = service;
  const invented = () =>
    new Response(JSON.stringify({ id: randomUuid(), status: 'CONFIRMED' }), {
      status: context.get('logged').route === 'create' ? behaviour.answers.createStatus : 200,
      headers: { ...identifyingHeaders(context), 'content-type': 'application/json' },
    });
  const whole = response?.clone() ?? invented();
  const lines = [...whole.headers]
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    status: whole.status,
    head: `HTTP/1.1 ${whole.status} ${STATUS_CODES[whole.status] ?? 'Unknown'}\r\n${lines.join('')}`,
    body: Buffer.from(await whole.arrayBuffer()),
  };
}

/** `stall` waits until the client closes it. */
async function endConnection(socket: Socket, end: 'close' | 'reset' | 'stall'): Promise<void> {
  if (socket.destroyed) return;
  const closed = once(socket, 'close');
  if (end === 'close') socket.destroySoon();
  if (end === 'reset') socket.resetAndDestroy();
  await closed;
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.write(bytes, () => resolve());
  });
}

function substituteOf({ service, context }: Fault, { status, body, code }: ActionOf<'status'>): WireResponse {
  const message = 'This response is a requested fault';
  if (body === 'error') {
    return errorResponse(service.behaviour, { status, code, message }, context.get('requestId'));
  }
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${message}</h1></body></html>`;
  return body === 'html' ? { status, text: page, contentType: 'text/html' } : { status, text: '' };
}

/** If the behaviour stores failures, and no response is stored under the key. */
function storeFailure({ service, context, response }: Fault, failure: WireResponse): void {
  const { route, idempotencyKey } = context.get('logged');
  if (response !== undefined || route !== 'create' || failure.status < 500) return;
  const { comparedHash: bodyHash } = context.get('body');
  const request = { caller: context.get('caller'), idempotencyKey, bodyHash };
  if (!findStoredResponse(service, request)) storeResponse(service, request, failure);
}
