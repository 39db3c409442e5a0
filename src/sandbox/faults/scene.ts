import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { labelsOf, type SandboxContext, type SandboxParts } from '../parts.ts';

/** An answer in parts, to be damaged. */
export interface Whole {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Where an action takes place. */
export interface Scene {
  parts: SandboxParts;
  context: SandboxContext;
  outgoing: ServerResponse;
  socket: Socket;
  /** What the service answered, or what it might have, had it processed the request. */
  whole: Whole;
  isProcessed: boolean;
  /** Notes the status that the client is told; what the service answered itself, the record has already. */
  told(status: number): void;
  /** Puts the request into the record; nothing may leave before. */
  recorded(): Promise<void>;
}

export async function sceneOf(
  parts: SandboxParts,
  context: SandboxContext,
  answered: Response | undefined,
): Promise<Scene> {
  const { outgoing } = context.env;
  const { socket } = outgoing;
  const visit = context.get('visit');
  if (!socket) throw new Error('the connection is gone');
  return {
    parts,
    context,
    outgoing: outgoing as ServerResponse,
    socket,
    whole: answered ? await wholeOf(answered) : likelyAnswer(parts, context),
    isProcessed: answered !== undefined,
    told(status) {
      if (answered === undefined) visit.status = status;
    },
    recorded: () => parts.record.complete(visit),
  };
}

/** How a connection goes on after what was sent on it. */
export async function endConnection(socket: Socket, end: 'close' | 'reset' | 'stall'): Promise<void> {
  if (socket.destroyed) return;
  const gone = once(socket, 'close');
  if (end === 'close') socket.destroySoon();
  if (end === 'reset') socket.resetAndDestroy();
  await gone;
}

/** Tells the server that everything is sent. */
export function alreadySent(): Response {
  return RESPONSE_ALREADY_SENT;
}

async function wholeOf(answered: Response): Promise<Whole> {
  return {
    status: answered.status,
    headers: Object.fromEntries(answered.headers),
    body: Buffer.from(await answered.clone().arrayBuffer()),
  };
}

/** The answer to a request that was not processed: of a success, with an order that nobody has. */
function likelyAnswer(parts: SandboxParts, context: SandboxContext): Whole {
  const { behaviour, randomUuid } = parts;
  const status = context.get('visit').route === 'create' ? behaviour.answers.createStatus : 200;
  const body = JSON.stringify({ id: randomUuid(), status: behaviour.orders.states[0] });
  return {
    status,
    headers: { ...labelsOf(parts, context), 'content-type': 'application/json' },
    body: Buffer.from(body),
  };
}
