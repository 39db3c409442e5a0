import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { parseSeed } from '../../src/sandbox/rules/seed.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { admin } from './admin/admin-client.ts';
import { anOrder, orders, start, startAndStop, temporaryFile } from './start.ts';

const seed = {
  customers: [{ phone: '88112233' }, { phone: '8811-2233' }, { externalCustomerId: 'C-1' }],
  products: [{ sku: 'CUP' }, { sku: 'POT', active: false }],
  orders: [
    anOrder({ externalOrderId: 'A', items: [{ sku: 'CUP', quantity: 2 }] }),
    { ...anOrder({ externalOrderId: 'B', items: [{ sku: 'CUP' }] }), status: 'DELIVERED' },
    { ...anOrder({ externalOrderId: 'C', items: [{}] }), status: 'CANCELLED' },
  ],
};
const text = JSON.stringify(seed);
const statusesIn = (json: { data: { status: string }[] }) => json.data.map(({ status }) => status);
const seeded = ['CANCELLED', 'DELIVERED', 'CONFIRMED'];

describe('a seed', () => {
  it('fills an empty sandbox with customers, products and orders in their states', async () => {
    const { sandbox, get, create } = await start({ seed: parseSeed(text, 'seed.json') });
    const { json } = await get(orders);
    expect([sandbox.isSeedSkipped, statusesIn(json)]).toEqual([false, seeded]);
    expect(json.data[1].delivery).toMatchObject({ status: 'DELIVERED', deliveredAt: expect.any(String) });
    expect(json.data[2]).toMatchObject({
      orderNumber: 'ORD-2026-000001',
      items: [{ sku: 'CUP', quantity: 2 }],
    });
    const ambiguous = await create(anOrder({ customer: { phone: '88112233' }, items: [{}] }));
    expect(ambiguous.json.error.code).toBe('CUSTOMER_PHONE_AMBIGUOUS');
    const inactive = await create(anOrder({ items: [{ sku: 'POT' }] }));
    expect(inactive.json.error.code).toBe('PRODUCT_SKU_INACTIVE');
    expect((await create(seed.orders[0])).json.error.code).toBe('EXTERNAL_ORDER_ID_EXISTS');
  });

  it('is skipped where there are orders, for good', async () => {
    const file = temporaryFile();
    const first = await start({ file });
    await first.create(anOrder({ externalOrderId: 'Z' }));
    await first.sandbox.stop();
    const { sandbox, get } = await start({ file, seed: parseSeed(text, 'seed.json') });
    expect([sandbox.isSeedSkipped, (await get(orders)).json.total]).toEqual([true, 1]);
    expect((await admin(sandbox).get('/catalogue')).json).toHaveLength(2);
    await admin(sandbox).post('/reset', { everything: true });
    expect((await get(orders)).json.total).toBe(0);
  });

  it('is loaded again by a reset of everything only', async () => {
    const { sandbox, get } = await start({ seed: parseSeed(text, 'seed.json') });
    await admin(sandbox).post('/reset');
    expect((await get(orders)).json.total).toBe(0);
    await admin(sandbox).put('/catalogue', []);
    await admin(sandbox).post('/reset', { everything: true });
    expect(statusesIn((await get(orders)).json)).toEqual(seeded);
  });

  it.each([
    ['[', 'seed.json is not JSON'],
    ['[]', 'is not a seed: Invalid input: expected object, received array'],
    ['{"order":[]}', 'is not a seed: Unrecognized key: "order"'],
    [
      '{"orders":[{"status":"GONE"}]}',
      'orders[0].status: Invalid option: expected one of "CONFIRMED"|"IN_DELIVERY"',
    ],
    ['{"orders":[[]]}', 'orders[0]: Invalid input: expected object'],
    ['{"products":[{"sku":"A"},{"sku":"A"}]}', 'products[1].sku: the SKU "A" is there twice'],
    ['{"customers":[{"phone":7}]}', 'customers[0].phone: Invalid input: expected string, received number'],
  ])('is refused: %s', (wrong, message) => {
    expect(() => parseSeed(wrong, 'seed.json')).toThrow(CliError);
    expect(() => parseSeed(wrong, 'seed.json')).toThrow(message);
  });

  it('with an order that the service rejects stores nothing', async () => {
    const file = temporaryFile();
    const wrong = parseSeed(
      JSON.stringify({ orders: [anOrder(), anOrder({ items: [{ sku: 'NO' }] })] }),
      's.json',
    );
    await expect(start({ file, seed: wrong })).rejects.toThrow(
      's.json: orders[1] is rejected: items[0].sku: no product has the SKU "NO".',
    );
    const { store } = await start({ file });
    expect(store.orders.count()).toBe(0);
  });

  it('is given to sandbox start, which says when it is skipped', async () => {
    const folder = temporaryDirectory();
    const [path, database] = [join(folder, 'seed.json'), join(folder, 'sandbox.db')];
    writeFileSync(path, text);
    expect((await startAndStop('--seed', path, '--db', database)).stderr).not.toContain('seed');
    const again = await startAndStop('--seed', path, '--db', database);
    expect(again.stderr).toContain(`The seed was skipped: ${database} already has orders or customers.`);
  });
});

