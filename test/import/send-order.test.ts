import { describe, expect, it, onTestFinished } from 'vitest';
import { idempotencyKey } from '../../src/api/idempotency-key.ts';
import { CliError } from '../../src/errors.ts';
import type { OrderOutcome } from '../../src/import/order-outcome.ts';
import type { PlannedOrder } from '../../src/import/plan.ts';
import { recallOutcome } from '../../src/import/recall-outcome.ts';
import { sendOrder } from '../../src/import/send-order.ts';
import { hashBody, openLedger } from '../../src/ledger/ledger.ts';
import { writeOrderBody } from '../../src/orders/order-body.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { answer, createdFrom, lostAnswer, noConnection, planned, refusal, serviceThat } from './services.ts';

type Service = Parameters<typeof serviceThat>[0];

const created: Service = (_, request) => answer(201, createdFrom(request));
const emptyList = answer(200, { data: [], page: 1, pageSize: 20, total: 0 });
const bodyOf = ({ order }: PlannedOrder) => writeOrderBody(order);
const keyOf = (order: PlannedOrder) => idempotencyKey(order.externalOrderId, bodyOf(order), 0);

/** A ledger of its own, and runs that send through it. */
async function start() {
  const database = await openDatabase(':memory:');
  const ledger = await openLedger(
    async () => database,
    { service: 'https://api.example', apiKey: 'mk_1' },
    () => 1000,
  );
  onTestFinished(() => ledger.close());
  const send = async (run: string, order: PlannedOrder, service: Service) => {
    const client = serviceThat(service);
    const sent = await sendOrder(order, { client, ledger, run });
    return { ...sent, requests: client.seen };
  };
  return { database, ledger, send };
}

const order = planned('A-1', 7);
const changed = planned('A-1', 7, { total: '5' });
const place = { row: 7, externalOrderId: 'A-1' };
const made = { orderId: 'id of A-1', orderNumber: 'ORD-2026-000001', idempotencyKey: keyOf(order) };
const entry = {
  ...{
    externalOrderId: 'A-1',
    bodyHash: hashBody(bodyOf(order)),
    idempotencyKey: keyOf(order),
    generation: 0,
  },
  ...{ orderId: null, orderNumber: null, code: null },
};

