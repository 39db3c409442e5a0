import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { runProgram } from '../support/program.ts';
import { certificates } from './certificates.ts';
import { listen } from './listen.ts';
import { selfSigned } from './self-signed.ts';

const id = '0199f0a0-0000-7000-8000-000000000001';
const signed = (cert: string) => ({ key: certificates.key, cert });

/** Runs a command, by default one that reads an order, with a service that has this certificate. */
async function get(
  options: ServerOptions,
  env: Record<string, string> = {},
  args = ['get', id],
  respond: (response: ServerResponse, socket: Socket) => void = (response) =>
    response.end(JSON.stringify({ id, externalOrderId: 'UB-1' })),
) {
  const connections: Socket[] = [];
  const requests: unknown[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request.headers.authorization);
    respond(response, connections.at(-1) as Socket);
  };
  const server = createServer(options, listener).on('connection', (socket: Socket) => {
    connections.push(socket);
  });
  const port = await listen(server);
  const file = join(temporaryDirectory(), 'authority.pem');
  writeFileSync(file, `${certificates.authority}\n${certificates.notYetValid}\n`);
  const { stdout, stderr, exitCode } = await runProgram([...args, '--json'], {
    env: {
      MERCHANT_ORDERS_BASE_URL: `https://127.0.0.1:${port}`,
      MERCHANT_ORDERS_API_KEY: 'mk_live_1',
      NODE_EXTRA_CA_CERTS: file,
      ...env,
    },
  });
  return { stdout, stderr, exitCode, requests, connections: connections.length, port };
}

