import { describe, expect, it } from 'vitest';
import { faults as schema } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { anOrder, orders, start } from '../start.ts';
import { admin } from './admin-client.ts';
import cases from './faults.json' with { type: 'json' };

const status = (code: number) => ({ when: 'before_commit', do: { kind: 'status', status: code } });

async function startWithFault() {
  const behaviour = { faults: { rules: [{ ...status(418), match: { route: 'list' } } as never] } };
  const service = await start({ behaviour });
  return { ...service, ...admin(service.sandbox), read: service.get, behaviour };
}

describe('/_sandbox/faults', () => {
  it('returns every setting of the current faults', async () => {
    const { get, behaviour } = await startWithFault();
    const { status: code, json } = await get('/faults');
    expect([code, json]).toEqual([200, JSON.parse(JSON.stringify(schema.parse(behaviour.faults)))]);
    expect(json.rules[0].do.kind).toBe('status');
  });

  it('replaces the faults at once, and restores those of the behaviour', async () => {
    const { put, get, remove, read, create } = await startWithFault();
    expect((await read(orders)).status).toBe(418);
    const replaced = await put('/faults', {
      seed: 'x',
      rules: [{ ...status(420), match: { route: 'create' } }],
    });
    expect([replaced.status, replaced.json.seed]).toEqual([200, 'x']);
    expect(replaced.json).toEqual((await get('/faults')).json);
    expect([(await read(orders)).status, (await create(anOrder())).status]).toEqual([200, 420]);
    const restored = await remove('/faults');
    expect([restored.status, restored.json.seed]).toEqual([200, '1']);
    expect([(await read(orders)).status, (await create(anOrder())).status]).toEqual([418, 201]);
  });

  it('starts limits anew when they are set', async () => {
    const { put, read } = await startWithFault();
    const limits = { limits: { requestsPerSecond: 0.01, burst: 2 } };
    for (const _times of [1, 2]) {
      await put('/faults', limits);
      const responses = [await read(orders), await read(orders), await read(orders)];
      expect(responses.map((response) => response.status)).toEqual([200, 200, 429]);
    }
  });

  it.each(cases.rejected as [string | object | null, string][])(
    'rejects %j, names %s and changes nothing',
    async (body, path) => {
      const { put, get } = await startWithFault();
      const before = (await get('/faults')).json;
      const { status: code, json } = await put('/faults', body);
      expect([code, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.message).toContain(path);
      expect((await get('/faults')).json).toEqual(before);
    },
  );
});
