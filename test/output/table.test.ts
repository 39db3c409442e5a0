import { expect, test } from 'vitest';
import { createStyle } from '../../src/output/print.ts';
import { formatTable } from '../../src/output/table.ts';

type TableLook = Parameters<typeof formatTable>[2];

const look = (width: number, more: Partial<TableLook> = {}): TableLook => ({
  width,
  header: true,
  style: createStyle(false),
  ...more,
});

/** The width in terminal columns; the only wide characters in these tests are Chinese. */
const displayWidth = (line: string) => [...line].length + (line.match(/\p{Script=Han}/gu)?.length ?? 0);

test('aligns columns under their names, amounts to the right', () => {
  const { text } = formatTable(
    ['orderNumber', 'status', 'total', 'note'],
    [
      ['ORD-1', 'NEW', '5', 'a'],
      ['ORD-22', 'CANCELLED', '25000.50', ''],
    ],
    look(80),
  );
  expect(text).toBe(
    [
      'orderNumber  status        total  note',
      'ORD-1        NEW               5  a',
      'ORD-22       CANCELLED  25000.50',
    ].join('\n'),
  );
});

test('aligns Cyrillic, the tugrik sign and Chinese by their width on a terminal', () => {
  const { text } = formatTable(
    ['city', 'total', 'x'],
    [
      ['Улаанбаатар', '25,000 ₮', '|'],
      ['Өмнөговь', '₮', '|'],
      ['漢字', '1', '|'],
    ],
    look(80),
  );
  expect(text).toBe(
    [
      'city            total  x',
      'Улаанбаатар  25,000 ₮  |',
      'Өмнөговь            ₮  |',
      '漢字                1  |',
    ].join('\n'),
  );
  expect(text.split('\n').map(displayWidth)).toEqual([24, 24, 24, 24]);
});

test('a sentence goes on below its first line, and only so far', () => {
  const { text } = formatTable(
    ['name', { name: 'message', isWrapped: true }],
    [
      ['disk', 'a sentence that is too long for a line'],
      ['b', 'short'],
    ],
    look(24),
  );
  expect(text).toBe(
    ['name  message', 'disk  a sentence that is', '      too long for a', '      line', 'b     short'].join(
      '\n',
    ),
  );
  const long = formatTable([{ name: 'message', isWrapped: true }], [['ab '.repeat(1_000_000)]], look(80));
  expect(long.text.split('\n')).toHaveLength(14);
});

test('long headers are cut before any value', () => {
  const columns = ['orderNumber', 'requestedDeliveryDate', 'collectionAmount'];
  const { text } = formatTable(columns, [['ORD-2026-000123', '2026-11-25', '25000.50']], look(40));
  expect(text).toBe(
    ['orderNumber      requested…  collection…', 'ORD-2026-000123  2026-11-25     25000.50'].join('\n'),
  );
});

test('then the widest values are cut, amounts last and order numbers never', () => {
  const columns = ['orderNumber', 'note', 'total'];
  const rows = [['ORD-2026-000123', 'Өглөө эрт авчирна уу', '25000.50']];
  expect(formatTable(columns, rows, look(40)).text).toBe(
    ['orderNumber      note              total', 'ORD-2026-000123  Өглөө эрт ав…  25000.50'].join('\n'),
  );
  expect(formatTable(columns, rows, look(26)).text).toBe(
    ['orderNumber  ORD-2026-000123', 'note         Өглөө эрт авчирна уу', 'total        25000.50'].join('\n'),
  );
});

test("a shop's own order number is cut at the start: two of them differ at the end", () => {
  const rows = ['SHOP-2026-11-000123', 'SHOP-2026-11-000124', 'UB-1'].map((id) => [
    id,
    'Өглөө эрт авчирна уу',
  ]);
  expect(formatTable(['externalOrderId', 'note'], rows, look(24)).text).toBe(
    [
      'externalOr…  note',
      '…-11-000123  Өглөө эрт …',
      '…-11-000124  Өглөө эрт …',
      'UB-1         Өглөө эрт …',
    ].join('\n'),
  );
});

test('a value wider than the terminal is cut, also in the middle of an emoji', () => {
  const { text } = formatTable(['a', 'b'], [['漢字漢字漢字', '😀😀😀😀😀😀😀']], look(14));
  expect(text).toBe(['a       b', '漢字…   😀😀 …'].join('\n'));
  expect(formatTable(['a'], [['x'.repeat(100_000)]], look(10)).text).toBe('a\nxxxxxxxxx…');
});

test('never exceeds the width while every column can have 6 characters', () => {
  const columns = ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc'];
  const rows = [['1234567890', 'Өглөөний мэнд', '漢字漢字漢字']];
  for (let width = 22; width < 60; width += 1) {
    const lines = formatTable(columns, rows, look(width)).text.split('\n');
    expect(lines).toHaveLength(2);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(width);
  }
});

test('one record after the other when no table fits', () => {
  const columns = ['orderNumber', 'status', 'customer.phone'];
  const rows = [
    ['ORD-2026-000123', 'NEW', '99112233'],
    ['ORD-2026-000124', '', '+976 8811 2233 and more than fits'],
  ];
  expect(formatTable(columns, rows, look(21)).text).toBe(
    [
      'orderNumber     ORD-2026-000123',
      'status          NEW',
      'customer.phone  99112233',
      '',
      'orderNumber     ORD-2026-000124',
      'status',
      'customer.phone  +976 8811 2233 and more than fits',
    ].join('\n'),
  );
});

test('a part that fits the widths so far continues without a header', () => {
  const first = formatTable(['id', 'note'], [['1', 'long note']], look(80));
  expect(first.text).toBe('id  note\n1   long note');
  const second = formatTable(['id', 'note'], [['2', 'x']], look(80), first.contentWidths);
  expect(second.text).toBe('2   x');
});