describe('an order that the ledger does not know', () => {
  it('is in the ledger before the request leaves, and after it with what came of it', async () => {
    const { ledger, send } = await start();
    const { outcome, stop, requests } = await send('run-1', order, (operation, request) => {
      expect(ledger.recall('A-1')).toEqual({ ...entry, state: 'intent', run: 'run-1' });
      return created(operation, request);
    });
    expect(requests).toEqual([
      { method: 'POST', path: '', headers: { 'idempotency-key': keyOf(order) }, body: bodyOf(order) },
    ]);
    expect(outcome).toEqual({ ...place, ...made, outcome: 'created', attempts: 1, createdByRun: 'run-1' });
    expect(stop).toBeUndefined();
    const { orderId, orderNumber } = made;
    expect(ledger.recall('A-1')).toEqual({ ...entry, state: 'created', orderId, orderNumber, run: 'run-1' });
  });

  it('shows its delivery when there is one', async () => {
    const { send } = await start();
    const withDelivery: Service = (_, request) =>
      answer(201, { ...createdFrom(request), delivery: { status: 'PENDING' } });
    expect((await send('run-1', order, withDelivery)).outcome.delivery).toBe('{"status":"PENDING"}');
  });

  it('was there when the answer is an old one, and is no run that could undo it', async () => {
    const { ledger, send } = await start();
    const replayed: Service = (_, request) =>
      answer(201, createdFrom(request), { 'idempotent-replayed': 'true' });
    const known = { ...place, ...made, outcome: 'already_exists' };
    expect((await send('run-1', order, replayed)).outcome).toEqual({ ...known, attempts: 1 });
    expect(ledger.recall('A-1')).toMatchObject({ state: 'created', run: '' });
    const again = await send('run-2', order, created);
    expect([again.outcome, again.requests]).toEqual([{ ...known, attempts: 0 }, []]);
  });

  it('is told with what is wrong with which field', async () => {
    const { send } = await start();
    const error = {
      code: 'MERCHANT_API_INVALID_ORDER',
      message: 'Mend it',
      details: [{ field: 'total', issue: 'too high' }],
    };
    const { outcome } = await send('run-1', order, () => answer(422, { error } as never));
    expect(outcome).toMatchObject({
      outcome: 'rejected',
      code: 'MERCHANT_API_INVALID_ORDER',
      message: 'The service refused: Mend it. total: too high.',
    });
  });

  it('is refused, and tried again under the same key by the next run', async () => {
    const { ledger, send } = await start();
    const { outcome, stop } = await send('run-1', order, () => refusal(422, 'PRODUCT_SKU_NOT_FOUND'));
    expect(outcome).toMatchObject({
      ...place,
      outcome: 'rejected',
      code: 'PRODUCT_SKU_NOT_FOUND',
      fix: expect.stringMatching(/./),
      attempts: 1,
    });
    expect(stop).toBeUndefined();
    expect(ledger.recall('A-1')).toEqual({
      ...entry,
      state: 'refused',
      code: 'PRODUCT_SKU_NOT_FOUND',
      run: 'run-1',
    });
    const again = await send('run-2', order, created);
    expect(again.outcome).toMatchObject({ outcome: 'created', createdByRun: 'run-2' });
    expect(again.requests[0]?.headers).toEqual({ 'idempotency-key': keyOf(order) });
  });

  it('is in conflict with another that has its id, and leaves no trace', async () => {
    const { ledger, send } = await start();
    const { outcome } = await send('run-1', order, (operation) => {
      if (operation === 'create') return refusal(409, 'EXISTS');
      const theirs = { externalOrderId: 'A-1', id: 'id-9', orderNumber: 'ORD-9', collectionMode: 'COLLECT' };
      return answer(200, { data: [theirs], page: 1, pageSize: 20, total: 1 });
    });
    expect(outcome).toMatchObject({
      ...place,
      outcome: 'conflict',
      orderId: 'id-9',
      orderNumber: 'ORD-9',
      code: 'order_conflict',
      message: 'An order A-1 is there already with other content (ORD-9; other: collectionMode).',
    });
    expect(outcome).not.toHaveProperty('createdByRun');
    expect(ledger.recall('A-1')).toBeUndefined();
  });

  it.each<[string, Service, string]>([
    ['the service is away', () => noConnection, 'unreachable'],
    ['the key is refused', () => refusal(401, 'UNAUTHORIZED'), 'key_refused'],
    ['the address is wrong', () => answer(404), 'wrong_base_url'],
  ])('was not sent when %s: no trace of it, and no other is begun', async (_, service, code) => {
    const { ledger, send } = await start();
    const { outcome, stop, isForbidden } = await send('run-1', order, service);
    expect(outcome).toMatchObject({ ...place, outcome: 'not_sent', code: expect.any(String) });
    expect([stop?.code, isForbidden]).toEqual([code, false]);
    expect(ledger.recall('A-1')).toBeUndefined();
  });

  it('is set aside by a 403, and leaves no trace', async () => {
    const { ledger, send } = await start();
    const { outcome, stop, isForbidden } = await send('run-1', order, () => refusal(403, 'SCOPE_MISSING'));
    expect([outcome.outcome, outcome.code, stop?.code, isForbidden]).toEqual([
      ...['rejected', 'SCOPE_MISSING', 'permission_missing'],
      true,
    ]);
    expect(ledger.recall('A-1')).toBeUndefined();
  });
});

describe('an order that the ledger knows', () => {
  it('is not sent again: the run that created it is named', async () => {
    const { ledger, send } = await start();
    await send('run-1', order, created);
    const { outcome, requests } = await send('run-2', order, created);
    const known = { ...place, ...made, outcome: 'already_exists', attempts: 0, createdByRun: 'run-1' };
    expect([outcome, requests]).toEqual([known, []]);
    expect(recallOutcome(order, ledger)).toEqual(known);
  });

  it('is in conflict when its content changed, and the ledger stays as it is', async () => {
    const { ledger, send } = await start();
    await send('run-1', order, created);
    const before = ledger.recall('A-1');
    const { outcome, requests, stop } = await send('run-2', changed, created);
    const conflict: OrderOutcome = {
      ...{ ...place, ...made, outcome: 'conflict', attempts: 0, code: 'content_changed' },
      message: 'it was created before with other content (ORD-2026-000001)',
      fix: 'cancel that order and import this one under a new id, or take its rows out',
    };
    expect([outcome, requests, stop, ledger.recall('A-1')]).toEqual([conflict, [], undefined, before]);
  });
});

