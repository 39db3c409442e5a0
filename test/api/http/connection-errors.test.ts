import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer, request as requestHttps, type ServerOptions } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toFailure } from '../../../src/api/http/attempt-result.ts';
import { ConnectFailure, certificateFailure } from '../../../src/api/http/connect-failure.ts';
import { createTransport } from '../../../src/api/http/transport.ts';
import { systemClock } from '../../../src/system/system.ts';
import { asText, textOf } from '../../support/advice.ts';
import { runCli } from '../../support/cli.ts';
import { certificates } from '../certificates.ts';
import { listen } from '../listen.ts';
import { apiKey } from '../stub-service.ts';

const good = { key: certificates.key, cert: certificates.good };

const notHttps = 'this address does not speak https';
const outdated = 'it supports only outdated versions of TLS';
const noCommonEncryption =
  'it has no encryption in common with this program, or requires a client certificate';
const clientCertificate = 'it requires a client certificate, which this program cannot send';

const checkAddress = 'Check the base URL; if it is right, tell the operator of the server';
const updateTls = 'Ask the operator of the server to turn on TLS 1.2 or newer';
const withoutCertificate =
  'Ask the operator of the server for an address that requires no client certificate';

/** A server that greets with these bytes, or that sends them in response to the first bytes. */
const greets = (bytes: string) => createServer((socket) => void socket.end(bytes));
const responds = (hex: string) =>
  createServer((socket) => {
    socket.once('data', () => socket.write(Buffer.from(hex, 'hex')));
  });
/** A TLS alert of the fatal level (RFC 8446, section 6). */
const alerts = (number: number) => responds(`150303000202${number.toString(16)}`);
const https = (options: ServerOptions) => createHttpsServer({ ...good, ...options });
const serverHelloOfTls10 = `160301002a020000260301${'11'.repeat(32)}00002f00`;

