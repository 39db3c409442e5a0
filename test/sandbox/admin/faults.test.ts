import { describe, expect, it } from 'vitest';
import { faults as schema } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { anOrder, orders, start } from '../start.ts';
import { admin } from './admin-client.ts';

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

  it.each([
    ['', 'The body is not JSON'],
    ['{', 'JSON'],
    [{ seeds: 'x' }, 'seeds'],
    [{ rules: [{ when: 'before_commit', do: { kind: 'status' } }] }, 'rules[0].do.status'],
    [{ rules: [{ ...status(418), match: { route: 'nothing' } }] }, 'rules[0].match.route'],
    [
      { rules: [{ ...status(418), match: { probability: 2 } }] },
      'probability: Too big: expected number to be <=1',
    ],
    [{ rules: [{ ...status(418), match: { attempt: 0 } }] }, 'rules[0].match.attempt'],
    [{ rules: [status(200), { when: 'later', do: { kind: 'reset' } }] }, 'rules[1].when'],
    [
      { rules: [{ when: 'before_commit', do: { kind: 'huge_body' } }] },
      "rules[0].do.kind: Invalid discriminator value. Expected 'reset' | 'close' | 'stall' | 'cut_body' | 'status' | 'wait' | 'late_commit'",
    ],
    [{ rules: [{ when: 'after_commit', do: { kind: 'late_commit' } }] }, 'rules[0].do.kind'],
    [{ rules: [{ when: 'after_commit', do: { kind: 'explode' } }] }, 'rules[0].do.kind'],
    [{ rules: [status(600)] }, 'rules[0].do.status'],
    [{ limits: { concurrency: 0 } }, 'limits.concurrency'],
    [{ limits: { burst: 5 } }, 'limits.burst: has no effect without requestsPerSecond'],
    [{ limits: { burst: 5, concurrency: 2 } }, 'limits.burst: has no effect without requestsPerSecond'],
    [{ limits: { status: 503 } }, 'limits: Unrecognized key: "status"'],
    [{ latencyMs: -1 }, 'latencyMs: Too small: expected number to be >=0'],
    [{ idleMs: 'x' }, 'idleMs: Invalid input: expected number, received string'],
    [
      { rules: [{ ...status(418), match: { route: 'list', externalOrderId: 'A' } }] },
      'rules[0].match: can never match',
    ],
    [
      { rules: [{ ...status(418), match: { route: 'cancel', customerPhone: '*' } }] },
      'rules[0].match: can never match',
    ],
    [
      { rules: [{ ...status(418), match: { route: 'get', customerPhone: '*' } }] },
      'rules[0].match: can never match',
    ],
    [
      { rules: [{ ...status(418), match: { customerPhone: 'x' } }] },
      'rules[0].match.customerPhone: Invalid string: must match pattern /[\\d*]/',
    ],
    [
      { rules: [{ ...status(418), match: { probability: 0 } }] },
      'rules[0].match.probability: Too small: expected number to be >0',
    ],
    [
      { rules: [status(418), { ...status(420), match: { attempt: 2 } }] },
      'rules[1].match: can never match: rules[0] applies to all these requests',
    ],
    [
      { rules: [{ ...status(204), do: { kind: 'status', status: 204, body: 'html' } }] },
      'rules[0].do.body: can never be sent: a response with status 204 has no body',
    ],
    [
      { rules: [{ when: 'after_commit', do: { kind: 'late_commit' } }] },
      'rules[0].do.kind: late_commit needs "when": "before_commit"',
    ],
    [
      { rules: [{ ...status(418), match: { route: 'nothing' } }] },
      'rules[0].match.route: Invalid option: expected one of "list"|"create"|"get"|"cancel"',
    ],
    [
      { rules: [{ ...status(418), match: { attempt: 0 } }] },
      'rules[0].match.attempt: Too small: expected number to be >=1',
    ],
    [null, 'Invalid input: expected object, received null'],
  ])('rejects %j, names %s and changes nothing', async (body, path) => {
    const { put, get } = await startWithFault();
    const before = (await get('/faults')).json;
    const { status: code, json } = await put('/faults', body);
    expect([code, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(path);
    expect((await get('/faults')).json).toEqual(before);
  });
});
