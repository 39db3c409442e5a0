import { describe, expect, it } from 'vitest';
import { draw, latencyOf } from '../../../src/sandbox/faults/fault-control.ts';
import { anOrder, start } from '../start.ts';

const drawn = Array.from({ length: 2000 }, (_, place): [number, number] => [
  draw('1', 'first', place),
  draw('1', 'second', place),
]);
const times = (distribution: Parameters<typeof latencyOf>[0]['distribution'], ms = 100) =>
  drawn.map((pair) => latencyOf({ distribution, ms }, pair, 3)).sort((left, right) => left - right);

describe('latency', () => {
  it.each([
    ['none', [0.25, 0.5], 3, 0],
    ['fixed', [0.25, 0.5], 3, 100],
    ['uniform', [0.25, 0.5], 3, 25],
    ['uniform', [0, 0.5], 3, 0],
    ['lognormal', [0, 0.5], 3, 100],
    ['lognormal', [0.5, 0.25], 3, 100],
    ['queue', [0.25, 0.5], 3, 300],
    ['queue', [0.25, 0.5], 1, 100],
  ] as const)(
    '%s of 100 ms with random numbers %j and %i requests under way is %d',
    (distribution, pair, underWay, expected) => {
      expect(latencyOf({ distribution, ms: 100 }, [...pair], underWay)).toBeCloseTo(expected, 6);
    },
  );

  it('uniform is spread evenly below the limit', () => {
    const all = times('uniform');
    expect(all[0]).toBeGreaterThanOrEqual(0);
    expect(all.at(-1)).toBeLessThan(100);
    expect(all[1000]).toBeGreaterThan(45);
    expect(all[1000]).toBeLessThan(55);
  });

  it('lognormal has its median at the given time and a long tail', () => {
    const all = times('lognormal');
    expect(all[1000]).toBeGreaterThan(92);
    expect(all[1000]).toBeLessThan(108);
    expect(all[0]).toBeGreaterThan(0);
    expect(all.at(-1)).toBeGreaterThan(400);
    expect(all[1980]).toBeGreaterThan(300);
    expect(all.every(Number.isFinite)).toBe(true);
  });

  it('delays the request before it is processed', async () => {
    const { create, sandbox, store } = await start({
      behaviour: { faults: { latency: { distribution: 'fixed', ms: 600_000 } } },
    });
    const sent = create(anOrder());
    while (sandbox.requestCount() === 0) await new Promise(setImmediate);
    expect(store.orders.count()).toBe(0);
    await sandbox.stop();
    expect((await sent).status).toBe(201);
  });

  it('lasts at least the given time', async () => {
    const { create } = await start({ behaviour: { faults: { latency: { distribution: 'fixed', ms: 60 } } } });
    const startedAt = performance.now();
    await create(anOrder());
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
  });
});