describe('the certificate of the service', () => {
  it('is accepted from an authority in NODE_EXTRA_CA_CERTS', async () => {
    const { stdout, exitCode, requests } = await get(signed(certificates.good));
    expect([JSON.parse(stdout).id, exitCode, requests]).toEqual([id, 0, ['Bearer mk_live_1']]);
  });

  const clock =
    'Check the date and the time of this computer; if they are right, tell the operator of the server.';
  const rejected: [string, ServerOptions, why: string, hint: string][] = [
    [
      'that has expired',
      signed(certificates.expired),
      'it has expired (CERT_HAS_EXPIRED); subject 127.0.0.1, issuer Test authority, for 127.0.0.1, valid from Nov 20 12:34:51 2026 GMT until Nov 19 12:34:51 2026 GMT',
      clock,
    ],
    [
      'that is not valid yet',
      signed(certificates.notYetValid),
      'it is not valid yet (CERT_NOT_YET_VALID); subject 127.0.0.1, issuer 127.0.0.1, for 127.0.0.1, valid from Jan  1 00:00:00 2126 GMT until Jan  1 00:00:00 2226 GMT',
      clock,
    ],
    [
      'that is for another host',
      signed(certificates.otherHost),
      'it is for another host (ERR_TLS_CERT_ALTNAME_INVALID); subject shop.example, issuer Test authority, for shop.example, www.shop.example, valid from Nov 20 12:34:51 2026 GMT until Oct 27 12:34:51 2126 GMT',
      'Check the base URL; if it is right, tell the operator of the server.',
    ],
    [
      'that is self-signed',
      selfSigned,
      'it is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT); subject 127.0.0.1, issuer 127.0.0.1, for 127.0.0.1, valid from Nov 20 10:05:40 2026 GMT until Oct 27 10:05:40 2126 GMT',
      'Check the base URL; if it is right, ask the operator of the server or your network administrator for the certificate of its authority, and name that file in NODE_EXTRA_CA_CERTS.',
    ],
  ];

  it.each(rejected)(
    '%s ends the command before anything is sent, without a retry',
    async (_name, options, why, hint) => {
      const { stdout, stderr, exitCode, requests, connections } = await get(options);
      expect({ stdout, exitCode, requests, connections }).toEqual({
        stdout: '',
        exitCode: 7,
        requests: [],
        connections: 1,
      });
      const { error } = JSON.parse(stderr);
      expect(error).toMatchObject({ code: 'unreachable', outcome: 'not_sent' });
      expect(error.hint).toContain(hint);
      expect(error.message).toBe(
        `The connection to the service is not secure: the certificate of 127.0.0.1 was not accepted: ${why}.`,
      );
    },
  );

  it('is checked even if NODE_TLS_REJECT_UNAUTHORIZED is 0', async () => {
    const { exitCode, requests } = await get(selfSigned, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect([exitCode, requests]).toEqual([7, []]);
  });
});

describe('a trusted service', () => {
  const order = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-001', '--prepaid'];
  const create = ['create', ...order, '--yes'];

  it('that requires a client certificate was sent nothing, although TLS 1.3 lets the request go first', async () => {
    const options = { ...signed(certificates.good), ca: certificates.authority, requestCert: true };
    const { stdout, stderr, exitCode, requests } = await get(options, {}, create);
    expect({ stdout, exitCode, requests }).toEqual({ stdout: '', exitCode: 7, requests: [] });
    const { idempotencyKey, hint, ...error } = JSON.parse(stderr).error;
    expect(error).toEqual({
      code: 'unreachable',
      message:
        'The service could not be reached: it requires a client certificate, which this program cannot send.',
      outcome: 'not_sent',
      exitCode: 7,
    });
    expect(hint).toContain(
      'Nothing was sent. Ask the operator of the server for an address that requires no client certificate, then run the same command again.',
    );
  });

  it('whose encryption breaks after the request may have created the order', async () => {
    const options = signed(certificates.good);
    const breakOff = (_response: ServerResponse, socket: Socket) =>
      socket.write(Buffer.from(`1703030020${'ff'.repeat(32)}`, 'hex'));
    const read = await get(options, {}, ['get', id], breakOff);
    expect([read.exitCode, JSON.parse(read.stderr).error.message]).toEqual([
      7,
      'The service did not respond as expected: the secure connection broke off (ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC).',
    ]);
    const created = await get(options, {}, create, breakOff);
    expect([created.exitCode, created.requests.length > 0]).toEqual([8, true]);
    expect(created.stderr).not.toMatch(/SSL routines/);
  });
});

describe('a service behind a proxy', () => {
  const credentials = `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`;

  /** A service with a certificate for shop.example, and a proxy that connects to it for every host. */
  async function startBehindProxy(proxyTls?: ServerOptions) {
    const requests: unknown[] = [];
    const service = createServer(signed(certificates.otherHost), (request, response) => {
      requests.push(request.headers.authorization);
      response.end(JSON.stringify({ id, externalOrderId: 'UB-1' }));
    });
    const port = await listen(service);
    const connects: string[] = [];
    const proxy = proxyTls === undefined ? createHttpServer() : createServer(proxyTls);
    proxy.on('connect', (request, client: Socket) => {
      connects.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
      const socket = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(client).pipe(socket);
      });
      for (const end of [client, socket]) end.on('error', () => undefined);
    });
    const proxyProtocol = proxyTls === undefined ? 'http' : 'https';
    const proxyUrl = `${proxyProtocol}://us%40er:p%3Ass@127.0.0.1:${await listen(proxy)}`;
    const file = join(temporaryDirectory(), 'authority.pem');
    writeFileSync(file, certificates.authority);
    const run = (host: string) =>
      runProgram(['get', id, '--json'], {
        env: {
          MERCHANT_ORDERS_BASE_URL: `https://${host}`,
          MERCHANT_ORDERS_API_KEY: 'mk_live_1',
          NODE_EXTRA_CA_CERTS: file,
          HTTPS_PROXY: proxyUrl,
        },
      });
    return { run, connects, requests };
  }

  it.each<[string, ServerOptions | undefined]>([
    ['http', undefined],
    ['https, with its own certificate', signed(certificates.good)],
  ])(
    'is reached through a tunnel that does not see the key, and its certificate is checked: %s',
    async (_name, proxyTls) => {
      const { run, connects, requests } = await startBehindProxy(proxyTls);
      const reached = await run('shop.example');
      expect([reached.stderr, reached.exitCode]).toEqual(['', 0]);
      expect(JSON.parse(reached.stdout).id).toBe(id);
      const other = await run('bank.example');
      expect(other.exitCode).toBe(7);
      expect(other.stderr).toContain(
        'the certificate of bank.example was not accepted: it is for another host',
      );
      expect(connects).toEqual([`shop.example:443 ${credentials}`, `bank.example:443 ${credentials}`]);
      expect(requests).toEqual(['Bearer mk_live_1']);
    },
  );

  it('gets no connection when the proxy has the certificate of the service, and the proxy gets no password', async () => {
    const { run, connects, requests } = await startBehindProxy(signed(certificates.otherHost));
    const { stderr, exitCode } = await run('shop.example');
    expect({ exitCode, connects, requests }).toEqual({ exitCode: 7, connects: [], requests: [] });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'unreachable',
      outcome: 'not_sent',
      message:
        'The connection to the service is not secure: the certificate of 127.0.0.1 was not accepted: it is for another host ' +
        '(ERR_TLS_CERT_ALTNAME_INVALID); subject shop.example, issuer Test authority, for shop.example, ' +
        'www.shop.example, valid from Nov 20 12:34:51 2026 GMT until Oct 27 12:34:51 2126 GMT.',
    });
  });
});
