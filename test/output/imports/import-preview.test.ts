import { describe, expect, it } from 'vitest';
import {
  formatImportPreview,
  type ImportPreview,
  withArticle,
  wrapQuestion,
} from '../../../src/output/import-preview.ts';
import { measureColumns } from '../../../src/output/table.ts';

const screen = { width: 80, isDetailed: false };
const details = { width: 80, isDetailed: true };

const full: ImportPreview = {
  file: 'orders_export.csv',
  shop: 'Shopify orders export',
  service: 'LIVE',
  encoding: 'windows-1251',
  delimiter: ';',
  notes: ['Each row was wrapped in quotes.', '1 row is not an order and was left out: row 340 (a total).'],
  orders: 335,
  lines: 612,
  total: '25000000.50',
  toCollect: '4120000',
  collecting: 120,
  paidOnDelivery: 12,
  firstDate: '2030-01-31',
  lastDate: '2030-03-02',
  sums: { compared: 338, agreeing: 335 },
  leftOut: { cancelled: 4, needs_no_shipping: 8 },
  warnings: [
    { code: 'phone_implausible', count: 5, rows: [4, 9, 12, 31] },
    { code: 'not_sent', count: 1, rows: [1] },
  ],
  ignored: ['Currency: the amounts of 12 orders in USD are read as ₮'],
  alreadyCreated: 12,
  conflicts: 0,
  invalid: 3,
  mapping: [
    { header: 'externalOrderId', path: 'externalOrderId', isExtra: false },
    { header: 'TOTAL', path: 'total', isExtra: false },
    { header: 'x.note', path: 'x.note', isExtra: true },
    { header: 'items[].qty:number', path: 'items[].qty', isExtra: true },
  ],
  unsent: ['Tags', 'Notes'],
  firstOrder: {
    externalOrderId: 'A-1',
    items: [{ sku: 'TEA-1' }],
    total: '5',
    collectionMode: 'NONE',
    customer: { phone: '99112233' },
  },
};
const bare: ImportPreview = {
  ...full,
  shop: undefined,
  orders: 1,
  lines: 1,
  collecting: 0,
  paidOnDelivery: 0,
  alreadyCreated: 0,
  invalid: 0,
  notes: [],
  sums: { compared: 0, agreeing: 0 },
  leftOut: {},
  warnings: [],
  ignored: [],
  unsent: [],
  mapping: full.mapping.slice(0, 1),
  service: undefined,
  total: undefined,
  toCollect: undefined,
  firstDate: undefined,
  lastDate: undefined,
};

describe('the preview', () => {
  it('shows how the file is read, then what the orders amount to', () => {
    expect(formatImportPreview(full, screen)).toBe(
      [
        'orders_export.csv',
        'read as        a Shopify orders export, windows-1251, semicolons between cells',
        'fields         externalOrderId, TOTAL → total',
        'extra fields   x.note, items[].qty:number → items[].qty',
        'not sent       Tags, Notes',
        'first order    externalOrderId: A-1, customer.phone: 99112233,',
        '               collectionMode: NONE, total: 5, items[0].sku: TEA-1',
        'orders         335 with 612 lines, 25,000,000.50 ₮ in total',
        'prepaid        215 orders, 12 of them by cash on delivery and paid already',
        'to collect     4,120,000 ₮ from 120 orders',
        'delivery       2030-01-31 to 2030-03-02',
        'sums           lines add up to the totals in 335 of 338 orders',
        'to fix         3 orders, not sent because of errors',
        'left out       12: 8 needs no shipping, 4 cancelled',
        'note           Each row was wrapped in quotes.',
        '               1 row is not an order and was left out: row 340 (a total).',
        'warnings       5 phone_implausible (rows 4, 9, 12, ...), 1 not_sent (row 1)',
        'already exist  12 orders',
        'ignored        Currency: the amounts of 12 orders in USD are read as ₮',
        'service        LIVE: these orders are real, and will be delivered',
      ].join('\n'),
    );
  });

  it('shows the fields of the first order that decide most first', () => {
    const firstOrder = { note: 'x', requestedDeliveryDate: '2030-01-31', total: '5' };
    expect(formatImportPreview({ ...bare, firstOrder }, screen)).toContain(
      'first order    total: 5, requestedDeliveryDate: 2030-01-31, note: x\n',
    );
  });

  it('omits facts without a value', () => {
    expect(formatImportPreview(bare, screen)).toBe(
      [
        'orders_export.csv',
        'read as        windows-1251, semicolons between cells',
        'fields         externalOrderId',
        'first order    externalOrderId: A-1, customer.phone: 99112233,',
        '               collectionMode: NONE, total: 5, items[0].sku: TEA-1',
        'orders         1 with 1 line',
        'prepaid        1 order',
        'to collect     nothing',
      ].join('\n'),
    );
  });

  it.each<[string, Partial<ImportPreview>, string]>([
    ['a single day once', { firstDate: '2030-01-31', lastDate: '2030-01-31' }, 'delivery       2030-01-31'],
    [
      'a rehearsal as one',
      { service: 'SANDBOX' },
      'service        sandbox, a rehearsal: nothing is delivered',
    ],
    ['that no order is prepaid', { collecting: 1, toCollect: '5' }, 'prepaid        no order'],
    ['from how many orders', { collecting: 1, toCollect: '5' }, 'to collect     5 ₮ from 1 order'],
  ])('says %s', (_, fields, line) => {
    expect(formatImportPreview({ ...bare, ...fields }, screen).split('\n')).toContain(line);
  });

  it('says nothing of payment without an order', () => {
    const text = formatImportPreview({ ...bare, orders: 0, lines: 0, firstOrder: {} }, screen);
    expect(text).not.toMatch(/^(?:prepaid|to collect)/m);
  });
});

