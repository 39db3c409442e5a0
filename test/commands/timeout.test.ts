import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noOutcomes } from '../../src/import/results/order-outcome.ts';
import { orders, type ReceivedRequest, type Reply, startStubService } from '../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../support/cli.ts';
import { createStoppedClock } from '../support/stopped-clock.ts';

const key = 'live_key-of-the-tests';
const id = '0b2f6c1e-5c1d-4a57-9d3c-5f0f6f1f2a10';
const order = { id, externalOrderId: 'UB-1', orderNumber: 'ORD-1', status: 'NEW' };
const commands = {
  create: ['create', '--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'A', '--prepaid', '-y'],
  get: ['get', id],
  cancel: ['cancel', id, '--reason', 'out of stock', '-y'],
  login: ['login', '--with-key'],
};
type Command = keyof typeof commands;

function run(command: Command, baseUrl: string, seconds: number, options: CliOptions = {}) {
  const args = ['--base-url', baseUrl, '--timeout', String(seconds), ...commands[command]];
  const isLogin = command === 'login';
  return runCli(args, {
    env: isLogin ? {} : { MERCHANT_ORDERS_API_KEY: key },
    ...(isLogin ? { stdin: key } : {}),
    ...options,
  });
}

type StoppedClock = ReturnType<typeof createStoppedClock>;

/** No response; the clock stands at the end of what the command waits for. */
const stall =
  ({ passToNextTimer }: StoppedClock): Reply =>
  () =>
    passToNextTimer();
const drip =
  ({ pass }: StoppedClock): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => {
      response.write(' ');
      pass(20);
    }, 1);
    response.on('close', () => clearInterval(timer));
  };
const nowhere: Reply = { status: 404, json: { code: 'ORDER_NOT_FOUND' } };
const isProbe = ({ path }: ReceivedRequest) => path === '/';
const isWrite = ({ method }: ReceivedRequest) => method === 'POST';
const isList = ({ method, path }: ReceivedRequest) => method === 'GET' && path === orders;

type Scene = [
  Command,
  what: string,
  (request: ReceivedRequest, clock: StoppedClock) => Reply,
  exitCode: number,
  requests: string[],
];

const scenes: Scene[] = [
  ['create', 'the probe stalls', (_request, clock) => stall(clock), 7, ['GET /']],
  [
    'create',
    'the response to the order stalls',
    (request, clock) => (isProbe(request) ? nowhere : stall(clock)),
    8,
    ['GET /', `POST ${orders}`],
  ],
  [
    'create',
    'the response to the order drips',
    (request, clock) => (isProbe(request) ? nowhere : drip(clock)),
    8,
    ['GET /', `POST ${orders}`],
  ],
  [
    'create',
    'the lookup stalls',
    (request, clock) => (isProbe(request) ? nowhere : isWrite(request) ? { status: 204 } : stall(clock)),
    8,
    ['GET /', `POST ${orders}`, `GET ${orders}`],
  ],
  [
    'get',
    'the second request stalls',
    (request, clock) => (isList(request) ? stall(clock) : nowhere),
    7,
    ['GET /', `GET ${orders}/${id}`, `GET ${orders}`],
  ],
  [
    'cancel',
    'the cancellation stalls',
    (request, clock) => (isProbe(request) ? nowhere : isWrite(request) ? stall(clock) : { json: order }),
    8,
    ['GET /', `GET ${orders}/${id}`, `GET ${orders}`, `POST ${orders}/${id}/cancel`],
  ],
  [
    'login',
    'the check stalls',
    (request, clock) => (isProbe(request) ? nowhere : stall(clock)),
    7,
    ['GET /', `GET ${orders}`],
  ],
];

describe('--timeout is the time of the whole command: when it is over, it ends and requests nothing more', () => {
  it.each(scenes)('%s: %s', async (command, _what, respond, code, expected) => {
    const clock = createStoppedClock();
    const { baseUrl, received } = await startStubService((request) => respond(request, clock));
    const { exitCode, stderr } = await run(command, baseUrl, 3, { stoppedClock: clock.clock });
    const requests = received.map(({ method, path }) => `${method} ${path}`);
    expect([exitCode, requests], stderr).toEqual([code, expected]);
  });

  it('create: the TLS handshake stalls', async () => {
    const sockets: Socket[] = [];
    const { clock, passToNextTimer } = createStoppedClock();
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      passToNextTimer();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    await once(server, 'listening');
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const result = await run('create', baseUrl, 1, { stoppedClock: clock });
    expect([result.exitCode, sockets.length], result.stderr).toEqual([7, 1]);
  });
});

it('create: a lookup that stalls leaves time to send an order of unknown outcome again', async () => {
  const configDirectory = temporaryDirectory();
  const replies = { create: { status: 500 } as Reply, list: { status: 500 } as Reply };
  const { baseUrl, received } = await startStubService((request) => {
    if (isProbe(request)) return nowhere;
    return isList(request) ? replies.list : replies.create;
  });
  const clock = createStoppedClock();
  const first = await run('create', baseUrl, 3, { configDirectory, stoppedClock: clock.clock });
  replies.create = { status: 201, json: order };
  replies.list = stall(clock);
  received.length = 0;
  const second = await run('create', baseUrl, 3, { configDirectory, stoppedClock: clock.clock });
  expect([first.exitCode, second.exitCode, received.map(({ method }) => method)]).toEqual([
    8,
    0,
    // The last lookup would show whether there are two of it.
    ['GET', 'GET', 'POST', 'GET'],
  ]);
});

