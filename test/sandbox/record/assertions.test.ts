import { describe, expect, it } from 'vitest';
import { assertionNames } from '../../../src/sandbox/record/assertions.ts';
import { admin } from '../admin/admin-client.ts';
import { anOrder, orders, start } from '../start.ts';

type Started = Awaited<ReturnType<typeof start>>;

/** The violations of one check. All parts of the response must agree. */
async function violations(
  { sandbox }: Started,
  check: string,
  externalOrderIds?: string[],
): Promise<string[]> {
  const body = { checks: [check], ...(externalOrderIds === undefined ? {} : { externalOrderIds }) };
  const { status, json } = await admin(sandbox).post('/assert', body);
  const [result, ...others] = json.checks;
  const passed = result.violations.length === 0;
  expect([status, others]).toEqual([200, []]);
  expect(json.passed).toBe(passed);
  expect(result).toEqual({ ...result, name: check, passed, violationCount: result.violations.length });
  return result.violations;
}

const create = async ({ create: send }: Started, externalOrderId: string | undefined, key?: string) =>
  (await send(anOrder({ externalOrderId }), key === undefined ? {} : { headers: { 'idempotency-key': key } }))
    .json;

describe('exactlyOnce', () => {
  it('passes when exactly the expected orders were committed once', async () => {
    const service = await start();
    await create(service, 'A');
    await create(service, 'B');
    await create(service, 'B');
    expect(await violations(service, 'exactlyOnce')).toEqual([]);
    expect(await violations(service, 'exactlyOnce', ['B', 'A'])).toEqual([]);
  });

  it('names missing and unexpected orders', async () => {
    const service = await start();
    await create(service, 'A');
    await create(service, undefined);
    expect(await violations(service, 'exactlyOnce', ['B'])).toEqual([
      'B was not committed',
      'A was committed, and was not expected',
      'an order without externalOrderId was committed, and was not expected',
    ]);
    expect(await violations(service, 'exactlyOnce', ['A', 'B', 'C'])).toContain('C was not committed');
    expect(await violations(service, 'exactlyOnce')).toEqual([]);
  });

  it('names an order that was committed twice', async () => {
    const service = await start({ behaviour: { orders: { cancelFreesExternalOrderId: true } } });
    const { id } = await create(service, 'A');
    await service.cancel(id);
    await create(service, 'A');
    await create(service, 'B');
    expect(await violations(service, 'exactlyOnce')).toEqual(['A was committed 2 times']);
    expect(await violations(service, 'exactlyOnce', ['A', 'B'])).toEqual(['A was committed 2 times']);
  });

  it('distinguishes orders without an external order ID and those of two clients', async () => {
    const service = await start();
    await create(service, undefined);
    await create(service, undefined);
    await create(service, 'A');
    await service.create(anOrder({ externalOrderId: 'A' }), { key: service.addKey() });
    expect(service.store.orders.count()).toBe(4);
    expect(await violations(service, 'exactlyOnce')).toEqual([]);
  });
});

describe('oneBodyPerKey', () => {
  it('passes for repeated bodies, and names a key with two different ones', async () => {
    const service = await start();
    const order = anOrder();
    const headers = { 'idempotency-key': 'K' };
    await service.create(order, { headers });
    await service.create(order, { headers });
    expect(await violations(service, 'oneBodyPerKey')).toEqual([]);
    await service.create({ ...order, note: 'x' }, { headers });
    expect(await violations(service, 'oneBodyPerKey')).toEqual(['the key K was sent with 2 bodies']);
  });
});

describe('noEarlyRetry', () => {
  it('passes for a retry after the wait, and names an early one', async () => {
    const action = { kind: 'status', status: 429, retryAfter: 2 } as const;
    const rules = [1, 2].map(
      (attempt) => ({ match: { attempt }, when: 'before_commit', do: action }) as const,
    );
    const service = await start({ behaviour: { faults: { rules } } });
    await create(service, 'A');
    service.clock.now += 2000;
    await create(service, 'A');
    expect(await violations(service, 'noEarlyRetry')).toEqual([]);
    service.clock.now += 1500;
    await create(service, 'A');
    expect(await violations(service, 'noEarlyRetry')).toEqual(['request 3 (create A) came 500 ms too early']);
  });
});

describe('noForeignAuthorization', () => {
  it('passes for sandbox keys, and names any other', async () => {
    const service = await start();
    await service.get(orders);
    await service.get(orders, { key: 'sandbox_unknown' });
    await service.get(orders, { key: null });
    expect(await violations(service, 'noForeignAuthorization')).toEqual([]);
    await service.get(orders, { key: 'live' });
    expect(await violations(service, 'noForeignAuthorization')).toEqual([
      'list: 1 request with a key that is not of a sandbox',
    ]);
  });
});

describe('assert', () => {
  it('runs all checks by default', async () => {
    const { sandbox } = await start();
    const { json } = await admin(sandbox).post('/assert');
    expect(json).toEqual({
      passed: true,
      checks: assertionNames.map((name) => ({ name, passed: true, violations: [], violationCount: 0 })),
    });
  });

  it('returns the first hundred violations and their number', async () => {
    const { sandbox } = await start();
    const externalOrderIds = Array.from({ length: 250 }, (_, place) => `UB-${place}`);
    const { json } = await admin(sandbox).post('/assert', { externalOrderIds });
    const [first] = json.checks;
    expect([json.passed, first.violations.length, first.violationCount]).toEqual([false, 100, 250]);
  });

  it.each([
    [{ checks: ['exactlyTwice'] }, 'checks[0]'],
    [{ checks: [] }, 'checks'],
    [{ externalOrderIds: [1] }, 'externalOrderIds[0]'],
    [{ check: 'exactlyOnce' }, 'check'],
  ])('rejects %j and names %s', async (body, path) => {
    const { sandbox } = await start();
    const { status, json } = await admin(sandbox).post('/assert', body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(path);
  });
});
