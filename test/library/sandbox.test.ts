import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { request } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SandboxError, startSandbox } from '../../src/library/sandbox.ts';
import type { FaultRule, Sandbox, SandboxOptions } from '../../src/library/types.ts';
import { packageRoot, temporaryDirectory } from '../support/cli.ts';

async function start(options?: SandboxOptions) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

async function create(
  { baseUrl, apiKey }: Sandbox,
  externalOrderId: string,
  key: string = randomUUID(),
  note = '',
) {
  const { statusCode, body } = await request(`${baseUrl}/api/v1/merchant/orders`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({
      externalOrderId,
      customer: { phone: '99112233' },
      items: [{ sku: 'TEA-001', quantity: 2 }],
      collectionMode: 'NONE',
      note,
    }),
  });
  await body.dump();
  return statusCode;
}

const unavailable = (status: number, retryAfter?: number): FaultRule => ({
  when: 'before_commit',
  do: { kind: 'status', status, ...(retryAfter === undefined ? {} : { retryAfter }) },
});

const externalIds = (list: { externalOrderId: string | null }[]) => list.map((each) => each.externalOrderId);

describe('startSandbox', () => {
  it('starts sandboxes that have nothing in common, on the catalogue of the package', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([await create(one, 'A'), await create(other, 'B')]).toEqual([201, 201]);
    expect([externalIds(one.orders()), externalIds(other.orders())]).toEqual([['A'], ['B']]);
    expect(await create({ ...one, apiKey: other.apiKey }, 'C')).toBe(401);
  });

  it('takes credentials, a clock, a catalogue and a behaviour', async () => {
    const sandbox = await start({
      apiKey: 'sandbox_mine',
      adminToken: 'sandbox_admin',
      now: () => Date.parse('2031-01-02T03:04:05Z'),
      catalogue: [{ sku: 'TEA-001' }, { sku: 'OLD', active: false }],
      behaviour: { responses: { createStatus: 202 } },
    });
    expect([sandbox.apiKey, sandbox.adminToken]).toEqual(['sandbox_mine', 'sandbox_admin']);
    expect(await create(sandbox, 'A')).toBe(202);
    expect(sandbox.orders()[0]?.createdAt).toBe('2031-01-02T03:04:05.000Z');
  });

  it('reads a catalogue and a behaviour from files, and a behaviour of the package by its name', async () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'products.csv'), 'sku\nTEA-001\n');
    writeFileSync(join(folder, 'mine.json'), '{"responses":{"createStatus":200}}');
    const sandbox = await start({
      catalogue: join(folder, 'products.csv'),
      behaviour: join(folder, 'mine.json'),
    });
    expect(await create(sandbox, 'A')).toBe(200);
    const named = await start({ behaviour: 'ietf-draft' });
    expect(await create(named, 'A')).toBe(201);
  });

  it('keeps a database', async () => {
    const database = join(temporaryDirectory(), 'kept.db');
    const first = await startSandbox({ database });
    await create(first, 'A');
    await first.stop();
    await first.stop();
    const second = await start({ database });
    expect([externalIds(second.orders()), second.apiKey]).toEqual([['A'], first.apiKey]);
  });

  it.each([
    [{ colour: 1 }, 'usage', 'startSandbox: Unrecognized key: "colour".'],
    [{ port: 70_000 }, 'usage', 'startSandbox: port: Too big: expected number to be <=65535.'],
    [{ now: 5 }, 'usage', 'startSandbox: now: Invalid input: expected function.'],
    [{ now: () => new Date() }, 'usage', 'startSandbox: now: must return the time in milliseconds'],
    [{ behaviour: { key: {}, x: 1 } }, 'file_invalid', 'Unrecognized keys: "key", "x"'],
    [{ catalogue: 5 }, 'file_invalid', 'The catalogue: Invalid input: expected array, received number.'],
    [{ apiKey: 'live_1' }, 'usage', 'The API key is not valid.\nWrite sandbox_'],
    [{ behaviour: 'stripelike' }, 'usage', 'one of: '],
    [{ behaviour: { key: {} } }, 'file_invalid', 'Unrecognized key: "key"'],
    [{ catalogue: [{}] }, 'file_invalid', 'undefined.\nA catalogue is CSV with'],
    [{ behaviour: './none.json' }, 'file_not_readable', './none.json cannot be read: ENOENT'],
    [{ catalogue: [{ sku: '' }] }, 'file_invalid', 'The catalogue, item 0: sku: is blank.'],
    [{ database: '/' }, 'configuration_invalid', 'The database / cannot be used: it is not a regular file.'],
  ])('throws a SandboxError with a code for %j', async (options, code, message) => {
    const error = await startSandbox(options as SandboxOptions).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'SandboxError', code, message: expect.stringContaining(message) });
  });

  it('names the port that is in use, and speaks of no flags', async () => {
    const { baseUrl } = await start();
    const error = await startSandbox({ port: Number(new URL(baseUrl).port) }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'port_in_use', message: expect.not.stringContaining('--') });
  });
});

