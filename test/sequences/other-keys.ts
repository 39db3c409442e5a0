import { expect } from 'vitest';
import { leaveUnknown } from './re-runs.ts';
import type { Sequence, Sequences, Steps } from './sequence.ts';
import type { Shop } from './shop.ts';

/** Other merchants have no catalogue. */
const anySku = (steps: Steps): Sequence => ({ options: { anySku: true }, steps });

/** Under the first key, B is created and A is left unknown. */
async function createAndLeaveUnknown(shop: Shop, isThere: boolean): Promise<void> {
  shop.file.remove('A');
  shop.file.add('B');
  await shop.ends('B created', 0);
  shop.file.remove('B');
  shop.file.add('A');
  await leaveUnknown(shop, isThere);
}

async function importUnder(shop: Shop, client: Parameters<Shop['newKey']>[0]) {
  return shop.import({ apiKey: await shop.newKey(client) });
}

export const otherKeys: Sequences = {
  'created, then a new key of the same client': anySku(async (shop) => {
    await shop.ends('A created', 0);
    const ended = await importUnder(shop, 'same');
    expect(ended.creates).toBe(0);
    return ended;
  }),
  'created, the key is revoked, then a new one': anySku(async (shop) => {
    await shop.ends('A created', 0);
    const apiKey = await shop.newKey('same');
    await shop.revoke(shop.sandbox.apiKey);
    return shop.import({ apiKey });
  }),
  'created, then a key of another client of the merchant': anySku(async (shop) => {
    await shop.ends('A created', 0);
    const ended = await importUnder(shop, 'other');
    expect(ended.creates).toBe(0);
    return ended;
  }),
  'created, edited, then a key of another client': anySku(async (shop) => {
    await shop.ends('A created', 0);
    shop.file.edit('A', { total: '2000' });
    return importUnder(shop, 'other');
  }),
  'created, then a key of another merchant': anySku(async (shop) => {
    await shop.ends('A created', 0);
    return importUnder(shop, 'of_other_merchant');
  }),
  'created for two merchants, again for the first': anySku(async (shop) => {
    await shop.ends('A created', 0);
    const apiKey = await shop.newKey('of_other_merchant');
    await shop.ends('A created by run 2', 0, { apiKey });
    const ended = await shop.import();
    expect(ended.creates).toBe(0);
    return ended;
  }),
  'created for two merchants, again for the second': anySku(async (shop) => {
    await shop.ends('A created', 0);
    const apiKey = await shop.newKey('of_other_merchant');
    await shop.ends('A created by run 2', 0, { apiKey });
    return shop.import({ apiKey });
  }),
  'another order is new under a key of another client': anySku(async (shop) => {
    await shop.ends('A created', 0);
    shop.file.add('B');
    return importUnder(shop, 'other');
  }),
  'unknown and there, then a key of another client': anySku(async (shop) => {
    await createAndLeaveUnknown(shop, true);
    return importUnder(shop, 'other');
  }),
  'unknown and not there, then a key of another client': anySku(async (shop) => {
    await createAndLeaveUnknown(shop, false);
    return importUnder(shop, 'other');
  }),
  'unknown and not there, eleven minutes later a key of another client': anySku(async (shop) => {
    await createAndLeaveUnknown(shop, false);
    shop.wait(11);
    return importUnder(shop, 'other');
  }),
  'unknown and there, nothing created, then a key of another client': anySku(async (shop) => {
    await leaveUnknown(shop, true);
    return importUnder(shop, 'other');
  }),
  'rejected, then a key of another client': async (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    await shop.ends('A rejected', 6);
    await shop.sells('NEW-1');
    return importUnder(shop, 'other');
  },
  'cancelled, then a key of another client': anySku(async (shop) => {
    await shop.ends('A created', 0);
    expect(await shop.cancel('A')).toBe(0);
    return importUnder(shop, 'other');
  }),
  'created, the ledger is lost, then a new key of the same client': anySku(async (shop) => {
    await shop.ends('A created', 0);
    shop.loseLedger();
    return importUnder(shop, 'same');
  }),
};
