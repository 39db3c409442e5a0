import { expect, test } from 'vitest';
import { compareWithLedger, ledgerWarnings } from '../../../src/commands/import/compare.ts';
import type { ImportJob } from '../../../src/commands/import/read.ts';
import type { Context } from '../../../src/context.ts';
import type { LeftOutReason } from '../../../src/import/choices.ts';
import { entriesOfKey } from '../../../src/import/send/merchant-entries.ts';
import { hashOrder, type LedgerEntry } from '../../../src/ledger/order-log.ts';
import { planned } from '../../import/send/services.ts';
import { textOf } from '../../support/advice.ts';
import { ledgerEntry, startLedger } from '../../support/ledger.ts';

const live = {
  settings: { sandbox: false, profile: undefined, baseUrl: undefined },
  system: { isWindows: false },
} as Pick<Context, 'settings' | 'system'>;
const inFile = planned('A-1');

test.each<[string, Partial<LedgerEntry>, LeftOutReason, string[]]>([
  ['rejected', { state: 'rejected' }, 'cancelled', []],
  [
    'created, then refunded',
    { state: 'created', orderNumber: 'ORD-1' },
    'refunded',
    [
      'it is left out (refunded), but it was created before (ORD-1)',
      "so that it is not delivered, run: merchant-orders cancel ORD-1 --reason 'refunded in the shop'",
    ],
  ],
  [
    'created, then delivered',
    { state: 'created', orderId: 'id-1' },
    'completed',
    [
      'it is left out (completed), but it was created before (id-1)',
      'nothing needs to be done if this service delivered it',
    ],
  ],
  [
    'sent without a response',
    { state: 'unknown', lastRun: 'run-7' },
    'needs_no_shipping',
    [
      'it is left out (needs no shipping), but it was sent before, and it is not known whether it was created',
      'to find out, run: merchant-orders settle A-1',
    ],
  ],
])('an order that was %s and is left out', async (_, fields, leftOut, expected) => {
  const ledger = await startLedger();
  ledger.orders.record(ledgerEntry(fields));
  const ledgerContext = { ledger, entries: entriesOfKey(ledger), recreatesCancelled: false, now: () => 1000 };
  const warnings = ledgerWarnings({ ...inFile, leftOut }, live, ledgerContext);
  expect(warnings.flatMap(({ problem, fix }) => [problem, textOf(fix)])).toEqual(expected);
});

test('an order that is in the ledger under another spelling of its ID', async () => {
  const ledger = await startLedger();
  ledger.orders.record(ledgerEntry({ externalOrderId: '#A-1' }));
  const ledgerContext = { ledger, entries: entriesOfKey(ledger), recreatesCancelled: false, now: () => 1000 };
  expect(ledgerWarnings(inFile, live, ledgerContext)).toMatchObject([
    { code: 'other_spelling', severity: 'warning', row: 2, problem: expect.stringContaining('#A-1') },
  ]);
});

/** Two batches, with characters that mean something to SQL and JSON. */
const ids = Array.from(
  { length: 1200 },
  (_, index) => `${['"', "'", '\\', '%', '№', '😀'][index % 6]}-${index}`,
);

test.each([
  ['none', ['A-1'], 0, 0],
  ['the first and last', [0, 1199], 2, 0],
  ['those around the end of a batch', [698, 699, 700, 701], 4, 0],
  ['one in another spelling', [`#${ids[702]}`], 0, 1],
  ['all', ids, 1200, 0],
])('finds the orders of a file that are in the ledger: %s', async (_, recorded, known, warned) => {
  const ledger = await startLedger();
  const toCollect = { collectionMode: 'COLLECT', collectionAmount: '2' };
  const bodyHash = hashOrder(toCollect);
  for (const id of recorded) {
    const externalOrderId = typeof id === 'number' ? (ids[id] ?? '') : id;
    ledger.orders.record(
      ledgerEntry({ externalOrderId, bodyHash, state: 'created', orderId: externalOrderId }),
    );
  }
  const orders = ids.map((externalOrderId, row) => ({ ...planned(externalOrderId, row), order: toCollect }));
  const plan = {
    counts: { selected: ids.length, invalid: 0 },
    totals: {},
    keepsOrders: true,
    orders: () => orders,
  };
  const ledgerContext = { ledger, entries: entriesOfKey(ledger), recreatesCancelled: false, now: () => 1000 };
  const comparison = await compareWithLedger(
    live as Context,
    { plan } as unknown as ImportJob,
    ledgerContext,
  );
  const unsent = ids.length - known;
  expect(comparison.counts).toMatchObject({ already_exists: known, not_sent: unsent });
  expect(comparison.unsent).toEqual({
    orders: unsent,
    collecting: unsent,
    toCollect: unsent ? `${2 * unsent}` : undefined,
  });
  expect(comparison.warnings.map(({ count }) => count)).toEqual(warned === 0 ? [] : [warned]);
});
