import { describe, expect, it } from 'vitest';
import { singleRule } from '../faults/faulty-request.ts';
import { anOrder, orders, start } from '../start.ts';

it('is blamed on no other order of the client, whether it was on its way or sent later', async () => {
  const action = { kind: 'status', status: 429, retryAfter: 60 } as const;
  const faults = singleRule('before_commit', action, { externalOrderId: 'A' });
  const { create, store, clock } = await start({ behaviour: { faults } });
  await create(anOrder({ externalOrderId: 'A' }));
  for (const wait of [0, 50, 5000]) {
    clock.now += wait;
    await create(anOrder());
  }
  expect(store.requests.early()).toEqual([]);
});

it('asks one client to wait, not another one', async () => {
  const faults = { limits: { requestsPerSecond: 1, burst: 1 } };
  const { get, store, clock, addKey } = await start({ behaviour: { faults } });
  await get(orders);
  await get(orders);
  clock.now += 500;
  await get(orders, { key: addKey() });
  expect(store.requests.early()).toEqual([]);
});

describe('Retry-After', () => {
  it('applies to the next attempt', async () => {
    const action = { kind: 'status', status: 429, retryAfter: 2.5 } as const;
    const faults = singleRule('before_commit', action, { route: 'create', attempt: 1 });
    const { create, get, store, clock } = await start({ behaviour: { faults } });
    const order = anOrder();
    await create(order);
    clock.now += 100;
    await get(orders);
    clock.now += 2899;
    await create(order);
    clock.now += 1;
    await create(order);
    expect(store.requests.all().map((row) => row.earlyBy)).toEqual([0, 0, 1, 0]);
    expect(store.requests.early().length).toBe(1);
  });

  it('of a limit counts as well', async () => {
    const faults = { limits: { requestsPerSecond: 1, burst: 1 } };
    const { get, store, clock } = await start({ behaviour: { faults } });
    await get(orders);
    await get(orders);
    clock.now += 999;
    await get(orders);
    expect(store.requests.early()).toMatchObject([{ sequence: 3, status: 429, earlyBy: 1 }]);
  });
});
