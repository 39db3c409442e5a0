import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { wait } from '../../system/waits.ts';
import type { SandboxMiddleware } from './context.ts';

/** Of responses that clients have not read; other reads wait meanwhile. All sandboxes of a process share its memory. */
const maxBytes = 8 * 1024 * 1024;
const maxReads = 2;
const stallMs = 1000;

interface Unread {
  bytes: number;
  /** What the connection had sent when it was last looked at. */
  sent: number;
}

const unread = new Map<Socket, Unread>();
const waiting: (() => void)[] = [];
let bytes = 0;
let reads = 0;
let isWatching = false;

const hasRoom = () => reads < maxReads && bytes < maxBytes;

function admitWaiting(): void {
  while (hasRoom() && waiting.length > 0) {
    reads += 1;
    waiting.shift()?.();
  }
}

/** Until the client has taken the response, or is gone: then nothing closes the responses that were still queued. */
export function countUnread({ incoming: { socket }, outgoing }: HttpBindings, length: number): void {
  if (socket.destroyed) return;
  const ofSocket = unread.get(socket) ?? { bytes: 0, sent: -1 };
  const add = (more: number) => {
    if (unread.get(socket) !== ofSocket) return;
    ofSocket.bytes += more;
    bytes += more;
    if (more < 0) admitWaiting();
  };
  if (!unread.has(socket)) {
    unread.set(socket, ofSocket);
    socket.once('close', () => {
      add(-ofSocket.bytes);
      unread.delete(socket);
    });
  }
  add(length);
  outgoing.once('close', () => add(-length));
}

/** Otherwise clients that pipeline reads of large orders, or do not read them, would fill the memory. */
export const limitReads: SandboxMiddleware = async (context, next) => {
  if (context.req.method !== 'GET') return next();
  if (waiting.length === 0 && hasRoom()) reads += 1;
  else {
    void closeStalled();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    if (context.env.incoming.socket.destroyed) return context.body(null);
    return await next();
  } finally {
    reads -= 1;
    admitWaiting();
  }
};

/** While others wait, a client that takes no response for a second is disconnected. */
async function closeStalled(): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  while (waiting.length > 0) {
    await wait(stallMs);
    for (const [socket, last] of unread) {
      const sent = socket.bytesWritten - socket.writableLength;
      const isStalled = socket.writableLength > 0 && sent === last.sent;
      if (isStalled && bytes >= maxBytes) socket.destroy();
      last.sent = sent;
    }
  }
  isWatching = false;
}
