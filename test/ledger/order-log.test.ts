import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { ledgerEntry, startLedger } from '../support/ledger.ts';

const cancelled = { orderId: 'S-1', externalOrderId: 'A-1' };

describe('recorded cancellations', () => {
  it('count only when they are done', async () => {
    const { cancellations } = await startLedger();
    cancellations.add(cancelled, false);
    cancellations.markReplaced('A-1');
    expect([cancellations.has('S-1'), [...cancellations.replacedIds('A-1')]]).toEqual([false, []]);
    cancellations.add(cancelled);
    cancellations.add(cancelled, false);
    expect(cancellations.has('S-1')).toBe(true);
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
      [...cancellations.replacedIds('A-1')],
    ]);
    expect(known).toEqual([
      [true, ['S-1']],
      [true, []],
    ]);
  });

  it('count for an order of another key, since order IDs of the service are unique across keys', async () => {
    const path = join(temporaryDirectory(), 'ledger.db');
    const [ours, other] = [await startLedger({ path }), await startLedger({ path, apiKey: 'mk_2' })];
    ours.orders.record(ledgerEntry({ state: 'created', orderId: 'S-1' }));
    ours.orders.record(ledgerEntry({ externalOrderId: 'A-2', state: 'created', orderId: 'S-2' }));
    other.cancellations.add(cancelled);
    const areCancelled = ['A-1', 'A-2'].map((id) => ours.orders.findStored(id)?.isCancelled);
    expect([...areCancelled, ours.cancellations.has('S-1')]).toEqual([true, false, true]);
  });

  it('are replaced by a new order with the same external order ID, except those cancelled later', async () => {
    const { cancellations } = await startLedger();
    cancellations.add(cancelled);
    cancellations.add({ orderId: 'S-2', externalOrderId: 'A-1' });
    cancellations.add({ orderId: 'S-3', externalOrderId: 'A-2' });
    expect([...cancellations.replacedIds('A-1')]).toEqual([]);
    cancellations.markReplaced('A-1');
    cancellations.add({ orderId: 'S-4', externalOrderId: 'A-1' });
    expect([[...cancellations.replacedIds('A-1')].sort(), [...cancellations.replacedIds('A-2')]]).toEqual([
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
    expect([...cancellations.replacedIds('A-1')]).toEqual(['S-1']);
    expect(database.prepare('SELECT cancelled_at FROM cancellations').all()).toEqual([
      { cancelled_at: 1000 },
    ]);
  });
});

describe('orders whose outcome is unknown', () => {
  it('are found with the command that sent them, the latest first', async () => {
    let now = 1000;
    const { orders, runs } = await startLedger({ now: () => now });
    await runs.begin({ id: 'run-1', kind: 'import', file: 'orders.csv', results: '', orders: 2 });
    orders.record(ledgerEntry({ externalOrderId: 'A-1', state: 'unknown', run: 'run-1', lastRun: 'run-2' }));
    orders.record(ledgerEntry({ externalOrderId: 'A-2', state: 'created', run: 'run-1' }));
    now = 2000;
    await runs.begin({ id: 'run-2', kind: 'create', file: '', results: '', orders: 1 });
    orders.record(ledgerEntry({ externalOrderId: 'B-1', run: 'run-2', lastRun: 'run-2' }));
    orders.record(
      ledgerEntry({ externalOrderId: 'B-2', state: 'not_found', run: 'run-2', lastRun: 'run-2' }),
    );
    const create = { run: 'run-2', operation: 'create', file: '' };
    const imported = { run: 'run-1', operation: 'import', file: 'orders.csv', recordedAt: 1000 };
    expect(orders.findOpen()).toEqual([
      { ...create, externalOrderId: 'B-1', recordedAt: 2000 },
      { ...imported, externalOrderId: 'A-1' },
    ]);
    expect(orders.findNamed('A-2')).toEqual([{ ...imported, externalOrderId: 'A-2' }]);
    const ids = (reference: string) =>
      orders.findNamed(reference).map(({ externalOrderId }) => externalOrderId);
    expect([ids('run-1'), ids('run-2'), ids('run'), ids('C-1')]).toEqual([
      ['A-1', 'A-2'],
      ['A-1', 'B-1', 'B-2'],
      [],
      [],
    ]);
  });
});

describe('other spellings of an ID', () => {
  it.each([
    ['#1013', ['1013'], ['1013']],
    ['1013', ['#1013', '№1013'], ['#1013', '№1013']],
    ['0012', ['12'], ['12']],
    ['#0012', ['#12'], ['#12']],
    ['1001.0', ['1001'], ['1001']],
    ['А-1', ['A-1'], ['A-1']],
    ['A-1', ['а-1'], ['а-1']],
    ['A 1', ['A-1'], ['A-1']],
    ['A-1', ['A 1'], ['A 1']],
    ['1013', ['10130', 'A-1013', 'A1013'], undefined],
    ['1013', ['1013'], undefined],
    ['0', ['#'], undefined],
  ])('%s, when %j are in the ledger: %j', async (id, known, others) => {
    const { orders } = await startLedger();
    for (const externalOrderId of known) orders.record(ledgerEntry({ externalOrderId }));
    expect(orders.findOtherSpellings([id, 'Z-9']).get(id)).toEqual(others);
  });

  it('are those of the same API key', async () => {
    const path = join(temporaryDirectory(), 'ledger.db');
    const [ours, other] = [await startLedger({ path }), await startLedger({ path, apiKey: 'mk_2' })];
    other.orders.record(ledgerEntry({ externalOrderId: '#1013' }));
    expect(ours.orders.findOtherSpellings(['1013'])).toEqual(new Map());
  });
});
