import { describe, expect, it } from 'vitest';
import { describeIssues } from '../../../src/sandbox/behaviour/describe-issue.ts';
import { faults as schema } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { anOrder, orders, start } from '../start.ts';
import { admin } from './admin-client.ts';

const status = (code: number) => ({ when: 'before_commit', do: { kind: 'status', status: code } });

async function startWithFault() {
  const behaviour = { faults: { rules: [{ ...status(418), match: { route: 'list' } } as never] } };
  const service = await start({ behaviour });
  return { ...service, ...admin(service.sandbox), read: service.get, behaviour };
}

/** Faults with every field, and the same with one field replaced by each wrong value, or removed. */
const whole = {
  seed: 'x',
  rules: [
    {
      match: {
        method: 'POST',
        route: 'create',
        externalOrderId: 'A',
        customerPhone: '9*',
        attempt: { from: 1, to: 2 },
      },
      when: 'before_commit',
      do: { kind: 'status', status: 503, body: 'html', code: 'X', headers: { A: 'b' }, retryAfter: 1 },
    },
    {
      match: { attempt: 2, probability: 0.5 },
      when: 'after_commit',
      do: { kind: 'cut_body', afterBytes: 1, end: 'reset' },
    },
    { match: { attempt: 3 }, when: 'before_commit', do: { kind: 'late_commit', seconds: 1, status: 504 } },
    { match: { attempt: 4 }, when: 'after_commit', do: { kind: 'wait', seconds: 1 } },
    { match: { attempt: 5 }, when: 'after_commit', do: { kind: 'stall', seconds: 1 } },
  ],
  demoPhones: true,
  limits: { requestsPerSecond: 1, concurrency: 1, burst: 1 },
  latencyMs: 1,
  idleMs: 1,
};
const wrongValues = [undefined, null, true, '', 'x y', -1, 0.5, 1e12, [], [1], {}, { x: 1 }];

function* variants(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const put = (changed: unknown) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
    for (const wrong of wrongValues) yield put(wrong);
    for (const variant of variants(inner)) yield put(variant);
    if (!Array.isArray(value)) yield { ...value, [`${name} x`]: 1 };
  }
}

it('every wrong fault is refused with its field, in words of the sandbox', () => {
  expect(schema.safeParse(whole).error).toBeUndefined();
  let refused = 0;
  for (const variant of variants(whole)) {
    const { error } = schema.safeParse(variant);
    if (error === undefined) continue;
    refused += 1;
    const sentence = describeIssues(schema, variant, error.issues);
    expect([variant, sentence]).toEqual([
      variant,
      expect.stringMatching(/^(?:the value|[a-zA-Z]+\S*(?: x)?): \S/),
    ]);
    expect(sentence).not.toMatch(
      /invalid|expected|received|discriminator|unrecognized|too (?:small|big)|there are none/i,
    );
  }
  expect(refused).toBeGreaterThan(300);
});

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
    ['', 'The body is empty'],
    ['{', 'JSON'],
    [{ seeds: 'x' }, 'seeds'],
    [{ rules: [{ when: 'before_commit', do: { kind: 'status' } }] }, 'rules[0].do.status'],
    [{ rules: [{ ...status(418), match: { route: 'nothing' } }] }, 'rules[0].match.route'],
    [{ rules: [{ ...status(418), match: { probability: 2 } }] }, 'a number above 0, at most 1'],
    [{ rules: [{ ...status(418), match: { attempt: 0 } }] }, 'rules[0].match.attempt'],
    [{ rules: [status(200), { when: 'later', do: { kind: 'reset' } }] }, 'rules[1].when'],
    [
      { rules: [{ when: 'before_commit', do: { kind: 'huge_body' } }] },
      'rules[0].do.kind: must be one of reset, close, stall, cut_body, status, wait, late_commit',
    ],
    [{ rules: [{ when: 'after_commit', do: { kind: 'late_commit' } }] }, 'rules[0].do.kind'],
    [{ rules: [{ when: 'after_commit', do: { kind: 'explode' } }] }, 'rules[0].do.kind'],
    [{ rules: [status(600)] }, 'rules[0].do.status'],
    [{ limits: { concurrency: 0 } }, 'limits.concurrency'],
    [{ limits: { burst: 5 } }, 'limits.burst: has no effect without requestsPerSecond'],
    [{ limits: { burst: 5, concurrency: 2 } }, 'limits.burst: has no effect without requestsPerSecond'],
    [{ limits: { status: 503 } }, 'limits.status: unknown'],
    [{ latencyMs: -1 }, 'latencyMs: must be a whole number of 0 or more'],
    [{ idleMs: 'x' }, 'idleMs: must be a whole number of 1 or more'],
    [
      { rules: [{ ...status(418), match: { route: 'create', method: 'GET' } }] },
      'rules[0].match.method: can never match: the method of create is POST',
    ],
    [
      { rules: [{ ...status(418), match: { route: 'list', externalOrderId: 'A' } }] },
      'rules[0].match.externalOrderId: can never match',
    ],
    [
      { rules: [{ ...status(418), match: { route: 'cancel', customerPhone: '*' } }] },
      'rules[0].match.customerPhone: can never match',
    ],
    [
      { rules: [{ ...status(418), match: { method: 'GET', customerPhone: '*' } }] },
      'rules[0].match.customerPhone: can never match',
    ],
    [
      { rules: [{ ...status(418), match: { customerPhone: 'x' } }] },
      'rules[0].match.customerPhone: can never match: it has no digit',
    ],
    [
      { rules: [{ ...status(418), match: { attempt: { from: 4, to: 2 } } }] },
      'rules[0].match.attempt: can never match: from 4 is after to 2',
    ],
    [
      { rules: [{ ...status(418), match: { probability: 0 } }] },
      'rules[0].match.probability: must be a number',
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
      'rules[0].match.route: must be one of create, get, list, cancel',
    ],
    [
      { rules: [{ ...status(418), match: { attempt: 0 } }] },
      'rules[0].match.attempt: must be a whole number of 1 or more, or an object; allowed: from, to',
    ],
  ])('rejects %j, names %s and changes nothing', async (body, path) => {
    const { put, get } = await startWithFault();
    const before = (await get('/faults')).json;
    const { status: code, json } = await put('/faults', body);
    expect([code, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(path);
    expect((await get('/faults')).json).toEqual(before);
  });
});