describe('a connection with TLS that fails', () => {
  it.each<[string, () => Server, reason: string, cure: string]>([
    ['a service without TLS', () => createHttpServer(), notHttps, checkAddress],
    ['another protocol', () => greets('SSH-2.0-OpenSSH_9.2p1\r\n'), notHttps, checkAddress],
    ['a record that is too long', () => responds(`160303ffff${'00'.repeat(100)}`), notHttps, checkAddress],
    [
      'TLS 1.1 at most',
      () => https({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
      outdated,
      updateTls,
    ],
    ['a response in TLS 1.0', () => responds(serverHelloOfTls10), outdated, updateTls],
    [
      'anonymous ciphers only',
      () => https({ maxVersion: 'TLSv1.2', ciphers: 'ADH-AES128-SHA256:@SECLEVEL=0' }),
      noCommonEncryption,
      checkAddress,
    ],
    [
      'a client certificate required, with TLS 1.2',
      () => https({ ca: certificates.authority, requestCert: true, maxVersion: 'TLSv1.2' }),
      noCommonEncryption,
      checkAddress,
    ],
    ['alert 42, bad certificate', () => alerts(42), clientCertificate, withoutCertificate],
    ['alert 48, unknown authority', () => alerts(48), clientCertificate, withoutCertificate],
    ['alert 116, certificate required', () => alerts(116), clientCertificate, withoutCertificate],
    ['alert 112, unrecognized name', () => alerts(112), 'it does not know this host name', checkAddress],
    [
      'alert 80, internal error',
      () => alerts(80),
      'the secure connection could not be set up (ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR)',
      checkAddress,
    ],
    [
      'bytes without a meaning',
      () => responds(`1603030010${'ff'.repeat(16)}`),
      'the secure connection could not be set up (ERR_SSL_UNEXPECTED_MESSAGE)',
      checkAddress,
    ],
  ])('says why: %s', async (_name, start, reason, cure) => {
    const received: Buffer[] = [];
    const server = start().on('connection', (socket: Socket) =>
      socket.on('data', (bytes) => received.push(bytes)),
    );
    const baseUrl = new URL(`https://127.0.0.1:${await listen(server)}`);
    const transport = createTransport({ baseUrl, apiKey, userAgent: 'test', env: {}, clock: systemClock });
    onTestFinished(() => transport.close());
    const result = await transport.send({ method: 'POST', path: '' }, 20_000, new AbortController().signal);
    expect(result).toEqual({
      kind: 'failure',
      mayHaveBeenSent: false,
      isCertificate: false,
      reason: asText(reason),
      cure: asText(cure),
    });
    expect(Buffer.concat(received).includes(apiKey)).toBe(false);
  });

  it('says why when Node reports it as EPROTO', async () => {
    const request = requestHttps({ host: '127.0.0.1', port: await listen(createHttpServer()) }).end();
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => request.on('error', resolve));
    expect([error.code, ConnectFailure.from(error).message]).toEqual(['EPROTO', notHttps]);
  });

  it('names the proxy when that is at fault', async () => {
    const transport = createTransport({
      baseUrl: new URL('https://merchant.invalid'),
      apiKey,
      userAgent: 'test',
      env: { HTTPS_PROXY: `https://127.0.0.1:${await listen(createHttpServer())}` },
      clock: systemClock,
    });
    onTestFinished(() => transport.close());
    const result = await transport.send({ method: 'GET', path: '' }, 20_000, new AbortController().signal);
    expect(result).toMatchObject({
      mayHaveBeenSent: false,
      reason: `the proxy cannot be used: ${notHttps}`,
      cure: 'Check the address of the proxy (HTTPS_PROXY); if it is right, tell the operator of the server',
    });
  });
});

describe('any other error', () => {
  const coded = (code: string, message = 'connect 127.0.0.1:1') =>
    Object.assign(new Error(message), { code });

  it.each([
    [coded('ECONNREFUSED'), 'nothing listens at that address'],
    [coded('EACCES'), 'this computer does not allow the connection'],
    [coded('EMFILE'), 'this program has too many files open (EMFILE)'],
    [coded('EADDRNOTAVAIL'), 'it has no free port or no address to connect from (EADDRNOTAVAIL)'],
    [
      Object.assign(new AggregateError([coded('ENFILE')], '')),
      'all programs together have too many files open (ENFILE)',
    ],
    [Object.assign(new AggregateError([coded('ENETUNREACH')], '')), 'the network cannot be reached'],
    [new Error('in our own words'), 'in our own words'],
    [new Error(''), 'the connection failed'],
  ])('before a connection has a sentence, and at most a code: %s', (error, reason) => {
    expect(ConnectFailure.from(error).message).toBe(reason);
  });

  it.each([
    [coded('ETIMEDOUT', 'read ETIMEDOUT'), 'the network connection was lost'],
    [coded('ENETDOWN', 'write ENETDOWN'), 'the network connection was lost'],
    [coded('ENOBUFS', 'write ENOBUFS'), 'the connection failed (ENOBUFS)'],
    [
      coded('ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC', '80CC:error:0A0003FC:SSL routines'),
      'the secure connection broke off (ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC)',
    ],
    [new Error('in our own words'), 'in our own words'],
  ])('after a request was sent has a sentence, and the order may exist: %s', (error, reason) => {
    expect(toFailure({ error, wasSent: true, hasResponseBegun: false })).toEqual({
      kind: 'failure',
      mayHaveBeenSent: true,
      isCertificate: false,
      reason,
    });
  });
});

describe('what to do about a certificate that was not accepted', () => {
  const trust = / for the certificate of its authority, and name that file in NODE_EXTRA_CA_CERTS$/;
  const clock =
    /^Check the date and the time of this computer; if they are right, tell the operator of the server$/;
  const host = /^Check the base URL; if it is right, tell the operator of the server$/;

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed', trust],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'a self-signed authority in its chain is not trusted here', trust],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the authority that signed it is not trusted here', trust],
    ['UNABLE_TO_GET_ISSUER_CERT', 'the authority that signed it is not trusted here', trust],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'the authority that signed it is not trusted here', trust],
    ['CERT_HAS_EXPIRED', 'it has expired', clock],
    ['CERT_NOT_YET_VALID', 'it is not valid yet', clock],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for another host', host],
    ['CERT_REVOKED', 'it was revoked', /^Do not use this address until the operator of the server has /],
    ['INVALID_PURPOSE', 'it could not be verified', /^Check the base URL; if it is right, tell /],
  ])('%s', (code, reason, cure) => {
    const failure = certificateFailure('api.example', code, undefined, 'service');
    expect(failure.message).toBe(`the certificate of api.example was not accepted: ${reason} (${code})`);
    expect(textOf(failure.cure)).toMatch(cure);
    expect(textOf(failure.cure).includes('NODE_EXTRA_CA_CERTS')).toBe(cure === trust);
    expect(failure.isCertificate).toBe(true);
  });

  it('is about the proxy when the certificate is its own', () => {
    const { cure } = certificateFailure('proxy.example', 'ERR_TLS_CERT_ALTNAME_INVALID', undefined, 'proxy');
    expect(textOf(cure)).toMatch(/^Check the address of the proxy \(HTTPS_PROXY\); /);
  });
});

describe('a command that cannot connect securely', () => {
  const order = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-001', '--prepaid'];
  const commands: [name: string, args: string[]][] = [
    ['login', ['login', '--with-key']],
    ['list', ['list']],
    ['create', ['create', ...order, '--yes']],
  ];

  async function run(args: string[], server: Server) {
    const env = {
      MERCHANT_ORDERS_BASE_URL: `https://127.0.0.1:${await listen(server)}`,
      MERCHANT_ORDERS_API_KEY: 'mk_live_1',
    };
    const { stdout, stderr, exitCode } = await runCli(args, { env, stdin: 'mk_live_1\n' });
    const shown = stderr.replace(/ {2}\(idempotency key [-0-9a-f]{36}\)\n/, '');
    const [error, hint, ...command] = shown.trimEnd().split('\n');
    expect(stderr).not.toMatch(/SSL routines|openssl/i);
    return { stdout, exitCode, error, hint, command: command.join('\n') };
  }

  const commandOf: Record<string, string> = {
    login: '  merchant-orders login --with-key',
    list: '  merchant-orders list',
    create: `  merchant-orders create ${order.join(' ')} --yes`,
  };

  it.each(commands)('%s says that the address does not speak https', async (name, args) => {
    expect(await run(args, createHttpServer())).toEqual({
      stdout: '',
      exitCode: 7,
      error: `error: The service could not be reached: ${notHttps}.`,
      hint: `Nothing was sent. ${checkAddress}, then run the same command again.`,
      command: commandOf[name],
    });
  });
});
