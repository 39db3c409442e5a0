import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../../src/api/requests.ts';
import { CliError } from '../../../src/errors.ts';
import type { OrderToSend } from '../../../src/import/orders/plan.ts';
import { outcomeFromLedger } from '../../../src/import/send/outcomes.ts';
import { hashBody } from '../../../src/ledger/order-log.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { ledgerEntry } from '../../support/ledger.ts';
import {
  created,
  createdFrom,
  emptyList,
  errorResponse,
  lostResponse,
  noConnection,
  orderOf,
  response,
  type Service,
  serviceWith,
  startSending,
} from './services.ts';

const bodyOf = ({ order }: OrderToSend) => writeOrderBody(order);
const keyOf = (order: OrderToSend, generation = 0) =>
  idempotencyKey(order.externalOrderId, bodyOf(order), generation);

const order = orderOf('A-1', 7);
const place = { row: 7, externalOrderId: 'A-1' };
const createdIds = { orderId: 'id of A-1', orderNumber: 'ORD-2026-000001', idempotencyKey: keyOf(order) };
const entry = ledgerEntry({ bodyHash: hashBody(bodyOf(order)), idempotencyKey: keyOf(order) });

describe('an order that is not in the ledger', () => {
  it('is in the ledger before the request leaves, and with its outcome afterwards', async () => {
    const { ledger, send } = await startSending();
    const { outcome, stop, requests } = await send('run-1', order, (operation, request) => {
      expect(ledger.orders.find('A-1')).toEqual(entry);
      return created(operation, request);
    });
    expect(requests).toEqual([
      { method: 'POST', path: '', headers: { 'idempotency-key': keyOf(order) }, body: bodyOf(order) },
    ]);
    expect(outcome).toEqual({
      ...place,
      ...createdIds,
      outcome: 'created',
      attempts: 1,
      createdByRun: 'run-1',
    });
    expect(stop).toBeUndefined();
    const { orderId, orderNumber } = createdIds;
    expect(ledger.orders.find('A-1')).toEqual({ ...entry, state: 'created', orderId, orderNumber });
  });

  it('already exists when the response is a replay, and belongs to no run', async () => {
    const { ledger, send } = await startSending();
    const replayed: Service = (operation, request) =>
      operation === 'create'
        ? response(201, createdFrom(request), { 'idempotent-replayed': 'true' })
        : response(404);
    const known = { ...place, ...createdIds, outcome: 'already_exists' };
    expect((await send('run-1', order, replayed)).outcome).toEqual({ ...known, attempts: 1 });
    expect(ledger.orders.find('A-1')).toMatchObject({ state: 'created', run: '' });
    const again = await send('run-2', order, created);
    const message = 'found to exist 1970-01-01T00:00:01Z';
    expect([again.outcome, again.requests]).toEqual([{ ...known, attempts: 0, message }, []]);
  });

  it.each<[string, Service, string]>([
    ['the service is unreachable', () => noConnection, 'unreachable'],
    ['the API key is rejected', () => errorResponse(401, 'UNAUTHORIZED'), 'key_refused'],
    ['the base URL is wrong', () => response(404), 'wrong_base_url'],
  ])('is not sent when %s, leaves no ledger entry and stops the run', async (_, service, code) => {
    const { ledger, send } = await startSending();
    const { outcome, stop, isForbidden } = await send('run-1', order, service);
    expect(outcome).toMatchObject({ ...place, outcome: 'not_sent', code: expect.any(String) });
    expect([stop?.code, isForbidden]).toEqual([code, false]);
    expect(ledger.orders.find('A-1')).toBeUndefined();
  });
});

describe('an attempt with an unknown outcome', () => {
  const lost = serviceWith(lostResponse);

  it('is settled with the same key, and belongs to the first run', async () => {
    const { ledger, parts, send } = await startSending();
    const first = await send('run-1', order, lost);
    expect(first.outcome).toMatchObject({ ...place, outcome: 'unknown', code: 'outcome_unknown' });
    expect(first.stop).toBeUndefined();
    expect(ledger.orders.find('A-1')).toEqual({ ...entry, state: 'unknown', unknownAt: 1000 });
    expect(outcomeFromLedger(order, parts)).toBeUndefined();
    const replayed: Service = (operation, request) =>
      operation === 'create'
        ? response(201, createdFrom(request), { 'idempotent-replayed': 'true' })
        : emptyList;
    const second = await send('run-2', order, replayed);
    const [lookup, create] = second.requests;
    expect(lookup).toMatchObject({ method: 'GET', query: { externalOrderId: 'A-1' } });
    expect(create).toMatchObject({ method: 'POST', headers: { 'idempotency-key': keyOf(order) } });
    expect(second.outcome).toEqual({
      ...place,
      ...createdIds,
      outcome: 'created',
      attempts: 1,
      createdByRun: 'run-1',
    });
    expect(ledger.orders.find('A-1')).toMatchObject({ state: 'created', run: 'run-1' });
  });

  it('may belong to a process that died, whose order the lookup does not find: it is of the next run', async () => {
    const { ledger, send } = await startSending();
    ledger.orders.record(entry);
    const { outcome, requests } = await send('run-2', order, serviceWith(created));
    expect([outcome.createdByRun, requests.map(({ method }) => method)]).toEqual(['run-2', ['GET', 'POST']]);
    expect(ledger.orders.find('A-1')).toMatchObject({ state: 'created', run: 'run-2', lastRun: 'run-2' });
  });

  it.each<[string, Service]>([
    ['the service is unreachable', () => noConnection],
    ['the API key is rejected', () => errorResponse(401, 'UNAUTHORIZED')],
    ['the API key lacks the permission', () => errorResponse(403, 'SCOPE_MISSING')],
    ['the service rate-limits the request', () => errorResponse(429, 'SLOW_DOWN')],
  ])('stays open while %s', async (_, service) => {
    const { ledger, send } = await startSending();
    await send('run-1', order, lost);
    const before = ledger.orders.find('A-1');
    const { outcome, stop } = await send('run-2', order, service);
    expect([outcome.outcome, stop instanceof CliError]).toEqual(['unknown', true]);
    expect(String(outcome.message)).not.toMatch(/not sent/);
    expect(ledger.orders.find('A-1')).toEqual(before);
  });
});

describe('a ledger that cannot be written', () => {
  it('prevents the request', async () => {
    const { ledger, send } = await startSending();
    ledger.database.exec('PRAGMA query_only = ON');
    const { outcome, stop, requests } = await send('run-1', order, created);
    expect([outcome, requests]).toEqual([
      { ...place, outcome: 'not_sent', code: 'stopped', attempts: 0 },
      [],
    ]);
    expect([stop?.code, stop?.exitCode]).toEqual(['ledger_not_writable', 7]);
  });

  it('stops the run, but keeps the outcome of the request', async () => {
    const { ledger, send } = await startSending();
    const { outcome, stop } = await send('run-1', order, (operation, request) => {
      ledger.database.exec('PRAGMA query_only = ON');
      return created(operation, request);
    });
    expect([outcome.outcome, outcome.orderId, stop?.code]).toEqual([
      'created',
      'id of A-1',
      'ledger_not_writable',
    ]);
    expect(ledger.orders.find('A-1')?.state).toBe('intent');
  });
});
