import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Behaviour } from '../src/sandbox/behaviour/schema.ts';
import { namedBehaviours } from './sandbox/behaviour/named.ts';
import { openPoints, valueAt } from './sandbox/behaviour/values.ts';
import { send } from './sandbox/start.ts';
import { temporaryDirectory } from './support/cli.ts';
import { startService } from './support/service.ts';

type Row = Awaited<ReturnType<typeof startRow>>;
type Cell = (row: Row) => Promise<void>;

/** A service with this behaviour, and what every command of the table needs. */
async function startRow(behaviour: Behaviour) {
  const { sandbox, cli } = await startService({ behaviour });
  const configDirectory = temporaryDirectory();
  // A service that lets nobody hurry is not to be hurried.
  const waits = behaviour.faults.limits.requestsPerSecond !== null;
  const run = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await cli([...args, '--json'], { configDirectory, waits });
    return { exitCode, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  const create = (ownId: string, ...flags: string[]) => {
    const line = flags.includes('--item') ? [] : ['--item', 'TEA-1'];
    return run('create', '--external-order-id', ownId, '--phone', '99112233', '--prepaid', ...line, ...flags);
  };
  /** How often each own id was committed, as the service itself knows it. */
  const commits = async (): Promise<Record<string, number>> => {
    const { json } = await send(sandbox.baseUrl, 'GET', '/_sandbox/ledger', { key: sandbox.adminToken });
    return Object.fromEntries(
      json.orders.map((order: { externalOrderId: string; commits: number }) => [
        order.externalOrderId,
        order.commits,
      ]),
    );
  };
  const runElsewhere = (...args: string[]) => cli([...args, '--json'], { waits });
  return { behaviour, run, runElsewhere, create, commits };
}

const unknownUuid = '00000000-0000-4000-8000-000000000000';
const cancelling = ['--reason', 'out of stock', '--yes'];

function aCsv(orders: number, lastSku = 'TEA-1'): string {
  const rows = Array.from({ length: orders }, (_, place) => {
    const sku = place === orders - 1 ? lastSku : 'TEA-1';
    return `UB-${place},991122${10 + place},${sku},COLLECT,${1000 + place},2000.50`;
  });
  const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,total';
  const path = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(path, [header, ...rows].join('\n'));
  return path;
}

function once(orders: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: orders }, (_, place) => [`UB-${place}`, 1]));
}

async function createTwo({ create }: Row) {
  const first = await create('UB-1');
  await create('UB-2');
  return first.json;
}

/** An order with twelve after it, so that it may stand on a later page. */
async function createOldest({ create, run }: Row) {
  const first = await create('UB-oldest');
  await run('import', aCsv(12), '--yes');
  return first.json;
}

function listsBy(flag: string, wantedOf: (order: Record<string, string>) => string): Cell {
  return async (row) => {
    const order = await createTwo(row);
    const { exitCode, json, stderr } = await row.run('list', flag, wantedOf(order));
    const ids = json.orders.map(({ id }: { id: string }) => id);
    expect([exitCode, ids.includes(order.id)]).toEqual([0, true]);
    const both = flag === '--status' || flag === '--customer-phone' || flag.startsWith('--created');
    if (!both && ids.length > 1) expect(stderr).toContain('ignored the filter');
  };
}

