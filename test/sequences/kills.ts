import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  changedInList,
  errorResponse,
  forgetsKeys,
  type Sequences,
  storesRejections,
  under,
} from './sequence.ts';
import type { Shop } from './shop.ts';

async function killed(shop: Shop, ...how: Parameters<Shop['startProcess']>): Promise<void> {
  const { kill } = await shop.startProcess(...how);
  await kill();
}

export const kills: Sequences = {
  'killed before the request arrives, again': async (shop) => {
    await killed(shop, 'hold');
    return shop.import();
  },
  'killed before the response arrives, again': async (shop) => {
    await killed(shop, 'hold_response');
    const result = await shop.import();
    expect([shop.countKeys('A'), result.creates]).toEqual([1, 0]);
    return result;
  },
  'killed twice, again': async (shop) => {
    await killed(shop, 'hold');
    await killed(shop, 'hold_response');
    const result = await shop.import();
    expect([shop.countKeys('A'), result.creates]).toEqual([1, 0]);
    return result;
  },
  'killed before the response arrives, then during the lookup, again': async (shop) => {
    await killed(shop, 'hold_response');
    await killed(shop, 'hold', {}, 1, 'list');
    const result = await shop.import();
    expect([shop.countKeys('A'), result.creates]).toEqual([1, 0]);
    return result;
  },
  'killed before the response arrives, again, the key may not list': async (shop) => {
    await killed(shop, 'hold_response');
    shop.treatLists(errorResponse(403));
    return shop.import();
  },
  'killed before the response arrives, again, the list differs in a field': async (shop) => {
    await killed(shop, 'hold_response');
    shop.treatLists(changedInList({ total: '2000' }));
    return shop.import();
  },
  'killed before the request arrives, a colleague created another, again': async (shop) => {
    // The process that is killed has the real time.
    shop.wait(-2);
    await shop.createElsewhere('A', { total: '2000' });
    shop.wait(2);
    await killed(shop, 'hold');
    return shop.import();
  },
  'killed before the request arrives, which arrives after the lookup': async (shop) => {
    await killed(shop, 'delay_held');
    const { end } = await shop.startImport('hold');
    expect(await shop.gateway.deliverDelayed()).toEqual([201]);
    return end();
  },
  'killed before the request arrives, which arrives after the lookup, the key forgotten': under(
    forgetsKeys,
    async (shop) => {
      await killed(shop, 'delay_held');
      const { end } = await shop.startImport('hold');
      expect(await shop.gateway.deliverDelayed()).toEqual([201]);
      return end();
    },
  ),
  'killed before the response arrives, edited': async (shop) => {
    await killed(shop, 'hold_response');
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  },
  'killed before the request arrives, edited': async (shop) => {
    await killed(shop, 'hold');
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  },
  'killed before the request arrives, edited eleven minutes later': async (shop) => {
    await killed(shop, 'hold');
    shop.wait(11);
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  },
  'killed before the response arrives, ledger lost': async (shop) => {
    await killed(shop, 'hold_response');
    shop.loseLedger();
    return shop.import();
  },
  'killed before the response arrives, another machine, again': async (shop) => {
    await killed(shop, 'hold_response');
    await shop.expectImport('A already_exists by no run', 0, { on: 'second' });
    return shop.import();
  },
  'killed with four in flight, again': async (shop) => {
    for (const externalOrderId of ['B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']) shop.file.add(externalOrderId);
    await killed(shop, 'hold_response', { flags: ['--concurrency', '4'] }, 4);
    return shop.import();
  },
  'the machine loses power with four in flight, again': async (shop) => {
    for (const externalOrderId of ['B', 'C', 'D', 'E']) shop.file.add(externalOrderId);
    await killed(shop, 'hold_response', { flags: ['--concurrency', '4'] }, 4);
    // Writes that were not synced are lost.
    for (const name of ['ledger.db-wal', 'ledger.db-shm']) rmSync(join(shop.configDirectory(), name));
    return shop.import();
  },
  'killed at the second generation, again': under(storesRejections, async (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    await shop.expectImport('A rejected', 6);
    await shop.addProduct('NEW-1');
    await killed(shop, 'hold_response');
    const result = await shop.import();
    expect(shop.countKeys('A')).toBe(2);
    return result;
  }),
  'another run meanwhile, then killed, again': async (shop) => {
    const { kill } = await shop.startProcess('hold_response');
    await shop.expectImport('A not_sent in_other_run', 7);
    await kill();
    return shop.import();
  },
};
