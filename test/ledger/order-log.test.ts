import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { startLedger } from '../support/ledger.ts';

const cancelled = { orderId: 'S-1', externalOrderId: 'A-1' };

describe('recorded cancellations', () => {
  it('include orders with and without an external order ID', async () => {
    const { cancellations } = await startLedger();
    cancellations.add(cancelled);
    cancellations.add({ orderId: 'S-2', externalOrderId: undefined });
    expect(['S-1', 'S-2', 'S-3', 'A-1'].map(cancellations.has)).toEqual([true, true, false, false]);
  });

  it('survive reopening the ledger, and are replaced for one API client only', async () => {
    const path = join(temporaryDirectory(), 'ledger.db');
    const ours = await startLedger({ path });
    ours.cancellations.add(cancelled);
    ours.cancellations.markReplaced('A-1');
    ours.close();
    const [again, other] = [await startLedger({ path }), await startLedger({ path, apiKey: 'mk_2' })];
    const known = [again, other].map(({ cancellations }) => [
      cancellations.has('S-1'),
      cancellations.replacedIds('A-1'),
    ]);
    expect(known).toEqual([
      [true, ['S-1']],
      [true, []],
    ]);
  });

  it('are replaced by a new order with the same external order ID, except those cancelled later', async () => {
    const { cancellations } = await startLedger();
    cancellations.add(cancelled);
    cancellations.add({ orderId: 'S-2', externalOrderId: 'A-1' });
    cancellations.add({ orderId: 'S-3', externalOrderId: 'A-2' });
    expect(cancellations.replacedIds('A-1')).toEqual([]);
    cancellations.markReplaced('A-1');
    cancellations.add({ orderId: 'S-4', externalOrderId: 'A-1' });
    expect([cancellations.replacedIds('A-1').sort(), cancellations.replacedIds('A-2')]).toEqual([
      ['S-1', 'S-2'],
      [],
    ]);
    expect(['S-1', 'S-2', 'S-3', 'S-4'].map(cancellations.has)).toEqual([true, true, true, true]);
  });

  it('stay replaced when they are recorded again, with the time of the first record', async () => {
    let now = 1000;
    const { cancellations, database } = await startLedger({ now: () => now });
    cancellations.add(cancelled);
    cancellations.markReplaced('A-1');
    now = 2000;
    cancellations.add(cancelled);
    expect(cancellations.replacedIds('A-1')).toEqual(['S-1']);
    expect(database.prepare('SELECT cancelled_at FROM cancellations').all()).toEqual([
      { cancelled_at: 1000 },
    ]);
  });
});
