import { expect } from 'vitest';
import { broken, cachesRefusals, refusal, type Sequences, under } from './sequence.ts';
import type { Shop } from './shop.ts';

/** An order that is rejected because its SKU is not in the catalogue yet. */
async function refuse(shop: Shop): Promise<void> {
  shop.file.edit('A', { 'items[].sku': 'NEW-1' });
  await shop.ends('A rejected PRODUCT_SKU_NOT_FOUND', 6);
}

/** The request with the second key is lost, and rejected when it is sent again; then the SKU is added. */
async function refuseAtSecond(shop: Shop): Promise<void> {
  await refuse(shop);
  shop.creates('drop');
  await shop.ends('A unknown', 8);
  shop.creates('pass');
  await shop.ends('A rejected PRODUCT_SKU_NOT_FOUND', 6);
  expect(shop.keysOf('A')).toBe(2);
  await shop.sells('NEW-1');
}

async function expectKeys(shop: Shop, count: number) {
  const ended = await shop.import();
  expect(shop.keysOf('A')).toBe(count);
  return ended;
}

export const generations: Sequences = {
  'rejected, again': async (shop) => {
    await refuse(shop);
    return shop.import();
  },
  'rejected, then it is sold': async (shop) => {
    await refuse(shop);
    await shop.sells('NEW-1');
    return shop.import();
  },
  'rejections are stored, then it is sold': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    await shop.sells('NEW-1');
    return expectKeys(shop, 2);
  }),
  'rejections are stored, rejected three times, then it is sold': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    await refuse(shop);
    await refuse(shop);
    await shop.sells('NEW-1');
    return expectKeys(shop, 4);
  }),
  'rejections are stored, the lookup is lost': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    await shop.sells('NEW-1');
    shop.lists(broken);
    return expectKeys(shop, 1);
  }),
  'rejected, and a colleague has it meanwhile, again': async (shop) => {
    await refuse(shop);
    await shop.sells('NEW-1');
    await shop.colleague('A', { items: [{ sku: 'NEW-1' }] });
    return expectKeys(shop, 1);
  },
  'rejected, and a colleague has another meanwhile, again': async (shop) => {
    await refuse(shop);
    await shop.colleague('A');
    return expectKeys(shop, 1);
  },
  'created at the second generation, again': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    await shop.sells('NEW-1');
    await shop.ends('A created by run 2', 0);
    const ended = await shop.import();
    expect(ended.creates).toBe(0);
    return ended;
  }),
  'unknown at the second generation, again': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    await shop.sells('NEW-1');
    shop.loseAll();
    await shop.ends('A unknown', 8);
    shop.loseNothing();
    return expectKeys(shop, 2);
  }),
  'rejections are stored, the ledger is lost, then it is sold': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    shop.loseLedger();
    await shop.sells('NEW-1');
    await shop.ends('A rejected', 6);
    return expectKeys(shop, 2);
  }),
  'rejections are stored, created at the second generation, another machine': under(
    cachesRefusals,
    async (shop) => {
      await refuse(shop);
      await shop.sells('NEW-1');
      await shop.ends('A created', 0);
      return shop.import({ on: 'second' });
    },
  ),
  'created at the second generation, another machine': async (shop) => {
    await refuse(shop);
    await shop.sells('NEW-1');
    await shop.ends('A created', 0);
    return shop.import({ on: 'second' });
  },
  'rejected without a known code, then taken': async (shop) => {
    shop.creates(refusal(400, 'ODD'));
    await shop.ends('A rejected', 6);
    shop.creates('pass');
    return expectKeys(shop, 2);
  },
  '403 for one of two, then taken': async (shop) => {
    shop.file.add('B');
    shop.createsOf('A', refusal(403));
    await shop.ends('A rejected; B created', 6);
    shop.createsOf('A', 'pass');
    return expectKeys(shop, 1);
  },
  'rejected, edited, rejected, edited back, then it is sold': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    shop.file.edit('A', { total: '2000' });
    await shop.ends('A rejected', 6);
    shop.file.edit('A', { total: '1000' });
    await shop.sells('NEW-1');
    return shop.import();
  }),
  'failures are stored under the key': under({ keys: { kept: 'everything' } }, async (shop) => {
    shop.gateway.treat('create', ['pass']);
    await shop.faults({
      match: { route: 'create' },
      when: 'before_commit',
      do: { kind: 'status', status: 500 },
    });
    await shop.ends('A unknown', 8);
    await shop.faults();
    shop.wait(11);
    return expectKeys(shop, 1);
  }),
  'failures are stored under the key for a day': under(
    { keys: { kept: 'everything', retentionSeconds: 86_400 } },
    async (shop) => {
      await shop.faults({
        match: { route: 'create' },
        when: 'before_commit',
        do: { kind: 'status', status: 500 },
      });
      await shop.ends('A unknown', 8);
      await shop.faults();
      shop.wait(25 * 60);
      return expectKeys(shop, 1);
    },
  ),
  'unknown at the second generation, rejected, a minute later': under(cachesRefusals, async (shop) => {
    await refuseAtSecond(shop);
    shop.wait(1);
    return expectKeys(shop, 2);
  }),
  'unknown at the second generation, rejected, eleven minutes later': under(cachesRefusals, async (shop) => {
    await refuseAtSecond(shop);
    shop.wait(11);
    return expectKeys(shop, 3);
  }),
  'two machines at the second generation at once': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    await shop.ends('A rejected', 6, { on: 'second' });
    await shop.sells('NEW-1');
    const first = await shop.begin('hold');
    await shop.ends('A created by run 4', 0, { on: 'second' });
    const ended = await first.end();
    expect(shop.keysOf('A')).toBe(2);
    return ended;
  }),
  'two machines at two generations at once': under(cachesRefusals, async (shop) => {
    await refuse(shop);
    await refuse(shop);
    await shop.ends('A rejected', 6, { on: 'second' });
    await shop.sells('NEW-1');
    const first = await shop.begin('hold');
    await shop.ends('A rejected', 6, { on: 'second' });
    await shop.ends('A created', 0, { on: 'second' });
    return first.end();
  }),
};
