import { cpSync, rmSync } from 'node:fs';
import { expect } from 'vitest';
import { leaveUnknown } from './re-runs.ts';
import { at, forgetsKeys, type Sequences, type Steps, under } from './sequence.ts';
import type { Shop } from './shop.ts';

/** Creates an order, then deletes the ledger. */
const lostAfter =
  (then: (shop: Shop) => unknown = () => undefined): Steps =>
  async (shop) => {
    await shop.expectImport('A created', 0);
    shop.loseLedger();
    await then(shop);
    return shop.import();
  };

const cancelledAndLost =
  (ending: Steps): Steps =>
  async (shop) => {
    await shop.expectImport('A created', 0);
    expect(await shop.cancel('A')).toBe(0);
    shop.loseLedger();
    return ending(shop);
  };

const freed = { cancelFreesExternalOrderId: true };
const again: Steps = (shop) => shop.import();

export const lostLedger: Sequences = {
  'created, ledger lost': lostAfter(),
  'created, ledger lost, replays are not flagged': at({ hides: ['idempotent-replayed'] }, lostAfter()),
  'created, ledger lost, keys forgotten': under(forgetsKeys, lostAfter()),
  'created, ledger lost, an old order for a taken id': under(
    { ...forgetsKeys, orders: { externalOrderIdTaken: 'old_order' } },
    lostAfter(),
  ),
  'created, ledger lost, edited': lostAfter((shop) => shop.file.edit('A', { total: '2000' })),
  'created, ledger lost, columns in another order': async (shop) => {
    const result = await lostAfter((shop) => shop.file.arrange((names) => names.toReversed()))(shop);
    expect(shop.countKeys('A')).toBe(1);
    return result;
  },
  'created, another machine': async (shop) => {
    await shop.expectImport('A created', 0);
    return shop.import({ on: 'second' });
  },
  'unknown and there, ledger lost': async (shop) => {
    await leaveUnknown(shop, true);
    shop.loseLedger();
    return shop.import();
  },
  'unknown and not there, ledger lost': async (shop) => {
    await leaveUnknown(shop, false);
    shop.loseLedger();
    return shop.import();
  },
  'unknown on one machine, settled by another': async (shop) => {
    await leaveUnknown(shop, false);
    await shop.expectImport('A created by run 2', 0, { on: 'second' });
    return shop.import();
  },
  'lost request, ledger lost, edited, then created late': async (shop) => {
    shop.treatCreates('delay');
    await shop.expectImport('A unknown', 8);
    shop.treatCreates('pass');
    shop.loseLedger();
    shop.file.edit('A', { total: '2000' });
    await shop.expectImport('A created', 0);
    expect(new Set(await shop.gateway.deliverDelayed())).toEqual(new Set([409]));
    return shop.import();
  },
  'rejected, ledger lost': async (shop) => {
    shop.file.edit('A', { 'items[].sku': 'OLD-1' });
    await shop.expectImport('A rejected', 6);
    shop.loseLedger();
    return shop.import();
  },
  'cancelled, ledger lost': cancelledAndLost(again),
  'cancelled, ledger lost, keys forgotten': under(forgetsKeys, cancelledAndLost(again)),
  'cancelled, ledger lost, the id is free': under({ orders: freed }, cancelledAndLost(again)),
  'cancelled, ledger lost, keys forgotten, the id is free': under(
    { ...forgetsKeys, orders: freed },
    cancelledAndLost(again),
  ),
  'an older ledger is put back': async (shop) => {
    await shop.expectImport('A created', 0);
    cpSync(shop.configDirectory(), `${shop.configDirectory()}-kept`, { recursive: true });
    shop.file.add('B');
    await shop.expectImport('A already_exists; B created by run 2', 0);
    rmSync(shop.configDirectory(), { recursive: true });
    cpSync(`${shop.configDirectory()}-kept`, shop.configDirectory(), { recursive: true });
    rmSync(`${shop.configDirectory()}-kept`, { recursive: true });
    return shop.import();
  },
  'the ledger is copied to another machine': async (shop) => {
    await shop.expectImport('A created', 0);
    cpSync(shop.configDirectory(), shop.configDirectory({ on: 'second' }), { recursive: true });
    const result = await shop.import({ on: 'second' });
    expect(result.creates).toBe(0);
    return result;
  },
  'the sandbox is reset': async (shop) => {
    await shop.expectImport('A created', 0);
    await shop.reset();
    return shop.import();
  },
};
