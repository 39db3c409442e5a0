import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../../src/api/requests.ts';
import { CliError } from '../../../src/errors.ts';
import type { OrderOutcome } from '../../../src/import/results/order-outcome.ts';
import { type OrderToSend, recallOutcome } from '../../../src/import/send/recall.ts';
import { hashBody } from '../../../src/ledger/ledger.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { ledgerEntry } from '../../support/ledger.ts';
import {
  answer,
  created,
  createdFrom,
  listOf,
  lostAnswer,
  noConnection,
  orderOf,
  refusal,
  type Service,
  serviceWith,
  startSending,
} from './services.ts';

const bodyOf = ({ order }: OrderToSend) => writeOrderBody(order);
const keyOf = (order: OrderToSend, generation = 0) =>
  idempotencyKey(order.externalOrderId, bodyOf(order), generation);

const order = orderOf('A-1', 7);
const changed = orderOf('A-1', 7, { total: '5' });
const place = { row: 7, externalOrderId: 'A-1' };
const made = { orderId: 'id of A-1', orderNumber: 'ORD-2026-000001', idempotencyKey: keyOf(order) };
const entry = ledgerEntry({ bodyHash: hashBody(bodyOf(order)), idempotencyKey: keyOf(order) });

describe('an order that the ledger does not know', () => {
  it('is in the ledger before the request leaves, and after it with what came of it', async () => {
    const { ledger, send } = await startSending();
    const { outcome, stop, requests } = await send('run-1', order, (operation, request) => {
      expect(ledger.orders.find('A-1')).toEqual(entry);
      return created(operation, request);
    });
    expect(requests).toEqual([
      { method: 'POST', path: '', headers: { 'idempotency-key': keyOf(order) }, body: bodyOf(order) },
    ]);
    expect(outcome).toEqual({ ...place, ...made, outcome: 'created', attempts: 1, createdByRun: 'run-1' });
    expect(stop).toBeUndefined();
    const { orderId, orderNumber } = made;
    expect(ledger.orders.find('A-1')).toEqual({ ...entry, state: 'created', orderId, orderNumber });
  });

  it('shows its delivery when there is one', async () => {
    const { send } = await startSending();
    const withDelivery: Service = (_, request) =>
      answer(201, { ...createdFrom(request), delivery: { status: 'PENDING' } });
    expect((await send('run-1', order, withDelivery)).outcome.delivery).toBe('{"status":"PENDING"}');
  });

  it('was there when the answer is an old one, and is no run that could undo it', async () => {
    const { ledger, send } = await startSending();
    const replayed: Service = (operation, request) =>
      operation === 'create'
        ? answer(201, createdFrom(request), { 'idempotent-replayed': 'true' })
        : answer(404);
    const known = { ...place, ...made, outcome: 'already_exists' };
    expect((await send('run-1', order, replayed)).outcome).toEqual({ ...known, attempts: 1 });
    expect(ledger.orders.find('A-1')).toMatchObject({ state: 'created', run: '' });
    const again = await send('run-2', order, created);
    const message = 'found to exist 1970-01-01T00:00:01Z';
    expect([again.outcome, again.requests]).toEqual([{ ...known, attempts: 0, message }, []]);
  });

  it('is told with what is wrong with which field', async () => {
    const { send } = await startSending();
    const error = {
      code: 'MERCHANT_API_INVALID_ORDER',
      message: 'Mend it',
      details: [{ field: 'total', issue: 'too high' }],
    };
    const { outcome } = await send('run-1', order, serviceWith(answer(422, { error } as never)));
    expect(outcome).toMatchObject({
      outcome: 'rejected',
      code: 'MERCHANT_API_INVALID_ORDER',
      message: 'The service rejected the order: Mend it. total: too high.',
    });
  });

  it('is refused, once a look-up found nothing', async () => {
    const { ledger, send } = await startSending();
    const refused = serviceWith(refusal(422, 'PRODUCT_SKU_NOT_FOUND'));
    const { outcome, stop, requests } = await send('run-1', order, refused);
    expect(outcome).toMatchObject({
      ...place,
      outcome: 'rejected',
      code: 'PRODUCT_SKU_NOT_FOUND',
      attempts: 1,
      fix: expect.stringMatching(/./),
    });
    expect([stop, requests.map(({ method }) => method)]).toEqual([undefined, ['POST', 'GET']]);
    const refusedEntry = { ...entry, state: 'rejected', code: 'PRODUCT_SKU_NOT_FOUND' };
    expect(ledger.orders.find('A-1')).toEqual(refusedEntry);
  });

  it('was there when the refusal is an old one', async () => {
    const { ledger, send } = await startSending();
    const theirs = { ...order.order, id: made.orderId, orderNumber: made.orderNumber };
    const service = serviceWith(refusal(422, 'PRODUCT_SKU_NOT_FOUND'), listOf(theirs));
    const { outcome } = await send('run-1', order, service);
    expect(outcome).toEqual({ ...place, ...made, outcome: 'already_exists', attempts: 1 });
    expect(ledger.orders.find('A-1')).toMatchObject({ state: 'created', orderId: 'id of A-1', run: '' });
  });

  it('is in conflict with another that has its id, and leaves no trace', async () => {
    const { ledger, send } = await startSending();
    const theirs = { externalOrderId: 'A-1', id: 'id-9', orderNumber: 'ORD-9', collectionMode: 'COLLECT' };
    const { outcome } = await send('run-1', order, serviceWith(refusal(409, 'EXISTS'), listOf(theirs)));
    expect(outcome).toMatchObject({
      ...place,
      outcome: 'conflict',
      orderId: 'id-9',
      orderNumber: 'ORD-9',
      code: 'order_conflict',
      message: 'Order A-1 already exists with other content (ORD-9; different: collectionMode).',
    });
    expect(outcome).not.toHaveProperty('createdByRun');
    expect(ledger.orders.find('A-1')).toBeUndefined();
  });

  it.each<[string, Service, string]>([
    ['the service is away', () => noConnection, 'unreachable'],
    ['the key is refused', () => refusal(401, 'UNAUTHORIZED'), 'key_refused'],
    ['the address is wrong', () => answer(404), 'wrong_base_url'],
  ])('was not sent when %s: no trace of it, and no other is begun', async (_, service, code) => {
    const { ledger, send } = await startSending();
    const { outcome, stop, isForbidden } = await send('run-1', order, service);
    expect(outcome).toMatchObject({ ...place, outcome: 'not_sent', code: expect.any(String) });
    expect([stop?.code, isForbidden]).toEqual([code, false]);
    expect(ledger.orders.find('A-1')).toBeUndefined();
  });

  it('is set aside by a 403, and leaves no trace', async () => {
    const { ledger, send } = await startSending();
    const { outcome, stop, isForbidden } = await send('run-1', order, () => refusal(403, 'SCOPE_MISSING'));
    expect([outcome.outcome, outcome.code, stop?.code, isForbidden]).toEqual([
      'rejected',
      'SCOPE_MISSING',
      'permission_missing',
      true,
    ]);
    expect(ledger.orders.find('A-1')).toBeUndefined();
  });
});

