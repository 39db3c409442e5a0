import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LedgerEntry } from '../../src/ledger/entry.ts';
import { type LedgerClient, openLedger } from '../../src/ledger/ledger.ts';
import { openRunHistory, type PastRun } from '../../src/ledger/run-history.ts';
import type { NewRun, RunOrder } from '../../src/ledger/run-log.ts';
import { createRunLocks, openDatabase } from '../../src/system/sqlite.ts';
import { temporaryDirectory } from '../support/cli.ts';

const service = 'https://api.example';

/** One machine: what is written with any key, and what its history says. */
async function start() {
  const directory = temporaryDirectory();
  const path = join(directory, 'ledger.db');
  const clock = { now: 1000 };
  const write = async (client: Partial<LedgerClient> = {}) => {
    const ledger = await openLedger(
      {
        open: (schema) => openDatabase(path, schema),
        locks: await createRunLocks(join(directory, 'runs')),
        now: () => clock.now,
      },
      { service, apiKey: 'key-1', ...client },
    );
    let isOpen = true;
    const close = () => {
      if (isOpen) ledger.close();
      isOpen = false;
    };
    onTestFinished(close);
    const begin = (id: string, fields: Partial<NewRun> = {}) =>
      ledger.runs.begin({
        id,
        kind: 'import',
        file: 'orders.csv',
        results: 'orders.results.csv',
        orders: 1,
        ...fields,
      });
    return { ...ledger, begin, close };
  };
  const read = async () => {
    const history = await openRunHistory({
      open: async (schema) => (existsSync(path) ? openDatabase(path, schema) : undefined),
      locks: await createRunLocks(join(directory, 'runs')),
    });
    onTestFinished(() => history.close());
    return history;
  };
  return { path, clock, write, read };
}

const row = (externalOrderId: string, fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ externalOrderId, bodyHash: 'hash', idempotencyKey: `key of ${externalOrderId}`, generation: 0 },
  ...{ state: 'created', orderId: null, orderNumber: null, code: null, run: 'run-1', lastRun: 'run-1' },
  ...{ unknownAt: null, disputedAt: null, ...fields },
});
const line = (place: number, outcome: string, fields: Partial<RunOrder> = {}): RunOrder => ({
  ...{ row: place, externalOrderId: `UB-${place}`, outcome, attempts: 1, ...fields },
});

describe('the history of imports', () => {
  it('is empty without a ledger, and makes none', async () => {
    const { path, read } = await start();
    const history = await read();
    expect([history.list(9), history.find('')]).toEqual([[], []]);
    expect(existsSync(path)).toBe(false);
  });

  it('has those of all keys and services, the newest first, and tells what became of each', async () => {
    const { clock, write, read } = await start();
    const one = await write();
    await one.begin('run-1', { orders: 3 });
    await one.begin('run-2', { file: '-' });
    clock.now = 2000;
    await one.begin('made', { kind: 'create', file: '' });
    one.runs.end('run-1', 6);
    const other = await write({ service: 'https://other.example', apiKey: 'key-2' });
    await other.begin('run-3');
    other.close();
    const history = await read();
    const common = {
      kind: 'import',
      file: 'orders.csv',
      results: 'orders.results.csv',
      endedAt: undefined,
      exitCode: undefined,
      orders: 1,
    };
    const runs: PastRun[] = [
      {
        ...common,
        id: 'run-3',
        service: other.service,
        client: other.client,
        startedAt: 2000,
        progress: 'died',
      },
      {
        ...common,
        id: 'run-2',
        file: '-',
        service,
        client: one.client,
        startedAt: 1000,
        progress: 'running',
      },
      {
        ...{ ...common, id: 'run-1', service, client: one.client, startedAt: 1000, orders: 3 },
        ...{ progress: 'ended', endedAt: 2000, exitCode: 6 },
      },
    ] as PastRun[];
    expect(history.list(9)).toEqual(runs);
    expect(history.list(2)).toEqual(runs.slice(0, 2));
  });

  it('finds an import by its id, and else by its beginning', async () => {
    const { write, read } = await start();
    const { begin } = await write();
    for (const id of ['ab', 'abc1', 'abd2', 'A%_']) await begin(id);
    await begin('abe3', { kind: 'create' });
    const history = await read();
    const find = (reference: string) => history.find(reference).map(({ id }) => id);
    expect(['ab', 'abc', 'a', 'b', 'A%', '%', 'AB', 'abe3'].map(find)).toEqual([
      ...[['ab'], ['abc1'], ['abd2', 'abc1', 'ab'], [], ['A%_'], [], [], []],
    ]);
  });
});

