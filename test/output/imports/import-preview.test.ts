import { describe, expect, it } from 'vitest';
import { leftOutReasons, listLeftOut } from '../../../src/import/choices.ts';
import type { Problem } from '../../../src/import/problem.ts';
import type { JsonObject } from '../../../src/orders/json.ts';
import { defaultPaths } from '../../../src/orders/unnamed-fields.ts';
import { formatImportPreview, type ImportPreview, wrapQuestion } from '../../../src/output/import-preview.ts';
import { widthOf } from '../../../src/text-width.ts';

const screen = { width: 80, isDetailed: false };
const details = { width: 80, isDetailed: true };

const warning = (fields: Partial<Problem>, others = 0, otherRows: number[] = []) => ({
  first: {
    about: 'order' as const,
    severity: 'warning' as const,
    code: 'date_past',
    problem: 'is in the past',
    fix: 'check it',
    ...fields,
  },
  others,
  otherRows,
});

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
  prepaidTotal: '20880000.50',
  toCollect: '4120000',
  collecting: 120,
  paidOnDelivery: 12,
  firstDate: '2030-01-31',
  repeatedPhones: 2,
  lastDate: '2030-03-02',
  sums: { compared: 338, agreeing: 335 },
  leftOut: { total: 12, reasons: listLeftOut({ cancelled: 4, needs_no_shipping: 8 }) },
  shippingMethods: { Express: 3, 'Standard, 2 days': 12 },
  warnings: [
    warning({ row: 4, header: 'Day', value: '2020-01-01' }, 4, [9, 12, 31]),
    warning({ row: 5, path: 'customer.phone', value: '+1 212', problem: 'looks foreign' }),
    warning({ about: 'header', row: 1, header: 'Note', problem: 'is not sent: x (2)' }),
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
  notRead: ['Tags', 'Notes', 'Source'],
  firstOrders: [
    {
      row: 2,
      order: {
        externalOrderId: 'A-1',
        items: [{ sku: 'TEA-1' }],
        total: '5',
        collectionMode: 'NONE',
        customer: { phone: '99112233' },
      },
    },
    {
      row: 3,
      order: {
        externalOrderId: 'A-2',
        customer: { phone: '88110000', name: 'Бат' },
        items: [{ sku: 'TEA-1', name: 'Цай', quantity: 2 }, { name: 'Аяга' }, { name: 'Сав' }],
        collectionMode: 'COLLECT',
        collectionAmount: '45000',
        total: '45000',
        requestedDeliveryDate: '2030-01-31',
        deliveryAddress: { district: 'БЗД', street: '1', note: 'код 12' },
      },
    },
  ],
  fieldPaths: defaultPaths,
};
const bare: ImportPreview = {
  ...full,
  shop: undefined,
  orders: 1,
  lines: 1,
  collecting: 0,
  repeatedPhones: 0,
  paidOnDelivery: 0,
  alreadyCreated: 0,
  invalid: 0,
  notes: [],
  sums: { compared: 0, agreeing: 0 },
  leftOut: { total: 0, reasons: [] },
  shippingMethods: {},
  warnings: [],
  ignored: [],
  unsent: [],
  notRead: [],
  firstOrders: full.firstOrders.slice(0, 1),
  mapping: full.mapping.slice(0, 1),
  service: undefined,
  total: undefined,
  prepaidTotal: undefined,
  toCollect: undefined,
  firstDate: undefined,
  lastDate: undefined,
};

