import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnnamedOrder } from '../../src/ledger/unnamed-orders.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { startLedger } from '../support/ledger.ts';

const order = (fields: Partial<UnnamedOrder> = {}): UnnamedOrder => ({
  ...{ idempotencyKey: 'key-1', bodyHash: 'hash of A', state: 'intent', orderId: null, orderNumber: null },
  ...{ code: null, holder: 'run-1', begunAt: 1000, ...fields },
});

describe('orders without own ids', () => {
  it.each([
    order(),
    order({ state: 'created', orderId: 'S-1', orderNumber: 'ORD-1' }),
    order({ state: 'refused', code: 'SKU' }),
    order({ state: 'unknown' }),
  ])('are recalled by their keys: $state', async (recorded) => {
    const { unnamed } = await startLedger();
    unnamed.record(recorded);
    expect([unnamed.recall('key-1'), unnamed.recall('key-2')]).toEqual([recorded, undefined]);
  });

  it('are open until it is known what came of them, the latest first', async () => {
    const { unnamed } = await startLedger();
    const [first, second, third] = [
      order({ idempotencyKey: 'key-1', begunAt: 2000 }),
      order({ idempotencyKey: 'key-2', begunAt: 3000, state: 'unknown' }),
      order({ idempotencyKey: 'key-3', begunAt: 1000, state: 'unknown' }),
    ];
    for (const one of [first, second, third]) unnamed.record(one);
    unnamed.record(order({ idempotencyKey: 'key-4', state: 'created' }));
    unnamed.record(order({ idempotencyKey: 'key-5', state: 'refused' }));
    unnamed.record(order({ idempotencyKey: 'key-6', bodyHash: 'hash of B' }));
    expect(unnamed.open('hash of A')).toEqual([second, first, third]);
    unnamed.record({ ...second, state: 'created' });
    expect(unnamed.open('hash of A')).toEqual([first, third]);
  });

  it('are taken back to what stood before', async () => {
    const { unnamed } = await startLedger();
    unnamed.record(order());
    unnamed.withdraw('key-1', order({ state: 'unknown' }));
    expect(unnamed.recall('key-1')).toEqual(order({ state: 'unknown' }));
    unnamed.withdraw('key-1', undefined);
    expect(unnamed.recall('key-1')).toBeUndefined();
  });

  it('are those of one API client', async () => {
    const path = join(temporaryDirectory(), 'ledger.db');
    const [ours, theirs] = [await startLedger({ path }), await startLedger({ path, apiKey: 'mk_2' })];
    ours.unnamed.record(order());
    expect([theirs.unnamed.recall('key-1'), theirs.unnamed.open('hash of A')]).toEqual([undefined, []]);
    theirs.unnamed.withdraw('key-1', undefined);
    expect(ours.unnamed.recall('key-1')).toEqual(order());
  });

  it('are in one state of four', async () => {
    const { unnamed } = await startLedger();
    expect(() => unnamed.record(order({ state: 'sent' as never }))).toThrow(
      expect.objectContaining({ code: 'ledger_not_writable' }),
    );
  });
});
