import { describe, expect, it } from 'vitest';
import { blankHeaderProblem } from '../../../src/import/columns/header.ts';
import { knownPaths } from '../../../src/import/columns/known-fields.ts';
import { mapHeader as mapRow } from '../../../src/import/map/map-header.ts';
import { formatFieldPath } from '../../../src/orders/field-path.ts';
import { headerOf } from '../tables.ts';

const idHeader = 'externalOrderId';
const mapHeader = (header: string[]) => mapRow(headerOf(...header), {});
const map = (...header: string[]) => mapHeader([idHeader, ...header]);

/** The mapping of one column next to the order ID column. */
function column(header: string) {
  const { columns, unsent, problems } = map(header);
  expect({ unsent, problems, columns: columns.length }).toEqual({ unsent: [], problems: [], columns: 2 });
  const [, { path = [], type, isLine, isExtra } = {}] = columns;
  return { path: formatFieldPath(path), type, isLine, isExtra };
}

describe('columns that are sent', () => {
  it('maps every field of the interface, in any case and with spaces', () => {
    expect(knownPaths).toEqual([
      'externalOrderId',
      'customer.phone',
      'customer.externalCustomerId',
      'items[].sku',
      'collectionMode',
      'collectionAmount',
      'total',
      'requestedDeliveryDate',
    ]);
    for (const path of knownPaths.slice(1)) {
      const isLine = path.startsWith('items');
      for (const header of [path, path.toUpperCase(), path.toLowerCase(), ` ${path.replace('.', ' . ')}`]) {
        expect([header, column(header)]).toEqual([header, { path, type: 'text', isLine, isExtra: false }]);
      }
    }
    expect(mapHeader(['EXTERNALORDERID'])).toMatchObject({ columns: [{ path: [idHeader] }], problems: [] });
  });

  it.each([
    ['items[0].sku', { path: 'items[0].sku', type: 'text', isLine: false, isExtra: false }],
    ['Items[12].SKU', { path: 'items[12].sku', type: 'text', isLine: false, isExtra: false }],
    ['items[].quantity:number', { path: 'items[].quantity', type: 'number', isLine: true, isExtra: true }],
    ['gift:boolean', { path: 'gift', type: 'boolean', isLine: false, isExtra: true }],
    ['meta:json', { path: 'meta', type: 'json', isLine: false, isExtra: true }],
    ['items[].name:text', { path: 'items[].name', type: 'text', isLine: true, isExtra: true }],
    ['total:number', { path: 'total', type: 'number', isLine: false, isExtra: false }],
    ['deliveryAddress.city', { path: 'deliveryAddress.city', type: 'text', isLine: false, isExtra: true }],
    ['deliveryAddress.Хот', { path: 'deliveryAddress.Хот', type: 'text', isLine: false, isExtra: true }],
    ['customer.name', { path: 'customer.name', type: 'text', isLine: false, isExtra: true }],
    ['items[].sum:number', { path: 'items[].sum', type: 'number', isLine: true, isExtra: true }],
    ['items[].tags[0]', { path: 'items[].tags[0]', type: 'text', isLine: true, isExtra: true }],
  ])('maps %s', (header, expected) => {
    expect(column(header)).toEqual(expected);
  });

  it('keeps the index and the header', () => {
    const { columns } = mapHeader(['Notes', idHeader, '', ' TOTAL ']);
    expect(columns.map(({ index, header }) => [index, header])).toEqual([
      [1, idHeader],
      [3, ' TOTAL '],
    ]);
  });
});

describe('columns that are not sent', () => {
  it('lists columns with other names', () => {
    const { columns, unsent, problems } = map('Tags', 'Notes', 'totals?', 'Дүн');
    expect({ columns: columns.length, unsent, problems }).toEqual({
      columns: 1,
      unsent: ['Tags', 'Notes', 'totals?', 'Дүн'],
      problems: [],
    });
  });

  it.each([
    'Address No. 1',
    'Qty.',
    'P.U.',
    'Art.Nr',
    'Q.tà',
    'т.утас',
    'Price (v1.0)',
    'Total [MNT]',
    'https://shop.mn/a.b',
    'Тоо. ш',
  ])('lists a column whose header is ordinary text: %s', (header) => {
    const { columns, unsent, problems } = map(header);
    expect({ columns: columns.length, unsent, problems }).toEqual({
      columns: 1,
      unsent: [header],
      problems: [],
    });
  });

  it('ignores columns with no name or a name that begins with _', () => {
    const { columns, unsent, problems } = map('', '', '_row', '_code', '_anything.else');
    expect({ columns: columns.length, unsent, problems }).toEqual({ columns: 1, unsent: [], problems: [] });
  });
});

