import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/system/system.ts';
import { lost, type Reply, startStubService } from '../../api/stub-service.ts';
import { type Answering, runCli, temporaryDirectory } from '../../support/cli.ts';
import { createStoppedClock } from '../../support/stopped-clock.ts';
import { startShop } from '../imports/setup.ts';

const flags = (id: string, phone: string) => ['--external-order-id', id, '--phone', phone, '--prepaid'];
const address = ['--set', 'deliveryAddress.city=Дархан', '--set', 'deliveryAddress.street=Зам 3'];

/** A shop in which 99112233 has an order with an address. */
async function startWithCustomer() {
  const shop = await startShop(1);
  const earlier = [...flags('UB-1', '99112233'), '--item', 'sku=TEA-1,quantity:=2', ...address];
  expect((await shop.run(['create', ...earlier])).exitCode).toBe(0);
  return {
    ...shop,
    create: (answers: Answering[], ...more: string[]) =>
      shop.run(['create', '--prepaid', '--item', 'TEA-1', '--json', ...more], { answers, width: 300 }),
  };
}

describe('a customer of before', () => {
  it('is recognised by the phone, and the address of the last order is a choice', async () => {
    const { create } = await startWithCustomer();
    const { asked, stderr, stdout } = await create(['99112233', true, '', '', '', 'UB-2', true], '-v');
    expect(stderr).toMatch(/^Last order today \d\d:\d\d: 2 × TEA-1\n/m);
    expect(asked.slice(0, 3)).toEqual([
      'Phone number of the customer',
      'Deliver to Дархан, Зам 3, as last time?',
      'Note for the courier (optional)',
    ]);
    expect(asked.at(-1)).toMatch(/SANDBOX: create another for 99112233, 1 item, prepaid\?$/);
    expect(JSON.parse(stdout).deliveryAddress).toEqual({ city: 'Дархан', street: 'Зам 3' });
    expect(stderr).toContain("--set 'deliveryAddress.street=Зам 3'\n");
  });
});

const order = (sequence: number, day: number, fields: object = {}) => ({
  id: `5c1b2a90-0000-4000-8000-00000000000${sequence}`,
  customer: { phone: '+97699112233' },
  items: [{ sku: `TEA-${sequence}`, quantity: sequence }],
  createdAt: `2025-11-2${day}T08:00:00Z`,
  shipTo: { khoroo: '3-р хороо' },
  deliveryAddress: { city: 'Дархан' },
  // No field is sent to this place.
  receiver: { city: 'Эрдэнэт' },
  ...fields,
});

/** What is said above the items, and whether an address is offered. */
async function meet(reply: Reply, stoppedClock?: Clock) {
  const { baseUrl } = await startStubService(({ query, method }) => {
    if (method === 'POST') return { status: 201, json: { id: '0b0e', externalOrderId: 'MO-9' } };
    return query.customerPhone === undefined || query.createdFrom !== undefined ? { json: [] } : reply;
  });
  const configDirectory = temporaryDirectory();
  await runCli(['login', '--base-url', baseUrl, '--with-key'], { configDirectory, stdin: 'key-of-a-shop' });
  await runCli(['profiles', 'fields', 'default', 'address.district=shipTo.khoroo'], { configDirectory });
  const answers = ['99112233', 'TEA-1', '1', '', { leave: true } as const];
  const { stderr, asked } = await runCli(['create', '--prepaid'], {
    configDirectory,
    answers,
    ...(stoppedClock && { stoppedClock }),
  });
  return [stderr.split('\n')[0], asked.at(-1)];
}

const offered = 'Deliver to Дархан, 3-р хороо, as last time?';
const notOffered = 'Delivery address: city (optional)';
const nothing = 'The same order as a command:';

it.each<[what: string, reply: Reply, said: string, question: string]>([
  ['no orders', { json: { data: [] } }, 'New customer', notOffered],
  [
    'orders, newest first',
    { json: [order(2, 5), order(1, 4)] },
    'Last order 25 Nov 2025: 2 × TEA-2',
    offered,
  ],
  [
    'all orders, oldest first',
    { json: { data: [order(1, 4), order(2, 5)], total: 2 } },
    'Last order 25 Nov 2025: 2 × TEA-2',
    offered,
  ],
  ['the oldest of many', { json: { data: [order(1, 4), order(2, 5)], total: 40 } }, nothing, notOffered],
  ['orders without a time', { json: [order(1, 4, { createdAt: undefined })] }, nothing, notOffered],
  ['orders of others too', { json: [order(1, 5), order(2, 4, { customer: {} })] }, nothing, notOffered],
  ['masked phones', { json: [order(1, 5, { customer: { phone: '9911****' } })] }, nothing, notOffered],
  [
    'an order without an address',
    { json: [order(1, 5, { shipTo: null, deliveryAddress: {} })] },
    'Last order 25 Nov 2025: 1 × TEA-1',
    notOffered,
  ],
  ['no permission', { status: 403, json: { message: 'forbidden' } }, nothing, notOffered],
  ['a failure', { status: 500, json: {} }, nothing, notOffered],
  ['no response', lost, nothing, notOffered],
])('what is said of a phone for which the service shows %s', async (_, reply, said, question) => {
  expect(await meet(reply)).toEqual([said, question]);
});

it('nothing is said of a phone for which the service takes longer than a second', async () => {
  const { clock, pass } = createStoppedClock();
  const late: Reply = () => pass(1000);
  expect(await meet(late, clock)).toEqual([nothing, notOffered]);
});
