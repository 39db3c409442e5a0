import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Action } from '../behaviour/fault-actions.ts';
import { identifyingHeaders, type SandboxContext } from '../http/context.ts';
import type { Service } from '../rules/service.ts';
import type { FaultControl } from './fault-control.ts';

export interface FaultService extends Service {
  faults: FaultControl;
  latencyMs: number;
  secondOrigin(): Promise<string>;
}

export interface WholeResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** What a fault works on: a request, its connection and its response. */
export interface FaultContext {
  service: FaultService;
  context: SandboxContext;
  outgoing: ServerResponse;
  socket: Socket;
  /** The response of the service, or an invented one when the request was not processed. */
  whole: WholeResponse;
  isProcessed: boolean;
  /** Logs the status that the client receives, unless the service has responded and its own status is logged. */
  setStatus(status: number): void;
  /** Writes the request to the log; nothing may be sent before. */
  log(): Promise<void>;
}

export type HandledKind = Exclude<Action['kind'], 'wait' | 'late_commit'>;
export type ActionOf<K extends HandledKind> = Extract<Action, { kind: K }>;
/** Handlers return the response to send instead, or undefined when they have sent everything themselves. */
export type ActionHandlers = {
  [K in HandledKind]: (fault: FaultContext, action: ActionOf<K>) => Promise<Response | undefined>;
};

/** `response`: of the service; undefined when it has not processed the request. */
export async function createFaultContext(
  service: FaultService,
  context: SandboxContext,
  response: Response | undefined,
): Promise<FaultContext> {
  const { outgoing } = context.env;
  const { socket } = outgoing;
  const logged = context.get('logged');
  if (!socket) throw new Error('the connection is gone');
  return {
    service,
    context,
    outgoing: outgoing as ServerResponse,
    socket,
    whole: response ? await readWhole(response) : inventResponse(service, context),
    isProcessed: response !== undefined,
    setStatus(status) {
      if (response === undefined) logged.status = status;
    },
    log: () => service.requestLog.complete(logged),
  };
}

async function readWhole(response: Response): Promise<WholeResponse> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.clone().arrayBuffer()),
  };
}

/** A successful response with an order that does not exist. */
function inventResponse({ behaviour, randomUuid }: FaultService, context: SandboxContext): WholeResponse {
  const status = context.get('logged').route === 'create' ? behaviour.answers.createStatus : 200;
  const body = JSON.stringify({ id: randomUuid(), status: behaviour.orders.states[0] });
  return {
    status,
    headers: { ...identifyingHeaders(context), 'content-type': 'application/json' },
    body: Buffer.from(body),
  };
}

/** Ends a connection; `stall` leaves it open and waits until the client closes it. */
export async function endConnection(socket: Socket, end: 'close' | 'reset' | 'stall'): Promise<void> {
  if (socket.destroyed) return;
  const closed = once(socket, 'close');
  if (end === 'close') socket.destroySoon();
  if (end === 'reset') socket.resetAndDestroy();
  await closed;
}
