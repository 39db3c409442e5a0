import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { type PlainOptions, type ShownOrder, startPlainService } from '../../support/plain-service.ts';

const args = [
  ...[
    'create',
    '--external-order-id',
    'Q-1',
    '--phone',
    '99112233',
    '--item',
    'TEA-001',
    '--item',
    'MUG-001',
  ],
  ...['--set', 'items[0].quantity:=2', '--set', 'items[1].quantity:=1', '--set', 'deliveryAddress.city=УБ'],
  ...['--collect', '45000', '--total', '50000', '--delivery-date', '2027-01-15', '--yes', '--json'],
];
const tea = { sku: 'TEA-001', quantity: 2 };
const mug = { sku: 'MUG-001', quantity: 1 };
const fee = { sku: 'DELIVERY-FEE', quantity: 1, unitPrice: '5000' };
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const week = 7 * 24 * 60;

/** Other forms of a time than RFC 3339. */
const otherForms: [string, (minutes: number) => unknown][] = [
  ['milliseconds', (minutes) => Date.parse(ago(minutes))],
  ['milliseconds as text', (minutes) => String(Date.parse(ago(minutes)))],
  ['seconds', (minutes) => Math.floor(Date.parse(ago(minutes)) / 1000)],
  ['seconds with a fraction', (minutes) => Date.parse(ago(minutes)) / 1000],
  ['seconds as text', (minutes) => String(Math.floor(Date.parse(ago(minutes)) / 1000))],
  ['RFC 1123', (minutes) => new Date(ago(minutes)).toUTCString()],
  ['a date', (minutes) => ago(minutes).slice(0, 10)],
  ['no zone', (minutes) => ago(minutes).slice(0, 19)],
];

async function createAt(options: PlainOptions) {
  const service = await startPlainService(options);
  onTestFinished(() => service.stop());
  const { stdout, stderr, exitCode } = await runCli(args, {
    env: service.env,
    configDirectory: temporaryDirectory(),
  });
  const warnings = stderr.split('\n').filter((line) => line.startsWith('warning: '));
  const [error = ''] = stderr.split('\n').filter((line) => line.startsWith('{'));
  return { stdout, exitCode, warnings, error, orders: service.orders };
}

const showing =
  (fields: ShownOrder) =>
  (order: ShownOrder): ShownOrder => ({ ...order, ...fields });
const undated = (fields: ShownOrder) => showing({ ...fields, createdAt: undefined });

describe('an order that was just created', () => {
  it.each<[string, ShownOrder]>([
    ['the day as its midnight in UTC', { requestedDeliveryDate: '2027-01-15T00:00:00.000Z' }],
    ['the day as its midnight without a zone', { requestedDeliveryDate: '2027-01-15T00:00:00' }],
    ['the day as that moment in another zone', { requestedDeliveryDate: '2027-01-15T08:00:00+08:00' }],
    ['amounts with separators', { collectionAmount: '45,000.00', total: '50 000' }],
    ['amounts with a currency', { collectionAmount: '45,000 ₮', total: 'MNT 50000' }],
    ['amounts with a comma', { collectionAmount: '45.000,00', total: '50000,00' }],
    ['the mode in small letters', { collectionMode: 'collect' }],
  ])('is created without a warning when the service shows %s', async (_, fields) => {
    for (const store of [showing(fields), undated(fields)]) {
      const { exitCode, warnings, stdout } = await createAt({ store });
      expect([exitCode, warnings, JSON.parse(stdout).externalOrderId]).toEqual([0, [], 'Q-1']);
    }
  });

  const usual: [string, ShownOrder, string[]][] = [
    [
      'a masked phone',
      { customer: { phone: '9911****' } },
      ['customer: was sent as "99112233", and the service shows "9911****"'],
    ],
    [
      'a phone masked in front',
      { customer: { phone: '+976 ****2233' } },
      ['customer: was sent as "99112233", and the service shows "+976 ****2233"'],
    ],
    [
      'SKUs in small letters',
      { items: [{ ...tea, sku: 'tea-001' }, mug] },
      ['items: was sent as "TEA-001, MUG-001", and the service shows "tea-001, MUG-001"'],
    ],
    [
      'a fee as a line',
      { items: [tea, mug, fee] },
      ['items: was sent as "TEA-001, MUG-001", and the service shows "TEA-001, MUG-001, DELIVERY-FEE"'],
    ],
    ['another total', { total: '55000' }, ['total: was sent as "50000", and the service shows "55000"']],
    [
      'a fee and another total',
      { items: [tea, mug, fee], total: 55000 },
      [
        'total: was sent as "50000", and the service shows "55000"',
        'items: was sent as "TEA-001, MUG-001", and the service shows "TEA-001, MUG-001, DELIVERY-FEE"',
      ],
    ],
  ];
  it.each(usual)('is created with a warning when the service shows %s', async (_, fields, texts) => {
    const expected = texts.map((text) => `warning: ${text}`);
    for (const store of [showing(fields), undated(fields)]) {
      const { exitCode, warnings, stdout, orders } = await createAt({ store });
      expect([exitCode, warnings, JSON.parse(stdout)]).toEqual([
        0,
        expected,
        { ...JSON.parse(JSON.stringify(orders[0])), _outcome: 'created' },
      ]);
    }
  });

  it.each<[string, ShownOrder, string]>([
    ['another product', { items: [{ ...tea, sku: 'TEA-002' }, mug] }, 'items'],
    ['a line less', { items: [tea] }, 'items'],
    ['another quantity', { items: [{ ...tea, quantity: 3 }, mug] }, 'items[].quantity'],
    ['a fee and another quantity', { items: [{ ...tea, quantity: 1 }, mug, fee] }, 'items[].quantity'],
    ['another phone', { customer: { phone: '88112233' } }, 'customer'],
    ['the masked phone of somebody else', { customer: { phone: '8811****' } }, 'customer'],
    ['another spelling of the address', { deliveryAddress: { city: 'Улаанбаатар' } }, 'deliveryAddress.city'],
  ])('shows %s: created when its createdAt is new, a conflict without one', async (_, fields, field) => {
    const created = await createAt({ store: showing(fields) });
    expect([
      created.exitCode,
      created.warnings.some((text) => text.startsWith(`warning: ${field}: `)),
    ]).toEqual([0, true]);
    const conflict = await createAt({ store: undated(fields) });
    expect([conflict.exitCode, JSON.parse(conflict.error).error.code]).toEqual([5, 'order_conflict']);
  });

  it('is a conflict when a line without a SKU is missing, since such lines cannot be merged', async () => {
    const lines = ['--item', 'productId=7', '--item', 'productId=8'];
    const words = [...args.slice(0, 5), ...lines, ...args.slice(args.indexOf('--collect'))];
    for (const [items, exitCode] of [
      [[{ productId: '7' }, { productId: '8' }], 0],
      [[{ productId: '7' }], 5],
    ] as const) {
      const service = await startPlainService({ store: undated({ items }) });
      onTestFinished(() => service.stop());
      expect(await runCli(words, { env: service.env })).toMatchObject({ exitCode });
    }
  });

  it('is created when two of its lines were merged, and their quantities add up', async () => {
    const twice = args.map((word) => (word === 'MUG-001' ? 'TEA-001' : word));
    for (const [quantity, exitCode] of [
      [3, 0],
      [2, 5],
    ]) {
      const service = await startPlainService({ store: undated({ items: [{ ...tea, quantity }] }) });
      onTestFinished(() => service.stop());
      expect(await runCli(twice, { env: service.env })).toMatchObject({ exitCode });
    }
  });
});

