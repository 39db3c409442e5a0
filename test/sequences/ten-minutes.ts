import { expect } from 'vitest';
import { serverError } from './gateway.ts';
import { leaveUnknown } from './re-runs.ts';
import { errorResponse, forgetsKeys, type Sequences, storesRejections, under } from './sequence.ts';
import type { Shop } from './shop.ts';

const other = { total: '2000' };

/** The service receives the request only later. */
async function delayRequest(shop: Shop): Promise<void> {
  shop.treatCreates('delay');
  await shop.expectImport('A unknown', 8);
  shop.treatCreates('pass');
}

/** A lost request, then a rejection for an unknown SKU. */
async function leaveRejectedAfterLost(shop: Shop, first: 'drop' | 'delay'): Promise<void> {
  shop.file.edit('A', { 'items[].sku': 'NEW-1' });
  shop.treatCreates(first, 'pass');
  await shop.expectImport('A rejected PRODUCT_SKU_NOT_FOUND', 6);
  await shop.addProduct('NEW-1');
}

export const tenMinutes: Sequences = {
  '409 and nothing is there, eight minutes later': async (shop) => {
    shop.treatCreates(errorResponse(409, 'EXISTS'));
    await shop.expectImport('A unknown', 8);
    shop.wait(8);
    return shop.import();
  },
  '409 and nothing is there, eleven minutes later': async (shop) => {
    shop.treatCreates(errorResponse(409, 'EXISTS'));
    await shop.expectImport('A unknown', 8);
    shop.wait(5);
    await shop.expectImport('A unknown', 8);
    shop.wait(6);
    return shop.import();
  },
  '409 and nothing is there, rejected, then taken': async (shop) => {
    shop.treatCreates(errorResponse(409, 'EXISTS'));
    await shop.expectImport('A unknown', 8);
    shop.wait(11);
    await shop.expectImport('A rejected', 6);
    shop.treatCreates('pass');
    const result = await shop.import();
    expect(shop.countKeys('A')).toBe(2);
    return result;
  },
  'lost, then 400 a minute later': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(1);
    shop.treatCreates(errorResponse(400, 'ODD'));
    return shop.import();
  },
  'lost, then 400 eleven minutes later': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(11);
    shop.treatCreates(errorResponse(400, 'ODD'));
    return shop.import();
  },
  'lost and not there, edited eight minutes later': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(8);
    shop.file.edit('A', other);
    return shop.import();
  },
  'lost and not there, edited eleven minutes later': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(11);
    shop.file.edit('A', other);
    return shop.import();
  },
  'lost and not there, eleven minutes later': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(11);
    const result = await shop.import();
    expect(shop.countKeys('A')).toBe(1);
    return result;
  },
  'lost twice, edited eleven minutes after the first': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(7);
    await leaveUnknown(shop, false);
    shop.wait(4);
    shop.file.edit('A', other);
    return shop.import();
  },
  'lost twice, edited eleven minutes after the second': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(7);
    await leaveUnknown(shop, false);
    shop.wait(11);
    shop.file.edit('A', other);
    return shop.import();
  },
  'edited eleven minutes later, the lookup is lost': async (shop) => {
    await leaveUnknown(shop, true);
    shop.wait(11);
    shop.file.edit('A', other);
    shop.treatLists(serverError);
    return shop.import();
  },
  'created late, edited before and after': async (shop) => {
    await delayRequest(shop);
    shop.wait(5);
    shop.file.edit('A', other);
    await shop.expectImport('A unknown earlier_attempt_open', 8);
    expect(await shop.gateway.deliverDelayed()).toContain(201);
    return shop.import();
  },
  'sent again, then created late': async (shop) => {
    await delayRequest(shop);
    shop.wait(1);
    await shop.expectImport('A created', 0);
    await shop.gateway.deliverDelayed();
    return shop.import();
  },
  'sent again, then created late, the key forgotten': under(forgetsKeys, async (shop) => {
    await delayRequest(shop);
    await shop.expectImport('A created', 0);
    expect(new Set(await shop.gateway.deliverDelayed())).toEqual(new Set([409]));
    return shop.import();
  }),
  'rejected after a lost request, a minute later': async (shop) => {
    await leaveRejectedAfterLost(shop, 'drop');
    shop.wait(1);
    const result = await shop.import();
    expect(shop.countKeys('A')).toBe(1);
    return result;
  },
  'rejections are stored, after a lost request, a minute later': under(storesRejections, async (shop) => {
    await leaveRejectedAfterLost(shop, 'drop');
    shop.wait(1);
    return shop.import();
  }),
  'rejections are stored, after a lost request, eleven minutes later': under(
    storesRejections,
    async (shop) => {
      await leaveRejectedAfterLost(shop, 'drop');
      shop.wait(11);
      const result = await shop.import();
      expect(shop.countKeys('A')).toBe(2);
      return result;
    },
  ),
  'rejected after a lost request, which is created late': async (shop) => {
    await leaveRejectedAfterLost(shop, 'delay');
    shop.wait(1);
    await shop.gateway.deliverDelayed();
    return shop.import();
  },
  'rejected after a lost request, fixed eleven minutes later': async (shop) => {
    await leaveRejectedAfterLost(shop, 'drop');
    shop.wait(11);
    shop.file.edit('A', { 'items[].sku': 'TEA-1' });
    return shop.import();
  },
  '409, the lookup is lost, eleven minutes later': async (shop) => {
    shop.treatCreates(errorResponse(409, 'EXISTS'));
    shop.treatLists(serverError);
    await shop.expectImport('A unknown', 8);
    shop.wait(11);
    return shop.import();
  },
  '409 and nothing is there, edited a minute later': async (shop) => {
    shop.treatCreates(errorResponse(409, 'EXISTS'));
    await shop.expectImport('A unknown', 8);
    shop.wait(1);
    shop.treatCreates('pass');
    shop.file.edit('A', other);
    return shop.import();
  },
};
