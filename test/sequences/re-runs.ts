import { expect } from 'vitest';
import { createInterruption } from '../support/cli.ts';
import { broken, forgetsKeys, refusal, type Sequences, type Steps, under } from './sequence.ts';
import type { Shop } from './shop.ts';

/** A first run that leaves the order unknown, with or without the order at the service. */
export async function leaveUnknown(shop: Shop, isThere: boolean): Promise<void> {
  shop.creates(isThere ? 'lose' : 'drop');
  shop.lists(broken);
  await shop.ends('A unknown', 8);
  shop.loseNothing();
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
    await shop.ends('A created by run 1', 0);
    const ended = await shop.import();
    expect(ended.creates).toBe(0);
    return ended;
  },
  'unknown and not there, again': afterUnknown(false),
  'unknown and there, again': afterUnknown(true),
  'unknown and there, again, the key forgotten': under(forgetsKeys, afterUnknown(true)),
  'unknown, again, still lost': afterUnknown(true, (shop) => {
    shop.creates('lose');
    shop.lists(broken);
  }),
  'unknown, again with 401': afterUnknown(true, (shop) => shop.creates(refusal(401))),
  'unknown, again with 403': afterUnknown(true, (shop) => shop.creates(refusal(403))),
  'unknown, again with 429 forever': afterUnknown(true, (shop) => shop.creates({ status: 429, body: '' })),
  'unknown, again while the service is away': afterUnknown(true, (shop) => shop.gateway.goAway()),
  'unknown, three times, then settled': async (shop) => {
    await leaveUnknown(shop, false);
    await leaveUnknown(shop, false);
    await leaveUnknown(shop, true);
    const ended = await shop.import();
    expect(shop.keysOf('A')).toBe(1);
    return ended;
  },
  'unknown and not there, then the SKU is gone': afterUnknown(false, (shop) => shop.sellsNothing()),
  'unknown and there, then the SKU is gone': under(
    forgetsKeys,
    afterUnknown(true, (shop) => shop.sellsNothing()),
  ),
  'unknown, then its rows are taken out': async (shop) => {
    await leaveUnknown(shop, true);
    shop.file.remove('A');
    shop.file.add('B');
    return shop.import();
  },
  'not sent, again': async (shop) => {
    shop.gateway.goAway();
    await shop.ends('A not_sent', 7);
    await shop.gateway.comeBack();
    return shop.import();
  },
  '401, again with the right key': async (shop) => {
    await shop.ends('A not_sent', 4, { apiKey: 'sandbox_of_nobody' });
    return shop.import();
  },
  '403, again with the scope': async (shop) => {
    const apiKey = await shop.newKey('same', ['orders:read']);
    await shop.ends('A not_sent', 4, { apiKey });
    await shop.setScopes(apiKey, 'orders:read', 'orders:write');
    return shop.import({ apiKey });
  },
  'a colleague has it, again': async (shop) => {
    await shop.colleague('A');
    await shop.ends('A already_exists by no run', 0);
    const ended = await shop.import();
    expect(ended.creates).toBe(0);
    return ended;
  },
  'conflict, again': async (shop) => {
    await shop.colleague('A', { total: '2000' });
    await shop.ends('A conflict', 6);
    return shop.import();
  },
  'another order is added': async (shop) => {
    await shop.ends('A created', 0);
    shop.file.add('B');
    const ended = await shop.import();
    expect(ended.creates).toBe(1);
    return ended;
  },
  'a dry run after a run': async (shop) => {
    await shop.ends('A created', 0);
    shop.file.add('B');
    const ended = await shop.import({ flags: ['--dry-run'] });
    expect(ended.requests).toBe(0);
    return ended;
  },
  '401 for the second of two, again': async (shop) => {
    shop.file.add('B');
    shop.createsOf('B', refusal(401));
    await shop.ends('A created; B not_sent', 4);
    shop.createsOf('B', 'pass');
    return shop.import();
  },
  'Ctrl-C twice with an order in flight, again': async (shop) => {
    const interruption = createInterruption();
    const run = await shop.begin('hold_answer', { interruption });
    interruption.send('SIGINT');
    interruption.send('SIGINT');
    expect((await run.end()).exitCode).toBe(130);
    return shop.import();
  },
  'created, then another row is selected': async (shop) => {
    await shop.ends('A created', 0);
    shop.file.add('B');
    return shop.import({ flags: ['--rows', '3'] });
  },
  'unknown, then another row is selected': async (shop) => {
    await leaveUnknown(shop, true);
    shop.file.add('B');
    return shop.import({ flags: ['--rows', '3'] });
  },
};