describe('an attempt that nobody knows the end of', () => {
  const lost: Service = (operation) => (operation === 'create' ? lostAnswer : emptyList);

  it('is unknown until it is settled with the same key; the first run created it', async () => {
    const { ledger, send } = await start();
    const first = await send('run-1', order, lost);
    expect(first.outcome).toMatchObject({ ...place, outcome: 'unknown', code: 'outcome_unknown' });
    expect(first.stop).toBeUndefined();
    expect(ledger.recall('A-1')).toEqual({ ...entry, state: 'unknown', run: 'run-1' });
    expect(recallOutcome(order, ledger)).toBeUndefined();
    const replayed: Service = (_, request) =>
      answer(201, createdFrom(request), { 'idempotent-replayed': 'true' });
    const second = await send('run-2', order, replayed);
    expect(second.requests).toMatchObject([{ headers: { 'idempotency-key': keyOf(order) } }]);
    expect(second.outcome).toEqual({
      ...{ ...place, ...made, outcome: 'created', attempts: 1, createdByRun: 'run-1' },
    });
    expect(ledger.recall('A-1')).toMatchObject({ state: 'created', run: 'run-1' });
  });

  it('is found by its id when the answer was lost', async () => {
    const { send } = await start();
    const { outcome } = await send('run-1', order, (operation) => {
      const found = { ...order.order, id: made.orderId, orderNumber: made.orderNumber };
      return operation === 'create' ? lostAnswer : answer(200, { data: [found], total: 1 });
    });
    expect(outcome).toEqual({ ...place, ...made, outcome: 'created', attempts: 1, createdByRun: 'run-1' });
  });

  it('may also be one of a process that died', async () => {
    const { ledger, send } = await start();
    ledger.record({ ...entry, state: 'intent', run: 'run-1' });
    const { outcome, requests } = await send('run-2', order, created);
    expect([outcome.createdByRun, requests.length]).toEqual(['run-1', 1]);
  });

  it('keeps other content with the same id from being sent', async () => {
    const { ledger, send } = await start();
    await send('run-1', order, lost);
    const before = ledger.recall('A-1');
    const { outcome, requests } = await send('run-2', changed, created);
    expect(outcome).toEqual({
      ...place,
      outcome: 'unknown',
      code: 'earlier_attempt_open',
      message: 'it was sent before with other content, and nobody knows what came of that',
      fix: 'import it once with the content it had then, or look for it with: merchant-orders get',
      attempts: 0,
      idempotencyKey: keyOf(order),
    });
    expect([requests, ledger.recall('A-1')]).toEqual([[], before]);
  });

  it.each<[string, Service]>([
    ['the service is away', () => noConnection],
    ['the key is refused', () => refusal(401, 'UNAUTHORIZED')],
    ['the key may not', () => refusal(403, 'SCOPE_MISSING')],
    ['the service asks to wait', () => refusal(429, 'SLOW_DOWN')],
  ])('stays open while %s', async (_, service) => {
    const { ledger, send } = await start();
    await send('run-1', order, lost);
    const before = ledger.recall('A-1');
    const { outcome, stop } = await send('run-2', order, service);
    expect([outcome.outcome, stop instanceof CliError]).toEqual(['unknown', true]);
    expect(ledger.recall('A-1')).toEqual(before);
  });
});

describe('a ledger that cannot be written', () => {
  it('keeps the request from leaving', async () => {
    const { database, send } = await start();
    database.exec('PRAGMA query_only = ON');
    const { outcome, stop, requests } = await send('run-1', order, created);
    expect([outcome, requests]).toEqual([
      { ...place, outcome: 'not_sent', code: 'stopped', attempts: 0 },
      [],
    ]);
    expect([stop?.code, stop?.exitCode]).toEqual(['ledger_not_writable', 7]);
  });

  it('ends the sending, and what came of the request is told all the same', async () => {
    const { database, ledger, send } = await start();
    const { outcome, stop } = await send('run-1', order, (operation, request) => {
      database.exec('PRAGMA query_only = ON');
      return created(operation, request);
    });
    expect([outcome.outcome, outcome.orderId, stop?.code]).toEqual([
      ...['created', 'id of A-1', 'ledger_not_writable'],
    ]);
    expect(ledger.recall('A-1')?.state).toBe('intent');
  });
});