describe('a sandbox of the library', () => {
  it('has orders with customers and deliveries, and requests with bodies', async () => {
    const sandbox = await start();
    await create(sandbox, 'A');
    await create(sandbox, 'A');
    expect(sandbox.orders()).toMatchObject([
      {
        orderNumber: expect.stringMatching(/^ORD-/),
        externalOrderId: 'A',
        status: 'CONFIRMED',
        customer: { phone: '+97699112233', externalCustomerIds: [] },
        delivery: { status: 'PENDING' },
        sent: { items: [{ sku: 'TEA-001', quantity: 2 }] },
      },
    ]);
    expect(sandbox.requests()).toMatchObject([
      {
        method: 'POST',
        route: 'create',
        status: 201,
        externalOrderId: 'A',
        orderId: sandbox.orders()[0]?.id,
      },
      { status: 409, responseBody: expect.stringContaining('EXTERNAL_ORDER_ID_EXISTS') },
    ]);
  });

  it('is as it was at the start after a reset', async () => {
    const sandbox = await start();
    await create(sandbox, 'A');
    const { baseUrl, adminToken } = sandbox;
    const headers = { authorization: `Bearer ${adminToken}` };
    const { body } = await request(`${baseUrl}/_sandbox/catalogue`, { method: 'PUT', headers, body: '[]' });
    await body.dump();
    sandbox.reset();
    expect([sandbox.orders(), sandbox.requests()]).toEqual([[], []]);
    expect(await create(sandbox, 'A')).toBe(201);
  });

  it('says that it was stopped', async () => {
    const sandbox = await start();
    await sandbox.stop();
    for (const use of [sandbox.reset, sandbox.orders, sandbox.requests, sandbox.assert]) {
      expect(() => use()).toThrow(new SandboxError('stopped', 'This sandbox was stopped.'));
    }
  });

  it('asserts what a client promises, and lists what was broken', async () => {
    const sandbox = await start();
    await create(sandbox, 'A', 'K');
    sandbox.assert();
    sandbox.assert({ externalOrderIds: ['A'] });
    await create(sandbox, 'A', 'K', 'another body');
    expect(() => sandbox.assert({ externalOrderID: ['A'] } as object)).toThrow(
      'assert: Unrecognized key: "externalOrderID".',
    );
    expect(() => sandbox.assert({ externalOrderIds: ['A', 'B'] })).toThrow(
      expect.objectContaining({
        name: 'SandboxError',
        code: 'promise_broken',
        message: [
          'The sandbox received requests that break a promise:',
          'exactlyOnce:',
          '  - B was not committed',
          'oneBodyPerKey:',
          '  - the key K was sent with 2 bodies',
        ].join('\n'),
      }),
    );
  });

  it('sets and clears faults', async () => {
    const sandbox = await start({ behaviour: { faults: { rules: [unavailable(503)] } } });
    expect(await create(sandbox, 'A')).toBe(503);
    sandbox.setFaults({ rules: [unavailable(502)] });
    expect(await create(sandbox, 'A')).toBe(502);
    sandbox.setFaults({});
    expect(await create(sandbox, 'A')).toBe(201);
    sandbox.clearFaults();
    expect(await create(sandbox, 'B')).toBe(503);
  });

  it('sets a behaviour, the clock and the state of an order', async () => {
    const sandbox = await start({ now: () => Date.parse('2026-11-25T08:00:00Z') });
    sandbox.setBehaviour({ responses: { createStatus: 202 } });
    expect(await create(sandbox, 'A')).toBe(202);
    sandbox.setClock(new Date('2031-01-02T03:04:05Z'));
    sandbox.setClock({ advanceSeconds: 60 });
    expect(sandbox.moveOrder('A', 'DELIVERED')).toMatchObject({
      status: 'DELIVERED',
      delivery: { status: 'DELIVERED', deliveredAt: '2031-01-02T03:05:05.000Z' },
    });
    sandbox.setClock();
    await create(sandbox, 'B');
    expect(sandbox.orders()[1]?.createdAt).toBe('2026-11-25T08:00:00.000Z');
    sandbox.setClock({ advanceSeconds: 60 });
    sandbox.reset();
    expect(await create(sandbox, 'C')).toBe(201);
    expect(sandbox.orders()[0]?.createdAt).toBe('2026-11-25T08:00:00.000Z');
  });

  it('shows the headers of requests, with a text in the place of the key', async () => {
    const sandbox = await start();
    await create(sandbox, 'A', 'K');
    await create({ ...sandbox, apiKey: 'live_secret' }, 'A', sandbox.apiKey);
    const [first] = sandbox.requests();
    expect(first?.headers).toMatchObject({ authorization: 'Bearer (key)', 'idempotency-key': 'K' });
    const shown = JSON.stringify(sandbox.requests());
    expect([shown.includes(sandbox.apiKey), shown.includes('live_secret')]).toEqual([false, false]);
  });

  it('does not count the orders of a seed as created by the client', async () => {
    const body = { customer: { phone: '99112233' }, items: [{}], collectionMode: 'NONE' };
    const sandbox = await start({ seed: { orders: [{ ...body, externalOrderId: 'OLD' }] } });
    sandbox.assert({ externalOrderIds: [] });
    await create(sandbox, 'A');
    sandbox.assert({ externalOrderIds: ['A'] });
    expect(externalIds(sandbox.orders())).toEqual(['OLD', 'A']);
  });

  it('follows a clock that the suite replaces', async () => {
    const sandbox = await start({ behaviour: { faults: { rules: [unavailable(429, 600)] } } });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2031-01-02T03:04:05Z') });
    onTestFinished(() => void vi.useRealTimers());
    expect(await create(sandbox, 'A')).toBe(429);
    vi.setSystemTime(Date.now() + 600_000);
    sandbox.setFaults({});
    expect(await create(sandbox, 'A')).toBe(201);
    expect(sandbox.orders()[0]?.createdAt).toBe('2031-01-02T03:14:05.000Z');
    sandbox.assert({ externalOrderIds: ['A'] });
  });

  it('has more than a thousand orders', async () => {
    const ids = Array.from({ length: 1001 }, (_, place) => `A-${place}`);
    const order = { customer: { phone: '99112233' }, items: [{}], collectionMode: 'NONE' };
    const sandbox = await start({ seed: { orders: ids.map((id) => ({ ...order, externalOrderId: id })) } });
    expect(externalIds(sandbox.orders()).sort()).toEqual(ids.sort());
  });
});

describe('merchant-orders/sandbox', () => {
  it('touches no file of its user, and lets the process end', () => {
    const home = temporaryDirectory();
    const script = `
      import { startSandbox } from 'merchant-orders/sandbox';
      const listeners = process.eventNames().join();
      const sandboxes = await Promise.all([startSandbox(), startSandbox({ behaviour: 'stripe-like' })]);
      const { status } = await fetch(sandboxes[0].baseUrl + '/health');
      await Promise.all(sandboxes.map((sandbox) => sandbox[Symbol.asyncDispose]()));
      console.log(status, process.eventNames().join() === listeners);
    `;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: packageRoot,
      env: { ...process.env, HOME: home, MERCHANT_ORDERS_CONFIG_DIR: join(home, 'config') },
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect([stdout, stderr, status]).toEqual(['200 true\n', '', 0]);
    expect([readdirSync(home), existsSync(join(home, 'config'))]).toEqual([[], false]);
  });
});