describe('an order that the ledger knows', () => {
  it('is not sent again: the run that created it is named', async () => {
    const { parts, send } = await startSending();
    await send('run-1', order, created);
    const { outcome, requests } = await send('run-2', order, created);
    const known = {
      ...place,
      ...made,
      outcome: 'already_exists',
      attempts: 0,
      createdByRun: 'run-1',
      message: 'created 1970-01-01T00:00:01Z by run run-1',
    };
    expect([outcome, requests]).toEqual([known, []]);
    expect(recallOutcome(order, parts)).toEqual(known);
  });

  it('is in conflict when its content changed: what is other is named, and the ledger stays as it is', async () => {
    const { ledger, parts, send } = await startSending();
    await send('run-1', order, created);
    const before = ledger.orders.find('A-1');
    const conflict: OrderOutcome = {
      ...place,
      ...made,
      outcome: 'conflict',
      attempts: 0,
      code: 'content_changed',
      message: 'it was created before with other content (ORD-2026-000001)',
      fix: 'cancel that order and import this one under a new ID, or remove its rows',
    };
    expect(recallOutcome(changed, parts)).toEqual(conflict);
    const theirs = { ...order.order, id: 'id of A-1', total: '4' };
    const { outcome, requests, stop } = await send('run-2', changed, () => answer(200, theirs));
    const message = 'it was created before with other content (ORD-2026-000001; different: total)';
    expect([outcome, stop, ledger.orders.find('A-1')]).toEqual([{ ...conflict, message }, undefined, before]);
    expect(requests).toEqual([{ method: 'GET', path: '/id%20of%20A-1' }]);
    const unread = await send('run-3', changed, () => noConnection);
    expect(unread.outcome).toEqual(conflict);
  });
});

