import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../../src/api/requests.ts';
import type { OrderToSend } from '../../../src/import/send/recall.ts';
import type { JsonObject } from '../../../src/orders/json.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import {
  answer,
  created,
  createdFrom,
  emptyList,
  listOf,
  lostAnswer,
  orderOf,
  refusal,
  type Service,
  serviceWith,
  startSending,
} from './services.ts';

const order = orderOf('A-1', 7);
const edited = orderOf('A-1', 7, { total: '5' });
const keyOf = (sent: OrderToSend, generation: number) =>
  idempotencyKey('A-1', writeOrderBody(sent.order), generation);
const refused = serviceWith(refusal(422, 'PRODUCT_SKU_NOT_FOUND'));
const keysOf = (requests: { headers?: Record<string, string> }[]) =>
  requests.flatMap(({ headers }) => headers?.['idempotency-key'] ?? []);
const theirs = (fields: JsonObject = {}): JsonObject => ({
  ...order.order,
  id: 'S-9',
  orderNumber: 'ORD-9',
  ...fields,
});

describe('an order that was refused', () => {
  it('is looked up, and sent under a new key each time it was not there', async () => {
    const { send } = await startSending();
    const keys: string[] = [];
    for (const run of ['run-1', 'run-2', 'run-3'])
      keys.push(...keysOf((await send(run, order, refused)).requests));
    expect(keys).toEqual([0, 1, 2].map((generation) => keyOf(order, generation)));
  });

  it('is sent under its key again when the look-up fails', async () => {
    const { send } = await startSending();
    await send('run-1', order, refused);
    const { requests, outcome } = await send('run-2', order, serviceWith(created, answer(500)));
    expect([keysOf(requests), outcome.outcome]).toEqual([[keyOf(order, 0)], 'created']);
  });

  it('was there before when it is found, and stays so', async () => {
    const { ledger, send } = await startSending();
    await send('run-1', order, refused);
    const there = {
      row: 7,
      externalOrderId: 'A-1',
      outcome: 'already_exists',
      orderId: 'S-9',
      orderNumber: 'ORD-9',
    };
    const { outcome } = await send('run-2', order, serviceWith(lostAnswer, listOf(theirs())));
    expect(outcome).toEqual({ ...there, attempts: 0, idempotencyKey: keyOf(order, 0) });
    const again = await send('run-3', order, created);
    expect([again.outcome, again.requests]).toEqual([
      { ...outcome, message: 'found to exist 1970-01-01T00:00:01Z' },
      [],
    ]);
    expect(ledger.orders.find('A-1')).toMatchObject({ state: 'created', run: '' });
  });

  it('is in conflict with another order of its id, and stays so', async () => {
    const { send } = await startSending();
    await send('run-1', order, refused);
    const other = theirs({ collectionMode: 'COLLECT' });
    const service: Service = (operation) => (operation === 'get' ? answer(200, other) : listOf(other));
    const outcomes = [];
    for (const run of ['run-2', 'run-3']) outcomes.push((await send(run, order, service)).outcome);
    const conflict = {
      row: 7,
      externalOrderId: 'A-1',
      outcome: 'conflict',
      code: 'content_changed',
      attempts: 0,
      orderId: 'S-9',
      orderNumber: 'ORD-9',
      idempotencyKey: keyOf(order, 0),
      message: 'it was created before with other content (ORD-9; different: collectionMode)',
      fix: 'cancel that order and import this one under a new ID, or remove its rows',
    };
    expect(outcomes).toEqual([conflict, conflict]);
  });

  it('is sent at once when it was mended, and under its own key again when it was mended back', async () => {
    const { send } = await startSending();
    await send('run-1', order, refused);
    const mended = await send('run-2', edited, refused);
    expect([keysOf(mended.requests), mended.requests.length]).toEqual([[keyOf(edited, 0)], 1]);
    const back = await send('run-3', order, serviceWith(created));
    expect(keysOf(back.requests)).toEqual([keyOf(order, 1)]);
  });

  it('waits for an unknown attempt with other content, also when it was refused itself before', async () => {
    const { send, clock } = await startSending();
    await send('run-1', order, refused);
    let creates = 0;
    await send('run-2', edited, (operation) => {
      if (operation !== 'create') return emptyList;
      creates += 1;
      return creates === 1 ? lostAnswer : refusal(422, 'PRODUCT_SKU_NOT_FOUND');
    });
    await send('run-3', edited, refused);
    const early = await send('run-4', order, serviceWith(created));
    expect([early.outcome.outcome, early.outcome.code]).toEqual(['unknown', 'earlier_attempt_open']);
    clock.now += 600_000;
    expect((await send('run-5', order, serviceWith(created))).outcome.outcome).toBe('created');
  });
});

