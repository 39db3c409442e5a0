import { describe, expect, it } from 'vitest';
import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { admin } from '../admin/admin-client.ts';
import { anOrder, orders, start } from '../start.ts';
import { type Rule, singleRule } from './faulty-request.ts';

const teapot = (status: number, match: Rule['match'] = {}): Rule => ({
  match,
  when: 'before_commit',
  do: { kind: 'status', status },
});

/** The statuses of creates with these external order IDs, one after another. */
async function statuses(service: Awaited<ReturnType<typeof start>>, ids: string[]): Promise<number[]> {
  const found = [];
  for (const externalOrderId of ids) found.push((await service.create(anOrder({ externalOrderId }))).status);
  return found;
}

const withFaults = (faults: FaultSettings) => start({ behaviour: { faults } });

describe('rules', () => {
  it('apply in their sequence: the first match wins', async () => {
    const rules = [teapot(418, { externalOrderId: 'B*' }), teapot(420, { attempt: 1 }), teapot(421)];
    const service = await withFaults({ rules });
    expect(await statuses(service, ['A', 'B1', 'A', 'B2', 'B1'])).toEqual([420, 418, 421, 418, 418]);
  });

  it('match one operation', async () => {
    const rules = [teapot(418, { route: 'list' }), teapot(420, { route: 'create' })];
    const { get, create, cancel } = await withFaults({ rules });
    expect((await get(orders)).status).toBe(418);
    expect((await get(`${orders}/x`)).status).toBe(404);
    expect((await create(anOrder())).status).toBe(420);
    expect((await cancel('x')).status).toBe(404);
  });

  it('of a cancel or a get find the order by its external order ID', async () => {
    const rules = [
      teapot(418, { route: 'cancel', externalOrderId: 'B*', attempt: 1 }),
      teapot(420, { route: 'get', externalOrderId: 'A' }),
    ];
    const { create, cancel, get } = await withFaults({ rules });
    const idOf = async (externalOrderId: string) =>
      (await create(anOrder({ externalOrderId }))).json.id as string;
    const [one, other] = [await idOf('A'), await idOf('B-1')];
    expect([(await cancel(other)).status, (await cancel(other)).status, (await cancel(one)).status]).toEqual([
      418, 200, 200,
    ]);
    expect((await get(`${orders}/${one.toUpperCase()}`)).status).toBe(420);
    expect([(await get(`${orders}/${other}`)).status, (await get(orders)).status]).toEqual([200, 200]);
  });

  it('do not apply to requests without a known key', async () => {
    const { get } = await withFaults({ rules: [teapot(418)] });
    expect((await get(orders, { key: 'sandbox_unknown' })).status).toBe(401);
  });
});

describe('attempts', () => {
  it('are counted for each order, each list and each operation', async () => {
    const { create, get } = await withFaults({ rules: [1, 2].map((attempt) => teapot(418, { attempt })) });
    const sent = async (id: string) => (await create(anOrder({ externalOrderId: id }))).status;
    const listed = async (query: string) => (await get(orders + query)).status;
    expect([await sent('A'), await sent('A'), await sent('B'), await sent('A')]).toEqual([
      418, 418, 418, 201,
    ]);
    expect([await listed('?page=1'), await listed('?page=2'), await listed('?page=1')]).toEqual([
      418, 418, 418,
    ]);
    expect([await listed('?page=1'), await sent('B'), await sent('B')]).toEqual([200, 418, 201]);
  });

  it('are counted from the time when the faults were set', async () => {
    const faults = { rules: [teapot(418, { attempt: 1 })] };
    const service = await withFaults(faults);
    const { sandbox } = service;
    expect(await statuses(service, ['A', 'A'])).toEqual([418, 201]);
    expect((await admin(sandbox).put('/faults', faults)).status).toBe(200);
    expect(await statuses(service, ['A', 'A'])).toEqual([418, 409]);
  });
});

describe('a seed', () => {
  const ids = Array.from({ length: 60 }, (_, place) => `UB-${place}`);
  const faultsOf = (seed: string) => ({
    ...singleRule('before_commit', { kind: 'status', status: 418 }, { probability: 0.2 }),
    seed,
  });
  /** The external order IDs with a fault, sent with this concurrency. */
  async function affected(seed: string, sent: string[], concurrency: number): Promise<string[]> {
    const { create } = await withFaults(faultsOf(seed));
    const left = [...sent];
    const found: string[] = [];
    const worker = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const { status } = await create(anOrder({ externalOrderId: id }));
        if (status === 418) found.push(id);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return found.sort();
  }

  it('applies to the same orders in any sequence and at any concurrency', async () => {
    const first = await affected('1', ids, 1);
    expect(first.length).toBeGreaterThan(5);
    expect(await affected('1', ids.toReversed(), 1)).toEqual(first);
    expect(await affected('1', ids, 16)).toEqual(first);
    expect(await affected('2', ids, 16)).not.toEqual(first);
  });
});
