import { expect, test } from 'vitest';
import { formatImportPreview, type ImportPreview } from '../../src/output/import-preview.ts';

const preview: ImportPreview = {
  file: 'orders.csv',
  service: 'LIVE' as const,
  orders: 335,
  lines: 612,
  alreadyCreated: 12,
  encoding: 'windows-1251',
  delimiter: ';',
  notes: ['Each row was wrapped in quotes.'],
  total: '25000000.50',
  toCollect: '1000',
  firstDate: '2030-01-31',
  lastDate: '2030-03-02',
  mapping: [
    { header: 'externalOrderId', path: 'externalOrderId', isExtra: false },
    { header: 'TOTAL', path: 'total', isExtra: false },
    { header: 'x.note', path: 'x.note', isExtra: true },
    { header: 'items[].qty:number', path: 'items[].qty', isExtra: true },
  ],
  unsent: ['Tags', 'Notes'],
  firstOrder: { externalOrderId: 'A-1', items: [{ sku: 'TEA-1' }], total: '5' },
};
const bare: ImportPreview = {
  ...preview,
  orders: 1,
  lines: 1,
  alreadyCreated: 0,
  notes: [],
  unsent: [],
  mapping: preview.mapping.slice(0, 1),
  service: undefined,
  total: undefined,
  toCollect: undefined,
  firstDate: undefined,
  lastDate: undefined,
};

test('shows the sums, the fields that are sent and the columns that are not', () => {
  expect(formatImportPreview(preview)).toBe(
    [
      'orders.csv',
      'read as        windows-1251, semicolons between cells',
      'note           Each row was wrapped in quotes.',
      'service        LIVE',
      'orders         335 with 612 lines',
      'total          25,000,000.50 ₮',
      'to collect     1,000 ₮',
      'delivery       2030-01-31 to 2030-03-02',
      'already exist  12',
      'fields         externalOrderId, TOTAL → total',
      'extra fields   x.note, items[].qty:number → items[].qty',
      'not sent       Tags, Notes',
      'first order',
      '  externalOrderId: A-1',
      '  items[0].sku: TEA-1',
      '  total: 5',
    ].join('\n'),
  );
});

test('omits facts without a value', () => {
  expect(formatImportPreview(bare)).toBe(
    [
      'orders.csv',
      'read as        windows-1251, semicolons between cells',
      'orders         1 with 1 line',
      'fields         externalOrderId',
      'first order',
      '  externalOrderId: A-1',
      '  items[0].sku: TEA-1',
      '  total: 5',
    ].join('\n'),
  );
});

test('shows a single day once', () => {
  const day = { firstDate: '2030-01-31', lastDate: '2030-01-31' };
  expect(formatImportPreview({ ...bare, ...day })).toContain('\ndelivery       2030-01-31\n');
});

test('keeps one line per fact whatever the file contains', () => {
  const hostile = 'a\nb\u001b[2J\u202e';
  const text = formatImportPreview({
    ...bare,
    file: hostile,
    unsent: [hostile],
    firstOrder: { [hostile]: hostile },
    mapping: [{ header: hostile, path: hostile, isExtra: true }],
  });
  expect(text).toBe(
    [
      'a b',
      'read as        windows-1251, semicolons between cells',
      'orders         1 with 1 line',
      'extra fields   a b',
      'not sent       a b',
      'first order',
      '  a b: a b',
    ].join('\n'),
  );
});

test('cuts long texts', () => {
  const unsent = Array.from({ length: 102 }, (_, index) => `c${index}`);
  const shown = formatImportPreview({ ...bare, unsent, firstOrder: { note: 'x'.repeat(5_000_000) } });
  expect(shown.split('\n').at(-1)).toBe(`  note: ${'x'.repeat(1000)}…`);
  expect(shown).toMatch(/^not sent {7}c0, .*, c99 and 2 more$/m);
});
