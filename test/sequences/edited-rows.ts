import { expect } from 'vitest';
import { serverError } from './gateway.ts';
import { leaveUnknown } from './re-runs.ts';
import { errorResponse, type Sequences, type Steps, under } from './sequence.ts';
import type { Shop } from './shop.ts';

const other = { total: '2000' };

const edited =
  (before: (shop: Shop) => Promise<unknown>, cells: Record<string, string> = other): Steps =>
  async (shop) => {
    await before(shop);
    shop.file.edit('A', cells);
    return shop.import();
  };

const created = (shop: Shop) => shop.expectImport('A created', 0);

async function leaveRejected(shop: Shop): Promise<void> {
  shop.file.edit('A', { 'items[].sku': 'NEW-1' });
  await shop.expectImport('A rejected PRODUCT_SKU_NOT_FOUND', 6);
}

export const editedRows: Sequences = {
  'created, edited': async (shop) => {
    await created(shop);
    shop.file.edit('A', other);
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  },
  'created, edited in its spelling': edited(created, { total: '1000.00' }),
  'created, edited where the service shows nothing': under(
    { orders: { fieldsBeyond: 'dropped' } },
    async (shop) => {
      shop.file.edit('A', { 'deliveryAddress.city': 'Ulaanbaatar' });
      await created(shop);
      shop.file.edit('A', { 'deliveryAddress.city': 'Darkhan' });
      return shop.import();
    },
  ),
  'created, edited, the service cannot be read': edited(async (shop) => {
    await created(shop);
    shop.gateway.setTreatments('read', [serverError]);
    shop.treatLists(serverError);
  }),
  'created, edited, edited back': async (shop) => {
    await created(shop);
    shop.file.edit('A', other);
    await shop.expectImport('A conflict', 6);
    shop.file.edit('A', { total: '1000' });
    return shop.import();
  },
  'created, edited, a dry run': async (shop) => {
    await created(shop);
    shop.file.edit('A', other);
    const result = await shop.import({ flags: ['--dry-run'] });
    expect(result.requests).toBe(0);
    return result;
  },
  'unknown and not there, edited': edited((shop) => leaveUnknown(shop, false)),
  'unknown and there, edited': edited((shop) => leaveUnknown(shop, true)),
  'unknown and there, edited, the lookup is lost': edited(async (shop) => {
    await leaveUnknown(shop, true);
    shop.treatLists(serverError);
  }),
  'unknown, edited, edited back': async (shop) => {
    await leaveUnknown(shop, false);
    shop.file.edit('A', other);
    await shop.expectImport('A unknown earlier_attempt_open', 8);
    shop.file.edit('A', { total: '1000' });
    return shop.import();
  },
  'rejected, fixed': edited(leaveRejected, { 'items[].sku': 'TEA-1' }),
  'rejected, edited to another wrong one, fixed': async (shop) => {
    await leaveRejected(shop);
    shop.file.edit('A', { 'items[].sku': 'NEW-2' });
    await shop.expectImport('A rejected PRODUCT_SKU_NOT_FOUND', 6);
    shop.file.edit('A', { 'items[].sku': 'TEA-1' });
    return shop.import();
  },
  'rejected, fixed, edited back': async (shop) => {
    await leaveRejected(shop);
    shop.file.edit('A', { 'items[].sku': 'TEA-1' });
    await created(shop);
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    return shop.import();
  },
  'rejected, and a colleague has it meanwhile': async (shop) => {
    await leaveRejected(shop);
    await shop.createElsewhere('A');
    shop.file.edit('A', { 'items[].sku': 'TEA-1' });
    return shop.import();
  },
  'rejected after a lost request, fixed': async (shop) => {
    shop.treatCreates('drop', 'pass');
    await leaveRejected(shop);
    shop.file.edit('A', { 'items[].sku': 'TEA-1' });
    return shop.import();
  },
  'conflict with a colleague, edited to be the same': edited(async (shop) => {
    await shop.createElsewhere('A', other);
    await shop.expectImport('A conflict', 6);
  }),
  'not sent, edited': edited(async (shop) => {
    shop.gateway.goAway();
    await shop.expectImport('A not_sent', 7);
    await shop.gateway.comeBack();
  }),
  '401, edited': edited(async (shop) => {
    shop.treatCreates(errorResponse(401));
    await shop.expectImport('A not_sent', 4);
    shop.treatCreates('pass');
  }),
  'created, edited, the service does not know its id': edited(async (shop) => {
    await created(shop);
    shop.gateway.setTreatments('read', [errorResponse(404, 'GONE')]);
    shop.treatLists({ status: 200, body: '[]' });
  }),
  'unknown and there, made invalid, fixed': async (shop) => {
    await leaveUnknown(shop, true);
    shop.file.add('B');
    shop.file.edit('A', { collectionMode: 'SOME' });
    await shop.expectImport('A invalid; B created', 6, { flags: ['--on-invalid', 'skip'] });
    shop.file.edit('A', { collectionMode: 'NONE' });
    return shop.import();
  },
  'created, its id spelled in another way': async (shop) => {
    await created(shop);
    shop.file.remove('A');
    shop.file.add('#A');
    return shop.import();
  },
  'unknown and not there, its id spelled in another way': async (shop) => {
    await leaveUnknown(shop, false);
    shop.file.remove('A');
    shop.file.add('#A');
    return shop.import();
  },
};
