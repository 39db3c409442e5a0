import { expect } from 'vitest';
import { serverError } from './gateway.ts';
import { errorResponse, type Sequences, storesRejections, under } from './sequence.ts';
import type { Shop } from './shop.ts';

/** An order that is rejected because its SKU is not in the catalogue yet. */
async function leaveRejected(shop: Shop): Promise<void> {
  shop.file.edit('A', { 'items[].sku': 'NEW-1' });
  await shop.expectImport('A rejected PRODUCT_SKU_NOT_FOUND', 6);
}

/** The request with the second key is lost, and rejected when it is sent again; then the SKU is added. */
async function leaveRejectedAtSecond(shop: Shop): Promise<void> {
  await leaveRejected(shop);
  shop.treatCreates('drop');
  await shop.expectImport('A unknown', 8);
  shop.treatCreates('pass');
  await shop.expectImport('A rejected PRODUCT_SKU_NOT_FOUND', 6);
  expect(shop.countKeys('A')).toBe(2);
  await shop.addProduct('NEW-1');
}

async function expectKeys(shop: Shop, count: number) {
  const result = await shop.import();
  expect(shop.countKeys('A')).toBe(count);
  return result;
}

export const generations: Sequences = {
  'rejected, again': async (shop) => {
    await leaveRejected(shop);
    return shop.import();
  },
  'rejected, then it is sold': async (shop) => {
    await leaveRejected(shop);
    await shop.addProduct('NEW-1');
    return shop.import();
  },
  'rejections are stored, then it is sold': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    await shop.addProduct('NEW-1');
    return expectKeys(shop, 2);
  }),
  'rejections are stored, rejected three times, then it is sold': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    await leaveRejected(shop);
    await leaveRejected(shop);
    await shop.addProduct('NEW-1');
    return expectKeys(shop, 4);
  }),
  'rejections are stored, the lookup is lost': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    await shop.addProduct('NEW-1');
    shop.treatLists(serverError);
    return expectKeys(shop, 1);
  }),
  'rejected, and a colleague has it meanwhile, again': async (shop) => {
    await leaveRejected(shop);
    await shop.addProduct('NEW-1');
    await shop.createElsewhere('A', { items: [{ sku: 'NEW-1' }] });
    return expectKeys(shop, 1);
  },
  'rejected, and a colleague has another meanwhile, again': async (shop) => {
    await leaveRejected(shop);
    await shop.createElsewhere('A');
    return expectKeys(shop, 1);
  },
  'created at the second generation, again': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    await shop.addProduct('NEW-1');
    await shop.expectImport('A created by run 2', 0);
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  }),
  'unknown at the second generation, again': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    await shop.addProduct('NEW-1');
    shop.loseResponses();
    await shop.expectImport('A unknown', 8);
    shop.passAll();
    return expectKeys(shop, 2);
  }),
  'rejections are stored, the ledger is lost, then it is sold': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    shop.loseLedger();
    await shop.addProduct('NEW-1');
    await shop.expectImport('A rejected', 6);
    return expectKeys(shop, 2);
  }),
  'rejections are stored, created at the second generation, another machine': under(
    storesRejections,
    async (shop) => {
      await leaveRejected(shop);
      await shop.addProduct('NEW-1');
      await shop.expectImport('A created', 0);
      return shop.import({ on: 'second' });
    },
  ),
  'created at the second generation, another machine': async (shop) => {
    await leaveRejected(shop);
    await shop.addProduct('NEW-1');
    await shop.expectImport('A created', 0);
    return shop.import({ on: 'second' });
  },
  'rejected without a known code, then taken': async (shop) => {
    shop.treatCreates(errorResponse(400, 'ODD'));
    await shop.expectImport('A rejected', 6);
    shop.treatCreates('pass');
    return expectKeys(shop, 2);
  },
  '403 for one of two, then taken': async (shop) => {
    shop.file.add('B');
    shop.treatCreatesOf('A', errorResponse(403));
    await shop.expectImport('A rejected; B created', 6);
    shop.treatCreatesOf('A', 'pass');
    return expectKeys(shop, 1);
  },
  'rejected, edited, rejected, edited back, then it is sold': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    shop.file.edit('A', { total: '2000' });
    await shop.expectImport('A rejected', 6);
    shop.file.edit('A', { total: '1000' });
    await shop.addProduct('NEW-1');
    return shop.import();
  }),
  'failures are stored under the key': under({ keys: { kept: 'everything' } }, async (shop) => {
    shop.gateway.setTreatments('create', ['pass']);
    await shop.faults({
      match: { route: 'create' },
      when: 'before_commit',
      do: { kind: 'status', status: 500 },
    });
    await shop.expectImport('A unknown', 8);
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
      await shop.expectImport('A unknown', 8);
      await shop.faults();
      shop.wait(25 * 60);
      return expectKeys(shop, 1);
    },
  ),
  'unknown at the second generation, rejected, a minute later': under(storesRejections, async (shop) => {
    await leaveRejectedAtSecond(shop);
    shop.wait(1);
    return expectKeys(shop, 2);
  }),
  'unknown at the second generation, rejected, eleven minutes later': under(
    storesRejections,
    async (shop) => {
      await leaveRejectedAtSecond(shop);
      shop.wait(11);
      return expectKeys(shop, 3);
    },
  ),
  'two machines at the second generation at once': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    await shop.expectImport('A rejected', 6, { on: 'second' });
    await shop.addProduct('NEW-1');
    const first = await shop.startImport('hold');
    await shop.expectImport('A created by run 4', 0, { on: 'second' });
    const result = await first.end();
    expect(shop.countKeys('A')).toBe(2);
    return result;
  }),
  'two machines at two generations at once': under(storesRejections, async (shop) => {
    await leaveRejected(shop);
    await leaveRejected(shop);
    await shop.expectImport('A rejected', 6, { on: 'second' });
    await shop.addProduct('NEW-1');
    const first = await shop.startImport('hold');
    await shop.expectImport('A rejected', 6, { on: 'second' });
    await shop.expectImport('A created', 0, { on: 'second' });
    return first.end();
  }),
};