describe('an order that uses up its --timeout', () => {
  it('does not stop the import of the others', async () => {
    let isStalling = false;
    const clock = createStoppedClock();
    const { baseUrl, requests } = await startStubService((request) => {
      if (isProbe(request)) return nowhere;
      if (isList(request) && request.query.externalOrderId !== undefined) return stall(clock);
      // The look-up leaves half of the time, and this read takes enough of that half.
      if (isList(request)) {
        clock.pass(isStalling ? 600 : 0);
        return { json: [] };
      }
      const sent = JSON.parse(request.body);
      if (sent.externalOrderId === 'L0' && requests('POST').length === 1) {
        return { status: 422, json: { code: 'PRODUCT_SKU_NOT_FOUND' } };
      }
      return { status: 201, json: { ...sent, id: `id-${sent.externalOrderId}` } };
    });
    const directory = temporaryDirectory();
    const configDirectory = temporaryDirectory();
    const importOrders = async (...names: string[]) => {
      const csv = join(directory, 'orders.csv');
      const rows = names.map((name) => `${name},99112233,A,NONE`);
      writeFileSync(csv, ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows].join('\n'));
      const args = ['--base-url', baseUrl, '--timeout', '2', 'import', csv, '-y', '--json'];
      const env = { MERCHANT_ORDERS_API_KEY: key };
      return runCli([...args, '--concurrency', '1'], { env, configDirectory, stoppedClock: clock.clock });
    };
    await importOrders('L0');
    isStalling = true;
    const { stdout, stderr, exitCode } = await importOrders('L0', 'L1', 'L2');
    expect([JSON.parse(stdout).orders, exitCode], stderr).toEqual([
      { ...noOutcomes(), total: 3, created: 2, not_sent: 1 },
      7,
    ]);
    expect(JSON.parse(stderr.split('\n').at(-2) ?? '').error.message).toBe(
      '1 order was not sent before the time limit (--timeout).',
    );
    expect(readFileSync(join(directory, 'orders.results.csv'), 'utf8')).toContain(
      'The time limit of 2 s (--timeout) passed before the request was sent.',
    );
  });

  it('is not said to be unreachable: a list page after page', async () => {
    const clock = createStoppedClock();
    const { baseUrl } = await startStubService((request) => {
      if (isProbe(request)) return nowhere;
      const page = Number(request.query.page ?? 1);
      clock.pass(300);
      const data = [{ ...order, id: `id-${page}`, orderNumber: `N-${page}` }];
      return { json: { data, page, hasMore: true } };
    });
    const args = ['--base-url', baseUrl, '--timeout', '1', 'get', 'ORD-9', '--by', 'number'];
    const env = { MERCHANT_ORDERS_API_KEY: key };
    const { stderr, exitCode } = await runCli(args, { env, stoppedClock: clock.clock });
    expect(exitCode).toBe(7);
    expect(stderr).toContain('The time limit of 1 s (--timeout) passed before the response was read.');
    expect(stderr).toContain('Run the same command again with a longer --timeout.');
  });
});

it('a key of the live service is not sent to a sandbox with any --timeout', async () => {
  const { baseUrl, received } = await startStubService(() => ({
    headers: { 'x-merchant-orders-sandbox': 'S-1' },
    json: order,
  }));
  for (const seconds of [2.01, 0.0015, 1.001]) {
    const stoppedClock = createStoppedClock().clock;
    const { exitCode, stderr } = await run('get', baseUrl, seconds, { stoppedClock });
    expect([exitCode, received.filter((request) => !isProbe(request))], stderr).toEqual([2, []]);
  }
});

it('the waits between the attempts of an order and of its lookups have one --timeout', async () => {
  const { baseUrl } = await startStubService((request) => ({ status: isWrite(request) ? 204 : 500 }));
  const { clock } = createStoppedClock();
  const result = await run('create', baseUrl, 3, { stoppedClock: clock });
  expect(result.exitCode, result.stderr).toBe(8);
  expect(clock.monotonic()).toBeLessThanOrEqual(3000);
});

it('a wait that the service asks for does not count', async () => {
  let requests = 0;
  const { baseUrl } = await startStubService((request) => {
    if (!isWrite(request)) return nowhere;
    return ++requests <= 3
      ? { status: 429, headers: { 'retry-after': '20' } }
      : { status: 201, json: { ...order, customer: { phone: '99112233' } } };
  });
  const { clock } = createStoppedClock();
  const result = await run('create', baseUrl, 3, { stoppedClock: clock });
  expect([result.exitCode, requests], result.stderr).toEqual([0, 4]);
  expect(clock.monotonic()).toBeGreaterThanOrEqual(60_000);
});