describe('an order that is created and cancelled at once', () => {
  it('is created in an import, which ends with 6, and a conflict in the next one', async () => {
    const service = await startPlainService({ store: showing({ status: 'CANCELLED' }) });
    onTestFinished(() => service.stop());
    const directory = temporaryDirectory();
    const file = join(directory, 'orders.csv');
    const columns = 'externalOrderId,customer.phone,items[].sku,collectionMode';
    writeFileSync(file, `${columns}\nQ-1,99112233,TEA-001,NONE\n`);
    const run = () => runCli(['import', file, '--yes'], { env: service.env, configDirectory: directory });
    const first = await run();
    expect([first.exitCode, first.stderr]).toEqual([
      6,
      expect.stringContaining('1 order was created, and the service shows it cancelled.'),
    ]);
    expect(readFileSync(join(directory, 'orders.results.csv'), 'utf8')).toContain(
      'order_cancelled,"created, and the service shows it cancelled"',
    );
    expect([(await run()).exitCode, service.orders.length]).toEqual([6, 1]);
  });
});

describe('an order that may have been there before, or is another one', () => {
  const { items, customer } = { items: [tea, mug, fee], customer: { phone: '9911****' } };
  it.each<[string, PlainOptions]>([
    ['another mode', { store: showing({ collectionMode: 'NONE' }) }],
    ['another amount to collect', { store: showing({ collectionAmount: '50000' }) }],
    ['another day', { store: showing({ requestedDeliveryDate: '2027-01-16' }) }],
    ['another day as an array', { store: showing({ requestedDeliveryDate: [2027, 1, 16] }) }],
    ['another day as an epoch', { store: showing({ requestedDeliveryDate: 1800057600 }) }],
    ['another mode as an object', { store: showing({ collectionMode: { code: 'NONE' } }) }],
    ['another amount with an exponent', { store: showing({ collectionAmount: '5E+4' }) }],
    ['it is two minutes old', { store: showing({ items, createdAt: ago(2) }) }],
    ['it is of last year', { store: showing({ total: '1', createdAt: '2025-01-15T10:00:00Z' }) }],
    ...otherForms.map(([name, form]): [string, PlainOptions] => [
      `it is a year old, as ${name}`,
      { store: showing({ items, createdAt: form(52 * week) }) },
    ]),
    ['it is a week old, in seconds', { store: showing({ items, createdAt: Date.now() / 1000 - week * 60 }) }],
    ['it is a week old, as a date', { store: showing({ items, createdAt: ago(week).slice(0, 10) }) }],
    ['200 without an age', { status: 200, store: undated({ customer }) }],
    ['a flagged replay', { store: showing({ items }), headers: { 'idempotent-replayed': 'true' } }],
  ])('is a conflict, to be compared: %s', async (_, options) => {
    const { exitCode, stdout, error } = await createAt(options);
    const { code, hint } = JSON.parse(error).error;
    expect([exitCode, stdout, code]).toEqual([5, '', 'order_conflict']);
    expect(hint).toBe('Compare it: merchant-orders get ORD-2026-000001');
  });
});
