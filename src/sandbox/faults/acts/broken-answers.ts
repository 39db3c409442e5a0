import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ActionOf, Acts } from '../act.ts';
import { endConnection, type Whole } from '../scene.ts';

/** No HTTP, and neither the beginning of any other protocol that a client might take it for. */
const garbage = Buffer.from('\u0000\u0001 no answer at all \u00ff\r\n\r\n', 'latin1');

/** What arrives is no whole answer. */
export const brokenAnswers: Pick<Acts, 'cut_body' | 'half_headers' | 'garbage' | 'empty_body'> = {
  cut_body: async ({ whole, socket, recorded }, action) => {
    await recorded();
    await write(socket, cut(whole, action));
    await endConnection(socket, action.end);
    return undefined;
  },
  half_headers: async ({ whole, socket, recorded }, { end }) => {
    await recorded();
    const head = headOf(whole, {});
    await write(socket, Buffer.from(head.slice(0, head.length / 2)));
    await endConnection(socket, end);
    return undefined;
  },
  garbage: async ({ socket, recorded }) => {
    await recorded();
    await write(socket, garbage);
    await endConnection(socket, 'close');
    return undefined;
  },
  empty_body: async ({ whole, recorded }) => {
    await recorded();
    return new Response(null, { status: whole.status });
  },
};

function cut(whole: Whole, { afterBytes, framing }: ActionOf<'cut_body'>): Buffer {
  const { body } = whole;
  const part = body.subarray(0, Math.min(afterBytes, Math.max(0, body.length - 1)));
  if (framing === 'length') {
    return Buffer.concat([Buffer.from(headOf(whole, { 'Content-Length': String(body.length) })), part]);
  }
  if (framing === 'until_close') {
    return Buffer.concat([Buffer.from(headOf(whole, { Connection: 'close' })), part]);
  }
  const size = Buffer.from(`${body.length.toString(16)}\r\n`);
  return Buffer.concat([Buffer.from(headOf(whole, { 'Transfer-Encoding': 'chunked' })), size, part]);
}

function headOf({ status, headers }: Whole, framing: Record<string, string>): string {
  const { 'content-length': _length, ...others } = headers;
  const lines = Object.entries({ ...others, ...framing }).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`, ...lines].join('\r\n')}\r\n\r\n`;
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.write(bytes, () => resolve());
  });
}
