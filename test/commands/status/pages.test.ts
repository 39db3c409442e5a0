import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import { apiKey, type ReceivedRequest, startStubService } from '../../api/stub-service.ts';
import { type CliOptions, createInterruption, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,total';

function fileOf(count: number) {
  const file = join(temporaryDirectory(), 'orders.csv');
  const rows = Array.from({ length: count }, (_, index) => `UB-${index},99112233,TEA-1,COLLECT,5000,5000`);
  writeFileSync(file, `${[header, ...rows].join('\n')}\n`);
  const states = () =>
    readFileSync(file.replace('.csv', '.status.csv'), 'utf8').trimEnd().split('\n').slice(1);
  return { file, states };
}

type StoredOrder = Record<string, unknown> & { id: string; externalOrderId: string; createdAt: string };

interface NewestFirst {
  /** What the list shows of an order. */
  listed?(order: StoredOrder): object;
  /** What it shows of one that is read by its \`id\`. */
  whole?(order: StoredOrder): object;
  /** Called before each page. */
  onPage?(orders: StoredOrder[]): void;
  hidesTotal?: boolean;
}

/** A service that lists its newest orders first, by all filters of a span. */
async function startNewestFirst({
  listed = (order) => order,
  whole = (order) => order,
  onPage,
  hidesTotal,
}: NewestFirst = {}) {
  const orders: StoredOrder[] = [];
  const add = (order: object): StoredOrder => {
    const number = String(orders.length + 1).padStart(6, '0');
    const added = {
      ...{ id: crypto.randomUUID(), orderNumber: `ORD-2026-${number}`, status: 'CONFIRMED', delivery: null },
      ...{ createdAt: new Date().toISOString(), ...order },
    } as object as StoredOrder;
    orders.unshift(added);
    return added;
  };
  const list = (query: ReceivedRequest['query']) => {
    if (query.externalOrderId === undefined) onPage?.(orders);
    const { page = '1', pageSize = '20', createdFrom = '', createdTo = '~' } = query;
    const found = orders.filter(
      ({ externalOrderId: id, createdAt }) =>
        (query.externalOrderId ?? id) === id && createdFrom <= createdAt && createdAt <= createdTo,
    );
    const start = (Number(page) - 1) * Number(pageSize);
    const data = found.slice(start, start + Number(pageSize)).map(listed);
    const total = hidesTotal ? {} : { total: found.length };
    return { data, page: Number(page), pageSize: Number(pageSize), ...total };
  };
  const service = await startStubService(({ method, path, query, body }) => {
    if (method === 'POST') return { status: 201, json: add(JSON.parse(body)) };
    const id = path.replace(/^.*\/orders\/?/, '');
    if (id === '') return { json: list(query) };
    const found = orders.find((order) => order.id === id);
    return found === undefined ? { status: 404, json: {} } : { json: whole(found) };
  });
  const env = { MERCHANT_ORDERS_BASE_URL: service.baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
  const configDirectory = temporaryDirectory();
  const cli = (args: string[], options: CliOptions = {}) =>
    runCli(args, { env, configDirectory, ...options });
  const counts = () => ({
    pages: service.received.filter(({ query }) => query.createdFrom !== undefined).length,
    lookups: service.received.filter(({ query }) => query.externalOrderId !== undefined).length,
    reads: service.received.filter(({ method, path }) => method === 'GET' && /orders\/./.test(path)).length,
  });
  return { ...service, orders, add, cli, counts };
}

async function importedInto(service: Awaited<ReturnType<typeof startNewestFirst>>, count: number) {
  const files = fileOf(count);
  const { exitCode, stderr } = await service.cli(['import', files.file, '--yes']);
  expect(exitCode, stderr).toBe(0);
  service.received.length = 0;
  return files;
}

const isFound = (row: string) => /,ORD-2026-\d{6},CONFIRMED,[^,]*,5000,5000,.*,$/.test(row);

describe('status of many orders', () => {
  it('takes a page for each hundred', async () => {
    const { sandbox, cli } = await startService();
    const configDirectory = temporaryDirectory();
    const { file, states } = fileOf(450);
    await cli(['import', file, '--yes'], { configDirectory });
    const before = sandbox.requestCount();
    const { exitCode, stderr } = await cli(['status', file], { configDirectory });
    expect(exitCode, stderr).toBe(0);
    expect(states().filter(isFound)).toHaveLength(450);
    expect(sandbox.requestCount() - before).toBe(5);
  });

  it('asks only for the times of the imports', async () => {
    const service = await startNewestFirst();
    for (let index = 0; index < 500; index += 1)
      service.add({ externalOrderId: `old-${index}`, createdAt: '2026-01-01T00:00:00.000Z' });
    const { file, states } = await importedInto(service, 150);
    await service.cli(['status', file]);
    expect(states().filter(isFound)).toHaveLength(150);
    expect(service.counts()).toEqual({ pages: 2, lookups: 0, reads: 0 });
  });

  it('notices a second order of an ID that was created hours later', async () => {
    const service = await startNewestFirst();
    const { file, states } = await importedInto(service, 150);
    service.add({ ...service.orders.at(-1), id: 'S-2', createdAt: '2999-01-01T00:00:00.000Z' });
    await service.cli(['status', file]);
    expect(states().filter(isFound)).toHaveLength(149);
    expect(states()[0]).toMatch(/,twice$/);
    expect(service.counts()).toMatchObject({ pages: 2, lookups: 1 });
  });

  it.each([2000, 8000])('reads pages or looks each order up where %d were created since', async (later) => {
    const service = await startNewestFirst();
    const { file, states } = await importedInto(service, 150);
    for (let index = 0; index < later; index += 1)
      service.add({ externalOrderId: `later-${index}`, createdAt: '2999-01-01T00:00:00.000Z' });
    await service.cli(['status', file]);
    expect(states().filter(isFound)).toHaveLength(150);
    expect(service.counts()).toMatchObject({ lookups: later === 2000 ? 0 : 150, reads: 0 });
    expect(service.counts().pages).toBeLessThan(25);
  });

  it('looks each order up where that takes fewer requests', async () => {
    const service = await startNewestFirst();
    const { file, states } = await importedInto(service, 5);
    for (let index = 0; index < 600; index += 1) service.add({ externalOrderId: `other-${index}` });
    await service.cli(['status', file]);
    expect(states().filter(isFound)).toHaveLength(5);
    expect(service.counts()).toMatchObject({ lookups: 5, reads: 0 });
  });

  it('believes no page when not all were read', async () => {
    const service = await startNewestFirst({ hidesTotal: true });
    const twice = service.add({ externalOrderId: 'UB-0', collectionMode: 'NONE' });
    for (let index = 0; index < 600; index += 1) service.add({ externalOrderId: `other-${index}` });
    const { file, states } = await importedInto(service, 5);
    expect(service.orders.at(-1)).toBe(twice);
    const { stderr, exitCode } = await service.cli(['status', file]);
    expect(states()[0]).toMatch(/,twice(?:;.*)?$/);
    expect(exitCode, stderr).toBe(6);
  });

  it('shows at a terminal how far it is, page by page', async () => {
    const clock = { ahead: 0 };
    const service = await startNewestFirst({
      onPage: () => {
        clock.ahead += 1000;
      },
    });
    const { file } = await importedInto(service, 350);
    const { stderr, exitCode } = await service.cli(['status', file], { answers: [], clock });
    expect(exitCode, stderr).toBe(0);
    // Pages are requested before the one before is read, so later ones may come without a draw between them.
    expect(stderr).toContain('100/350 orders  looked up 100');
  });

  it('is not written when it is stopped between two pages', async () => {
    const interruption = createInterruption();
    let stop = () => {};
    const service = await startNewestFirst({ onPage: () => stop() });
    const { file } = await importedInto(service, 250);
    stop = () => interruption.send('SIGINT');
    const { stderr, exitCode } = await service.cli(['status', file], { interruption });
    expect(stderr).toContain(
      `Stopped. Nothing was written.\nRun the same command again; it begins anew.\n  merchant-orders status ${file}\n`,
    );
    expect(exitCode).toBe(130);
    expect(existsSync(file.replace('.csv', '.status.csv'))).toBe(false);
  });

  it('is not written when the file changes meanwhile', async () => {
    let change = () => {};
    const service = await startNewestFirst({ onPage: () => change() });
    const { file } = await importedInto(service, 10);
    change = () => appendFileSync(file, 'UB-99,99112233,TEA-1,COLLECT,5000,5000\n');
    const { stderr, exitCode } = await service.cli(['status', file]);
    expect(stderr).toContain(`${file} was changed`);
    expect(exitCode).toBe(2);
    expect(existsSync(file.replace('.csv', '.status.csv'))).toBe(false);
  });

  it('finds every order also while new ones arrive', async () => {
    let arrives = false;
    const service = await startNewestFirst({
      onPage: () => {
        for (let index = 0; index < (arrives ? 40 : 0); index += 1)
          service.add({ externalOrderId: crypto.randomUUID() });
      },
    });
    const { file, states } = await importedInto(service, 300);
    arrives = true;
    const { exitCode, stderr } = await service.cli(['status', file]);
    expect(exitCode, stderr).toBe(0);
    expect(states().filter(isFound)).toHaveLength(300);
  });

  it('finds every order also while others disappear', async () => {
    let leave = false;
    const service = await startNewestFirst({
      onPage: (orders) => {
        if (leave) orders.splice(0, 40);
      },
    });
    const { file, states } = await importedInto(service, 300);
    for (let index = 0; index < 200; index += 1) service.add({ externalOrderId: `other-${index}` });
    leave = true;
    const { exitCode, stderr } = await service.cli(['status', file]);
    const gone = states().filter((row) => row.endsWith(',missing')).length;
    expect(exitCode, stderr).toBe(gone > 0 ? 6 : 0);
    const stored = new Set(service.orders.map(({ externalOrderId }) => externalOrderId));
    for (const row of states()) {
      const [id = ''] = row.split(',');
      // What left after its page was read was there when it was looked at.
      if (stored.has(id)) expect(row).toSatisfy(isFound);
    }
  });

  it('believes no page about what differs from the file', async () => {
    let isOld = false;
    const service = await startNewestFirst({
      listed: (order) => (isOld ? { ...order, status: 'CANCELLED', collectionAmount: '1' } : order),
    });
    const { file, states } = await importedInto(service, 120);
    isOld = true;
    const { exitCode, stderr } = await service.cli(['status', file]);
    expect(exitCode, stderr).toBe(0);
    expect(states().filter(isFound)).toHaveLength(120);
    expect(service.counts()).toMatchObject({ lookups: 0, reads: 120 });
  });

  it('reads an order by its own of which a page shows less than of others', async () => {
    let isOld = false;
    const service = await startNewestFirst({
      listed: (order) =>
        isOld && order.externalOrderId === 'UB-60' ? { ...order, collectionAmount: undefined } : order,
    });
    const { file, states } = await importedInto(service, 120);
    isOld = true;
    const { exitCode, stderr } = await service.cli(['status', file]);
    expect(exitCode, stderr).toBe(0);
    expect(states().filter(isFound)).toHaveLength(120);
    expect(service.counts()).toEqual({ pages: 2, lookups: 0, reads: 1 });
  });

  it('reads every order by its own when the list shows less of it', async () => {
    const service = await startNewestFirst({
      listed: ({ id, externalOrderId, createdAt }) => ({ id, externalOrderId, createdAt }),
    });
    const { file, states } = await importedInto(service, 120);
    await service.cli(['status', file]);
    expect(states().filter(isFound)).toHaveLength(120);
    expect(service.counts()).toEqual({ pages: 2, lookups: 0, reads: 120 });
  });

  it('reads few orders by their own when the service shows a field of none', async () => {
    const service = await startNewestFirst({
      listed: ({ total: _, ...order }) => order,
      whole: ({ total: _, ...order }) => order,
    });
    const { file } = await importedInto(service, 250);
    const { stderr, exitCode } = await service.cli(['status', file]);
    expect(stderr).toContain('Not compared where the service does not show it: total.\n');
    expect(exitCode).toBe(0);
    expect(service.counts()).toMatchObject({ pages: 3, lookups: 0, reads: 100 });
  });

  it.each<[string, BehaviourSettings]>([
    ['days only', { paging: { dates: 'days' } }],
    ['instants only', { paging: { dates: 'instants' } }],
    ['pages of 50', { paging: { largestPageSize: 50, unknownParameters: 'refused' } }],
    ['orders without a time', { orders: { createdAt: 'hidden' } }],
  ])('finds every order of a service with %s', async (_, behaviour) => {
    const { sandbox, cli } = await startService({ behaviour });
    const configDirectory = temporaryDirectory();
    const { file, states } = fileOf(120);
    await cli(['import', file, '--yes'], { configDirectory });
    const before = sandbox.requestCount();
    const { exitCode, stderr } = await cli(['status', file], { configDirectory });
    expect(exitCode, stderr).toBe(0);
    expect(states().filter((row) => row.includes('CONFIRMED'))).toHaveLength(120);
    expect(sandbox.requestCount() - before).toBeLessThan(20);
  });

  it('says that a key may not list', async () => {
    const { sandbox, cli } = await startService({ behaviour: { scopes: { list: 'orders:write' } } });
    const configDirectory = temporaryDirectory();
    const { file } = fileOf(10);
    await cli(['import', file, '--yes'], { configDirectory });
    const env = { MERCHANT_ORDERS_API_KEY: sandbox.readOnlyApiKey };
    const { exitCode, stderr } = await cli(['status', file], { configDirectory, env });
    expect(stderr).toContain('error: ');
    expect(exitCode).toBe(4);
  });

  it('does not say missing of what it cannot look up', async () => {
    const service = await startNewestFirst({ listed: ({ externalOrderId: _, ...order }) => order });
    const { file } = await importedInto(service, 10);
    const { exitCode, stderr } = await service.cli(['status', file]);
    expect(stderr).toContain('Cannot tell whether order UB-');
    expect(exitCode).toBe(7);
  });
});
