import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RawRequestParts {
  key?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A new connection that keeps the received bytes and how it ended. */
export async function openConnection(baseUrl: string) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let ending: 'open' | 'close' | 'reset' = 'open';
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => {
    // A reset that arrives with bytes looks like an end, but then writing fails.
    socket.write('\r\n', (error) => {
      ending = error ? 'reset' : 'close';
      socket.destroy();
    });
  });
  socket.on('error', () => {
    ending = 'reset';
  });
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const bytes = () => Buffer.concat(chunks);
  return {
    bytes,
    text: () => bytes().toString(),
    ending: () => ending,
    ended,
    send(method: string, path: string, { key, headers = {}, body = '' }: RawRequestParts = {}): void {
      const all = {
        Host: `${hostname}:${port}`,
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(method === 'POST'
          ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
          : {}),
        ...headers,
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    },
    /** Resolves when the received text is as wanted, or the connection has ended. */
    async until(isWanted: (text: string) => boolean): Promise<void> {
      while (!isWanted(bytes().toString()) && ending === 'open') {
        await Promise.race([new Promise((resolve) => socket.once('data', resolve)), ended]);
      }
    },
    /** Stops reading. */
    pause: () => socket.pause(),
    leave: () => socket.destroy(),
    reset: () => socket.resetAndDestroy(),
  };
}

export interface RawResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Parses the bytes of one response; the chunks of a body are joined, as far as they arrived. */
export function readResponse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.subarray(0, end).toString().split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const body = bytes.subarray(end + 4);
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value === 'chunked');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: isChunked ? joinChunks(body) : body,
  };
}

function joinChunks(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n');
  const size = Number.parseInt(bytes.subarray(0, Math.max(0, end)).toString(), 16) || 0;
  if (size === 0) return Buffer.alloc(0);
  const chunk = bytes.subarray(end + 2, end + 2 + size);
  return Buffer.concat([chunk, joinChunks(bytes.subarray(end + 2 + size + 2))]);
}
