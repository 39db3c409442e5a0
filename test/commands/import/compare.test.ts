import { expect, onTestFinished, test } from 'vitest';
import { compareWithLedger, ledgerWarnings } from '../../../src/commands/import/compare.ts';
import type { ImportJob } from '../../../src/commands/import/read.ts';
import type { Context } from '../../../src/context.ts';
import type { LeftOutReason } from '../../../src/import/choices.ts';
import type { PlannedOrder } from '../../../src/import/orders/plan.ts';
import {
  type EntryOwner,
  entriesOfKey,
  type MerchantEntries,
} from '../../../src/import/send/merchant-entries.ts';
import { hashOrder, type LedgerEntry } from '../../../src/ledger/order-log.ts';
import type { JsonObject } from '../../../src/orders/json.ts';
import { systemFiles } from '../../../src/system/files.ts';
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

/** Two batches, with characters that mean something to SQL and JSON. */
const ids = Array.from(
  { length: 1200 },
  (_, index) => `${['"', "'", '\\', '%', '№', '😀'][index % 6]}-${index}`,
);

const jobWith = (orders: PlannedOrder[], prefix?: string) => {
  const openSpill = () => {
    const spill = systemFiles.openSpill();
    onTestFinished(spill.remove);
    return spill;
  };
  const plan = {
    counts: { selected: orders.length, invalid: 0 },
    totals: {},
    problems: [],
    keepsOrders: true,
    idsCount: false,
    mapping: { columns: [{ path: ['externalOrderId'], rule: { prefix } }] },
    orders: () => orders,
    removeOrders: () => undefined,
  };
  return { plan, openSpill } as unknown as ImportJob;
};

test.each([
  ['none', ['A-1'], 0, 0],
  ['the first and last', [0, 1199], 2, 0],
  ['those around the end of a batch', [698, 699, 700, 701], 4, 0],
  ['two in another spelling', [`#${ids[198]}`, `#${ids[702]}`], 0, 2],
  ['all', ids, 1200, 0],
])('finds the orders of a file that are in the ledger: %s', async (_, recorded, known, invalid) => {
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
  const ledgerContext = { ledger, entries: entriesOfKey(ledger), recreatesCancelled: false, now: () => 1000 };
  const { job, ...comparison } = compareWithLedger(live as Context, jobWith(orders), ledgerContext);
  const unsent = ids.length - known - invalid;
  expect(comparison.counts).toMatchObject({ already_exists: known, invalid, not_sent: unsent });
  expect(comparison.unsent).toEqual({
    orders: unsent,
    collecting: unsent,
    toCollect: unsent ? `${2 * unsent}` : undefined,
  });
  const refused = [...job.plan.orders()].filter(({ problems }) => problems.length > 0);
  expect(refused.map(({ externalOrderId }) => `#${externalOrderId}`)).toEqual(invalid === 0 ? [] : recorded);
});

test.each<[string, string, JsonObject, string | undefined, number]>([
  ['with the same content', '7', {}, 'nov-', 1],
  ['with the same content, in another spelling', '#07', {}, 'nov-', 1],
  ['with other content', '7', { total: '1' }, 'nov-', 0],
  ['and the prefix was not given as one', '7', {}, undefined, 0],
  ['and it begins with another prefix', '7', {}, 'dec-', 0],
])('an order that the ledger knows without its prefix, %s', async (_, id, fields, idPrefix, invalid) => {
  const ledger = await startLedger();
  const bodyHash = hashOrder(planned(id, 2, fields).order);
  ledger.orders.record(ledgerEntry({ externalOrderId: id, bodyHash, state: 'created', orderId: 'id-1' }));
  const ledgerContext = { ledger, entries: entriesOfKey(ledger), recreatesCancelled: false, now: () => 1000 };
  const job = jobWith([planned('nov-7')], idPrefix);
  const { counts, problems } = compareWithLedger(live as Context, job, ledgerContext);
  expect(counts).toMatchObject({ invalid, not_sent: 1 - invalid });
  expect(problems.map(({ first }) => [first.code, first.problem, first.fix])).toEqual(
    invalid === 0
      ? []
      : [
          [
            'id_known_otherwise',
            `it was imported before as ${id}, with the same content, and would be created again`,
            'import it without the prefix, or remove its rows',
          ],
        ],
  );
});

test.each<[EntryOwner, number]>([
  ['this_key', 1],
  ['same_merchant', 1],
  ['unknown_merchant', 0],
])('another spelling that was sent with a key of %s', async (owner, invalid) => {
  const ledger = await startLedger();
  ledger.orders.record(ledgerEntry({ externalOrderId: '#A-1' }));
  const own = entriesOfKey(ledger);
  const entries: MerchantEntries = {
    ...own,
    findMany: (ids) => new Map([...own.findMany(ids)].map(([id, entry]) => [id, { ...entry, owner }])),
  };
  const ledgerContext = { ledger, entries, recreatesCancelled: false, now: () => 1000 };
  const { counts } = compareWithLedger(live as Context, jobWith([inFile]), ledgerContext);
  expect(counts).toMatchObject({ invalid, not_sent: 1 - invalid });
});
