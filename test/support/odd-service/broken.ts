import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

export interface BrokenResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

type Send = (response: ServerResponse, whole: BrokenResponse) => void;

/** The beginning of the response as bytes, and then the end of the connection. */
const raw =
  (text: string): Send =>
  (response) =>
    void response.socket?.end(text);

const compressed =
  (encoding: string, compress: (text: string) => Buffer): Send =>
  (response, { status, headers, body }) =>
    void response.writeHead(status, { ...headers, 'content-encoding': encoding }).end(compress(body));

/** Changes every text but those of the stated fields, and adds one. */
const hostile =
  (payload: string, name = `note${payload}`): Send =>
  (response, { status, headers, body }) => {
    const stated = /^(?:id|externalOrderId|orderNumber|status|phone|sku|collection\w+|total|currency)$/;
    const order = JSON.parse(body, (key, value) =>
      typeof value === 'string' && !stated.test(key) ? value + payload : value,
    );
    const text = `${JSON.stringify(order).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(payload)}}`;
    response.writeHead(status, headers).end(text);
  };

/** Responses to a create that are broken, slow, huge or hostile, though the order was created. */
export const brokenResponses: Record<string, Send> = {
  reset: (response) => void response.socket?.resetAndDestroy(),
  close: (response) => response.destroy(),
  'cut body': (response, { status, headers, body }) =>
    void response
      .writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
      .write(body.slice(0, 8), () => response.destroy()),
  'cut body, chunked': (response, { status, headers, body }) =>
    void response.writeHead(status, headers).write(body.slice(0, 8), () => response.destroy()),
  'cut body, until close': raw('HTTP/1.1 201 Created\r\nConnection: close\r\n\r\n{"id":"'),
  'empty body': (response, { status }) => void response.writeHead(status).end(),
  'half headers': raw('HTTP/1.1 200 OK\r\nContent-Ty'),
  garbage: raw('\u0000 no response at all\r\n\r\n'),
  'not JSON': (response) => void response.writeHead(200).end('<html>done</html>'),
  'another order': (response) =>
    void response.writeHead(200).end('{"id":"X","externalOrderId":"of-another-shop"}'),
  'an error inside a 200': (response) =>
    void response.writeHead(200).end('{"success":false,"error":{"code":"NO"}}'),
  'a redirect to another origin': (response) =>
    void response.writeHead(307, { location: 'http://127.0.0.2:9/api/v1/merchant/orders' }).end(),
  'in small pieces': (response, { status, headers, body }) => {
    response.writeHead(status, headers);
    const pieces = Array.from({ length: Math.ceil(body.length / 50) }, (_, at) =>
      body.slice(at * 50, at * 50 + 50),
    );
    const send = () => {
      const piece = pieces.shift();
      if (piece === undefined) return void response.end();
      response.write(piece);
      setTimeout(send, 1);
    };
    send();
  },
  huge: (response, { status, headers, body }) => {
    response.writeHead(status, headers).write(body);
    const space = ' '.repeat(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(space));
      response.once('drain', more);
    };
    more();
  },
  gzip: compressed('gzip', gzipSync),
  deflate: compressed('deflate', deflateSync),
  brotli: compressed('br', brotliCompressSync),
  'escape sequences': hostile('\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u0000'),
  'bidirectional text': hostile('\u202egnp.\u2066\u200f'),
  formulas: hostile('=HYPERLINK("http://127.0.0.1/","x")'),
  'a member called __proto__': hostile('x', '__proto__'),
};