describe('an attempt that nobody knows the end of', () => {
  const lost = serviceWith(lostAnswer);

  it('is unknown until it is settled with the same key; the first run created it', async () => {
    const { ledger, parts, send } = await startSending();
    const first = await send('run-1', order, lost);
    expect(first.outcome).toMatchObject({ ...place, outcome: 'unknown', code: 'outcome_unknown' });
    expect(first.stop).toBeUndefined();
    expect(ledger.orders.find('A-1')).toEqual({ ...entry, state: 'unknown', unknownAt: 1000 });
    expect(recallOutcome(order, parts)).toBeUndefined();
    const replayed: Service = (operation, request) =>
      operation === 'create'
        ? answer(201, createdFrom(request), { 'idempotent-replayed': 'true' })
        : answer(404);
    const second = await send('run-2', order, replayed);
    const [create] = second.requests;
    expect(create).toMatchObject({ method: 'POST', headers: { 'idempotency-key': keyOf(order) } });
    expect(second.outcome).toEqual({
      ...place,
      ...made,
      outcome: 'created',
      attempts: 1,
      createdByRun: 'run-1',
    });
    expect(ledger.orders.find('A-1')).toMatchObject({ state: 'created', run: 'run-1' });
  });

  it('is found by its id when the answer was lost', async () => {
    const { send } = await startSending();
    const found = { ...order.order, id: made.orderId, orderNumber: made.orderNumber };
    const { outcome } = await send('run-1', order, serviceWith(lostAnswer, listOf(found)));
    expect(outcome).toEqual({ ...place, ...made, outcome: 'created', attempts: 1, createdByRun: 'run-1' });
  });

  it('may also be one of a process that died', async () => {
    const { ledger, send } = await startSending();
    ledger.orders.record(entry);
    const { outcome, requests } = await send('run-2', order, created);
    expect([outcome.createdByRun, requests.length]).toEqual(['run-1', 1]);
  });

  it('keeps other content with the same id from being sent', async () => {
    const { ledger, send } = await startSending();
    await send('run-1', order, lost);
    const before = ledger.orders.find('A-1');
    const { outcome, requests } = await send('run-2', changed, serviceWith(created));
    expect(outcome).toEqual({
      ...place,
      outcome: 'unknown',
      code: 'earlier_attempt_open',
      message: 'it was sent before, and it is not known yet whether it was created',
      fix: 'run the same command again later; the earlier request can take effect for up to ten minutes',
      attempts: 0,
      idempotencyKey: keyOf(order),
    });
    expect([requests.map(({ method }) => method), ledger.orders.find('A-1')]).toEqual([['GET'], before]);
  });

  it.each<[string, Service]>([
    ['the service is away', () => noConnection],
    ['the key is refused', () => refusal(401, 'UNAUTHORIZED')],
    ['the key may not', () => refusal(403, 'SCOPE_MISSING')],
    ['the service asks to wait', () => refusal(429, 'SLOW_DOWN')],
  ])('stays open while %s', async (_, service) => {
    const { ledger, send } = await startSending();
    await send('run-1', order, lost);
    const before = ledger.orders.find('A-1');
    const { outcome, stop } = await send('run-2', order, service);
    expect([outcome.outcome, stop instanceof CliError]).toEqual(['unknown', true]);
    expect(ledger.orders.find('A-1')).toEqual(before);
  });
});

describe('a ledger that cannot be written', () => {
  it('keeps the request from leaving', async () => {
    const { ledger, send } = await startSending();
    ledger.database.exec('PRAGMA query_only = ON');
    const { outcome, stop, requests } = await send('run-1', order, created);
    expect([outcome, requests]).toEqual([
      { ...place, outcome: 'not_sent', code: 'stopped', attempts: 0 },
      [],
    ]);
    expect([stop?.code, stop?.exitCode]).toEqual(['ledger_not_writable', 7]);
  });

  it('ends the sending, and what came of the request is told all the same', async () => {
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
