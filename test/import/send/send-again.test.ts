import { describe, expect, it } from 'vitest';
import { idempotencyKey } from '../../../src/api/requests.ts';
import type { OrderToSend } from '../../../src/import/orders/plan.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import {
  created,
  createdFrom,
  emptyList,
  errorResponse,
  listOf,
  lostResponse,
  orderOf,
  response,
  type Service,
  serviceWith,
  startSending,
} from './services.ts';

const order = orderOf('A-1', 7);
const edited = orderOf('A-1', 7, { total: '5' });
const keyOf = (sent: OrderToSend, generation: number) =>
  idempotencyKey('A-1', writeOrderBody(sent.order), generation);
const rejecting = serviceWith(errorResponse(422, 'PRODUCT_SKU_NOT_FOUND'));
const keysOf = (requests: { headers?: Record<string, string> }[]) =>
  requests.flatMap(({ headers }) => headers?.['idempotency-key'] ?? []);

describe('an order that was rejected', () => {
  it('is looked up, and sent with a new key when it does not exist', async () => {
    const { send } = await startSending();
    const keys: string[] = [];
    for (const run of ['run-1', 'run-2', 'run-3'])
      keys.push(...keysOf((await send(run, order, rejecting)).requests));
    expect(keys).toEqual([0, 1, 2].map((generation) => keyOf(order, generation)));
  });

  it('is on the disk before it is sent with a new key', async () => {
    const { ledger, send } = await startSending();
    const synced: string[] = [];
    for (const run of ['run-1', 'run-2']) {
      const sync = () => {
        synced.push(run);
        ledger.sync();
      };
      await send(run, order, rejecting, { ledger: { ...ledger, sync } });
    }
    expect(synced).toEqual(['run-2']);
  });

  it('is sent at once after a fix, and with a new key when the fix is undone', async () => {
    const { send } = await startSending();
    await send('run-1', order, rejecting);
    const fixed = await send('run-2', edited, rejecting);
    expect([keysOf(fixed.requests), fixed.requests.length]).toEqual([[keyOf(edited, 0)], 1]);
    const undone = await send('run-3', order, serviceWith(created));
    expect(keysOf(undone.requests)).toEqual([keyOf(order, 1)]);
  });

  it('waits for an unknown attempt with other content, even if it was rejected before', async () => {
    const { send, clock } = await startSending();
    await send('run-1', order, rejecting);
    let creates = 0;
    await send('run-2', edited, (operation) => {
      if (operation !== 'create') return emptyList;
      creates += 1;
      return creates === 1 ? lostResponse : errorResponse(422, 'PRODUCT_SKU_NOT_FOUND');
    });
    await send('run-3', edited, rejecting);
    const early = await send('run-4', order, serviceWith(created));
    expect([early.outcome.outcome, early.outcome.code]).toEqual(['unknown', 'earlier_attempt_open']);
    clock.now += 600_000;
    expect((await send('run-5', order, serviceWith(created))).outcome.outcome).toBe('created');
  });
});

describe('an order that is cancelled', () => {
  const recreatesCancelled = { recreatesCancelled: true };
  const cancelledOrder = {
    ...order.order,
    id: 'id of A-1',
    orderNumber: 'ORD-2026-000001',
    status: 'CANCELLED',
  };
  const cancelledService: Service = (operation, request) => {
    if (operation === 'get') return response(200, cancelledOrder);
    if (operation === 'list') return listOf(cancelledOrder);
    return response(201, { ...createdFrom(request), id: 'S-2', orderNumber: 'ORD-2' });
  };

  it('is created again in the run whose create shows that it is cancelled', async () => {
    const { send } = await startSending();
    let creates = 0;
    const service: Service = (operation, request) => {
      if (operation !== 'create') return cancelledService(operation, request);
      creates += 1;
      return creates === 1 ? response(200, cancelledOrder) : cancelledService(operation, request);
    };
    const { outcome, requests } = await send('run-1', order, service, recreatesCancelled);
    expect([outcome.outcome, outcome.orderId]).toEqual(['created', 'S-2']);
    expect(keysOf(requests)).toEqual([keyOf(order, 0), keyOf(order, 1)]);
  });
});
