import { createHash } from 'node:crypto';
import { getEventListeners, once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AttemptResult, Failure } from '../../../src/api/http/attempt-result.ts';
import { createTransport, type HttpRequest } from '../../../src/api/http/transport.ts';
import { apiKey, orders, startForeign } from '../foreign-service.ts';
import { selfSigned } from '../self-signed.ts';

const createIt: HttpRequest = {
  method: 'POST',
  path: '',
  headers: { 'idempotency-key': 'K' },
  body: '{"note":"Өдөр 🐎"}',
};
const getIt: HttpRequest = { method: 'GET', path: '/X' };
const never = new AbortController().signal;
const inTime = 20_000;

function open(baseUrl: string, env: Record<string, string> = {}) {
  const transport = createTransport({ baseUrl: new URL(baseUrl), apiKey, userAgent: 'test/1', env });
  onTestFinished(() => transport.close());
  return {
    transport,
    send: (request: HttpRequest = createIt, deadline = inTime, abort: AbortSignal = never) =>
      transport.send(request, deadline, abort),
  };
}

async function listen(server: Server | HttpServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that does this with every connection. */
async function serveSocket(onConnection: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(onConnection))}`;
}

/** A server that answers these bytes once the request is there, and then leaves the connection as it is. */
function serveBytes(bytes: string, then: (socket: Socket) => void = () => undefined): Promise<string> {
  return serveSocket((socket) => {
    socket.once('data', () => socket.write(bytes, () => then(socket)));
  });
}

/** A server that answers this, and then that again and again as long as somebody takes it. */
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
  it('carries what is stated, and the exact bytes of the body', async () => {
    const { baseUrl, seen } = await startForeign(() => ({ status: 201, json: { id: 'X' } }));
    const answer = await open(baseUrl).send();
    expect(answer).toMatchObject({ kind: 'response', status: 201, text: '{"id":"X"}', body: { id: 'X' } });
    expect(seen).toEqual([
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
        body: createIt.body,
      },
    ]);
  });

  it('keeps the bytes of a large body', async () => {
    const body = JSON.stringify({ note: 'Ө€🐎'.repeat(50_000) });
    const { baseUrl, seen } = await startForeign(() => ({ status: 201 }));
    await open(baseUrl).send({ ...createIt, body });
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(hash(seen[0]?.body ?? '')).toBe(hash(body));
  });

  it('has no body, no type and no length when it reads', async () => {
    const { baseUrl, seen } = await startForeign(() => ({}));
    await open(baseUrl).send({ method: 'GET', path: '', query: { customerPhone: '+976 99&1=?#Ө' } });
    expect(seen[0]).toMatchObject({ path: orders, query: { customerPhone: '+976 99&1=?#Ө' }, body: '' });
    expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => name.startsWith('content-'))).toEqual([]);
  });

  it.each(['', '/', '/shop', '/shop/'])('goes below the path of the base URL: %j', async (path) => {
    const { baseUrl, seen } = await startForeign(() => ({}));
    await open(baseUrl + path).send(getIt);
    expect(seen[0]?.path).toBe(`${path.replace(/\/$/, '')}${orders}/X`);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is not followed, so the key stays at its origin', async (status) => {
    const other = await startForeign(() => ({}));
    const { baseUrl, seen } = await startForeign(() => ({
      status,
      headers: { location: other.baseUrl + orders },
    }));
    for (const request of [createIt, getIt]) {
      expect(await open(baseUrl).send(request)).toMatchObject({ kind: 'response', status });
    }
    expect([seen.length, other.seen.length]).toEqual([2, 0]);
  });
});

describe('an answer', () => {
  it.each([
    ['without a body', '', undefined],
    ['that is no JSON', '<html>', undefined],
    ['with a BOM', '\uFEFF{"id":"X"}', { id: 'X' }],
    ['of another content type', '{"id":"X"}', { id: 'X' }],
  ])('%s', async (_name, text, body) => {
    const { baseUrl } = await startForeign(() => ({ text, headers: { 'content-type': 'text/html' } }));
    expect(await open(baseUrl).send()).toMatchObject({ kind: 'response', status: 200, body });
  });

  it('keeps digits as they were written', async () => {
    const { baseUrl } = await startForeign(() => ({ text: '{"n":1.10}' }));
    const answer = await open(baseUrl).send();
    expect(answer).toMatchObject({ body: { n: { value: '1.10' } } });
  });

  it('has its headers by lower-case name, several of one name joined', async () => {
    const baseUrl = await serveBytes(
      'HTTP/1.1 200 OK\r\nX-Request-ID: r-1\r\nVia: a\r\nvia: b\r\nContent-Length: 0\r\n\r\n',
    );
    expect(await open(baseUrl).send()).toMatchObject({ headers: { 'x-request-id': 'r-1', via: 'a, b' } });
  });
});

describe('nothing was sent', () => {
  const notSent = { kind: 'failure', mayHaveBeenSent: false, isCertificate: false };

  it('when nobody listens', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    expect(await open(`http://127.0.0.1:${port}`).send()).toEqual({
      ...notSent,
      reason: 'nothing listens at that address',
    });
  });

  it('when there is no such host', async () => {
    expect(await open('https://merchant.invalid').send()).toMatchObject(notSent);
  });

  it.each([
    ['closes', (socket: Socket) => socket.destroy()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['speaks no TLS', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('when the other end %s before TLS is there', async (_name, act) => {
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

  it('when nobody vouches for the certificate, which no other attempt mends', async () => {
    const requests: unknown[] = [];
    const port = await listen(createHttpsServer(selfSigned, (request) => requests.push(request)));
    expect(await open(`https://127.0.0.1:${port}`).send()).toEqual({
      kind: 'failure',
      mayHaveBeenSent: false,
      isCertificate: true,
      reason:
        'the certificate of 127.0.0.1 was not accepted: it is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT); ' +
        'subject 127.0.0.1, issuer 127.0.0.1, for 127.0.0.1, valid until Oct 27 10:05:40 2126 GMT',
    });
    expect(requests).toEqual([]);
  });
});

describe('it may have been sent', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const reset = (socket: Socket) => socket.resetAndDestroy();
  const close = (socket: Socket) => socket.destroy();

  it.each<[string, () => Promise<string>]>([
    ['reset when the request came', () => serveBytes('', reset)],
    ['closed when the request came', () => serveBytes('', close)],
    [
      'reset while the request is unread',
      () => serveSocket((socket) => void socket.once('readable', () => socket.resetAndDestroy())),
    ],
    ['closed in the status line', () => serveBytes('HTTP/1.1 20', close)],
    ['closed in the headers', () => serveBytes(`${head}X-`, close)],
    ['reset in the body', () => serveBytes(`${head}Content-Length: 10\r\n\r\n{"id"`, reset)],
    ['closed in the body', () => serveBytes(`${head}Content-Length: 10\r\n\r\n{"id"`, close)],
    ['closed in a chunk', () => serveBytes(`${head}Transfer-Encoding: chunked\r\n\r\na\r\n{"id"`, close)],
    [
      'closed before the last chunk',
      () => serveBytes(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"id"\r\n`, close),
    ],
    ['a chunk without a length', () => serveBytes(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)],
    ['something else than HTTP', () => serveBytes('SSH-2.0-OpenSSH_9.2p1\r\n', close)],
    ['two lengths', () => serveBytes(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`)],
    ['too many headers', () => serveBytes(`${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['headers without end', () => serveForEver('HTTP/1.1 200 OK\r\n', 'X-More: and more\r\n')],
    ['a body without end', () => serveForEver('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(65_536))],
    [
      'chunks without end',
      () => serveForEver(`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(9999)),
    ],
    ['100, which nobody asked for', () => serveBytes('HTTP/1.1 100 Continue\r\n\r\n')],
    [
      '101, which nobody asked for',
      () => serveBytes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
    ],
    ['status 1000', () => serveBytes('HTTP/1.1 1000 Too Much\r\n\r\n')],
    ['status 99', () => serveBytes('HTTP/1.1 99 Too Little\r\n\r\n')],
  ])('%s', async (_name, serve) => {
    const { mayHaveBeenSent, isCertificate, reason } = failure(await open(await serve()).send());
    expect({ mayHaveBeenSent, isCertificate }).toEqual({ mayHaveBeenSent: true, isCertificate: false });
    expect(reason).not.toBe('');
  });

  it.each([
    ['told in advance', { 'content-length': String(11 * 1024 * 1024) }],
    ['not told in advance', {}],
  ])('a body too large, %s', async (_name, headers) => {
    const { baseUrl } = await startForeign(() => (response) => {
      response.on('error', () => undefined).writeHead(200, headers);
      response.end(Buffer.alloc(11 * 1024 * 1024, 'x'));
    });
    expect(failure(await open(baseUrl).send())).toMatchObject({
      mayHaveBeenSent: true,
      reason: 'the response was too large',
    });
  });

  it('but a body of 10 MiB is read', async () => {
    const text = 'x'.repeat(10 * 1024 * 1024);
    const { baseUrl } = await startForeign(() => ({ text }));
    const answer = await open(baseUrl).send();
    expect(answer.kind === 'response' && answer.text === text).toBe(true);
  });
});

describe('the end of an attempt', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n';
  const stalls = [
    ['before the answer', ''],
    ['in the headers', 'HTTP/1.1 200 OK\r\nX-'],
    ['in the body', `${head}{"id"`],
  ] as const;

  it.each(stalls)('its deadline ends a stall %s', async (_name, bytes) => {
    const attemptResult = await open(await serveBytes(bytes)).send(createIt, 200);
    expect(failure(attemptResult)).toMatchObject({ mayHaveBeenSent: true, reason: 'no response in time' });
  });

  it('a drip of bytes does not put its deadline off', async () => {
    const baseUrl = await serveBytes(head, (socket) => {
      const drip = setInterval(() => socket.write(' '), 40);
      socket.on('close', () => clearInterval(drip));
    });
    expect(failure(await open(baseUrl).send(createIt, 200)).mayHaveBeenSent).toBe(true);
  });

  it('hints without end do not put it off either', async () => {
    const baseUrl = await serveForEver('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
    expect(failure(await open(baseUrl).send(createIt, 200))).toMatchObject({
      mayHaveBeenSent: true,
      reason: 'no response in time',
    });
  });

  it('a hint before the answer is passed over', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n';
    const baseUrl = await serveBytes(`${hint}${hint}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`);
    expect(await open(baseUrl).send()).toMatchObject({
      status: 200,
      headers: { 'content-length': '2' },
      text: '{}',
    });
  });

  /** Where a connection is being opened and the other end says nothing. */
  const openings: [string, (address: string) => [baseUrl: string, env: Record<string, string>]][] = [
    ['TLS', (address) => [address.replace('http:', 'https:'), {}]],
    ['a tunnel', (address) => ['https://merchant.invalid', { HTTPS_PROXY: address }]],
  ];

  it.each(openings)(
    'leaving ends it while %s is being opened, and nothing was sent',
    async (_name, placeOf) => {
      const leaving = new AbortController();
      const closed: Promise<unknown>[] = [];
      const address = await serveSocket((socket) => {
        closed.push(once(socket.resume(), 'close'));
        leaving.abort();
      });
      const { transport, send } = open(...placeOf(address));
      expect(failure(await send(createIt, 60_000, leaving.signal))).toMatchObject({
        mayHaveBeenSent: false,
        reason: 'the request was aborted',
      });
      // What is still being opened does not keep the program from ending, as its own deadline of 10 s would.
      const started = Date.now();
      await transport.close();
      await Promise.all(closed);
      expect(Date.now() - started).toBeLessThan(5000);
      expect(closed.length).toBe(1);
    },
  );

  it.each(openings)('its deadline ends it while %s is being opened', async (_name, placeOf) => {
    const { send } = open(...placeOf(await serveSocket(() => undefined)));
    expect(failure(await send(createIt, 200))).toMatchObject({
      mayHaveBeenSent: false,
      reason: 'no response in time',
    });
  });

  it.each(stalls)('leaving ends it %s, long before its deadline', async (_name, bytes) => {
    const leaving = new AbortController();
    const baseUrl = await serveBytes(bytes, () => leaving.abort());
    const started = Date.now();
    expect(failure(await open(baseUrl).send(createIt, 60_000, leaving.signal)).mayHaveBeenSent).toBe(true);
    expect(Date.now() - started).toBeLessThan(10_000);
  });

  it('sends nothing when leaving has begun before', async () => {
    const { baseUrl, seen } = await startForeign(() => ({}));
    expect(failure(await open(baseUrl).send(createIt, 60_000, AbortSignal.abort()))).toMatchObject({
      mayHaveBeenSent: false,
      reason: 'the request was aborted',
    });
    expect(seen).toEqual([]);
  });

  it('sends nothing any more when it was given up before there was a connection', async () => {
    const { baseUrl, seen } = await startForeign(() => ({}));
    const { send } = open(baseUrl);
    const leaving = new AbortController();
    const givenUp = send(createIt, 60_000, leaving.signal);
    leaving.abort();
    expect(failure(await givenUp)).toMatchObject({ mayHaveBeenSent: false });
    // The connection that was being opened takes the next request.
    expect(await send(getIt)).toMatchObject({ kind: 'response' });
    expect(seen.map(({ method }) => method)).toEqual(['GET']);
  });

  it('leaves no listener on a signal', async () => {
    const { baseUrl } = await startForeign(() => ({}));
    const { signal } = new AbortController();
    const { send } = open(baseUrl);
    const sent = Array.from({ length: 8 }, () => send(getIt, inTime, signal));
    expect(getEventListeners(signal, 'abort').length).toBe(8);
    await Promise.all(sent);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('proxies', () => {
  const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];

  /** Keeps what it is asked for and answers a CONNECT with `status`, or closes on 0. */
  async function startProxy(status: number) {
    const asked: string[] = [];
    const server = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(502).end();
    });
    server.on('connect', (request, socket: Socket) => {
      asked.push(`CONNECT ${request.url} ${JSON.stringify(request.headers).includes(apiKey)}`);
      if (status === 0) socket.destroy();
      else socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    });
    return { asked, address: `http://127.0.0.1:${await listen(server)}` };
  }

  it.each(['127.0.0.1', 'localhost'])('are never used for %s', async (host) => {
    const proxy = await startProxy(407);
    const { baseUrl, seen } = await startForeign(() => ({}));
    const env = Object.fromEntries(variables.map((name) => [name, proxy.address]));
    const answer = await open(baseUrl.replace('127.0.0.1', host), env).send(getIt);
    expect([answer.kind, seen.length, proxy.asked]).toEqual(['response', 1, []]);
  });

  const refusals = [
    [407, 'the proxy requires a user name and password, or rejected them (status 407)'],
    [502, 'the proxy could not reach the service (status 502)'],
    [405, 'the proxy rejected the connection (status 405)'],
  ] as const;

  it.each(variables.flatMap((name) => refusals.map(([status, reason]) => [name, status, reason] as const)))(
    '%s is used for any other host, and when it refuses with %i nothing was sent',
    async (name, status, reason) => {
      const { asked, address } = await startProxy(status);
      const { send } = open('https://merchant.invalid', { [name]: address });
      expect(await send()).toEqual({
        kind: 'failure',
        mayHaveBeenSent: false,
        isCertificate: false,
        reason,
      });
      expect(asked).toEqual(['CONNECT merchant.invalid:443 false']);
    },
  );

  it('that cannot be reached: nothing was sent', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    await once(server, 'close');
    const { send } = open('https://merchant.invalid', { HTTPS_PROXY: `http://127.0.0.1:${port}` });
    expect(failure(await send())).toMatchObject({
      mayHaveBeenSent: false,
      reason: 'the proxy cannot be used: nothing listens at that address',
    });
  });

  it('that closes instead of answering is asked once for each attempt, and nothing was sent', async () => {
    const { asked, address } = await startProxy(0);
    expect(failure(await open('https://merchant.invalid', { HTTPS_PROXY: address }).send())).toMatchObject({
      mayHaveBeenSent: false,
      reason: expect.stringContaining('the proxy cannot be used'),
    });
    expect(asked.length).toBe(1);
  });

  it('that nobody vouches for is not used', async () => {
    const connects: unknown[] = [];
    const port = await listen(
      createHttpsServer(selfSigned).on('connect', (request) => connects.push(request)),
    );
    const { send } = open('https://merchant.invalid', { HTTPS_PROXY: `https://127.0.0.1:${port}` });
    expect(failure(await send())).toMatchObject({
      mayHaveBeenSent: false,
      isCertificate: true,
      reason: expect.stringContaining('the certificate of 127.0.0.1 was not accepted'),
    });
    expect(connects).toEqual([]);
  });

  it.each(['NO_PROXY', 'no_proxy'])('are left out for the hosts of %s', async (name) => {
    const { asked, address } = await startProxy(407);
    const { send } = open('https://merchant.invalid', { HTTPS_PROXY: address, [name]: 'merchant.invalid' });
    expect(failure(await send()).reason).not.toMatch(/proxy/);
    expect(asked).toEqual([]);
  });
});