describe('an order that is cancelled', () => {
  const recreatesCancelled = { recreatesCancelled: true };
  const gone = { ...order.order, id: 'id of A-1', orderNumber: 'ORD-2026-000001', status: 'CANCELLED' };
  const cancelledService: Service = (operation, request) => {
    if (operation === 'get') return answer(200, gone);
    if (operation === 'list') return listOf(gone);
    return answer(201, { ...createdFrom(request), id: 'S-2', orderNumber: 'ORD-2' });
  };

  async function startCancelled(isKnown: boolean) {
    const sending = await startSending();
    await sending.send('run-1', order, created);
    if (isKnown) sending.ledger.cancellations.add({ orderId: 'id of A-1', externalOrderId: 'A-1' });
    return sending;
  }

  it('is in conflict, and nothing is asked', async () => {
    const { send } = await startCancelled(true);
    const { outcome, requests } = await send('run-2', order, created);
    expect([outcome, requests]).toEqual([
      {
        row: 7,
        externalOrderId: 'A-1',
        outcome: 'conflict',
        code: 'order_cancelled',
        attempts: 0,
        orderId: 'id of A-1',
        orderNumber: 'ORD-2026-000001',
        idempotencyKey: keyOf(order, 0),
        message: 'it was created before and is cancelled (ORD-2026-000001)',
        fix: 'import it under a new ID, or again with --recreate-cancelled; or remove its rows',
      },
      [],
    ]);
  });

  it('is created again under a new key when that is wanted, and the cancelled one is another from then on', async () => {
    const { ledger, send } = await startCancelled(true);
    const { outcome, requests } = await send('run-2', order, cancelledService, recreatesCancelled);
    expect([outcome.outcome, outcome.orderId, keysOf(requests)]).toEqual([
      'created',
      'S-2',
      [keyOf(order, 1)],
    ]);
    expect(ledger.cancellations.replacedIds('A-1')).toEqual(['id of A-1']);
    const again = await send('run-3', order, created, recreatesCancelled);
    expect([again.outcome.outcome, again.outcome.orderId, again.requests]).toEqual([
      'already_exists',
      'S-2',
      [],
    ]);
  });

  it('is looked up when it was only read: another of its id may be there', async () => {
    const { send } = await startCancelled(false);
    const alive = { ...gone, id: 'S-8', status: 'CONFIRMED' };
    const { outcome, requests } = await send(
      'run-2',
      edited,
      (operation) => (operation === 'get' ? answer(200, gone) : listOf(gone, alive)),
      recreatesCancelled,
    );
    expect([outcome.outcome, outcome.code, outcome.orderId]).toEqual([
      'already_exists',
      'not_compared',
      'S-8',
    ]);
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
    const { send: sendAlone } = await startCancelled(false);
    const created = await sendAlone('run-2', edited, cancelledService, recreatesCancelled);
    expect([created.outcome.outcome, keysOf(created.requests)]).toEqual(['created', [keyOf(edited, 1)]]);
  });

  it('is found out by the answer to its create, and created again in the same run', async () => {
    const { send } = await startSending();
    let creates = 0;
    const service: Service = (operation, request) => {
      if (operation !== 'create') return cancelledService(operation, request);
      creates += 1;
      return creates === 1 ? answer(200, gone) : cancelledService(operation, request);
    };
    const { outcome, requests } = await send('run-1', order, service, recreatesCancelled);
    expect([outcome.outcome, outcome.orderId]).toEqual(['created', 'S-2']);
    expect(keysOf(requests)).toEqual([keyOf(order, 0), keyOf(order, 1)]);
  });

  it('is not what a service refuses with a code of that name', async () => {
    const { send } = await startSending();
    const service = serviceWith(refusal(422, 'order_cancelled'));
    const { outcome, requests } = await send('run-1', order, service, recreatesCancelled);
    expect([outcome.outcome, outcome.code, keysOf(requests)]).toEqual([
      'rejected',
      'order_cancelled',
      [keyOf(order, 0)],
    ]);
  });
});
