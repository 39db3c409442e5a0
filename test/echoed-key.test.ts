import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../src/settings.ts';
import { type ReceivedRequest, type Reply, startStubService } from './api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from './support/cli.ts';
import { echoes, key, keyIn } from './support/echoes.ts';

const echo = Object.values(echoes).join(' | ');
const echoHeader = Object.values(echoes)
  .filter((one) => /^[ -~]*$/.test(one))
  .join(' | ');
const echoOnce = { 'x-request-id': echoHeader, 'retry-after': echoHeader };

const error = {
  code: echo,
  message: `No: ${echo}`,
  [echo]: 'has the key as its name',
  errors: Object.values(echoes).map((one) => ({ field: `items[0].${one}`, message: one, code: one })),
};

/** What a service repeats the key in, instead of a response with orders. */
const failures: Record<string, Reply> = {
  'an error': { status: 422, headers: echoOnce, json: error },
  'a rejected key': { status: 401, headers: echoOnce, json: error },
  'an error of a gateway': { status: 503, headers: echoOnce, text: echo },
  'a text': { status: 400, headers: { 'content-type': 'text/plain' }, text: `Rejected: ${echo}` },
  'a page': { status: 400, text: `<html><title>${echo}</title><h1>Bad</h1><p>${echo}</p>` },
  'another page': { status: 200, text: `<html><title>${echo}</title>` },
  'a redirect': { status: 302, headers: { location: `https://other.example/${encodeURI(echoHeader)}` } },
  'a content coding': { headers: { 'content-encoding': echoHeader }, text: '{}' },
};

/** A service that repeats the key in every field of its orders, and in the ids if asked to. */
function echoInOrders(isInIds: boolean) {
  const created = new Map<string, object>();
  const order = (externalOrderId: string, number: number) => ({
    id: isInIds ? echo : `00000000-0000-4000-8000-00000000000${number}`,
    orderNumber: isInIds ? echo : `ORD-2026-00000${number}`,
    externalOrderId,
    status: echo,
    delivery: { tracking: echo, [echo]: echo },
    note: `${'x'.repeat(70)}${echo}`,
    list: [Object.values(echoes)],
    customer: { phone: '99112233' },
    items: [{ sku: 'TEA' }],
    collectionMode: 'NONE',
  });
  return ({ method, path, query, body, headers }: ReceivedRequest): Reply => {
    if (headers.authorization === undefined) return { status: 404 };
    if (path.endsWith('/cancel')) return { status: 409, headers: echoOnce, json: error };
    if (method === 'POST') {
      const { externalOrderId } = JSON.parse(body) as { externalOrderId: string };
      created.set(externalOrderId, order(externalOrderId, created.size + 1));
      return { status: 201, headers: echoOnce, json: created.get(externalOrderId) };
    }
    const orders = [...created.values(), order('UB-0', 9)];
    if (/orders\/./.test(path)) return { headers: echoOnce, json: orders[0] };
    const { externalOrderId: asked } = query;
    const data = asked === undefined ? orders : [created.get(asked)].filter((one) => one !== undefined);
    return { headers: echoOnce, json: { data, page: 1, [echo]: echo } };
  };
}

const failing = (reply: Reply) => {
  return ({ headers }: ReceivedRequest): Reply =>
    headers.authorization === undefined ? { status: 404 } : reply;
};

const order = ['--phone', '99112233', '--item', 'TEA', '--prepaid', '--external-order-id', 'UB-1'];
const commands = [
  ['create', ...order, '--yes'],
  ['get', 'UB-1'],
  ['get', '00000000-0000-4000-8000-000000000001'],
  ['list', '--all'],
  ['import', 'orders.csv', '--yes'],
  ['cancel', 'UB-1', '--reason', 'sold out', '--yes'],
  ['cancel', 'UB-1', 'UB-9', '--reason', 'sold out', '--yes'],
];
const localCommands = [
  ['whoami'],
  ['profiles'],
  ['imports'],
  ['imports', 'show', ''],
  ['create', ...order, '--set', `note=${key}`, '--dry-run'],
];

/** Runs the commands with the key in a profile; returns what each wrote, and every file that was left. */
async function writtenBy(
  respond: (request: ReceivedRequest) => Reply,
  lines: readonly string[][],
  shownIn: readonly string[] = formats,
) {
  const { baseUrl } = await startStubService(respond);
  const configDirectory = temporaryDirectory();
  const directory = temporaryDirectory();
  const written = new Map<string, string>();
  const run = async (line: readonly string[], options: CliOptions = {}) => {
    const args = line.map((word) => (word === 'orders.csv' ? join(directory, word) : word));
    const result = await runCli(['--verbose', ...args], { configDirectory, ...options });
    written.set(args.join(' '), result.stdout + result.stderr);
  };
  const rows = ['UB-1', 'UB-2', 'UB-3'].map((id) => `${id},99112233,TEA,NONE`);
  const csv = ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows].join('\n');
  writeFileSync(join(directory, 'orders.csv'), csv);
  await run(['login', '--base-url', baseUrl, '--with-key'], { stdin: key });
  const configuration = { currentProfile: 'default', profiles: { default: { baseUrl, apiKey: key } } };
  writeFileSync(join(configDirectory, 'config.json'), JSON.stringify(configuration));
  for (const line of lines) {
    for (const format of shownIn) await run([...line, '--format', format]);
    await run(line, { answers: [], width: 60 });
  }
  for (const path of [...filesIn(directory), ...filesIn(configDirectory)]) {
    if (!path.endsWith('config.json')) written.set(path, readFileSync(path, 'latin1'));
  }
  return written;
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('a key that the service repeats', () => {
  it.each([false, true])(
    'is in nothing that is written about orders, in their ids too: %s',
    async (isInIds) => {
      const written = await writtenBy(echoInOrders(isInIds), [...commands, ...localCommands]);
      expect(written.size).toBeGreaterThan(70);
      for (const [name, text] of written) expect([name, keyIn(text)]).toEqual([name, undefined]);
    },
  );

  it.each(Object.keys(failures))('is in nothing that is written about %s', async (name) => {
    const written = await writtenBy(
      failing(failures[name] as Reply),
      [...commands.slice(0, 2), ...commands.slice(3, 6)],
      // The other formats write errors as one of these.
      ['table', 'json'],
    );
    expect(written.size).toBeGreaterThan(15);
    for (const [name, text] of written) expect([name, keyIn(text)]).toEqual([name, undefined]);
  });

  it('is not in the stack of a failure', async () => {
    const { baseUrl } = await startStubService(echoInOrders(false));
    const csv = join(temporaryDirectory(), 'orders.csv');
    writeFileSync(csv, 'externalOrderId,customer.phone,items[].sku,collectionMode\nUB-1,99112233,TEA,NONE');
    const fail = () => Promise.reject(new TypeError(`no ${key}`));
    const { stderr, exitCode } = await runCli(['--verbose', 'import', csv, '--yes'], {
      env: { MERCHANT_ORDERS_API_KEY: key, MERCHANT_ORDERS_BASE_URL: baseUrl },
      files: { writeWhole: fail },
    });
    expect([exitCode, keyIn(stderr)]).toEqual([1, undefined]);
    expect(stderr).toMatch(/^TypeError: no …M4aT\n +at /m);
  });
});
