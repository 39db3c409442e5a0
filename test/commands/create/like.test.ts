import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLine } from '../../../src/commands/create/draft.ts';
import { formatLineSpec } from '../../../src/orders/assignment.ts';
import { startStubService } from '../../api/stub-service.ts';
import { type Answering, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { startShop } from '../imports/setup.ts';

const earlier = [
  ...[
    'create',
    '--external-order-id',
    'UB-1',
    '--phone',
    '99112233',
    '--collect',
    '25000',
    '--total',
    '30000',
  ],
  ...['--item', 'sku=TEA-1,quantity:=2', '--item', 'name="Black tea, loose",weight:=1.10'],
  ...['--set', 'deliveryAddress.city=Дархан', '--set', 'deliveryAddress.note=Ring twice'],
  ...['--set', 'giftWrap:=true', '--delivery-date', '2030-01-15'],
];
/** The other address fields, collection, total, date and ID. */
const typed: Answering[] = ['', '', 'no', '', '', 'UB-2'];

const withoutRequests = (text: string) => text.replace(/^(?:GET|POST) .*\n/gm, '');

async function startWithOrder() {
  const shop = await startShop(1);
  expect((await shop.run(earlier)).exitCode).toBe(0);
  return {
    ...shop,
    like: (answers: Answering[], ...flags: string[]) =>
      shop.run(['create', '-v', '--like', 'UB-1', '--json', ...flags], { answers, width: 300 }),
  };
}

describe('create --like', () => {
  it('fills in phone, items, address and note, and asks for the rest', async () => {
    const { like, run } = await startWithOrder();
    const { asked, stderr, stdout } = await like([...typed, true]);
    expect(asked.slice(0, -1)).toEqual([
      'Delivery address: district (optional)',
      'Delivery address: street, building, door (optional)',
      'Does the courier collect money? (yes or no)',
      'Total of the order (optional)',
      'Delivery date (optional), such as tomorrow, friday or 25 Dec',
      'Your own order ID',
    ]);
    expect(withoutRequests(stderr).split('\n').slice(0, 8)).toEqual([
      expect.stringMatching(/^As in ORD-\d+-000001:$/),
      'customer  99112233',
      'items     2 × TEA-1',
      '          Black tea, loose',
      'address   Дархан',
      'note      Ring twice',
      'Left out, as it is not known what they mean: items[].weight, giftWrap',
      '',
    ]);
    const created = JSON.parse(stdout);
    expect(created).toMatchObject({
      externalOrderId: 'UB-2',
      customer: { phone: '99112233' },
      items: [{ sku: 'TEA-1', quantity: 2 }, { name: 'Black tea, loose' }],
      deliveryAddress: { city: 'Дархан', note: 'Ring twice' },
      collectionMode: 'NONE',
    });
    for (const name of ['total', 'requestedDeliveryDate', 'collectionAmount', 'giftWrap'])
      expect(created).not.toHaveProperty(name);
    const printed = /^ {2}merchant-orders (.*)$/m.exec(stderr)?.[1] ?? '';
    expect(printed).toBe(
      'create --external-order-id UB-2 --phone 99112233 --item sku=TEA-1,quantity:=2 --item \'name="Black tea, loose"\' ' +
        "--prepaid --set 'deliveryAddress.city=Дархан' --set 'deliveryAddress.note=Ring twice'",
    );
    const words = printed.split(/ (?=--)/).flatMap((word) => word.replaceAll("'", '').split(/ (.*)/, 2));
    expect((await run(words)).stderr).toContain('already exists with the same content');
  });

  it('asks for no city of an address that has a street alone', async () => {
    const { cli } = await startService();
    const order = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-1', '--prepaid'];
    await cli(['create', ...order, '--set', 'deliveryAddress.street=БЗД 3-р хороо, 45 тоот']);
    const { asked } = await cli(['create', '--like', 'UB-1'], { answers: ['', { leave: true }] });
    expect(asked).toEqual(['Note for the courier (optional)', 'Does the courier collect money? (yes or no)']);
  });

  it('takes over what the client knows the place of, and says what stays out', async () => {
    const found = {
      id: '0b0e',
      orderNumber: 'ORD-2026-000007',
      externalOrderId: 'UB-1',
      customer: { phone: '9911****', loyalty: 'gold' },
      items: [{ sku: 'TEA-1', pieces: 2, line: 1 }, { gift: true }],
      shipTo: { khoroo: '3-р хороо', gps: null, door: '12' },
      collectionMode: 'NONE',
      status: 'CONFIRMED',
      createdAt: '2026-11-21T08:00:00Z',
    };
    const { baseUrl } = await startStubService(({ method, body, path, query }) => {
      if (method === 'POST') return { status: 201, json: { id: '1c0e', ...JSON.parse(body) } };
      if (path.endsWith('/0b0e')) return { json: found };
      return { json: query.externalOrderId === 'UB-1' ? [found] : [] };
    });
    const configDirectory = temporaryDirectory();
    const run = (args: string[], answers?: Answering[]) =>
      runCli(args, {
        configDirectory,
        width: 300,
        ...(answers === undefined ? { stdin: 'shop-key' } : { answers }),
      });
    await run(['login', '--base-url', baseUrl, '--with-key']);
    await run(['profiles', 'fields', 'default', 'address.district=shipTo.khoroo', 'quantity=items[].pieces']);
    const answers = ['99112233', 'TEA-1', '2', '', '', '', '', 'no', '', '', 'UB-2', true];
    const { asked, stdout, stderr } = await run(['create', '--like', 'UB-1', '--json'], answers);
    expect(asked.slice(0, 7)).toEqual([
      'Phone number of the customer',
      'Product code (SKU) of item 1',
      'How many?',
      'Product code (SKU) of item 2 (press Enter when there are no more)',
      'Delivery address: city (optional)',
      'Delivery address: street, building, door (optional)',
      'Note for the courier (optional)',
    ]);
    expect(stderr).toContain(
      'Left out, as it is not known what they mean: items, customer.loyalty, items[].line, items[].gift, shipTo.door\n',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      items: [{ sku: 'TEA-1', pieces: 2 }],
      shipTo: { khoroo: '3-р хороо' },
    });
  });

  it.each<[string, string[], Answering[] | undefined, string, number]>([
    ['off a terminal', [], undefined, 'the program cannot ask questions here', 2],
    ['with --no-input', ['--no-input'], [], 'the program cannot ask questions here', 2],
    ['with --file', ['--file', 'order.json'], [], '--like and --file cannot be used together', 2],
    ['with --dry-run', ['--dry-run'], [], '--like and --dry-run cannot be used together', 2],
    ['an order that does not exist', ['--like', 'UB-9'], [], 'no order', 3],
  ])('is refused: %s', async (_, flags, answers, sentence, exitCode) => {
    const { run, requests } = await startWithOrder();
    const before = requests();
    const args = ['create', '--like', 'UB-1', ...flags];
    const result = await run(args, answers === undefined ? {} : { answers });
    expect(result.stderr.toLowerCase()).toContain(sentence);
    expect([result.exitCode, requests() === before]).toEqual([exitCode, exitCode === 2]);
  });
});

it('a line is written as --item reads it', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
  const value = fc.oneof(text, fc.boolean(), fc.constant(null), fc.array(text));
  const line = fc.dictionary(fc.stringMatching(/^[a-z]\w{0,8}$/), value, { minKeys: 1 });
  fc.assert(
    fc.property(line, (fields) => {
      const spec = formatLineSpec(fields);
      expect(parseLine(spec ?? '')).toEqual(fields);
    }),
  );
  expect([formatLineSpec({ sku: 'TEA-1' }), formatLineSpec({ sku: 'A B' })]).toEqual(['TEA-1', 'sku="A B"']);
  expect([formatLineSpec({}), formatLineSpec({ 'a.b': '1' })]).toEqual([undefined, undefined]);
});
