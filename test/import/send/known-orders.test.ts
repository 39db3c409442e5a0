import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../../src/errors.ts';
import { ordersOfAllKeys, ownOrders } from '../../../src/import/send/recall.ts';
import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { type LedgerOptions, ledgerEntry, startLedger } from '../../support/ledger.ts';
import { answer, noConnection, refusal, type Service, serviceThat } from './services.ts';

const theirs = ledgerEntry({ state: 'created', orderId: 'S-1', run: 'theirs' });
const readable: Service = (_, { path }) => answer(200, { id: decodeURIComponent(path.slice(1)), items: [] });

/** A ledger in which other keys have sent these orders, and what is known of order A-1 then. */
async function know(
  service: Service,
  sent: [LedgerOptions, Partial<LedgerEntry>[]][],
  own: Partial<LedgerEntry>[] = [],
) {
  const path = join(temporaryDirectory(), 'ledger.db');
  let now = 1000;
  for (const [key, rows] of sent) {
    const ledger = await startLedger({ path, now: () => now++, ...key });
    for (const row of rows) ledger.orders.record({ ...theirs, ...row });
    ledger.close();
  }
  const ledger = await startLedger({ path });
  for (const row of own) ledger.orders.record(ledgerEntry(row));
  const client = serviceThat(service);
  const known = await ordersOfAllKeys(ledger, client);
  const found = known.find('A-1');
  return {
    known: found && `${found.sentWith} ${found.entry.run}`,
    isEmpty: known.isEmpty,
    read: client.seen.map(({ method, path: asked }) => `${method} ${asked}`),
    ledger,
    log: found?.log,
  };
}

const otherKey = { apiKey: 'mk_2' };

describe('what other keys sent', () => {
  it.each<[string, Service, string | undefined]>([
    ['it can be read', readable, 'same_merchant theirs'],
    ['it is not there', () => refusal(404, 'NOT_FOUND'), undefined],
    ['reading is not allowed', () => refusal(403, 'SCOPE_MISSING'), 'unclear theirs'],
    ['the read is refused', () => refusal(400, 'NO'), 'unclear theirs'],
    ['what is read is no order', () => answer(200, { ok: true }), 'unclear theirs'],
    ['another order is read', () => answer(200, { id: 'S-9', items: [] }), 'unclear theirs'],
  ])('is told by their newest order: %s', async (_, service, expected) => {
    const { known, read, isEmpty } = await know(service, [[otherKey, [{}]]]);
    expect([known, read, isEmpty]).toEqual([expected, ['GET /S-1'], expected === undefined]);
  });

  it.each<[string, Service, string]>([
    ['the key is refused', () => refusal(401, 'NO'), 'key_refused'],
    ['nobody is there', () => noConnection, 'unreachable'],
  ])('is not told when %s, and nothing is sent then', async (_, service, code) => {
    const asked = know(service, [[otherKey, [{}]]]);
    await expect(asked).rejects.toBeInstanceOf(CliError);
    await expect(asked).rejects.toMatchObject({ code });
  });

  it('is asked for once, by the order that was created last', async () => {
    const rows = ['S-1', 'S-3', 'S-2'].map((orderId, index) => ({
      orderId,
      externalOrderId: `A-${index + 1}`,
    }));
    const refused = { externalOrderId: 'A-9', state: 'rejected', orderId: null } as const;
    const { read } = await know(readable, [[otherKey, [...rows, refused]]]);
    expect(read).toEqual(['GET /S-2']);
  });

  it('is unclear when they created none', async () => {
    const row = { state: 'unknown', orderId: null } as const;
    const { known, read } = await know(readable, [[otherKey, [row]]]);
    expect([known, read]).toEqual(['unclear theirs', []]);
  });

  it('counts for this service alone', async () => {
    const { known, read, isEmpty } = await know(readable, [[{ service: 'https://api.other' }, [{}]]]);
    expect([known, read, isEmpty]).toEqual([undefined, [], true]);
  });

  it('counts key by key', async () => {
    const service: Service = (operation, request) =>
      request.path === '/S-1' ? refusal(404, 'NOT_FOUND') : readable(operation, request);
    const { known, read } = await know(service, [
      [otherKey, [{}]],
      [{ apiKey: 'mk_3' }, [{ orderId: 'S-2', run: 'third' }]],
    ]);
    expect([known, read.sort()]).toEqual(['same_merchant third', ['GET /S-1', 'GET /S-2']]);
  });

  it.each<[Partial<LedgerEntry>, Partial<LedgerEntry>, string]>([
    [{ state: 'rejected' }, { state: 'created', orderId: 'S-2' }, 'same_merchant second'],
    [{ state: 'created', orderId: 'S-2' }, { state: 'rejected' }, 'same_merchant first'],
    [{ state: 'unknown' }, { state: 'created', orderId: 'S-2' }, 'same_merchant second'],
    [{ state: 'created', orderId: 'S-2' }, { state: 'unknown' }, 'same_merchant first'],
    [{ state: 'rejected' }, { state: 'unknown' }, 'same_merchant second'],
    [{ state: 'unknown' }, { state: 'rejected' }, 'same_merchant first'],
    [{ state: 'unknown' }, { state: 'unknown' }, 'same_merchant second'],
  ])('of two keys that sent it: %j, %j', async (first, second, expected) => {
    const newest = { externalOrderId: 'A-2', orderId: 'S-1' };
    const { known } = await know(readable, [
      [otherKey, [newest, { ...first, run: 'first' }]],
      [{ apiKey: 'mk_3' }, [newest, { ...second, run: 'second' }]],
    ]);
    expect(known).toBe(expected);
  });

  it.each<[Partial<LedgerEntry>, Partial<LedgerEntry>, string]>([
    [{ state: 'created' }, { state: 'unknown' }, 'unclear second'],
    [{ state: 'unknown' }, { state: 'created' }, 'unclear first'],
    [{ state: 'created' }, { state: 'rejected' }, 'unclear first'],
    [{ state: 'rejected' }, { state: 'created' }, 'unclear second'],
  ])('of two keys whose merchant is unclear: %j, %j', async (first, second, expected) => {
    const { known } = await know(
      () => refusal(403, 'SCOPE_MISSING'),
      [
        [otherKey, [{ ...first, run: 'first' }]],
        [{ apiKey: 'mk_3' }, [{ ...second, run: 'second' }]],
      ],
    );
    expect(known).toBe(expected);
  });

  it('is less than what this key sent', async () => {
    const { known, log, ledger } = await know(readable, [[otherKey, [{}]]], [{ run: 'ours' }]);
    expect(known).toBe('own ours');
    expect(log).toBe(ledger.orders);
  });

  it('is told with the log that it stands in', async () => {
    const { log, ledger } = await know(readable, [[otherKey, [{}]]]);
    log?.record({ ...theirs, run: 'again' });
    expect(log?.find('A-1')?.run).toBe('again');
    expect(ledger.orders.find('A-1')).toBeUndefined();
  });

  it('is no business of who asks for this key alone', async () => {
    const { ledger } = await know(readable, [[otherKey, [{}]]]);
    const own = ownOrders(ledger);
    expect([own.find('A-1'), own.isEmpty]).toEqual([undefined, true]);
    ledger.orders.record(ledgerEntry());
    expect([own.find('A-1')?.sentWith, ownOrders(ledger).isEmpty]).toEqual(['own', false]);
  });
});
