import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../../src/errors.ts';
import { entriesOfMerchant } from '../../../src/import/send/merchant-entries.ts';
import type { LedgerEntry } from '../../../src/ledger/order-log.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { type LedgerOptions, ledgerEntry, startLedger } from '../../support/ledger.ts';
import { errorResponse, noConnection, response, type Service, stubClient } from './services.ts';

const theirs = ledgerEntry({ state: 'created', orderId: 'S-1', run: 'theirs' });
const readable: Service = (_, { path }) =>
  response(200, { id: decodeURIComponent(path.slice(1)), customer: {} });

/** Records orders sent with other keys, and finds order A-1. */
async function findKnown(
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
  const client = stubClient(service);
  const known = await entriesOfMerchant(ledger, client);
  const found = known.find('A-1');
  expect(known.findMany(['A-1']).get('A-1')).toEqual(found);
  return {
    known: found && `${found.owner} ${found.entry.run}`,
    isEmpty: known.isEmpty,
    orders: known,
    read: client.requests.map((request) => `${request.method} ${request.path}`),
    ledger,
    log: found?.log,
  };
}

const otherKey = { apiKey: 'mk_2' };

describe('orders sent with other keys', () => {
  it.each<[string, Service, string | undefined]>([
    ['readable', readable, 'same_merchant theirs'],
    ['not found', () => errorResponse(404, 'NOT_FOUND'), undefined],
    ['read forbidden', () => errorResponse(403, 'SCOPE_MISSING'), 'unknown_merchant theirs'],
    ['read rejected', () => errorResponse(400, 'NO'), 'unknown_merchant theirs'],
    ['not an order', () => response(200, { ok: true }), 'unknown_merchant theirs'],
    ['another order', () => response(200, { id: 'S-9', customer: {} }), 'unknown_merchant theirs'],
  ])('belong to a merchant by the newest order of the key: %s', async (_, service, expected) => {
    const { known, read, isEmpty } = await findKnown(service, [[otherKey, [{}]]]);
    expect([known, read, isEmpty]).toEqual([expected, ['GET /S-1'], expected === undefined]);
  });

  it.each<[string, Service, string]>([
    ['the API key is rejected', () => errorResponse(401, 'NO'), 'key_refused'],
    ['the service is unreachable', () => noConnection, 'unreachable'],
  ])('stop the run when %s', async (_, service, code) => {
    const known = findKnown(service, [[otherKey, [{}]]]);
    await expect(known).rejects.toBeInstanceOf(CliError);
    await expect(known).rejects.toMatchObject({ code });
  });

  it('are checked once, by the order created last', async () => {
    const rows = ['S-1', 'S-3', 'S-2'].map((orderId, index) => ({
      orderId,
      externalOrderId: `A-${index + 1}`,
    }));
    const rejected = { externalOrderId: 'A-9', state: 'rejected', orderId: null } as const;
    const { read } = await findKnown(readable, [[otherKey, [...rows, rejected]]]);
    expect(read).toEqual(['GET /S-2']);
  });

  it('are unclear when the key created none', async () => {
    const row = { state: 'unknown', orderId: null } as const;
    const { known, read } = await findKnown(readable, [[otherKey, [row]]]);
    expect([known, read]).toEqual(['unknown_merchant theirs', []]);
  });

  it('count only for the same service', async () => {
    const { known, read, isEmpty } = await findKnown(readable, [[{ service: 'https://api.other' }, [{}]]]);
    expect([known, read, isEmpty]).toEqual([undefined, [], true]);
  });

  it('are checked per key', async () => {
    const service: Service = (operation, request) =>
      request.path === '/S-1' ? errorResponse(404, 'NOT_FOUND') : readable(operation, request);
    const { known, read } = await findKnown(service, [
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
  ])('rank by state when two keys sent the order: %j, %j', async (first, second, expected) => {
    const newest = { externalOrderId: 'A-2', orderId: 'S-1' };
    const { known } = await findKnown(readable, [
      [otherKey, [newest, { ...first, run: 'first' }]],
      [{ apiKey: 'mk_3' }, [newest, { ...second, run: 'second' }]],
    ]);
    expect(known).toBe(expected);
  });
});