/** The columns of the table: what a person does, and what has to come of it under every behaviour. */
const commands: Record<string, Cell> = {
  create: async ({ create, commits }) => {
    const { exitCode, json } = await create('UB-1', '--total', '30000.50');
    expect([exitCode, json.orderNumber]).toEqual([0, expect.stringMatching(/^ORD-\d{4}-000001$/)]);
    expect(await commits()).toEqual({ 'UB-1': 1 });
  },
  'create again': async ({ create, commits }) => {
    const first = await create('UB-1', '--total', '30000.50');
    const second = await create('UB-1', '--total', '30000.50');
    expect([second.exitCode, second.json.id]).toEqual([0, first.json.id]);
    expect(await commits()).toEqual({ 'UB-1': 1 });
  },
  'create with other content': async ({ create, commits }) => {
    await create('UB-1', '--total', '30000.50');
    const { exitCode, stderr } = await create('UB-1', '--total', '30001');
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining('order_conflict')]);
    expect(await commits()).toEqual({ 'UB-1': 1 });
  },
  'create with an unknown SKU': async ({ create, commits }) => {
    const { exitCode, json, stderr } = await create('UB-1', '--item', 'NOPE-1');
    expect([exitCode, json, stderr]).toEqual([5, undefined, expect.stringContaining('order_refused')]);
    expect(await commits()).toEqual({});
  },
  'get by number': async (row) => {
    const order = await createOldest(row);
    const { exitCode, json } = await row.run('get', order.orderNumber);
    expect([exitCode, json?.id]).toEqual([0, order.id]);
  },
  'get by own id': async (row) => {
    const order = await createOldest(row);
    const { exitCode, json } = await row.run('get', 'UB-oldest');
    expect([exitCode, json?.id]).toEqual([0, order.id]);
  },
  'get by UUID': async (row) => {
    const order = await createTwo(row);
    const { exitCode, json } = await row.run('get', order.id);
    expect([exitCode, json?.id]).toEqual([0, order.id]);
  },
  'get an unknown number': async (row) => {
    await createTwo(row);
    expect((await row.run('get', 'ORD-2020-000001')).exitCode).toBe(3);
  },
  'get an unknown own id': async (row) => {
    await createTwo(row);
    expect((await row.run('get', 'UB-9')).exitCode).toBe(3);
  },
  'get an unknown UUID': async (row) => {
    await createTwo(row);
    expect((await row.run('get', unknownUuid)).exitCode).toBe(3);
  },
  'list by own id': listsBy('--external-order-id', () => 'UB-1'),
  'list by number': listsBy('--order-number', ({ orderNumber = '' }) => orderNumber),
  'list by status': listsBy('--status', ({ status = '' }) => status),
  'list by phone': listsBy('--customer-phone', () => '99112233'),
  'list from a day': listsBy('--created-from', ({ createdAt = '' }) => createdAt.slice(0, 10)),
  'list to a day': listsBy('--created-to', ({ createdAt = '' }) => createdAt.slice(0, 10)),
  'list by another status': async (row) => {
    await createTwo(row);
    const { exitCode, json, stderr } = await row.run('list', '--status', 'NONE');
    expect(exitCode).toBe(0);
    if (json.orders.length > 0) expect(stderr).toContain('ignored the filter');
  },
  'list by another phone': async (row) => {
    await createTwo(row);
    const { exitCode, json, stderr } = await row.run('list', '--customer-phone', '88112233');
    expect(exitCode).toBe(0);
    if (json.orders.length > 0) expect(stderr).toContain('ignored the filter');
  },
  'list --all over 25 orders': async (row) => {
    const imported = await row.run('import', aCsv(25), '--yes');
    expect(imported.exitCode).toBe(0);
    const { exitCode, json } = await row.run('list', '--all');
    const numbers = json.orders.map((order: { orderNumber: string }) => order.orderNumber.slice(-2));
    expect([exitCode, numbers.length, new Set(numbers).size]).toEqual([0, 25, 25]);
  },
  cancel: async (row) => {
    const order = await createTwo(row);
    const { exitCode, json } = await row.run('cancel', order.orderNumber, ...cancelling);
    expect([exitCode, json?.id, json?.status]).toEqual([0, order.id, row.behaviour.orders.cancelled]);
  },
  'cancel again': async (row) => {
    const order = await createTwo(row);
    await row.run('cancel', order.id, ...cancelling);
    const { exitCode } = await row.run('cancel', order.id, ...cancelling);
    const { cancellable, cancelled } = row.behaviour.orders;
    expect(exitCode).toBe(cancellable.includes(cancelled) ? 0 : 5);
  },
  'import 12 orders': async ({ run, commits }) => {
    const { exitCode, json } = await run('import', aCsv(12), '--yes');
    expect([exitCode, json.orders.created]).toEqual([0, 12]);
    expect(await commits()).toEqual(once(12));
  },
  'the same import again': async ({ run, commits }) => {
    const csv = aCsv(12);
    await run('import', csv, '--yes');
    const { exitCode, json } = await run('import', csv, '--yes');
    expect([exitCode, json.orders.already_exists, json.orders.created]).toEqual([0, 12, 0]);
    expect(await commits()).toEqual(once(12));
  },
  'the same import again without its ledger': async ({ run, runElsewhere, commits }) => {
    const csv = aCsv(12);
    await run('import', csv, '--yes');
    const { exitCode } = await runElsewhere('import', csv, '--yes');
    expect(exitCode).toBe(0);
    expect(await commits()).toEqual(once(12));
  },
  'import 12 orders, one with an unknown SKU, twice': async ({ run, commits }) => {
    const csv = aCsv(12, 'NOPE-1');
    for (const created of [11, 0]) {
      const { exitCode, json } = await run('import', csv, '--yes');
      expect([exitCode, json.orders.created, json.orders.rejected]).toEqual([6, created, 1]);
    }
    expect(await commits()).toEqual(once(11));
  },
};