it('the catalogue is that of one merchant', async () => {
  const { sandbox, create } = await start();
  const { apiKey: key } = (await admin(sandbox).post('/keys', { client: 'of_other_merchant' })).json;
  expect((await create(anOrder())).status).toBe(201);
  expect((await create(anOrder(), { key })).json.error.code).toBe('PRODUCT_SKU_NOT_FOUND');
});

describe('an order of a seed with a history', () => {
  const aDay = { createdAt: '2026-11-18T09:30:00Z', orderNumber: 'ORD-2026-000150' };
  const startWith = (order: object) =>
    start({ seed: parseSeed(JSON.stringify({ orders: [order] }), 'seed.json') });

  it('has what a response shows of it, and later orders are numbered after it', async () => {
    const cancelled = {
      ...aDay,
      status: 'CANCELLED',
      cancelReason: 'out of stock',
      cancelledAt: '2026-11-19T10:00:00+08:00',
      delivery: null,
    };
    const { get, create } = await startWith({ ...anOrder({ externalOrderId: 'A' }), ...cancelled });
    const { json } = await get(`${orders}?createdFrom=2026-11-18&createdTo=2026-11-18`);
    expect(json.data).toMatchObject([
      {
        ...aDay,
        createdAt: '2026-11-18T09:30:00.000Z',
        cancelReason: 'out of stock',
        cancelledAt: '2026-11-19T02:00:00.000Z',
        status: 'CANCELLED',
        delivery: null,
      },
    ]);
    expect((await create(anOrder())).json.orderNumber).toBe('ORD-2026-000151');
  });

  it.each([
    [{ id: 'x' }, 'orders[0].id: is not taken'],
    [{ sent: {} }, 'orders[0].sent: is not taken'],
    [{ createdAt: 'yesterday' }, 'orders[0].createdAt: Invalid ISO datetime'],
    [{ orderNumber: '150' }, 'orders[0].orderNumber: Invalid string'],
    [{ cancelReason: 'out of stock' }, 'orders[0].cancelReason: needs the status CANCELLED'],
    [{ delivery: { status: 'PENDING' } }, 'orders[0].delivery: Invalid input: expected null'],
    [
      { delivery: null, status: 'DELIVERED' },
      'orders[0].delivery: an order that is DELIVERED has a delivery',
    ],
  ])('refuses %j by its name', (more, message) => {
    const given = JSON.stringify({ orders: [{ ...anOrder(), ...more }] });
    expect(() => parseSeed(given, 'seed.json')).toThrow(message);
  });

  it('cannot have the number of another one', async () => {
    const twice = JSON.stringify({ orders: [aDay, aDay].map((day) => ({ ...anOrder(), ...day })) });
    await expect(start({ seed: parseSeed(twice, 'seed.json') })).rejects.toThrow(
      'orders[1] is rejected: orderNumber: another order has it',
    );
  });
});
