import { leaveUnknown } from './re-runs.ts';
import { type Sequences, storesRejections, under } from './sequence.ts';

const day = 86_400_000;

export const clocks: Sequences = {
  'created, the clock is set back, again': async (shop) => {
    await shop.expectImport('A created', 0);
    shop.clock.ahead -= day;
    return shop.import();
  },
  'unknown and there, the clock is set back, again': async (shop) => {
    await leaveUnknown(shop, true);
    shop.clock.ahead -= day;
    return shop.import();
  },
  'unknown and not there, the clock is set back, edited': async (shop) => {
    await leaveUnknown(shop, false);
    shop.clock.ahead -= day;
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  },
  'unknown and not there, the clock is set back, eleven minutes later edited': async (shop) => {
    await leaveUnknown(shop, false);
    shop.clock.ahead -= day;
    shop.wait(11);
    shop.file.edit('A', { total: '2000' });
    return shop.import();
  },
  'rejected after a lost request, the clock is set back': under(storesRejections, async (shop) => {
    shop.file.edit('A', { 'items[].sku': 'NEW-1' });
    shop.treatCreates('drop', 'pass');
    await shop.expectImport('A rejected', 6);
    await shop.addProduct('NEW-1');
    shop.clock.ahead -= day;
    return shop.import();
  }),
  'the clock of the service is a day behind': async (shop) => {
    await shop.serviceClock(-86_400);
    await leaveUnknown(shop, true);
    return shop.import();
  },
};
