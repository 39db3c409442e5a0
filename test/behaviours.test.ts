import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Behaviour, listParameters } from '../src/sandbox/behaviour/schema.ts';
import settings from './behaviours.json' with { type: 'json' };
import { type NamedBehaviour, namedBehaviours } from './sandbox/behaviour/named.ts';
import { openPoints, valueAt } from './sandbox/behaviour/values.ts';
import { anOrder, orders, send } from './sandbox/start.ts';
import { type CliOptions, runCli, temporaryDirectory } from './support/cli.ts';
import { type Oddity, startOddService } from './support/odd-service/service.ts';
import { openService } from './support/service.ts';

/** A behaviour of the sandbox, and what an odd service in front of it does. */
type NamedService = NamedBehaviour & { odd: Oddity };
type Service = Awaited<ReturnType<typeof start>>;
type Order = Record<string, string>;
type Check = (service: Service) => Promise<void>;

/** A command that only reads: behaviours with equal preparation are tested on one service. */
interface Read {
  prepare: (service: Service) => Promise<Order>;
  check: (service: Service, order: Order) => Promise<void>;
}

/** A service with this behaviour, and functions that run commands against it with one configuration directory. */
async function start({ odd, ...behaviour }: NamedService) {
  const { sandbox, env: direct } = await openService({ behaviour });
  const service = isEmpty(odd) ? undefined : await startOddService(sandbox.baseUrl, odd);
  const env = { ...direct, ...(service && { MERCHANT_ORDERS_BASE_URL: service.baseUrl }) };
  const directory = mkdtempSync(join(tmpdir(), 'behaviours-'));
  // A rate limit counts real time.
  const waits = isRateLimited(behaviour);
  const cli = (args: string[], options: CliOptions) =>
    runCli([...args, '--json'], { ...options, env, waits });
  const run = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await cli(args, { configDirectory: directory });
    return { exitCode, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  const create = (externalOrderId: string, ...flags: string[]) =>
    run(...createArguments(externalOrderId, ...flags));
  /** How often the service created each order, by external order ID. */
  const commits = async (): Promise<Record<string, number>> => {
    const { json } = await send(sandbox.baseUrl, 'GET', '/_sandbox/ledger', { key: sandbox.adminToken });
    return Object.fromEntries(
      json.orders.map((order: { externalOrderId: string; commits: number }) => [
        order.externalOrderId,
        order.commits,
      ]),
    );
  };
  /** Creates an order without the program. */
  const post = (externalOrderId: string) =>
    send(sandbox.baseUrl, 'POST', orders, {
      key: sandbox.apiKey,
      headers: { 'idempotency-key': randomUUID() },
      body: anOrder({ externalOrderId, items: [{ sku: 'TEA-1' }] }),
    });
  const runElsewhere = (...args: string[]) => cli(args, {});
  const stop = async () => {
    await service?.stop();
    await sandbox.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { behaviour, run, runElsewhere, create, post, commits, stop };
}

function isEmpty(odd: Oddity): boolean {
  return Object.keys(odd).length === 0;
}

function isRateLimited(behaviour: Behaviour): boolean {
  return behaviour.faults.limits.requestsPerSecond !== null;
}

function createArguments(externalOrderId: string, ...flags: string[]): string[] {
  const item = flags.includes('--item') ? [] : ['--item', 'TEA-1'];
  return [
    'create',
    '--external-order-id',
    externalOrderId,
    '--phone',
    '99112233',
    '--prepaid',
    ...item,
    ...flags,
  ];
}

const unknownUuid = '00000000-0000-4000-8000-000000000000';
/** The UTC date, whether or not the order shows its creation. */
const today = () => new Date().toISOString().slice(0, 10);
const cancelling = ['--reason', 'out of stock', '--yes'];

function writeCsv(orders: number, lastSku = 'TEA-1'): string {
  const rows = Array.from({ length: orders }, (_, place) => {
    const sku = place === orders - 1 ? lastSku : 'TEA-1';
    return `UB-${place},991122${10 + place},${sku},COLLECT,${1000 + place},2000.50`;
  });
  const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,total';
  const path = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(path, [header, ...rows].join('\n'));
  return path;
}

function createdOnce(orders: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: orders }, (_, place) => [`UB-${place}`, 1]));
}

async function createTwo({ create }: Service): Promise<Order> {
  const first = await create('UB-1');
  await create('UB-2');
  return first.json;
}

/** An order with 24 after it, so that it may be on a later page. */
async function createOldest({ create, post }: Service): Promise<Order> {
  const first = await create('UB-oldest');
  const later = Array.from({ length: 24 }, (_, place) => post(`UB-${place}`));
  for (const { status } of await Promise.all(later)) expect(status).toBeLessThan(300);
  return first.json;
}

