import { describe, expect, it, onTestFinished } from 'vitest';
import type { LookupResult, RespelledOrders } from '../../../src/api/pages/order-finder.ts';
import { CliError } from '../../../src/errors.ts';
import { type Settled, settleOpenOrders, settleOrder } from '../../../src/import/send/settle-orders.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/ledger/order-log.ts';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { emptyList, stubClient } from './services.ts';

const minute = 60_000;
const now = 100 * minute;
const open: LedgerEntry = {
  externalOrderId: 'UB-1',
  bodyHash: 'hash',
  idempotencyKey: 'key-1',
  generation: 2,
  state: 'unknown',
  orderId: null,
  orderNumber: null,
  code: null,
  run: 'run-1',
  lastRun: 'run-1',
  unknownAt: now - 11 * minute,
  first409At: null,
  copies: null,
};
const order = (id: string, status = 'CONFIRMED') => {
  return { id, order: { id, orderNumber: `ORD-${id}`, externalOrderId: 'UB-1', status } };
};
const found = (...orders: ReturnType<typeof order>[]): LookupResult => ({
  kind: 'found',
  orders,
  isComplete: true,
});
const absent: LookupResult = { kind: 'absent', isComplete: true };

/** A ledger in which these runs are alive. */
async function start(...alive: string[]) {
  const ledger = await openLedger(
    {
      open: (schema) => openDatabase(':memory:', schema),
      reserve: () => () => undefined,
      locks: {
        take: () => undefined,
        isHeld: (run) => alive.includes(run),
        removeUnused: () => undefined,
        release: () => undefined,
      },
      now: () => now,
    },
    { service: 'https://api.example', apiKey: 'key' },
  );
  onTestFinished(() => ledger.close());
  const lookups: string[] = [];
  const settle = (lookupResult: LookupResult | RespelledOrders, meanwhile = () => {}) =>
    settleOrder('UB-1', {
      finder: {
        find: async (externalOrderId) => {
          lookups.push(externalOrderId);
          meanwhile();
          return lookupResult;
        },
      },
      ledger,
      log: ledger.orders,
      seesAll: true,
      clockAhead: () => 0,
      now: () => now,
      stopping: new AbortController().signal,
    });
  return { ledger, lookups, settle, entry: () => ledger.orders.find('UB-1') };
}

describe('an open order', () => {
  it.each<[string, LookupResult | RespelledOrders, Partial<LedgerEntry>, Partial<Settled>]>([
    ['ten minutes after the attempt', absent, { unknownAt: now - 10 * minute }, { outcome: 'not_found' }],
    [
      'a moment before that',
      absent,
      { unknownAt: now - 10 * minute + 1 },
      { outcome: 'unknown', code: 'too_early', provableAt: now + 1 },
    ],
    [
      'soon after a 409',
      absent,
      { first409At: now - 4 * minute },
      { outcome: 'unknown', code: 'too_early', provableAt: now + 6 * minute },
    ],
    [
      'after an incomplete lookup',
      { kind: 'absent', isComplete: false },
      {},
      { outcome: 'unknown', code: 'nothing_proven' },
    ],
    [
      'after an unsettled lookup',
      { kind: 'unsettled', isListed: false },
      {},
      { outcome: 'unknown', code: 'nothing_proven' },
    ],
    [
      'when the only order has another spelling of its ID',
      { kind: 'respelled', orders: [order('id-1')], isComplete: true },
      {},
      { outcome: 'unknown', code: 'nothing_proven' },
    ],
    [
      'with a key that must not look it up',
      { kind: 'not_allowed', error: new CliError('permission_missing', '') },
      {},
      { outcome: 'unknown', code: 'nothing_proven' },
    ],
    [
      'when an incomplete lookup finds a cancelled order',
      { kind: 'found', orders: [order('id-1', 'CANCELLED')], isComplete: false },
      {},
      { outcome: 'unknown', code: 'nothing_proven' },
    ],
  ])('is closed only when its absence is proven: %s', async (_, lookupResult, fields, expected) => {
    const { ledger, settle, entry } = await start();
    ledger.orders.record({ ...open, ...fields });
    expect(await settle(lookupResult)).toEqual({
      externalOrderId: 'UB-1',
      idempotencyKey: 'key-1',
      ...expected,
    });
    const state = expected.outcome === 'not_found' ? 'not_found' : 'unknown';
    expect(entry()).toEqual({ ...open, ...fields, state });
  });

  it('of a dead run counts as sent just now', async () => {
    const { ledger, settle, entry } = await start();
    ledger.orders.record({ ...open, state: 'intent', unknownAt: null });
    expect(await settle(absent)).toMatchObject({ code: 'too_early', provableAt: now + 10 * minute });
    expect(entry()).toEqual({ ...open, unknownAt: now });
  });

  it.each<[Partial<LedgerEntry> | undefined, string]>([
    [{ state: 'created', orderId: 'id-9' }, 'created'],
    [{ state: 'rejected', code: 'PRODUCT_SKU_NOT_FOUND' }, 'rejected'],
    [undefined, 'not_found'],
    [{ state: 'not_found' }, 'not_found'],
  ])('that another run settles meanwhile has that outcome: %j', async (fields, outcome) => {
    const { ledger, settle, entry } = await start();
    ledger.orders.record(open);
    const after = fields && { ...open, ...fields };
    const settled = await settle(found(order('id-1')), () => ledger.orders.withdraw('UB-1', after));
    expect([settled.outcome, settled.orderId]).toEqual([outcome, fields?.orderId ?? undefined]);
    expect(entry()).toEqual(after);
  });
});

it('settles no further order after a stop', async () => {
  const { ledger } = await start();
  for (const id of ['UB-1', 'UB-2', 'UB-3']) ledger.orders.record({ ...open, externalOrderId: id });
  const stop = new AbortController();
  const client = stubClient(() => {
    stop.abort();
    return emptyList;
  });
  const settled = await settleOpenOrders(
    [{ log: ledger.orders, open: ledger.orders.findOpen(), seesAll: true }],
    {
      client,
      ledger,
      now: () => now,
      stopping: stop.signal,
      concurrency: 1,
    },
  );
  expect(settled.map(({ externalOrderId, code }) => [externalOrderId, code])).toEqual([
    ['UB-1', undefined],
    ['UB-2', 'stopped'],
    ['UB-3', 'stopped'],
  ]);
});
