import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Text } from '../../../src/advice/advice.ts';
import type { AttemptResult, Failure } from '../../../src/api/http/attempt-result.ts';
import { createTransport, type HttpRequest } from '../../../src/api/http/transport.ts';
import { systemClock } from '../../../src/system/system.ts';
import { asText } from '../../support/advice.ts';
import { listen } from '../listen.ts';
import { apiKey, orders, startStubService } from '../stub-service.ts';

const create: HttpRequest = {
  method: 'POST',
  path: '',
  headers: { 'idempotency-key': 'K' },
  body: '{"note":"Өдөр 🐎"}',
};
const get: HttpRequest = { method: 'GET', path: '/X' };
const never = new AbortController().signal;
const deadlineMilliseconds = 20_000;

function open(baseUrl: string, env: Record<string, string> = {}) {
  const transport = createTransport({
    baseUrl: new URL(baseUrl),
    apiKey,
    userAgent: 'test/1',
    env,
    clock: systemClock,
  });
  onTestFinished(() => transport.close());
  return {
    transport,
    send: (request: HttpRequest = create, deadline = deadlineMilliseconds, abort: AbortSignal = never) =>
      transport.send(request, deadline, abort),
  };
}

async function serveSocket(onConnection: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(onConnection))}`;
}

/** A server that replies to a request with these bytes, and then calls `then`. */
function serveBytes(bytes: string, then: (socket: Socket) => void = () => undefined): Promise<string> {
  return serveSocket((socket) => {
    socket.once('data', () => socket.write(bytes, () => then(socket)));
  });
}

/** A server that replies with `first`, then repeats `again` until the connection is closed. */
function serveForEver(first: string, again: string): Promise<string> {
  return serveBytes(first, (socket) => {
    const more = () => {
      if (!socket.destroyed) socket.write(again, () => setImmediate(more));
    };
    more();
  });
}

function failure(attemptResult: AttemptResult): Failure {
  expect(attemptResult).toMatchObject({ kind: 'failure' });
  return attemptResult as Failure;
}

describe('a request', () => {
  it('reports when it leaves: once there is a connection, and before the response', async () => {
    const events: string[] = [];
    const server = createHttpServer((_request, response) => {
      events.push('received');
      response.end('{}');
    });
    server.on('connection', () => events.push('connection'));
    const { transport } = open(`http://127.0.0.1:${await listen(server)}`);
    const send = () =>
      transport
        .send(create, deadlineMilliseconds, never, () => events.push('leaves'))
        .then(({ kind }) => kind);
    expect([await send(), await send()]).toEqual(['response', 'response']);
    const [first, second, ...others] = events;
    expect([[first, second].toSorted(), others]).toEqual([
      ['connection', 'leaves'],
      ['received', 'leaves', 'received'],
    ]);
  });

  it('does not leave without a connection', async () => {
    let hasLeft = false;
    const { transport } = open('http://127.0.0.1:1');
    const onSending = () => {
      hasLeft = true;
    };
    expect(await transport.send(create, deadlineMilliseconds, never, onSending)).toMatchObject({
      kind: 'failure',
    });
    expect(hasLeft).toBe(false);
  });

  it('has the documented headers and the exact bytes of the body', async () => {
    const { baseUrl, received } = await startStubService(() => ({ status: 201, json: { id: 'X' } }));
    const response = await open(baseUrl).send();
    expect(response).toMatchObject({ kind: 'response', status: 201, text: '{"id":"X"}', body: { id: 'X' } });
    expect(received).toEqual([
      {
        method: 'POST',
        path: orders,
        query: {},
        headers: {
          host: new URL(baseUrl).host,
          connection: 'keep-alive',
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'test/1',
          'content-type': 'application/json',
          'content-length': '24',
          'idempotency-key': 'K',
          authorization: `Bearer ${apiKey}`,
        },
        body: create.body,
      },
    ]);
  });

  it('has no body, content type or length when it reads', async () => {
    const { baseUrl, received } = await startStubService(() => ({}));
    await open(baseUrl).send({ method: 'GET', path: '', query: { customerPhone: '+976 99&1=?#Ө' } });
    expect(received[0]).toMatchObject({ path: orders, query: { customerPhone: '+976 99&1=?#Ө' }, body: '' });
    expect(Object.keys(received[0]?.headers ?? {}).filter((name) => name.startsWith('content-'))).toEqual([]);
  });

  it.each(['', '/', '/shop', '/shop/'])('keeps the path of the base URL: %j', async (path) => {
    const { baseUrl, received } = await startStubService(() => ({}));
    await open(baseUrl + path).send(get);
    expect(received[0]?.path).toBe(`${path.replace(/\/$/, '')}${orders}/X`);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is not followed, so the key stays at its origin', async (status) => {
    const other = await startStubService(() => ({}));
    const { baseUrl, received } = await startStubService(() => ({
      status,
      headers: { location: other.baseUrl + orders },
    }));
    for (const request of [create, get]) {
      expect(await open(baseUrl).send(request)).toMatchObject({ kind: 'response', status });
    }
    expect([received.length, other.received.length]).toEqual([2, 0]);
  });
});