describe('the orders of an import', () => {
  const read = async (
    lines: RunOrder[],
    rows: LedgerEntry[],
    { orders = lines.length, otherKey = [] as LedgerEntry[] } = {},
  ) => {
    const machine = await start();
    const ledger = await machine.write();
    await ledger.begin('run-1', { orders });
    for (const told of lines) ledger.runs.recordOrder('run-1', told);
    for (const other of ['run-0', 'run-2']) {
      ledger.runs.recordOrder(other, line(2, 'invalid'));
      ledger.runs.recordOrder(other, line(3, 'unknown'));
    }
    for (const known of rows) ledger.orders.record(known);
    const other = await machine.write({ apiKey: 'key-2' });
    for (const known of otherKey) other.orders.record(known);
    const history = await machine.read();
    const [run] = history.find('run-1') as [PastRun];
    return { count: history.count(run), results: [...history.results(run)], open: history.open(run) };
  };

  it('are in the order of the file, with what the ledger knows of them', async () => {
    const { count, results, open } = await read(
      [
        line(5, 'rejected', { code: 'SKU' }),
        line(2, 'created'),
        line(3, 'already_exists'),
        line(4, 'not_sent'),
      ],
      [
        row('UB-2', { orderId: 'id-2', orderNumber: 'ORD-2' }),
        row('UB-3', { orderId: 'id-3', run: 'run-0' }),
        row('UB-5', { state: 'rejected', code: 'SKU' }),
      ],
      { otherKey: [row('UB-4', { orderId: 'id-4' })] },
    );
    expect(results).toEqual([
      {
        ...{ ...line(2, 'created'), orderId: 'id-2', orderNumber: 'ORD-2' },
        ...{ idempotencyKey: 'key of UB-2', createdByRun: 'run-1' },
      },
      {
        ...{ ...line(3, 'already_exists'), orderId: 'id-3' },
        ...{ idempotencyKey: 'key of UB-3', createdByRun: 'run-0' },
      },
      line(4, 'not_sent'),
      { ...line(5, 'rejected'), code: 'SKU', idempotencyKey: 'key of UB-5' },
    ]);
    expect([count, open]).toEqual([{ created: 1, already_exists: 1, not_sent: 1, rejected: 1 }, []]);
  });

  it('that were unknown are what is known of them by now', async () => {
    const unknown = (place: number) => line(place, 'unknown', { code: 'outcome_unknown' });
    const { count, results, open } = await read([2, 3, 4, 5, 6].map(unknown), [
      row('UB-2', { state: 'unknown' }),
      row('UB-3'),
      row('UB-4', { run: '' }),
      row('UB-5', { state: 'rejected', code: 'PRODUCT_SKU_INACTIVE' }),
    ]);
    expect(results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['unknown', 'outcome_unknown'],
      ['created', undefined],
      ['already_exists', undefined],
      ['rejected', 'PRODUCT_SKU_INACTIVE'],
      ['unknown', 'outcome_unknown'],
    ]);
    expect(count).toEqual({ unknown: 2, created: 1, already_exists: 1, rejected: 1 });
    expect(open).toEqual(['UB-2']);
  });

  it('of one that died are those that it had begun; the others were not sent', async () => {
    const { count, results, open } = await read(
      [line(2, 'created')],
      [
        row('UB-2'),
        row('UB-3', { state: 'intent' }),
        row('UB-4', { orderId: 'id-4' }),
        // Taken over by a later run.
        row('UB-5', { state: 'unknown', lastRun: 'run-2' }),
        row('UB-6', { run: 'run-2', lastRun: 'run-2' }),
      ],
      { orders: 9, otherKey: [row('UB-7', { state: 'intent' })] },
    );
    expect(count).toEqual({ created: 2, unknown: 2, not_sent: 5 });
    expect(
      results.map(({ row: place, externalOrderId, outcome }) => [place, externalOrderId, outcome]),
    ).toEqual([
      [2, 'UB-2', 'created'],
      [0, 'UB-3', 'unknown'],
      [0, 'UB-4', 'created'],
      [0, 'UB-5', 'unknown'],
    ]);
    expect(results[2]).toEqual({
      ...{ row: 0, externalOrderId: 'UB-4', outcome: 'created', attempts: 0 },
      ...{ orderId: 'id-4', idempotencyKey: 'key of UB-4', createdByRun: 'run-1' },
    });
    expect(open).toEqual(['UB-3', 'UB-5']);
  });

  it('that another run left open are open', async () => {
    const rows = [row('UB-2', { state: 'intent', run: 'run-0', lastRun: 'run-0' })];
    expect((await read([line(2, 'not_sent', { code: 'in_other_run' })], rows)).open).toEqual(['UB-2']);
  });
});

it('cannot be read from a damaged ledger', async () => {
  const history = openRunHistory({
    open: () => Promise.reject(new Error('file is not a database')),
    locks: await createRunLocks(temporaryDirectory()),
  });
  await expect(history).rejects.toMatchObject({ code: 'ledger_not_writable', exitCode: 7 });
});