/** Cells in which a behaviour leaves another right ending than all others do. */
const otherEndings: Record<string, Record<string, Cell>> = {
  'no-external-order-id': {
    // It filters, and lists an order that does not say whose it is.
    'get by own id': async (row) => {
      await createOldest(row);
      const { exitCode, json, stderr } = await row.run('get', 'UB-oldest');
      expect([exitCode, json]).toEqual([7, undefined]);
      expect(JSON.parse(stderr).error).toMatchObject({
        code: 'search_incomplete',
        hint: expect.stringContaining('order number or UUID'),
      });
    },
  },
};

/**
 * The settings that a command depends on. The settings of one list interact: every pair of their values that some
 * behaviour has is tested with this command.
 */
const dependencies: Record<string, string[][]> = {
  create: [
    ['answers.createStatus', 'answers.createBody', 'answers.order'],
    ['answers.amounts'],
    ['answers.externalOrderId'],
    ['customers'],
    ['deliveries'],
    ['keys.required', 'keys.format'],
    ['keys.longest'],
    ['keys.retentionSeconds'],
    ['faults'],
  ],
  'create again': [
    ['keys.repeated', 'keys.kept', 'keys.replayHeader'],
    ['refusals.idempotencyKeyRepeated'],
    ['orders.externalOrderIdTaken', 'answers.order'],
  ],
  'create with other content': [
    ['answers.error'],
    ['keys.otherBody', 'keys.kept', 'keys.repeated'],
    ['refusals.idempotencyKeyReused'],
    ['refusals.externalOrderIdExists'],
    ['orders.externalOrderIdTaken'],
  ],
  'create with an unknown SKU': [['answers.error'], ['keys.kept']],
  'get by number': [['paging.ignoredParameters'], ['paging.order', 'paging.defaultPageSize']],
  'get by own id': [
    ['answers.list', 'paging.ignoredParameters', 'paging.largestPageSize'],
    ['answers.externalOrderId'],
  ],
  'get by UUID': [['answers.order'], ['answers.amounts', 'answers.externalOrderId'], ['orders.fieldsBeyond']],
  'get an unknown number': [['paging.ignoredParameters'], ['paging.firstPage']],
  'get an unknown own id': [['paging.ignoredParameters'], ['paging.firstPage']],
  'get an unknown UUID': [['refusals.orderUnknown', 'answers.error']],
  'list --all over 25 orders': [
    ['answers.list', 'paging.firstPage'],
    ['paging.order', 'paging.defaultPageSize', 'paging.largestPageSize'],
    ['paging.beyondLargest', 'paging.unknownParameters'],
    ['paging.ignoredParameters'],
    ['faults'],
  ],
  cancel: [
    ['answers.cancelStatus', 'answers.cancelBody', 'answers.order'],
    ['orders.cancelled', 'orders.states'],
    ['deliveries'],
    ['faults'],
  ],
  'cancel again': [
    ['orders.cancellable', 'answers.cancelStatus'],
    ['refusals.orderNotCancellable', 'answers.error'],
    ['orders.cancelFreesExternalOrderId'],
  ],
  'import 12 orders': [['answers.createStatus', 'answers.createBody'], ['faults']],
  'the same import again': [['keys.repeated', 'keys.kept'], ['orders.externalOrderIdTaken']],
  'the same import again without its ledger': [
    ['keys.repeated', 'keys.kept', 'keys.otherBody'],
    ['answers.error', 'orders.externalOrderIdTaken'],
    ['answers.externalOrderId'],
    ['paging.ignoredParameters', 'paging.largestPageSize'],
    ['refusals.externalOrderIdExists'],
  ],
  'import 12 orders, one with an unknown SKU, twice': [['keys.kept', 'keys.repeated'], ['faults']],
};

