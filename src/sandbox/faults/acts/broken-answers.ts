import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { labelsOf } from '../../parts.ts';
import type { ActionOf, Acts } from '../misbehave.ts';
import { endConnection, type Whole } from '../scene.ts';

/** No HTTP, and neither the beginning of any other protocol that a client might take it for. */
const garbage = Buffer.from('\u0000\u0001 no answer at all \u00ff\r\n\r\n', 'latin1');

/** What arrives is no whole answer. */
export const brokenAnswers: Pick<Acts, 'cut_body' | 'half_headers' | 'garbage' | 'empty_body'> = {
  cut_body: async ({ whole, socket, told, recorded }, action) => {
    told(whole.status);
    await recorded();
    await sendAndEnd(socket, cut(whole, action), action.end);
    return undefined;
  },
  half_headers: async ({ whole, socket, recorded }, { end }) => {
    await recorded();
    const head = headOf(whole, {});
    await sendAndEnd(socket, Buffer.from(head.slice(0, head.length / 2)), end);
    return undefined;
  },
  garbage: async ({ socket, recorded }) => {
    await recorded();
    await sendAndEnd(socket, garbage, 'close');
    return undefined;
  },
  empty_body: async ({ parts, context, whole, told, recorded }) => {
    told(whole.status);
    await recorded();
    return new Response(null, { status: whole.status, headers: labelsOf(parts, context) });
  },
};

function cut(whole: Whole, { afterBytes, framing }: ActionOf<'cut_body'>): Buffer {
  const { body } = whole;
  // An answer without a body misses one byte: otherwise nothing would be cut.
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

function headOf({ status, headers }: Whole, framing: Record<string, string>): string {
  const { 'content-length': _length, ...others } = headers;
  const lines = Object.entries({ ...others, ...framing }).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`, ...lines].join('\r\n')}\r\n\r\n`;
}

/** A client that finds bytes and a reset together may take the reset for an ordinary end. */
const readingMs = 30;

async function sendAndEnd(
  socket: Socket,
  bytes: Buffer,
  end: Parameters<typeof endConnection>[1],
): Promise<void> {
  await write(socket, bytes);
  if (end === 'reset') await delay(readingMs);
  await endConnection(socket, end);
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.write(bytes, () => resolve());
  });
}

/** The connection goes, and with it the answer. */
export const lostConnections: Pick<Acts, 'reset' | 'close' | 'stall'> = {
  reset: async ({ socket, recorded }) => {
    await recorded();
    await endConnection(socket, 'reset');
    return undefined;
  },
  close: async ({ socket, recorded }) => {
    await recorded();
    await endConnection(socket, 'close');
    return undefined;
  },
  stall: async ({ parts, socket, recorded }, { seconds }) => {
    await recorded();
    const gone = endConnection(socket, 'stall');
    if (seconds !== undefined) {
      await Promise.race([gone, parts.faults.sleep(seconds * 1000)]);
      await endConnection(socket, 'close');
    }
    await gone;
    return undefined;
  },
};
