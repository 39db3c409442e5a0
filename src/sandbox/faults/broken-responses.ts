import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { wait } from '../../system/waits.ts';
import { identifyingHeaders } from '../http/context.ts';
import { type ActionHandlers, type ActionOf, endConnection, type WholeResponse } from './fault-context.ts';

/** Neither HTTP nor any protocol that a client might recognise. */
const garbage = Buffer.from('\u0000\u0001 no answer at all \u00ff\r\n\r\n', 'latin1');

export const brokenResponses: Pick<ActionHandlers, 'cut_body' | 'half_headers' | 'garbage' | 'empty_body'> = {
  cut_body: async ({ whole, socket, setStatus, log }, action) => {
    setStatus(whole.status);
    await log();
    await sendAndEnd(socket, cut(whole, action), action.end);
    return undefined;
  },
  half_headers: async ({ whole, socket, log }, { end }) => {
    await log();
    const head = headOf(whole, {});
    await sendAndEnd(socket, Buffer.from(head.slice(0, head.length / 2)), end);
    return undefined;
  },
  garbage: async ({ socket, log }) => {
    await log();
    await sendAndEnd(socket, garbage, 'close');
    return undefined;
  },
  empty_body: async ({ context, whole, setStatus, log }) => {
    setStatus(whole.status);
    await log();
    return new Response(null, { status: whole.status, headers: identifyingHeaders(context) });
  },
};

function cut(whole: WholeResponse, { afterBytes, framing }: ActionOf<'cut_body'>): Buffer {
  const { body } = whole;
  // One byte is announced for an empty body, so that there is something to cut off.
  const length = Math.max(1, body.length);
  const part = body.subarray(0, Math.min(afterBytes, length - 1));
  if (framing === 'length') {
    return Buffer.concat([Buffer.from(headOf(whole, { 'Content-Length': String(length) })), part]);
  }
  if (framing === 'until_close') {
    return Buffer.concat([Buffer.from(headOf(whole, { Connection: 'close' })), part]);
  }
  const size = Buffer.from(`${length.toString(16)}\r\n`);
  return Buffer.concat([Buffer.from(headOf(whole, { 'Transfer-Encoding': 'chunked' })), size, part]);
}

function headOf({ status, headers }: WholeResponse, framing: Record<string, string>): string {
  const { 'content-length': _length, ...others } = headers;
  const lines = Object.entries({ ...others, ...framing }).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`, ...lines].join('\r\n')}\r\n\r\n`;
}

/** A client that receives bytes and a reset at once may take the reset for a normal end. */
const resetDelayMs = 30;

async function sendAndEnd(
  socket: Socket,
  bytes: Buffer,
  end: Parameters<typeof endConnection>[1],
): Promise<void> {
  await write(socket, bytes);
  if (end === 'reset') await wait(resetDelayMs);
  await endConnection(socket, end);
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.write(bytes, () => resolve());
  });
}

export const lostConnections: Pick<ActionHandlers, 'reset' | 'close' | 'stall'> = {
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
};
