import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ledger, type LedgerClient, openLedger } from '../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../src/ledger/order-log.ts';
import { openRunHistory, type PastRun } from '../../src/ledger/run-history.ts';
import { createRunLocks } from '../../src/system/run-locks.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { temporaryDirectory } from '../support/cli.ts';

type NewRun = Parameters<Ledger['runs']['begin']>[0];
type RunOrder = Parameters<Ledger['runs']['recordOrder']>[1];

const service = 'https://api.example';

/** One machine with a ledger, to be written with any key, and its run history. */
async function start() {
  const directory = temporaryDirectory();
  const path = join(directory, 'ledger.db');
  const clock = { now: 1000 };
  const write = async (client: Partial<LedgerClient> = {}) => {
    const ledger = await openLedger(
      {
        open: (schema) => openDatabase(path, schema),
        locks: await createRunLocks(join(directory, 'runs'), () => undefined),
        reserve: () => () => undefined,
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
      locks: await createRunLocks(join(directory, 'runs'), () => undefined),
    });
    onTestFinished(() => history.close());
    return history;
  };
  return { path, clock, write, read };
}

const entry = (externalOrderId: string, fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  externalOrderId,
  bodyHash: 'hash',
  idempotencyKey: `key of ${externalOrderId}`,
  generation: 0,
  state: 'created',
  orderId: null,
  orderNumber: null,
  code: null,
  run: 'run-1',
  lastRun: 'run-1',
  unknownAt: null,
  first409At: null,
  copies: null,
  ...fields,
});
const orderResult = (row: number, outcome: string, fields: Partial<RunOrder> = {}): RunOrder => ({
  row,
  externalOrderId: `UB-${row}`,
  outcome,
  attempts: 1,
  ...fields,
});

describe('the orders of an import', () => {
  const read = async (
    recorded: RunOrder[],
    entries: LedgerEntry[],
    { orders = recorded.length, otherKey = [] as LedgerEntry[] } = {},
  ) => {
    const machine = await start();
    const ledger = await machine.write();
    await ledger.begin('run-1', { orders });
    for (const result of recorded) ledger.runs.recordOrder('run-1', result);
    for (const other of ['run-0', 'run-2']) {
      ledger.runs.recordOrder(other, orderResult(2, 'invalid'));
      ledger.runs.recordOrder(other, orderResult(3, 'unknown'));
    }
    for (const known of entries) ledger.orders.record(known);
    const other = await machine.write({ apiKey: 'key-2' });
    for (const known of otherKey) other.orders.record(known);
    const history = await machine.read();
    const [run] = history.find('run-1') as [PastRun];
    return {
      count: history.count(run),
      results: [...history.results(run)],
      open: ledger.orders
        .findNamed('run-1')
        .flatMap(({ externalOrderId: id }) =>
          ledger.orders.findOpen().some((o) => o.externalOrderId === id) ? [id] : [],
        ),
    };
  };

  it('that were unknown have their current outcome', async () => {
    const unknown = (row: number) => orderResult(row, 'unknown', { code: 'outcome_unknown' });
    const { count, results, open } = await read([2, 3, 4, 5, 6].map(unknown), [
      entry('UB-2', { state: 'unknown' }),
      entry('UB-3'),
      entry('UB-4', { run: '' }),
      entry('UB-5', { state: 'rejected', code: 'PRODUCT_SKU_INACTIVE' }),
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

  it('that were unknown and had other content in the file have a conflict, or were not sent', async () => {
    const unknown = (row: number, bodyHash: string) =>
      orderResult(row, 'unknown', { code: 'earlier_attempt_open', bodyHash });
    const { count, results } = await read(
      [
        unknown(2, 'other'),
        unknown(3, 'other'),
        unknown(4, 'other'),
        unknown(5, 'other'),
        unknown(6, 'hash'),
      ],
      [
        entry('UB-2', { run: 'run-0', orderId: 'id-2' }),
        entry('UB-3', { state: 'rejected', code: 'PRODUCT_SKU_INACTIVE' }),
        entry('UB-4', { state: 'not_found' }),
        entry('UB-5', { state: 'unknown' }),
        entry('UB-6', { run: 'run-0' }),
      ],
    );
    expect(results.map(({ outcome, code, createdByRun }) => [outcome, code, createdByRun])).toEqual([
      ['conflict', 'content_changed', undefined],
      ['not_sent', 'not_found', undefined],
      ['not_sent', 'not_found', undefined],
      ['unknown', 'earlier_attempt_open', undefined],
      ['already_exists', undefined, 'run-0'],
    ]);
    expect(count).toEqual({ conflict: 1, not_sent: 2, unknown: 1, already_exists: 1 });
  });

  it('of a run that died are those that it started; the others count as not sent', async () => {
    const { count, results, open } = await read(
      [orderResult(2, 'created')],
      [
        entry('UB-2'),
        entry('UB-3', { state: 'intent' }),
        entry('UB-4', { orderId: 'id-4' }),
        // Taken over by a later run.
        entry('UB-5', { state: 'unknown', lastRun: 'run-2' }),
        entry('UB-6', { run: 'run-2', lastRun: 'run-2' }),
      ],
      { orders: 9, otherKey: [entry('UB-7', { state: 'intent' })] },
    );
    expect(count).toEqual({ created: 2, unknown: 2, not_sent: 5 });
    expect(results.map(({ row, externalOrderId, outcome }) => [row, externalOrderId, outcome])).toEqual([
      [2, 'UB-2', 'created'],
      [0, 'UB-3', 'unknown'],
      [0, 'UB-4', 'created'],
      [0, 'UB-5', 'unknown'],
    ]);
    expect(results[2]).toEqual({
      row: 0,
      externalOrderId: 'UB-4',
      outcome: 'created',
      attempts: 0,
      orderId: 'id-4',
      idempotencyKey: 'key of UB-4',
      createdByRun: 'run-1',
    });
    expect(open).toEqual(['UB-3', 'UB-5']);
  });

  it('that another run left open stay open', async () => {
    const entries = [entry('UB-2', { state: 'intent', run: 'run-0', lastRun: 'run-0' })];
    expect((await read([orderResult(2, 'not_sent', { code: 'in_other_run' })], entries)).open).toEqual([
      'UB-2',
    ]);
  });
});
