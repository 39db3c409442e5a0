import { expect } from 'vitest';
import { serverError } from './gateway.ts';
import { leaveUnknown } from './re-runs.ts';
import { at, forgetsKeys, freesExternalOrderIds, type Sequences, type Steps, under } from './sequence.ts';
import type { Shop } from './shop.ts';

const recreate = { flags: ['--recreate-cancelled'] };

async function createAndCancel(shop: Shop): Promise<void> {
  await shop.expectImport('A created', 0);
  expect(await shop.cancel('A')).toBe(0);
}

const afterCancel =
  (then: Steps): Steps =>
  async (shop) => {
    await createAndCancel(shop);
    return then(shop);
  };

/** After a cancelled order was created again, at a service that frees external order IDs. */
const afterRecreation = (then: Steps) =>
  under(
    freesExternalOrderIds,
    afterCancel(async (shop) => {
      await shop.expectImport('A created by run 2', 0, recreate);
      return then(shop);
    }),
  );

export const cancelledOrders: Sequences = {
  'cancelled by us, again': afterCancel(async (shop) => {
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  }),
  'cancelled by us, edited': afterCancel((shop) => {
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  }),
  'cancelled by us, a dry run': afterCancel((shop) => shop.import({ flags: ['--dry-run'] })),
  'cancelled by us, the response lost': async (shop) => {
    await shop.expectImport('A created', 0);
    shop.treatCancels('lose');
    expect(await shop.cancel('A')).toBe(0);
    return shop.import();
  },
  'cancelled by us, with a status of its own': at(
    { fields: 'voided' },
    afterCancel((shop) => shop.import()),
  ),
  'cancelled elsewhere, again': async (shop) => {
    await shop.expectImport('A created', 0);
    await shop.cancelElsewhere('A');
    const result = await shop.import();
    expect(result.requests).toBe(0);
    return result;
  },
  'cancelled elsewhere, edited': async (shop) => {
    await shop.expectImport('A created', 0);
    await shop.cancelElsewhere('A');
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  },
  'a colleague created and cancelled it': async (shop) => {
    await shop.createElsewhere('A');
    await shop.cancelElsewhere('A');
    return shop.import();
  },
  'a colleague created and canceled it': at({ fields: 'canceled' }, async (shop) => {
    await shop.createElsewhere('A');
    await shop.cancelElsewhere('A');
    return shop.import();
  }),
  'a colleague created and voided it': at({ fields: 'voided' }, async (shop) => {
    await shop.createElsewhere('A');
    await shop.cancelElsewhere('A');
    return shop.import();
  }),
  'unknown and there, cancelled elsewhere, again': under(forgetsKeys, async (shop) => {
    await leaveUnknown(shop, true);
    await shop.cancelElsewhere('A');
    return shop.import();
  }),
  'the cancellation is rejected': async (shop) => {
    await shop.expectImport('A created', 0);
    await shop.setStatus('A', 'DELIVERED');
    expect(await shop.cancel('A')).toBe(5);
    return shop.import();
  },
  'not cancelled, --recreate-cancelled': async (shop) => {
    await shop.expectImport('A created', 0);
    return shop.import(recreate);
  },
  'never there, --recreate-cancelled': (shop) => shop.import(recreate),
  'cancelled by us, --recreate-cancelled': under(
    freesExternalOrderIds,
    afterCancel((shop) => shop.import(recreate)),
  ),
  'recreated, --recreate-cancelled again': afterRecreation((shop) => shop.import(recreate)),
  'recreated, again': afterRecreation((shop) => shop.import()),
  'recreated, edited': afterRecreation((shop) => {
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  }),
  'recreated, cancelled, again': afterRecreation(async (shop) => {
    expect(await shop.cancel('A')).toBe(0);
    return shop.import();
  }),
  'recreated, cancelled, --recreate-cancelled': afterRecreation(async (shop) => {
    expect(await shop.cancel('A')).toBe(0);
    return shop.import(recreate);
  }),
  '--recreate-cancelled, the id is not free': afterCancel((shop) => shop.import(recreate)),
  '--recreate-cancelled, the id is not free, eleven minutes later': afterCancel(async (shop) => {
    await shop.expectImport('A rejected', 6, recreate);
    shop.wait(11);
    return shop.import(recreate);
  }),
  '--recreate-cancelled, the lookup is lost': under(
    freesExternalOrderIds,
    afterCancel((shop) => {
      shop.treatLists(serverError);
      return shop.import(recreate);
    }),
  ),
  '--recreate-cancelled, a colleague was first': under(
    freesExternalOrderIds,
    afterCancel(async (shop) => {
      await shop.createElsewhere('A');
      return shop.import(recreate);
    }),
  ),
  '--recreate-cancelled, unknown, again': under(
    freesExternalOrderIds,
    afterCancel(async (shop) => {
      shop.loseResponses();
      await shop.expectImport('A unknown', 8, recreate);
      shop.passAll();
      const result = await shop.import();
      expect(shop.countKeys('A')).toBe(2);
      return result;
    }),
  ),
  '--recreate-cancelled, all responses lost': under(
    { ...freesExternalOrderIds, ...forgetsKeys },
    afterCancel((shop) => {
      shop.treatCreates('lose');
      return shop.import(recreate);
    }),
  ),
  '--recreate-cancelled, all requests lost': under(
    freesExternalOrderIds,
    afterCancel((shop) => {
      shop.treatCreates('drop');
      return shop.import(recreate);
    }),
  ),
  'cancelled and created again by a colleague, ledger lost': at(
    { oldestFirst: true },
    afterCancel(async (shop) => {
      await shop.createElsewhere('A');
      shop.loseLedger();
      return shop.import();
    }),
    { ...forgetsKeys, ...freesExternalOrderIds },
  ),
  'unknown and there, cancelled by us, again': async (shop) => {
    await leaveUnknown(shop, true);
    expect(await shop.cancel('A')).toBe(0);
    return shop.import();
  },
  'cancelled by us, ledger lost, --recreate-cancelled': under(
    freesExternalOrderIds,
    afterCancel((shop) => {
      shop.loseLedger();
      return shop.import(recreate);
    }),
  ),
};
