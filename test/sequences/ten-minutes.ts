import { expect } from 'vitest';
import { leaveUnknown } from './re-runs.ts';
import { broken, cachesRefusals, forgetsKeys, refusal, type Sequences, under } from './sequence.ts';
import type { Shop } from './shop.ts';

const other = { total: '2000' };

/** The service has received the request and not processed it yet. */
async function keepBack(shop: Shop): Promise<void> {
  shop.creates('keep');
  await shop.ends('A unknown', 8);
  shop.creates('pass');
}

/** A lost request, then a rejection for an unknown SKU. */
async function refuseAfterLost(shop: Shop, first: 'drop' | 'keep'): Promise<void> {
  shop.file.edit('A', { 'items[].sku': 'NEW-1' });
  shop.creates(first, 'pass');
  await shop.ends('A rejected PRODUCT_SKU_NOT_FOUND', 6);
  await shop.sells('NEW-1');
}

export const tenMinutes: Sequences = {
  '409 and nothing is there, eight minutes later': async (shop) => {
    shop.creates(refusal(409, 'EXISTS'));
    await shop.ends('A unknown', 8);
    shop.wait(8);
    return shop.import();
  },
  '409 and nothing is there, eleven minutes later': async (shop) => {
    shop.creates(refusal(409, 'EXISTS'));
    await shop.ends('A unknown', 8);
    shop.wait(5);
    await shop.ends('A unknown', 8);
    shop.wait(6);
    return shop.import();
  },
  '409 and nothing is there, rejected, then taken': async (shop) => {
    shop.creates(refusal(409, 'EXISTS'));
    await shop.ends('A unknown', 8);
    shop.wait(11);
    await shop.ends('A rejected', 6);
    shop.creates('pass');
    const ended = await shop.import();
    expect(shop.keysOf('A')).toBe(2);
    return ended;
  },
  'lost, then 400 a minute later': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(1);
    shop.creates(refusal(400, 'ODD'));
    return shop.import();
  },
  'lost, then 400 eleven minutes later': async (shop) => {
    await leaveUnknown(shop, false);
    shop.wait(11);
    shop.creates(refusal(400, 'ODD'));
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
    const ended = await shop.import();
    expect(shop.keysOf('A')).toBe(1);
    return ended;
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
    shop.lists(broken);
    return shop.import();
  },
  'created late, edited before and after': async (shop) => {
    await keepBack(shop);
    shop.wait(5);
    shop.file.edit('A', other);
    await shop.ends('A unknown earlier_attempt_open', 8);
    expect(await shop.gateway.deliver()).toContain(201);
    return shop.import();
  },
  'sent again, then created late': async (shop) => {
    await keepBack(shop);
    shop.wait(1);
    await shop.ends('A created', 0);
    await shop.gateway.deliver();
    return shop.import();
  },
  'sent again, then created late, the key forgotten': under(forgetsKeys, async (shop) => {
    await keepBack(shop);
    await shop.ends('A created', 0);
    expect(new Set(await shop.gateway.deliver())).toEqual(new Set([409]));
    return shop.import();
  }),
  'rejected after a lost request, a minute later': async (shop) => {
    await refuseAfterLost(shop, 'drop');
    shop.wait(1);
    const ended = await shop.import();
    expect(shop.keysOf('A')).toBe(1);
    return ended;
  },
  'rejections are stored, after a lost request, a minute later': under(cachesRefusals, async (shop) => {
    await refuseAfterLost(shop, 'drop');
    shop.wait(1);
    return shop.import();
  }),
  'rejections are stored, after a lost request, eleven minutes later': under(cachesRefusals, async (shop) => {
    await refuseAfterLost(shop, 'drop');
    shop.wait(11);
    const ended = await shop.import();
    expect(shop.keysOf('A')).toBe(2);
    return ended;
  }),
  'rejected after a lost request, which is created late': async (shop) => {
    await refuseAfterLost(shop, 'keep');
    shop.wait(1);
    await shop.gateway.deliver();
    return shop.import();
  },
  'rejected after a lost request, fixed eleven minutes later': async (shop) => {
    await refuseAfterLost(shop, 'drop');
    shop.wait(11);
    shop.file.edit('A', { 'items[].sku': 'TEA-1' });
    return shop.import();
  },
  '409, the lookup is lost, eleven minutes later': async (shop) => {
    shop.creates(refusal(409, 'EXISTS'));
    shop.lists(broken);
    await shop.ends('A unknown', 8);
    shop.wait(11);
    return shop.import();
  },
  '409 and nothing is there, edited a minute later': async (shop) => {
    shop.creates(refusal(409, 'EXISTS'));
    await shop.ends('A unknown', 8);
    shop.wait(1);
    shop.creates('pass');
    shop.file.edit('A', other);
    return shop.import();
  },
};
