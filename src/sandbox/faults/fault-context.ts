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

export interface FaultContext {
  service: FaultService;
  context: SandboxContext;
  outgoing: ServerResponse;
  socket: Socket;
  /** An invented response if the request was not processed. */
  whole: WholeResponse;
  isProcessed: boolean;
  /** Logs the status that the client receives, if the request was not processed. */
  setStatus(status: number): void;
  /** Must be called before anything is sent. */
  log(): Promise<void>;
}

export type HandledKind = Exclude<Action['kind'], 'wait' | 'late_commit'>;
export type ActionOf<K extends HandledKind> = Extract<Action, { kind: K }>;
/** Handlers return the response to send, or undefined after they have sent everything themselves. */
export type ActionHandlers = {
  [K in HandledKind]: (fault: FaultContext, action: ActionOf<K>) => Promise<Response | undefined>;
};

/** `response` is undefined if the request was not processed. */
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

function inventResponse({ behaviour, randomUuid }: FaultService, context: SandboxContext): WholeResponse {
  const status = context.get('logged').route === 'create' ? behaviour.answers.createStatus : 200;
  const body = JSON.stringify({ id: randomUuid(), status: behaviour.orders.states[0] });
  return {
    status,
    headers: { ...identifyingHeaders(context), 'content-type': 'application/json' },
    body: Buffer.from(body),
  };
}

/** `stall` waits until the client closes it. */
export async function endConnection(socket: Socket, end: 'close' | 'reset' | 'stall'): Promise<void> {
  if (socket.destroyed) return;
  const closed = once(socket, 'close');
  if (end === 'close') socket.destroySoon();
  if (end === 'reset') socket.resetAndDestroy();
  await closed;
}
