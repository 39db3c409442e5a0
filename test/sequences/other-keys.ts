import { expect } from 'vitest';
import { leaveUnknown } from './re-runs.ts';
import type { Sequence, Sequences, Steps } from './sequence.ts';
import type { Shop } from './shop.ts';

/** Accepts any SKU, since other merchants have no catalogue. */
const anySku = (steps: Steps): Sequence => ({ options: { anySku: true }, steps });

/** Creates B with the first key, and leaves A unknown. */
async function createAndLeaveUnknown(shop: Shop, isThere: boolean): Promise<void> {
  shop.file.remove('A');
  shop.file.add('B');
  await shop.expectImport('B created', 0);
  shop.file.remove('B');
  shop.file.add('A');
  await leaveUnknown(shop, isThere);
}

async function importWithKey(shop: Shop, client: Parameters<Shop['newKey']>[0]) {
  return shop.import({ apiKey: await shop.newKey(client) });
}

export const otherKeys: Sequences = {
  'created, then a new key of the same client': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    const result = await importWithKey(shop, 'same');
    expect(result.creates).toBe(0);
    return result;
  }),
  'created, the key is revoked, then a new one': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    const apiKey = await shop.newKey('same');
    await shop.revoke(shop.sandbox.apiKey);
    return shop.import({ apiKey });
  }),
  'created, then a key of another client of the merchant': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    const result = await importWithKey(shop, 'other');
    expect(result.creates).toBe(0);
    return result;
  }),
  'created, edited, then a key of another client': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    shop.file.edit('A', { total: '2000' });
    return importWithKey(shop, 'other');
  }),
  'created, then a key of another merchant': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    return importWithKey(shop, 'of_other_merchant');
  }),
  'created for two merchants, again for the first': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    const apiKey = await shop.newKey('of_other_merchant');
    await shop.expectImport('A created by run 2', 0, { apiKey });
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  }),
  'created for two merchants, again for the second': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    const apiKey = await shop.newKey('of_other_merchant');
    await shop.expectImport('A created by run 2', 0, { apiKey });
    return shop.import({ apiKey });
  }),
  'another order is new under a key of another client': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    shop.file.add('B');
    return importWithKey(shop, 'other');
  }),
  'unknown and there, then a key of another client': anySku(async (shop) => {
    await createAndLeaveUnknown(shop, true);
    return importWithKey(shop, 'other');
  }),
  'unknown and not there, then a key of another client': anySku(async (shop) => {
    await createAndLeaveUnknown(shop, false);
    return importWithKey(shop, 'other');
  }),
  'unknown and not there, eleven minutes later a key of another client': anySku(async (shop) => {
    await createAndLeaveUnknown(shop, false);
    shop.wait(11);
    return importWithKey(shop, 'other');
  }),
  'unknown and there, nothing created, then a key of another client': anySku(async (shop) => {
    await leaveUnknown(shop, true);
    return importWithKey(shop, 'other');
  }),
  'rejected, then a key of another client': async (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    await shop.expectImport('A rejected', 6);
    await shop.addProduct('NEW-1');
    return importWithKey(shop, 'other');
  },
  'cancelled, then a key of another client': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    expect(await shop.cancel('A')).toBe(0);
    return importWithKey(shop, 'other');
  }),
  'another client has the same, a response is lost': anySku(async (shop) => {
    await shop.createElsewhere('A', {}, await shop.newKey('other'));
    shop.treatCreates('lose', 'pass');
    return shop.import();
  }),
  'another client has the same, a response is lost, one is cancelled, again': anySku(async (shop) => {
    await shop.createElsewhere('A', {}, await shop.newKey('other'));
    shop.treatCreates('lose', 'pass');
    await shop.expectImport('A created twice by run 1', 6);
    await shop.expectImport('A already_exists twice by run 1', 6);
    await shop.cancelElsewhere('A');
    return shop.import();
  }),
  'another client has another, a response is lost': anySku(async (shop) => {
    await shop.createElsewhere('A', { total: '2000' }, await shop.newKey('other'));
    shop.treatCreates('lose', 'pass');
    return shop.import();
  }),
  'created, the ledger is lost, then a new key of the same client': anySku(async (shop) => {
    await shop.expectImport('A created', 0);
    shop.loseLedger();
    return importWithKey(shop, 'same');
  }),
};
