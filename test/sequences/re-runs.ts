import { expect } from 'vitest';
import { createInterruption } from '../support/cli.ts';
import { serverError } from './gateway.ts';
import { changedInList, errorResponse, forgetsKeys, type Sequences, type Steps, under } from './sequence.ts';
import type { Shop } from './shop.ts';

/** A first run that leaves the order unknown, with or without the order at the service. */
export async function leaveUnknown(shop: Shop, isThere: boolean): Promise<void> {
  shop.treatCreates(isThere ? 'lose' : 'drop');
  shop.treatLists(serverError);
  await shop.expectImport('A unknown', 8);
  shop.passAll();
}

/** The same command after a run that left the order unknown. */
const afterUnknown =
  (isThere: boolean, then: (shop: Shop) => unknown = () => undefined): Steps =>
  async (shop) => {
    await leaveUnknown(shop, isThere);
    await then(shop);
    return shop.import();
  };

export const reRuns: Sequences = {
  'created, again': async (shop) => {
    await shop.expectImport('A created by run 1', 0);
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  },
  'unknown and not there, again': afterUnknown(false),
  'unknown and there, again': async (shop) => {
    await leaveUnknown(shop, true);
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  },
  'unknown and there, again, the key forgotten': under(forgetsKeys, afterUnknown(true)),
  'unknown, again, still lost': afterUnknown(true, (shop) => {
    shop.treatCreates('lose');
    shop.treatLists(serverError);
  }),
  'unknown, again with 401': afterUnknown(true, (shop) => {
    shop.treatCreates(errorResponse(401));
    shop.treatLists(errorResponse(401));
  }),
  'unknown, again with 403': afterUnknown(true, (shop) => {
    shop.treatCreates(errorResponse(403));
    shop.treatLists(errorResponse(403));
  }),
  'unknown, again with 429 forever': afterUnknown(true, (shop) => {
    shop.treatCreates({ status: 429, body: '' });
    shop.treatLists({ status: 429, body: '' });
  }),
  'unknown and there, again, the list differs in a field': afterUnknown(true, (shop) =>
    shop.treatLists(changedInList({ total: '2000' })),
  ),
  'unknown and there, again, the key may not list': afterUnknown(true, (shop) =>
    shop.treatLists(errorResponse(403)),
  ),
  'unknown, again while the service is away': afterUnknown(true, (shop) => shop.gateway.goAway()),
  'unknown, three times, then settled': async (shop) => {
    await leaveUnknown(shop, false);
    await leaveUnknown(shop, false);
    await leaveUnknown(shop, true);
    const result = await shop.import();
    expect(shop.countKeys('A')).toBe(1);
    return result;
  },
  'unknown and not there, then the SKU is gone': afterUnknown(false, (shop) => shop.clearCatalogue()),
  'unknown and there, then the SKU is gone': under(
    forgetsKeys,
    afterUnknown(true, (shop) => shop.clearCatalogue()),
  ),
  'unknown, then its rows are taken out': async (shop) => {
    await leaveUnknown(shop, true);
    shop.file.remove('A');
    shop.file.add('B');
    return shop.import();
  },
  'not sent, again': async (shop) => {
    shop.gateway.goAway();
    await shop.expectImport('A not_sent', 7);
    await shop.gateway.comeBack();
    return shop.import();
  },
  '401, again with the right key': async (shop) => {
    await shop.expectImport('A not_sent', 4, { apiKey: 'sandbox_unknown' });
    return shop.import();
  },
  '403, again with the scope': async (shop) => {
    const apiKey = await shop.newKey('same', ['orders:read']);
    await shop.expectImport('A not_sent', 4, { apiKey });
    await shop.setScopes(apiKey, 'orders:read', 'orders:write');
    return shop.import({ apiKey });
  },
  'a colleague has it, again': async (shop) => {
    await shop.createElsewhere('A');
    await shop.expectImport('A already_exists by no run', 0);
    const result = await shop.import();
    expect(result.creates).toBe(0);
    return result;
  },
  'conflict, again': async (shop) => {
    await shop.createElsewhere('A', { total: '2000' });
    await shop.expectImport('A conflict', 6);
    return shop.import();
  },
  'another order is added': async (shop) => {
    await shop.expectImport('A created', 0);
    shop.file.add('B');
    const result = await shop.import();
    expect(result.creates).toBe(1);
    return result;
  },
  'a dry run after a run': async (shop) => {
    await shop.expectImport('A created', 0);
    shop.file.add('B');
    const result = await shop.import({ flags: ['--dry-run'] });
    expect(result.requests).toBe(0);
    return result;
  },
  '401 for the second of two, again': async (shop) => {
    shop.file.add('B');
    shop.treatCreatesOf('B', errorResponse(401));
    await shop.expectImport('A created; B not_sent', 4);
    shop.treatCreatesOf('B', 'pass');
    return shop.import();
  },
  'Ctrl-C twice with an order in flight, again': async (shop) => {
    const interruption = createInterruption();
    const run = await shop.startImport('hold_response', { interruption });
    interruption.send('SIGINT');
    interruption.send('SIGINT');
    expect((await run.end()).exitCode).toBe(130);
    return shop.import();
  },
  'created, then another row is selected': async (shop) => {
    await shop.expectImport('A created', 0);
    shop.file.add('B');
    return shop.import({ flags: ['--rows', '3'] });
  },
  'unknown, then another row is selected': async (shop) => {
    await leaveUnknown(shop, true);
    shop.file.add('B');
    return shop.import({ flags: ['--rows', '3'] });
  },
};