describe('a response', () => {
  it.each([
    ['without a body', '', undefined],
    ['that is not JSON', '<html>', undefined],
    ['with a BOM', '\uFEFF{"id":"X"}', { id: 'X' }],
    ['of another content type', '{"id":"X"}', { id: 'X' }],
  ])('%s', async (_name, text, body) => {
    const { baseUrl } = await startStubService(() => ({ text, headers: { 'content-type': 'text/html' } }));
    expect(await open(baseUrl).send()).toMatchObject({ kind: 'response', status: 200, body });
  });

  it('has lower-case header names, and joins repeated headers', async () => {
    const baseUrl = await serveBytes(
      'HTTP/1.1 200 OK\r\nX-Request-ID: r-1\r\nVia: a\r\nvia: b\r\nContent-Length: 0\r\n\r\n',
    );
    expect(await open(baseUrl).send()).toMatchObject({ headers: { 'x-request-id': 'r-1', via: 'a, b' } });
  });
});

describe('a request that was certainly not sent', () => {
  const notSent = { kind: 'failure', mayHaveBeenSent: false, isCertificate: false };

  it('fails when nothing listens', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    expect(await open(`http://127.0.0.1:${port}`).send()).toEqual({
      ...notSent,
      reason: 'nothing listens at that address',
    });
  });

  it.each([
    ['closes', (socket: Socket) => socket.destroy()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['speaks no TLS', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('fails when the server %s during the TLS handshake', async (_name, act) => {
    const received: Buffer[] = [];
    const baseUrl = await serveSocket((socket) => {
      socket.on('data', (bytes) => {
        received.push(bytes);
        act(socket);
      });
    });
    expect(await open(baseUrl.replace('http:', 'https:')).send()).toMatchObject(notSent);
    expect(Buffer.concat(received).includes(apiKey)).toBe(false);
  });
});

describe('a request that may have been sent', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const reset = (socket: Socket) => socket.resetAndDestroy();
  const close = (socket: Socket) => socket.destroy();

  const closed = 'the connection was closed';
  const resetOrClosed = asText(/^the connection was (?:reset|closed)$/);
  const continues = 'the service sends "100 Continue" before its responses, although it was not requested';
  const tooLarge = 'the response was too large';
  const notHttp = 'the response was not valid HTTP/1.1';

  it.each<[string, Text, () => Promise<string>]>([
    ['reset on the request', resetOrClosed, () => serveBytes('', reset)],
    ['closed on the request', closed, () => serveBytes('', close)],
    [
      'reset before the request was read',
      resetOrClosed,
      () => serveSocket((socket) => void socket.once('readable', () => socket.resetAndDestroy())),
    ],
    ['closed in the status line', closed, () => serveBytes('HTTP/1.1 20', close)],
    ['closed in the headers', closed, () => serveBytes(`${head}X-`, close)],
    ['reset in the body', resetOrClosed, () => serveBytes(`${head}Content-Length: 10\r\n\r\n{"id"`, reset)],
    ['closed in the body', closed, () => serveBytes(`${head}Content-Length: 10\r\n\r\n{"id"`, close)],
    [
      'closed in a chunk',
      closed,
      () => serveBytes(`${head}Transfer-Encoding: chunked\r\n\r\na\r\n{"id"`, close),
    ],
    [
      'closed before the last chunk',
      closed,
      () => serveBytes(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n`, close),
    ],
    [
      'a chunk without a length',
      notHttp,
      () => serveBytes(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
    ],
    ['a response that is not HTTP', notHttp, () => serveBytes('SSH-2.0-OpenSSH_9.2p1\r\n', close)],
    [
      'two Content-Length headers',
      'the response was not as long as its Content-Length',
      () => serveBytes(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`),
    ],
    [
      'too many headers',
      'the headers of the response were too large',
      () => serveBytes(`${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
    ],
    [
      'endless headers',
      'the headers of the response were too large',
      () => serveForEver('HTTP/1.1 200 OK\r\n', 'X-More: and more\r\n'),
    ],
    ['an endless body', tooLarge, () => serveForEver('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536))],
    [
      'endless chunks',
      tooLarge,
      () => serveForEver(`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(9999)),
    ],
    ['100, which was not requested', continues, () => serveBytes('HTTP/1.1 100 Continue\r\n\r\n')],
    [
      '101, which was not requested',
      notHttp,
      () => serveBytes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
    ],
    ['status 1000', notHttp, () => serveBytes('HTTP/1.1 1000 Too Much\r\n\r\n')],
    ['status 99', notHttp, () => serveBytes('HTTP/1.1 99 Too Little\r\n\r\n')],
  ])('%s', async (_name, reason, serve) => {
    expect(await open(await serve()).send()).toEqual({
      kind: 'failure',
      mayHaveBeenSent: true,
      isCertificate: false,
      reason,
      ...(reason === tooLarge ? { isTooLarge: true } : {}),
      ...(reason === continues ? { isContinue: true } : {}),
    });
  });

  const list: HttpRequest = { method: 'GET', path: '', query: {} };
  const mebibyte = 1024 * 1024;

  it.each([
    ['a create', create, 200, 1],
    ['a read', get, 200, 1],
    ['a list', list, 200, 10],
  ])('%s has a response of at most %4$d MiB', async (_name, request, status, mebibytes) => {
    let bytes = mebibytes * mebibyte;
    let headers = {};
    const { baseUrl } = await startStubService(() => (response) => {
      response.on('error', () => undefined).writeHead(status, headers);
      response.end(Buffer.alloc(bytes, 'x'));
    });
    const { send } = open(baseUrl);
    const response = await send(request);
    expect(response.kind === 'response' && response.text.length).toBe(bytes);
    bytes += 1;
    for (headers of [{}, { 'content-length': String(bytes) }]) {
      expect(failure(await send(request))).toMatchObject({ isTooLarge: true, reason: tooLarge });
    }
  });

  it.each([create, list])('and more of an error is cut: $method', async (request) => {
    let headers = {};
    let body = Buffer.alloc(2 * mebibyte, 'x');
    const { baseUrl } = await startStubService(() => (response) => {
      response.on('error', () => undefined).writeHead(422, headers);
      response.end(body);
    });
    const { send } = open(baseUrl);
    const cut = async () => {
      const response = await send(request);
      return response.kind === 'response' ? [response.status, response.text.length] : response.reason;
    };
    expect(await cut()).toEqual([422, mebibyte]);
    headers = { 'content-encoding': 'gzip' };
    const noise = randomBytes(2 * mebibyte).toString('hex');
    const stored = gzipSync(body, { level: 0 });
    for (body of [gzipSync(body), gzipSync(noise)]) expect(await cut()).toEqual([422, mebibyte]);
    body = stored;
    expect(await cut()).toEqual([422, expect.closeTo(mebibyte, -3)]);
    headers = {};
    body = Buffer.from(`[${'1,'.repeat(200_000)}1]`);
    expect(await cut()).toEqual([422, body.length]);
  });

  it.each([create, list])('and more than 200,000 values are too large: $method', async (request) => {
    const { baseUrl } = await startStubService(() => ({ text: `{"orders":[${'1,'.repeat(200_000)}1]}` }));
    expect(failure(await open(baseUrl).send(request))).toMatchObject({ isTooLarge: true, reason: tooLarge });
  });

  it('are all read, although they do not fit into the memory together', async () => {
    const text = JSON.stringify({ orders: ['x'.repeat(9 * mebibyte)] });
    const { baseUrl } = await startStubService(() => ({ text }));
    const { send } = open(baseUrl);
    const lengths = Array.from({ length: 9 }, async () => {
      const response = await send(list);
      return response.kind === 'response' ? response.text.length : response.reason;
    });
    expect(new Set(await Promise.all(lengths))).toEqual(new Set([text.length]));
  });
});

describe('the end of an attempt', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n';
  const stalls = [
    ['before the response', ''],
    ['in the headers', 'HTTP/1.1 200 OK\r\nX-'],
    ['in the body', `${head}{"id"`],
  ] as const;

  it.each(stalls)('comes at the deadline when the service stalls %s', async (_name, bytes) => {
    const attemptResult = await open(await serveBytes(bytes)).send(create, 200);
    expect(failure(attemptResult)).toMatchObject({ mayHaveBeenSent: true, reason: 'no response in time' });
  });

  it('is not postponed by slowly arriving bytes', async () => {
    const baseUrl = await serveBytes(head, (socket) => {
      const drip = setInterval(() => socket.write(' '), 40);
      socket.on('close', () => clearInterval(drip));
    });
    expect(failure(await open(baseUrl).send(create, 200)).mayHaveBeenSent).toBe(true);
  });

  it('is not postponed by endless informational responses', async () => {
    const baseUrl = await serveForEver('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
    expect(failure(await open(baseUrl).send(create, 200))).toMatchObject({
      mayHaveBeenSent: true,
      reason: 'no response in time',
    });
  });

  it('does not come with an informational response', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n';
    const baseUrl = await serveBytes(`${hint}${hint}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`);
    expect(await open(baseUrl).send()).toMatchObject({
      status: 200,
      headers: { 'content-length': '2' },
      text: '{}',
    });
  });

  /** Steps of opening a connection at which a server stalls; `replies` are sent before that step. */
  const openings: [string, string[], (address: string) => [baseUrl: string, env: Record<string, string>]][] =
    [
      ['TLS', [], (address) => [address.replace('http:', 'https:'), {}]],
      ['TLS with a proxy', [], (address) => [remote, { HTTPS_PROXY: address.replace('http:', 'https:') }]],
      ['a tunnel', [], (address) => [remote, { HTTPS_PROXY: address }]],
      ['TLS in a tunnel', ['HTTP/1.1 200 OK\r\n\r\n'], (address) => [remote, { HTTPS_PROXY: address }]],
    ];
  const remote = 'https://merchant.invalid';

  /** A server that sends `replies`, and then calls `onStall` on further bytes. */
  function serveOpening(replies: string[], onStall: (socket: Socket) => void = () => undefined) {
    return serveSocket((socket) => {
      const left = [...replies];
      socket.on('data', () => {
        const reply = left.shift();
        if (reply === undefined) onStall(socket);
        else socket.write(reply);
      });
    });
  }

  it.each(openings)(
    'comes on abort during %s, before anything was sent',
    async (_name, replies, addressesOf) => {
      const leaving = new AbortController();
      const closed: Promise<unknown>[] = [];
      const address = await serveOpening(replies, (socket) => {
        closed.push(once(socket, 'close'));
        leaving.abort();
      });
      const started = Date.now();
      const { transport, send } = open(...addressesOf(address));
      expect(failure(await send(create, 60_000, leaving.signal))).toMatchObject({
        mayHaveBeenSent: false,
        reason: 'the request was aborted',
      });
      // The pending connection is closed now, not after the connect timeout of 10 s.
      await transport.close();
      await Promise.all(closed);
      expect(Date.now() - started).toBeLessThan(10_000);
      expect(closed.length).toBe(1);
    },
  );

  it.each(openings)('comes at the deadline during %s', async (_name, replies, addressesOf) => {
    const { send } = open(...addressesOf(await serveOpening(replies)));
    expect(failure(await send(create, 200))).toMatchObject({
      mayHaveBeenSent: false,
      reason: 'no response in time',
    });
  });

  it.each(stalls)('comes on abort %s, long before the deadline', async (_name, bytes) => {
    const leaving = new AbortController();
    const baseUrl = await serveBytes(bytes, () => leaving.abort());
    expect(failure(await open(baseUrl).send(create, 60_000, leaving.signal))).toMatchObject({
      mayHaveBeenSent: true,
      reason: 'the request was aborted',
    });
  });

  it('sends nothing when aborted from the start', async () => {
    const { baseUrl, received } = await startStubService(() => ({}));
    expect(failure(await open(baseUrl).send(create, 60_000, AbortSignal.abort()))).toMatchObject({
      mayHaveBeenSent: false,
      reason: 'the request was aborted',
    });
    expect(received).toEqual([]);
  });

  it('sends nothing when aborted before the connection was open', async () => {
    const { baseUrl, received } = await startStubService(() => ({}));
    const { send } = open(baseUrl);
    const leaving = new AbortController();
    const aborted = send(create, 60_000, leaving.signal);
    leaving.abort();
    expect(failure(await aborted)).toMatchObject({ mayHaveBeenSent: false });
    // The next request uses the connection that was being opened.
    expect(await send(get)).toMatchObject({ kind: 'response' });
    expect(received.map(({ method }) => method)).toEqual(['GET']);
  });

  it('ends while the response is decoded, too', async () => {
    const bytes = gzipSync(`{"data":[${'1,'.repeat(20_000)}1]}`);
    const baseUrl = await serveSocket((socket) => {
      socket.on('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`);
        socket.write(bytes);
      });
    });
    const { send } = open(baseUrl);
    expect(await send()).toMatchObject({ kind: 'response' });
    const leaving = new AbortController();
    const whenDecoding = createHook({
      init: (_id, type) => {
        if (type === 'ZLIB') leaving.abort();
      },
    }).enable();
    onTestFinished(() => void whenDecoding.disable());
    expect(failure(await send(create, deadlineMilliseconds, leaving.signal))).toMatchObject({
      mayHaveBeenSent: true,
      reason: 'the request was aborted',
    });
  });

  it('has one abort listener for all attempts', async () => {
    const { baseUrl } = await startStubService(() => ({}));
    const { signal } = new AbortController();
    const { send } = open(baseUrl);
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(Array.from({ length: 8 }, () => send(get, deadlineMilliseconds, signal)));
      expect(getEventListeners(signal, 'abort').length).toBe(1);
    }
  });
});