describe('the preview', () => {
  it('shows how the file is read, then what the orders amount to', () => {
    expect(formatImportPreview(full, screen)).toBe(
      [
        'orders_export.csv   (--details shows everything)',
        'read as        a Shopify orders export, windows-1251, semicolons between cells',
        'first orders   A-1 (row 2) to 99112233: TEA-1; prepaid, total 5 ₮; no address',
        '               A-2 (row 3) to 88110000, Бат: 2 × Цай + Аяга and 1 more; collect',
        '               45,000 ₮; БЗД, 1; 2030-01-31; note "код 12"',
        'orders         335 with 612 lines, 25,000,000.50 ₮ in total',
        'already paid   215 orders, 20,880,000.50 ₮ in total, 12 of them by cash on',
        '               delivery and paid already',
        'to collect     4,120,000 ₮ from 120 orders',
        'delivery       2030-01-31 to 2030-03-02',
        'phones         2 phones with several orders',
        'sums           lines add up to the totals in 335 of 338 orders',
        'to fix         3 orders, not sent because of errors',
        'left out       12: 8 needs no shipping, 4 cancelled',
        'not read       3 columns: Tags, Notes, Source',
        'shipping       Standard, 2 days (12), Express (3)',
        'note           Each row was wrapped in quotes.',
        '               1 row is not an order and was left out: row 340 (a total).',
        'warnings       Day is in the past (5 times: rows 4, 9, 12, ...);',
        '               customer.phone "+1 212" looks foreign (row 5);',
        '               Note is not sent: x (2)',
        'already exist  12 orders',
        'ignored        Currency: the amounts of 12 orders in USD are read as ₮',
        'service        LIVE: these orders are real, and will be delivered',
      ].join('\n'),
    );
  });

  it.each<[string, JsonObject, string]>([
    [
      'no lines, and nothing about payment',
      { externalOrderId: 'B' },
      'B (row 2): no lines; payment not stated; no address',
    ],
    [
      'an amount that is not the total',
      { collectionMode: 'COLLECT', collectionAmount: '5000', total: '6000', items: [{ sku: 'T' }] },
      '(row 2): T; collect 5,000 ₮, total 6,000 ₮; no address',
    ],
    [
      'the customer without a phone, and an address under another name',
      {
        customer: { externalCustomerId: 'C-1' },
        collectionMode: 'NONE',
        shippingAddress: { line1: 'БЗД 1' },
      },
      '(row 2) to C-1: no lines; prepaid; БЗД 1',
    ],
    [
      'a long address, note and product in two lines',
      {
        externalOrderId: 'K-1',
        customer: { phone: '99112233', name: 'Баттулга' },
        items: [
          { name: 'Ноолууран цамц, эмэгтэй, размер M', quantity: 1 },
          { sku: 'X', quantity: 3 },
        ],
        collectionMode: 'COLLECT',
        collectionAmount: '345000',
        deliveryAddress: { street: 'Баянзүрх дүүрэг, 26-р хороо, Чингисийн өргөн чөлөө, 61-р байр' },
      },
      'K-1 (row 2) to 99112233: 1 × Ноолууран цамц, эмэгтэй, раз… + 3 × X; collect 345,000 ₮; Баянзүрх дүүрэг, 26-р хороо, Чин…',
    ],
  ])('says of the first order: %s', (_, order, expected) => {
    const text = formatImportPreview({ ...bare, firstOrders: [{ row: 2, order }] }, screen);
    const said = /^first order {4}(.*\n(?: {15}.*\n)?)/m.exec(text)?.[1];
    expect(said?.replace(/\n {15}/, ' ').trimEnd()).toBe(expected);
  });

  it.each<[string, Partial<ImportPreview>, string]>([
    ['a single day once', { firstDate: '2030-01-31', lastDate: '2030-01-31' }, 'delivery       2030-01-31'],
    [
      'a rehearsal as one',
      { service: 'SANDBOX' },
      'service        sandbox, a rehearsal: nothing is delivered',
    ],
    ['that no order is prepaid', { collecting: 1, toCollect: '5' }, 'already paid   none'],
    ['from how many orders', { collecting: 1, toCollect: '5' }, 'to collect     5 ₮ from 1 order'],
  ])('says %s', (_, fields, line) => {
    expect(formatImportPreview({ ...bare, ...fields }, screen).split('\n')).toContain(line);
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
  notRead: [...many(500, 'Нэмэлт тайлбар'), 'x'.repeat(5000)],
  firstOrders: [4, 5].map((row) => ({
    row,
    order: {
      externalOrderId: 'A'.repeat(300),
      customer: { phone: '9'.repeat(300) },
      items: many(200, '商品名称和规格, 30 ширхэг, бэлгийн хайрцагтай').map((name) => ({ name })),
      deliveryAddress: { street: 'Улаанбаатар, Сүхбаатар дүүрэг '.repeat(9), note: 'орц '.repeat(900) },
      ...Object.fromEntries(
        many(30, 'field').map((name) => [name, 'Улаанбаатар, Сүхбаатар дүүрэг '.repeat(9)]),
      ),
    },
  })),
  shippingMethods: Object.fromEntries(many(50, 'Шуудан, 3-5 хоногт').map((name, index) => [name, index + 1])),
  total: `${'9'.repeat(20)}.50`,
  toCollect: '9'.repeat(20),
  leftOut: {
    total: 13_078,
    reasons: listLeftOut(Object.fromEntries(leftOutReasons.map((reason, index) => [reason, index + 1000]))),
  },
  warnings: many(12, 'is a problem with a rather long text').map((problem) =>
    warning({ row: 1000, problem }, 999, [2000, 3000, 4000]),
  ),
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
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
    expect(lines[0]).toMatch(/^….*\/orders\.csv {3}\(--details shows everything\)$/);
    const names = lines.map((line) => line.slice(0, 15).trim()).filter((name) => name !== '');
    expect(names.slice(1)).toEqual([
      ...['read as', 'first orders', 'orders', 'already paid', 'to collect'],
      ...[
        'delivery',
        'phones',
        'sums',
        'to fix',
        'left out',
        'not read',
        'shipping',
        'note',
        'warnings',
        'already exist',
        'ignored',
        'service',
      ],
    ]);
    expect(lines.join('\n')).toMatch(/^to collect {5}99,999,999,999,999,999,999 ₮ from 120 orders$/m);
    expect(lines.find((line) => line.startsWith('not read'))).toMatch(/ {7}501 columns: .* and 49\d more$/);
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
      notRead: [hostile],
      shippingMethods: { [hostile]: 2 },
      warnings: [warning({ header: hostile, problem: hostile })],
      firstOrders: [{ row: 2, order: { externalOrderId: hostile, [hostile]: hostile } }],
      mapping: [{ header: hostile, path: hostile, isExtra: true }],
      notes: [hostile],
      ignored: [hostile],
    };
    expect(formatImportPreview(preview, look)).toBe(
      [
        look.isDetailed ? 'a b' : 'a b   (--details shows everything)',
        'read as        an a b, windows-1251, semicolons between cells',
        ...(look.isDetailed
          ? ['columns        a b', 'row 2          own id  a b', '               a b     a b']
          : ['first order    a b (row 2): no lines; payment not stated; no address']),
        'orders         1 with 1 line',
        'already paid   1 order',
        'to collect     nothing',
        'not read       1 column: a b',
        'shipping       a b (2)',
        'note           a b',
        'warnings       a b a b',
        'ignored        a b',
      ].join('\n'),
    );
  });

  it('a text of millions of characters is cut', () => {
    const firstOrders = [
      { row: 2, order: { note: 'x'.repeat(5_000_000), items: [{ name: 'y'.repeat(5_000_000) }] } },
    ];
    const started = performance.now();
    const previews = [screen, details].map((look) => formatImportPreview({ ...bare, firstOrders }, look));
    const lines = previews.join('\n').split('\n');
    expect(lines.join('').length).toBeLessThan(2000);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
