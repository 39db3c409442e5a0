import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { lost, orders, type Reply, startStubService } from './api/stub-service.ts';
import { type CliOptions, createInterruption, runCli } from './support/cli.ts';

const clearLine = '\r\u001b[J';
const order = { id: '0d0f7cc0-9a0e-4d5c-8a51-2f7a2a1d2c3b', externalOrderId: 'UB-1', status: 'CONFIRMED' };
const orderFlags = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'A', '--prepaid'];

/** Runs a command at a terminal; each response comes 3 s after its request. Returns what was drawn. */
async function runSlowly(args: string[], options: CliOptions = {}) {
  const clock = { ahead: 0 };
  const tasks = new Set<() => void>();
  const { baseUrl } = await startStubService(({ method, path }) => {
    for (let second = 0; second < 3; second += 1) {
      clock.ahead += 1000;
      for (const task of tasks) task();
    }
    if (path.endsWith('/cancel')) return { json: { ...order, status: 'CANCELLED' } };
    if (method === 'POST') return { status: 201, json: order };
    return { json: path === orders ? { data: [order] } : order };
  });
  const result = await runCli(args, {
    clock,
    repeat: (task) => {
      tasks.add(task);
      return () => tasks.delete(task);
    },
    ...options,
    env: {
      MERCHANT_ORDERS_BASE_URL: baseUrl,
      MERCHANT_ORDERS_API_KEY: 'sandbox_key',
      ...options.env,
    },
  });
  const lines = result.stderr.split(clearLine).slice(1);
  return { ...result, lines: lines.map((line) => stripVTControlCharacters(line).trimEnd()) };
}

it.each([
  ['get', ['get', order.id], { answers: [] }],
  ['get by own ID', ['get', 'UB-1'], { answers: [] }],
  ['list', ['list'], { answers: [] }],
  ['list --all', ['list', '--all'], { answers: [] }],
  ['create', ['create', ...orderFlags], { answers: [true] }],
  ['cancel', ['cancel', order.id, '--reason', 'out of stock'], { answers: [true] }],
  ['login', ['login'], { answers: ['sandbox_key'] }],
  ['whoami --check', ['whoami', '--check'], { answers: [] }],
  ['doctor', ['doctor'], { answers: [] }],
])('%s says that it waits for the service, and takes the line away', async (_, args, options) => {
  const { lines } = await runSlowly(args, options);
  expect(lines[0]).toMatch(/^waiting for the service… \d+ s$/);
  expect(lines.at(-1)).not.toContain('waiting');
});

it.each<[string, string[], CliOptions]>([
  ['off a terminal', ['list'], {}],
  ['with --quiet', ['list', '--quiet'], { answers: [] }],
  ['with --verbose', ['list', '--verbose'], { answers: [] }],
  ['with CI=1', ['list'], { answers: [], env: { CI: '1' } }],
])('nothing is said %s', async (_, args, options) => {
  const { lines, stderr } = await runSlowly(args, options);
  expect(lines).toEqual([]);
  expect(stderr).not.toContain('aiting for');
});

it('ACCESSIBLE=1 says it once, and draws nothing again', async () => {
  const { stderr } = await runSlowly(['list'], { answers: [], env: { ACCESSIBLE: '1' } });
  expect(stderr).toBe('Waiting for the service.\n');
});

it.each<[string, string[], Reply, string]>([
  [
    'before a create',
    ['create', ...orderFlags],
    { status: 429, headers: { 'retry-after': '30' } },
    'Stopped while waiting, as the service asks for fewer requests. Nothing was sent.',
  ],
  [
    'after an error of a read',
    ['list'],
    { status: 503, headers: { 'retry-after': '30' } },
    'Stopped while waiting to try again, after the service responded with status 503.',
  ],
  ['for a response', ['list'], lost, 'Stopped before the service responded.'],
])('Ctrl-C during a wait %s says so', async (_, args, reply, sentence) => {
  const interruption = createInterruption();
  const { baseUrl } = await startStubService(() => {
    if (reply === lost) interruption.send('SIGINT');
    return reply;
  });
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'sandbox_key' };
  const onSleep = (milliseconds: number) => {
    if (milliseconds > 20_000) interruption.send('SIGINT');
  };
  const { stderr, exitCode } = await runCli(args, { env, interruption, onSleep });
  expect(stderr.split('\n')[0]).toBe(sentence);
  expect(exitCode).toBe(130);
});
