import { describe, expect, it } from 'vitest';
import { createThrottleWatch } from '../../../src/sandbox/record/request-log.ts';
import { singleRule } from '../faults/faulty-request.ts';
import { anOrder, orders, start } from '../start.ts';

describe('an early retry', () => {
  /** The service asked caller A to wait until 5000 with subject X. */
  function earlyByAfterThrottle() {
    const watch = createThrottleWatch();
    watch.add('A', 'X', 5000);
    return watch.earlyBy;
  }

  it.each([
    ['A', 'X', 1000, 4000],
    ['A', 'X', 1001, 3999],
    ['A', 'X', 4999, 1],
    ['A', 'X', 5000, 0],
    ['A', 'Y', 1000, 0],
    ['A', 'Y', 4999, 0],
    ['B', 'X', 2000, 0],
    ['B', 'Y', 2000, 0],
  ] as const)('%s with subject %s at %i is %i ms early', (caller, subject, arrivedAt, early) => {
    expect(earlyByAfterThrottle()(caller, subject, arrivedAt)).toBe(early);
  });

  it('is early each time until the wait has passed', () => {
    const earlyBy = earlyByAfterThrottle();
    expect([2000, 3000, 5000, 5001].map((at) => earlyBy('A', 'X', at))).toEqual([3000, 2000, 0, 0]);
  });

  it('is measured by the latest wait for the same request', () => {
    const watch = createThrottleWatch();
    watch.add('A', 'X', 5000);
    watch.add('A', 'Y', 3000);
    watch.add('A', 'X', 4000);
    expect([watch.earlyBy('A', 'X', 2500), watch.earlyBy('A', 'Y', 2500)]).toEqual([1500, 500]);
  });

  it('is found among the latest 10,000 waits', () => {
    const watch = createThrottleWatch();
    for (let number = 0; number <= 10_000; number += 1) watch.add('A', `${number}`, 5000);
    expect(['0', '1', '10000'].map((subject) => watch.earlyBy('A', subject, 4000))).toEqual([0, 1000, 1000]);
  });
});

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