function findsOldest(reference: (order: Order) => string): Read {
  return {
    prepare: createOldest,
    check: async ({ run }, order) => {
      const { exitCode, json } = await run('get', reference(order));
      expect([exitCode, json?.id]).toEqual([0, order.id]);
    },
  };
}

function findsNone(prepare: Read['prepare'], reference: string): Read {
  return {
    prepare,
    check: async ({ run }) => {
      expect((await run('get', reference)).exitCode).toBe(3);
    },
  };
}

function cannotTell(reference: string): Read {
  return {
    prepare: createTwo,
    check: async ({ run }) => {
      const { exitCode, stderr } = await run('get', reference);
      expect([exitCode, JSON.parse(stderr).error.code]).toEqual([7, 'search_incomplete']);
    },
  };
}

function listsBy(flag: string, valueIn: (order: Order) => string): Read {
  return {
    prepare: createTwo,
    check: async ({ run }, order) => {
      const { exitCode, json } = await run('list', flag, valueIn(order));
      const ids = json.orders.map(({ id }: Order) => id);
      expect([exitCode, ids.includes(order.id)]).toEqual([0, true]);
      const matchesBoth = flag === '--status' || flag === '--customer-phone' || flag.startsWith('--created');
      if (!matchesBoth) expect(ids).toEqual([order.id]);
    },
  };
}

function listsNone(flag: string, value: string): Read {
  return {
    prepare: createTwo,
    check: async ({ run }) => {
      const { exitCode, json } = await run('list', flag, value);
      expect([exitCode, json.orders]).toEqual([0, []]);
    },
  };
}