describe('header problems', () => {
  const common = { about: 'header', severity: 'error', row: 1, line: 1 };

  it.each([
    ['customer.phonee', 'customer.phone'],
    ['costumer.phone', 'customer.phone'],
    ['customer_phone', 'customer.phone'],
    ['customer.fone', 'customer.phone'],
    ['customer.externalCustomerID1', 'customer.externalCustomerId'],
    ['items.sku', 'items[].sku'],
    ['item[].sku', 'items[].sku'],
    ['items[].skus', 'items[].sku'],
    ['items[0].skus', 'items[].sku'],
    ['colectionMode', 'collectionMode'],
    ['collectionAmounts', 'collectionAmount'],
    ['requestedDeliveryDat', 'requestedDeliveryDate'],
    ['requestedDeliverDat:text', 'requestedDeliveryDate'],
    ['requested_delivery_date', 'requestedDeliveryDate'],
    ['collection-mode', 'collectionMode'],
  ])('suggests for %s: %s', (header, suggestion) => {
    expect(map(header).problems).toEqual([
      {
        ...common,
        code: 'header_near_miss',
        column: 'B',
        header,
        problem: 'is not a field of an order',
        fix: `did you mean ${suggestion}? rename the column`,
      },
    ]);
  });

  it.each([
    '__proto__.phone',
    'customer.__proto__',
    'customer.constructor',
    'prototype.x',
    'items[].__proto__',
    'items[0].constructor:json',
    'constructor:json',
    '__proto__[0]',
    '__proto__',
  ])('rejects the unsafe header %s', (header) => {
    const { columns, problems } = mapHeader(['customer.phone', idHeader, header]);
    const name = /__proto__|constructor|prototype/.exec(header)?.[0];
    expect(columns.map(({ header }) => header)).toEqual(['customer.phone', idHeader]);
    expect(problems).toEqual([
      {
        ...common,
        code: 'header_unsafe',
        column: 'C',
        header,
        problem: `"${name}" cannot be part of a field path`,
        fix: 'rename the column or remove it',
      },
    ]);
  });

  it.each(['customer.', '.phone', 'deliveryAddress..city', 'items[x].name', 'a.b[', 'items[1000].name'])(
    'rejects the invalid path %s',
    (header) => {
      expect(map(header).problems).toMatchObject([{ code: 'header_invalid', column: 'B', header }]);
    },
  );

  it('rejects unknown types', () => {
    expect(map('items[].quantity:int', 'meta.x:String', 'note:int').problems).toEqual([
      {
        ...common,
        code: 'header_invalid',
        column: 'B',
        header: 'items[].quantity:int',
        problem: '":int" is not a type; the types are :text, :number, :boolean, :json',
        fix: 'rename the column or remove it',
      },
      {
        ...common,
        code: 'header_invalid',
        column: 'C',
        header: 'meta.x:String',
        problem: '":String" is not a type; the types are :text, :number, :boolean, :json',
        fix: 'rename the column or remove it',
      },
    ]);
  });

  it('reports headers with lost letters', () => {
    expect(map('Хаяг', 'Х?ргэх ?д?р', 'Бэлэн үү?').problems).toEqual([
      {
        ...common,
        code: 'text_damaged',
        column: 'C',
        header: 'Х?ргэх ?д?р',
        problem: 'letters were lost when the file was saved: older encodings have no Ө and Ү',
        fix: 'save the original again as "CSV UTF-8"',
      },
    ]);
  });

  const duplicateHeader = (column: string, header: string, problem: string, fix: string) => {
    return { ...common, code: 'header_duplicate', column, header, problem, fix };
  };

  it('reports duplicate names only when both would be read', () => {
    expect(map('Tags', 'total', 'Tags', 'total').problems).toEqual([
      duplicateHeader(
        'E',
        'total',
        'fills total, which column C also fills',
        "keep one of the two, or choose one: --map-column 'total#2=total'",
      ),
    ]);
  });

  it('reports two columns for one field', () => {
    expect(map('total', 'TOTAL', 'items[].name', 'items[].name:text').problems).toEqual([
      duplicateHeader(
        'C',
        'TOTAL',
        'fills total, which column B also fills',
        "keep one of the two, or choose one: --map-column 'TOTAL=total'",
      ),
      duplicateHeader(
        'E',
        'items[].name:text',
        'fills items[].name, which column D also fills',
        "keep one of the two, or choose one: --map-column 'items[].name:text=items[].name'",
      ),
    ]);
  });

  it.each([
    [['customer:json', 'customer.phone'], 'C', 'B'],
    [['customer.phone', 'customer:json'], 'B', 'C'],
  ])('reports a column for a part of another field: %s', (header, part, whole) => {
    const problem = `fills customer.phone, which column ${whole} also fills`;
    const fix = "keep one of the two, or choose one: --map-column 'customer.phone=customer.phone'";
    expect(map(...header).problems).toEqual([duplicateHeader(part, 'customer.phone', problem, fix)]);
  });

  it('reports a missing order ID column', () => {
    expect(mapHeader(['Order', 'total']).problems).toEqual([
      {
        about: 'header',
        severity: 'error',
        code: 'column_missing',
        path: idHeader,
        problem: 'no column holds your order IDs, which prevent an order from being created twice',
        fix: 'name that column externalOrderId; the columns are: Order, total',
      },
    ]);
  });

  it('reports every problem', () => {
    expect(
      mapHeader(['customer.phonee', 'x.constructor', 'a', 'a']).problems.map(({ code }) => code),
    ).toEqual(['header_near_miss', 'header_unsafe', 'column_missing']);
  });

  it('reports a column without a name that has text', () => {
    expect(blankHeaderProblem(headerOf(), 27)).toEqual({
      ...common,
      code: 'header_blank',
      column: 'AB',
      header: '',
      problem: 'has no name, but some of its cells have text',
      fix: 'name the column or remove it',
    });
  });
});