const many = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name} ${index}`);
/** Many columns, long names, long texts in the first order, and every section. */
const hard: ImportPreview = {
  ...full,
  file: `/home/shop/${'Захиалгын жагсаалт '.repeat(12)}/orders.csv`,
  notes: many(40, `99112233.${'0'.repeat(40)} is sent as 99112233, and so on in other cells, number`),
  mapping: [
    ...many(60, 'Захиалагчийн утасны дугаар').map((header) => ({
      header,
      path: 'customer.phone',
      isExtra: false,
    })),
    ...many(90, '商品名称和规格').map((header) => ({ header, path: `x.${header}`, isExtra: true })),
  ],
  unsent: [...many(500, 'Нэмэлт тайлбар'), 'x'.repeat(5000)],
  firstOrder: {
    externalOrderId: 'A'.repeat(300),
    items: many(200, 'Ногоон цай, 30 ширхэг, бэлгийн хайрцагтай').map((name) => ({ name })),
    ...Object.fromEntries(
      many(30, 'field').map((name) => [name, 'Улаанбаатар, Сүхбаатар дүүрэг '.repeat(9)]),
    ),
  },
  total: `${'9'.repeat(20)}.50`,
  toCollect: '9'.repeat(20),
  leftOut: Object.fromEntries(
    many(13, 'a rather long reason').map((reason, index) => [reason, index + 1000]),
  ),
  warnings: many(12, 'warning_with_a_long_code').map((code) => ({
    code,
    count: 1000,
    rows: [1000, 2000, 3000, 4000],
  })),
  ignored: many(4, 'Payment Method of the customer: 73 orders are paid on delivery, and so on'),
};
const question =
  'LIVE: create 3,000 orders as a Shopify orders export, collect 99,999,999,999,999,999,999 ₮ from 2,000 of them, ignoring Currency: the amounts of 12 orders in USD are read as ₮, 9 warnings?';

describe('one screen', () => {
  it.each([80, 100, 120])('holds the preview of a hard file and its question at %i columns', (width) => {
    const lines = formatImportPreview(hard, { ...screen, width, question }).split('\n');
    const asked = wrapQuestion(question, width);
    expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(width - '? (y/N) '.length);
    expect(lines.length + 1 + asked.length).toBeLessThanOrEqual(24);
    expect(Math.max(...measureColumns(lines.map((line) => [line])))).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^….*\/orders\.csv {3}\(--details shows everything\)$/);
    const names = lines.map((line) => line.slice(0, 15).trim()).filter((name) => name !== '');
    expect(names.slice(1)).toEqual([
      ...['read as', 'fields', 'extra fields', 'not sent', 'first order', 'orders', 'prepaid', 'to collect'],
      ...[
        'delivery',
        'sums',
        'to fix',
        'left out',
        'note',
        'warnings',
        'already exist',
        'ignored',
        'service',
      ],
    ]);
    expect(lines.join('\n')).toMatch(/^to collect {5}99,999,999,999,999,999,999 ₮ from 120 orders$/m);
    expect(lines.find((line) => line.startsWith('not sent'))).toMatch(/ and 49\d more$/);
  });

  it('shows the end of a path with wide letters', () => {
    const [title = ''] = formatImportPreview({ ...hard, file: `${'订单'.repeat(50)}.csv` }, screen).split(
      '\n',
    );
    expect(title).toMatch(/^…订?(?:单订)*单\.csv {3}\(--details/);
    expect(measureColumns([[title]])[0]).toBeLessThanOrEqual(80);
  });

  it('is left with --details, which shows everything', () => {
    const lines = formatImportPreview(hard, details).split('\n');
    const text = lines.join(' ').replace(/ +/g, ' ');
    expect(Math.max(...measureColumns(lines.map((line) => [line])).slice(1))).toBeLessThanOrEqual(80);
    for (const last of [
      'Нэмэлт тайлбар 499',
      'x.商品名称和规格 89',
      'field 29:',
      '1000 warning_with_a_long_code 11',
    ]) {
      expect(text).toContain(last);
    }
    expect(text).not.toMatch(/and \d+ more/);
  });
});

describe('whatever the file contains', () => {
  const hostile = 'a\nb\u001b[2J\u202e';

  it.each([screen, details])('no text of it starts a line or a sequence: %j', (look) => {
    const preview = {
      ...bare,
      file: hostile,
      shop: hostile,
      unsent: [hostile],
      firstOrder: { [hostile]: hostile },
      mapping: [{ header: hostile, path: hostile, isExtra: true }],
      notes: [hostile],
      ignored: [hostile],
      leftOut: { [hostile]: 1 },
    };
    expect(formatImportPreview(preview, look)).toBe(
      [
        'a b',
        'read as        an a b, windows-1251, semicolons between cells',
        'extra fields   a b',
        'not sent       a b',
        'first order    a b: a b',
        'orders         1 with 1 line',
        'prepaid        1 order',
        'to collect     nothing',
        'left out       1: 1 a b',
        'note           a b',
        'ignored        a b',
      ].join('\n'),
    );
  });

  it('a text of millions of characters is cut', () => {
    const firstOrder = { note: 'x'.repeat(5_000_000) };
    const started = performance.now();
    const lines = formatImportPreview({ ...bare, firstOrder }, details).split('\n');
    expect(lines.join('').length).toBeLessThan(2000);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

it.each([
  ['Shopify orders export', 'a Shopify orders export'],
  ['eBay orders report', 'an eBay orders report'],
])('%s gets its article', (title, expected) => {
  expect(withArticle(title)).toBe(expected);
});