describe('a proxy', () => {
  const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];

  /** Records the requests and replies to a CONNECT with `status`, or closes the connection if that is 0. */
  async function startProxy(status: number) {
    const received: string[] = [];
    const server = createHttpServer((request, response) => {
      received.push(`${request.method} ${request.url}`);
      response.writeHead(502).end();
    });
    server.on('connect', (request, socket: Socket) => {
      received.push(`CONNECT ${request.url} ${JSON.stringify(request.headers).includes(apiKey)}`);
      if (status === 0) socket.destroy();
      else socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    });
    return { received, address: `http://127.0.0.1:${await listen(server)}` };
  }

  const rejections: [status: number, reason: string, cure?: string][] = [
    [
      403,
      'the proxy does not let this address through (status 403)',
      'Ask the operator of the proxy to allow it',
    ],
    [
      407,
      'the proxy requires a user name and password, or rejected them (status 407)',
      'Put them into HTTPS_PROXY, as in http://USER:PASSWORD@HOST:PORT',
    ],
    [502, 'the proxy could not open the connection (status 502)'],
  ];

  it.each(
    variables.flatMap((name) =>
      rejections.map(([status, reason, cure]) => [name, status, reason, cure] as const),
    ),
  )(
    'of %s is used for other hosts, and nothing is sent when it replies with %i',
    async (name, status, reason, cure) => {
      const { received, address } = await startProxy(status);
      const { send } = open('https://merchant.invalid', { [name]: address });
      expect(await send()).toEqual({
        kind: 'failure',
        mayHaveBeenSent: false,
        isCertificate: false,
        reason,
        cure,
      });
      expect(received).toEqual(['CONNECT merchant.invalid:443 false']);
    },
  );

  it('that closes the connection gets one CONNECT per attempt, and the service nothing', async () => {
    const { received, address } = await startProxy(0);
    expect(failure(await open('https://merchant.invalid', { HTTPS_PROXY: address }).send())).toMatchObject({
      mayHaveBeenSent: false,
      reason: asText(/the proxy cannot be used/),
    });
    expect(received.length).toBe(1);
  });
});