const commands: Record<string, Check | Read> = {
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
  'create again without its ledger': async ({ create, runElsewhere, commits }) => {
    await create('UB-1');
    const { exitCode } = await runElsewhere(...createArguments('UB-1'));
    expect(exitCode).toBe(0);
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
  'get by number': findsOldest(({ orderNumber = '' }) => orderNumber),
  'get by external order ID': findsOldest(() => 'UB-oldest'),
  'get by UUID': findsOldest(({ id = '' }) => id),
  'get an unknown number': findsNone(createTwo, 'ORD-2020-000001'),
  'get an unknown external order ID': findsNone(createTwo, 'UB-9'),
  'get an unknown UUID': findsNone(createOldest, unknownUuid),
  'list by external order ID': listsBy('--external-order-id', () => 'UB-1'),
  'list by number': listsBy('--order-number', ({ orderNumber = '' }) => orderNumber),
  'list by status': listsBy('--status', ({ status = '' }) => status),
  'list by phone': listsBy('--customer-phone', () => '99112233'),
  'list from a day': listsBy('--created-from', today),
  'list to a day': listsBy('--created-to', today),
  'list by another status': listsNone('--status', 'NONE'),
  'list by another phone': listsNone('--customer-phone', '88112233'),
  'list --all over 25 orders': {
    prepare: createOldest,
    check: async ({ run }) => {
      const { exitCode, json } = await run('list', '--all');
      const numbers = json.orders.map((order: { orderNumber: string }) => order.orderNumber.slice(-2));
      expect([exitCode, numbers.length, new Set(numbers).size]).toEqual([0, 25, 25]);
    },
  },
  cancel: async (service) => {
    const order = await createTwo(service);
    const { exitCode, json } = await service.run('cancel', order.orderNumber ?? '', ...cancelling);
    expect([exitCode, json?.id, json?.status.toUpperCase()]).toEqual([0, order.id, 'CANCELLED']);
  },
  'cancel again': async (service) => {
    const { id } = (await service.create('UB-1')).json;
    await service.run('cancel', id, ...cancelling);
    const { exitCode } = await service.run('cancel', id, ...cancelling);
    expect(exitCode).toBe(0);
  },
  'import 12 orders': async ({ run, commits }) => {
    const { exitCode, json } = await run('import', writeCsv(12), '--yes');
    expect([exitCode, json.orders.created]).toEqual([0, 12]);
    expect(await commits()).toEqual(createdOnce(12));
  },
  'the same import again': async ({ run, commits }) => {
    const csv = writeCsv(12);
    await run('import', csv, '--yes');
    const { exitCode, json } = await run('import', csv, '--yes');
    expect([exitCode, json.orders.already_exists, json.orders.created]).toEqual([0, 12, 0]);
    expect(await commits()).toEqual(createdOnce(12));
  },
  'the same import again without its ledger': async ({ run, runElsewhere, commits }) => {
    const csv = writeCsv(12);
    await run('import', csv, '--yes');
    const { exitCode } = await runElsewhere('import', csv, '--yes');
    expect(exitCode).toBe(0);
    expect(await commits()).toEqual(createdOnce(12));
  },
  'import 12 orders, one with an unknown SKU, twice': async ({ run, commits }) => {
    const csv = writeCsv(12, 'NOPE-1');
    for (const created of [11, 0]) {
      const { exitCode, json } = await run('import', csv, '--yes');
      expect([exitCode, json.orders.created, json.orders.rejected]).toEqual([6, created, 1]);
    }
    expect(await commits()).toEqual(createdOnce(11));
  },
};

/** Commands with another result for one behaviour. */
const exceptions: Record<string, Record<string, Check | Read>> = {
  // It returns all orders as every page, which may as well be the first page again and again.
  'no-filters': {
    'get an unknown number': cannotTell('ORD-2020-000001'),
    'get an unknown external order ID': cannotTell('UB-9'),
    'list --all over 25 orders': {
      prepare: createOldest,
      check: async ({ run }) => {
        const { exitCode, json, stderr } = await run('list', '--all');
        expect([exitCode, json.orders.length]).toEqual([7, 25]);
        expect(JSON.parse(stderr).error.code).toBe('list_incomplete');
      },
    },
  },
  'no-external-order-id': {
    // It filters by the ID, but the listed order does not include it.
    'get by external order ID': {
      prepare: createOldest,
      check: async ({ run }) => {
        const { exitCode, json, stderr } = await run('get', 'UB-oldest');
        expect([exitCode, json]).toEqual([7, undefined]);
        expect(JSON.parse(stderr).error).toMatchObject({
          code: 'search_incomplete',
          hint: expect.stringContaining('order number or UUID'),
        });
      },
    },
  },
};

/**
 * What a command depends on, settings and oddities. The members of one list interact: every pair of their values that
 * some service has is tested with this command.
 */
const dependencies: Record<string, string[][]> = settings;

/** For every list with filters. */
const listDependencies = [['odd.ignores'], ['paging.unknownParameters']];

/** Settings that no command here depends on; test/sandbox/behaviour shows them. */
const shownElsewhere = ['orders.pickup', 'orders.cancelFreesExternalOrderId', 'refusals'];

/** What the services with the behaviours of these names do that no setting can. */
const oddServices: Record<string, Oddity> = {
  'no-filters': { ignores: listParameters },
  'plain-text': { ignores: ['externalOrderId', 'orderNumber'] },
  'google-like': { fields: 'amounts as numbers' },
  silent: { showsNothing: true },
  'no-external-order-id': { fields: 'no externalOrderId' },
};

/** Those with a rate limit are slow: they come last, so that they are chosen only for what no other has. */
const services: NamedService[] = namedBehaviours()
  .sort((a, b) => Number(isRateLimited(a)) - Number(isRateLimited(b)))
  .map((behaviour) => ({ ...behaviour, odd: oddServices[behaviour.name] ?? {} }));

function dependenciesOf(command: string): string[][] {
  return dependencies[command] ?? listDependencies;
}

/** Each value of each setting, and each pair of values of interacting settings, that a behaviour has. */
function combinationsIn(service: NamedService, groups: string[][]): string[] {
  return groups.flatMap((group) => {
    const values = group.map((path) => `${path}: ${JSON.stringify(valueAt(service, path))}`);
    return values.flatMap((value, place) => values.slice(place).map((other) => `${value}, ${other}`));
  });
}

/** A small set of behaviours that together have every combination; always the same. */
function servicesFor(command: string): NamedService[] {
  const groups = dependenciesOf(command);
  const missing = new Set(services.flatMap((service) => combinationsIn(service, groups)));
  const newIn = (service: NamedService) =>
    combinationsIn(service, groups).filter((combination) => missing.has(combination)).length;
  const chosen: NamedService[] = [];
  while (missing.size > 0) {
    const best = services.reduce((first, second) => (newIn(second) > newIn(first) ? second : first));
    for (const combination of combinationsIn(best, groups)) missing.delete(combination);
    chosen.push(best);
  }
  return chosen;
}

const shared = new Map<string, Promise<{ service: Service; order: Order }>>();

function prepareShared(behaviour: NamedService, prepare: Read['prepare']) {
  const name = `${behaviour.name}: ${prepare.name}`;
  const prepared =
    shared.get(name) ??
    start(behaviour).then(async (service) => ({ service, order: await prepare(service) }));
  shared.set(name, prepared);
  return prepared;
}

afterAll(async () => {
  for (const prepared of shared.values()) await (await prepared).service.stop();
});

describe.each(Object.entries(commands))('%s', (command, usual) => {
  const chosen = servicesFor(command).map((behaviour) => [behaviour.name, behaviour] as const);
  it.each(chosen)('%s', async (name, behaviour) => {
    const test = exceptions[name]?.[command] ?? usual;
    if (typeof test === 'object') {
      const { service, order } = await prepareShared(behaviour, test.prepare);
      return await test.check(service, order);
    }
    const service = await start(behaviour);
    onTestFinished(service.stop);
    await test(service);
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