/** A list with filters. */
const listDependencies = [
  ['paging.ignoredParameters'],
  ['paging.unknownParameters', 'paging.beyondLargest'],
  ['orders.states'],
  ['customers.phone'],
];

/** Settings that no command here depends on; test/sandbox/behaviour shows them. */
const shownElsewhere = [
  'refusals.keyMissing',
  'refusals.keyRefused',
  'refusals.scopeMissing',
  'refusals.idempotencyKeyMissing',
  'refusals.idempotencyKeyInvalid',
  'refusals.orderInvalid',
];

const rows = namedBehaviours();

function dependenciesOf(command: string): string[][] {
  return dependencies[command] ?? listDependencies;
}

/** Each value of each setting, and each pair of values of interacting settings, that a behaviour has. */
function combinationsIn(behaviour: Behaviour, groups: string[][]): string[] {
  return groups.flatMap((group) => {
    const values = group.map((path) => `${path}: ${JSON.stringify(valueAt(behaviour, path))}`);
    return values.flatMap((value, place) => values.slice(place).map((other) => `${value}, ${other}`));
  });
}

/** A small set of behaviours that together have every combination; always the same. */
function behavioursFor(command: string) {
  const groups = dependenciesOf(command);
  const missing = new Set(rows.flatMap((behaviour) => combinationsIn(behaviour, groups)));
  const newIn = (behaviour: Behaviour) =>
    combinationsIn(behaviour, groups).filter((combination) => missing.has(combination)).length;
  const chosen: typeof rows = [];
  while (missing.size > 0) {
    const best = rows.reduce((first, second) => (newIn(second) > newIn(first) ? second : first));
    for (const combination of combinationsIn(best, groups)) missing.delete(combination);
    chosen.push(best);
  }
  return chosen;
}

describe.each(Object.entries(commands))('%s', (command, usual) => {
  const chosen = behavioursFor(command).map((behaviour) => [behaviour.name, behaviour] as const);
  it.each(chosen)('%s', async (name, behaviour) => {
    const cell = otherEndings[name]?.[command] ?? usual;
    await cell(await startRow(behaviour));
  });
});

describe('the commands', () => {
  it('together depend on every setting that is not shown elsewhere', () => {
    const covered = [...Object.keys(commands).flatMap(dependenciesOf).flat(), ...shownElsewhere];
    const isCovered = (path: string) =>
      covered.some((setting) => path === setting || path.startsWith(`${setting}.`));
    expect(openPoints().filter(({ path }) => !isCovered(path))).toEqual([]);
    expect(Object.keys(dependencies).filter((command) => !(command in commands))).toEqual([]);
  });
});
