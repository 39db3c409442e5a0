import { describe, expect, it } from 'vitest';
import { headerErrors, planRows, type RowsOptions } from '../plan-rows.ts';

/** Which column fills which field, which columns nothing reads, and the problems, of a file with one order. */
async function map(header: string, flags: string[] = [], mapping?: RowsOptions['map'], row = 'A-1') {
  const { summary, problems } = await planRows([header, row], {
    flags: ['--no-checks', ...flags],
    map: mapping,
  });
  const columns = (summary?.plan.mapping ?? []) as { header: string; path: string; isExtra: boolean }[];
  return {
    sent: columns.map(({ header, path, isExtra }) => `${header} → ${path}${isExtra ? ' (extra)' : ''}`),
    unsent: summary?.plan.unsent,
    problems: problems
      .filter(({ at }) => !at.startsWith('row '))
      .map(({ at, code, fix }) => `${at.replace(/^header(?:, )?/, '')} ${code}: ${fix}`.trim()),
  };
}

const id = 'externalOrderId → externalOrderId';
const known = [
  ...['externalOrderId', 'customer.phone', 'customer.externalCustomerId', 'items[].sku'],
  ...['collectionMode', 'collectionAmount', 'total', 'requestedDeliveryDate'],
];

describe('a header', () => {
  it.each<[string, (path: string) => string]>([
    ['as it is', (path) => path],
    ['in capitals', (path) => path.toUpperCase()],
    ['in small letters', (path) => path.toLowerCase()],
    ['with spaces', (path) => ` ${path.replace('.', ' . ')}`],
  ])('names every field of the interface %s', async (_, spell) => {
    const header = known.map(spell);
    const { sent, problems } = await map(header.join('|'));
    expect([sent, problems]).toEqual([known.map((path, index) => `${header[index]?.trim()} → ${path}`), []]);
  });

  it('names other fields, of orders and of lines', async () => {
    const header =
      'externalOrderId|Items[12].SKU|items[].quantity:number|gift:boolean|meta:json|items[].name:text|total:number|deliveryAddress.Хот|items[].tags[0]';
    const { sent, problems } = await map(header);
    expect([sent, problems]).toEqual([
      [
        id,
        'Items[12].SKU → items[12].sku',
        'items[].quantity:number → items[].quantity (extra)',
        'gift:boolean → gift (extra)',
        'meta:json → meta (extra)',
        'items[].name:text → items[].name (extra)',
        'total:number → total',
        'deliveryAddress.Хот → deliveryAddress.Хот (extra)',
        'items[].tags[0] → items[].tags[0] (extra)',
      ],
      [],
    ]);
  });

  it('is not taken for a field that it nearly names', async () => {
    const near = {
      'customer.phonee': 'customer.phone',
      'costumer.phone': 'customer.phone',
      customer_phone: 'customer.phone',
      'customer.fone': 'customer.phone',
      'customer.externalCustomerID1': 'customer.externalCustomerId',
      'items.sku': 'items[].sku',
      'item[].sku': 'items[].sku',
      'items[].skus': 'items[].sku',
      'items[0].skus': 'items[].sku',
      colectionMode: 'collectionMode',
      collectionAmounts: 'collectionAmount',
      requestedDeliveryDat: 'requestedDeliveryDate',
      'requestedDeliverDat:text': 'requestedDeliveryDate',
      requested_delivery_date: 'requestedDeliveryDate',
      'collection-mode': 'collectionMode',
    };
    const { problems } = await map(['externalOrderId', ...Object.keys(near)].join('|'));
    expect(problems.map((text) => text.replace(/^column \w+ /, ''))).toEqual(
      Object.entries(near).map(
        ([name, path]) => `${name} header_invalid (near_miss): did you mean ${path}? rename the column`,
      ),
    );
  });

  it('is refused when it cannot be a path', async () => {
    const codesOf = async (names: string[]) => {
      const plan = await planRows([['externalOrderId', ...names].join('|'), 'A-1']);
      return headerErrors(plan).filter((text) => text.startsWith('header_'));
    };
    const unsafe = [
      ...[
        '__proto__.phone',
        'customer.__proto__',
        'customer.constructor',
        'prototype.x',
        'items[].__proto__',
      ],
      ...['items[0].constructor:json', 'constructor:json', '__proto__[0]', '__proto__'],
    ];
    expect(await codesOf(unsafe)).toEqual(unsafe.map((name) => `header_invalid (unsafe) ${name}`));
    const invalid = [
      'customer.',
      '.phone',
      'deliveryAddress..city',
      'items[x].name',
      'a.b[',
      'items[1000].name',
    ];
    expect(await codesOf(invalid)).toEqual(invalid.map((name) => `header_invalid ${name}`));
    const types = ['items[].quantity:int', 'meta.x:String', 'note:int'];
    expect(await codesOf(types)).toEqual(types.slice(0, 2).map((name) => `header_invalid ${name}`));
    const { problems } = await planRows([`externalOrderId|${types[0]}|constructor`, 'A-1']);
    expect(problems.map(({ problem }) => problem).slice(0, 1)).toEqual([
      '":int" is not a type; the types are :text, :number, :boolean, :json',
    ]);
  });

  it('is refused when letters of it were lost', async () => {
    const { problems } = await map('externalOrderId|Хаяг|Х?ргэх ?д?р|Бэлэн үү?');
    expect(problems).toEqual(['column C Х?ргэх ?д?р text_damaged: save the original again as "CSV UTF-8"']);
  });

  const keep = 'keep one of the two, or choose one:';
  it.each<[string, string[]]>([
    ['Tags|total|Tags|total', [`column E total header_duplicate: ${keep} --map-column 'total#2=total'`]],
    [
      'total|TOTAL|items[].name|items[].name:text',
      [
        `column C TOTAL header_duplicate: ${keep} --map-column 'TOTAL#2=total'`,
        `column E items[].name:text header_duplicate: ${keep} --map-column 'items[].name:text=items[].name'`,
      ],
    ],
    [
      'customer:json|customer.phone',
      [`column C customer.phone header_duplicate: ${keep} --map-column 'customer.phone=customer.phone'`],
    ],
    [
      'customer.phone|customer:json',
      [`column B customer.phone header_duplicate: ${keep} --map-column 'customer.phone=customer.phone'`],
    ],
    [
      'Phone|Shipping Phone',
      [`column C Shipping Phone header_duplicate: ${keep} --map-column 'Shipping Phone=customer.phone'`],
    ],
    [
      'customer.phonee|x.constructor|a|a',
      [
        'column B customer.phonee header_invalid (near_miss): did you mean customer.phone? rename the column',
        'column C x.constructor header_invalid (unsafe): rename the column or remove it',
      ],
    ],
  ])('may not fill one field by two columns: %s', async (header, problems) => {
    const row = ['A-1', ...header.split('|').keys()].join('|');
    expect((await map(`externalOrderId|${header}`, [], undefined, row)).problems).toEqual(problems);
  });
});

describe('a header without order IDs', () => {
  const fixOf = async (...rows: string[]) => {
    const { problems } = await planRows(rows, { between: '~' });
    return problems.find(({ code }) => code === 'column_missing')?.fix;
  };

  it.each([
    ['A-12', true],
    ...['Б.Өлзийбаяр', '2026-11-22', '45000.50', 'a1@shop.mn', ''].map((value) => [value, false] as const),
  ] as const)(
    'names a column of a similar name whose values may be IDs: %j is %s',
    async (value, isNamed) => {
      const fix = await fixOf('Orders ID~x', `${value}~1`, `${value}~2`);
      expect(fix?.includes("--map-column 'Orders ID=externalOrderId'")).toBe(isNamed);
    },
  );
});

describe('a field is filled by', () => {
  const columns = (fields: object) => ({ columns: fields });
  const header = 'Ref|Phone|total|Order Total';
  const byFlag = ['--map-column', 'Ref=externalOrderId'];
  it.each<[string, string, string[], object | undefined, string[], string[]]>([
    [
      '--map-column before all else',
      header,
      [...byFlag, '--map-column', 'order total=total'],
      columns({ total: 'total' }),
      ['Ref → externalOrderId', 'Phone → customer.phone', 'Order Total → total'],
      ['total'],
    ],
    [
      'a mapping file before the header',
      header,
      byFlag,
      columns({ total: 'Order Total' }),
      ['Ref → externalOrderId', 'Phone → customer.phone', 'Order Total → total'],
      ['total'],
    ],
    [
      'its path before its usual names',
      header,
      byFlag,
      undefined,
      ['Ref → externalOrderId', 'Phone → customer.phone', 'total → total'],
      ['Order Total'],
    ],
    [
      'a preset before its usual names',
      'Name|Phone|Shipping Phone|Total|Lineitem sku',
      ['--preset', 'shopify'],
      undefined,
      [
        'Name → externalOrderId',
        'Shipping Phone → customer.phone',
        'Total → total',
        'Lineitem sku → items[].sku',
      ],
      [],
    ],
    [
      'its usual names',
      'Захиалгын дугаар| Утас |Барааны код|НИЙТ ДҮН|Хүргэх өдөр|Хураах дүн',
      [],
      undefined,
      [
        'Захиалгын дугаар → externalOrderId',
        'Утас → customer.phone',
        'Барааны код → items[].sku',
        'НИЙТ ДҮН → total',
        'Хүргэх өдөр → requestedDeliveryDate',
        'Хураах дүн → collectionAmount',
      ],
      [],
    ],
    [
      'its usual names in English',
      'order number|PHONE NUMBER|Customer ID|COD Amount|Delivery Date',
      [],
      undefined,
      [
        'order number → externalOrderId',
        'PHONE NUMBER → customer.phone',
        'Customer ID → customer.externalCustomerId',
        'COD Amount → collectionAmount',
        'Delivery Date → requestedDeliveryDate',
      ],
      [],
    ],
    [
      'no column that fills another by a flag',
      'externalOrderId|total',
      ['--map-column', 'total=collectionAmount'],
      undefined,
      [id, 'total → collectionAmount'],
      [],
    ],
    [
      'one column of two usual names by a flag',
      'Order ID|Phone|Shipping Phone',
      ['--map-column', 'Shipping Phone=customer.phone'],
      undefined,
      ['Order ID → externalOrderId', 'Shipping Phone → customer.phone'],
      ['Phone'],
    ],
    [
      'a column that a mapping file names twice',
      'externalOrderId|Total',
      [],
      columns({ total: 'Total', collectionAmount: 'Total' }),
      [id, 'Total → total', 'Total → collectionAmount'],
      [],
    ],
    [
      'never the number that the service assigns',
      'externalOrderId|orderNumber',
      [],
      undefined,
      [id],
      ['orderNumber'],
    ],
    [
      'no column that a mapping file ignores',
      'externalOrderId|customer.fone|Tags|Notes',
      [],
      { ignore: ['customer.fone', 'Tags'] },
      [id],
      ['Notes'],
    ],
    [
      'group_by, for the order ID',
      'Name|Total',
      [],
      { group_by: 'Name' },
      ['Name → externalOrderId', 'Total → total'],
      [],
    ],
    [
      'the order ID before group_by',
      'Ref|Name',
      [],
      { group_by: 'Name', columns: { externalOrderID: 'Ref' } },
      ['Ref → externalOrderId'],
      ['Name'],
    ],
  ])('%s', async (_, header, flags, mapping, sent, unsent) => {
    expect(await map(header, flags, mapping)).toEqual({ sent, unsent, problems: [] });
  });

  it('columns that the file has, named as fields', async () => {
    const flags = ['--map-column', 'Phne=customer.phone', '--map-column', 'Id=customer.__proto__'];
    expect((await map('Id|Phone', flags)).problems).toEqual([
      'Phne column_unknown: did you mean "Phone"?',
      'customer.__proto__ header_invalid: use a field such as customer.phone or deliveryAddress.city',
      expect.stringContaining('externalOrderId column_missing'),
    ]);
    const mapping = {
      columns: { externalOrderId: 'Number', total: { from: 'Id', when: { Stat: 'x' } } },
      ignore: ['Tags'],
      skip_rows_when: { Cancelled: '*' },
      refuse_rows_when: { Way: 'x' },
    };
    expect((await map('Id', [], mapping)).problems.map((text) => text.split(':')[0])).toEqual([
      ...['Tags', 'Number', 'Stat', 'Cancelled', 'Way'].map((name) => `${name} column_unknown`),
      'externalOrderId column_missing',
    ]);
    const misspelt = { columns: { 'items.sku': 'SKU', 'items[].n:int': 'N' } };
    const { problems } = await planRows(['externalOrderId|Phone|SKU|N', 'A'], {
      flags: ['--map-column', 'Phone=customer.phonee'],
      map: misspelt,
    });
    expect(problems.slice(0, 3).map(({ code, problem, fix }) => [code, problem, fix])).toEqual([
      [
        'header_invalid (near_miss)',
        '--map-column does not name a field of an order',
        'did you mean customer.phone?',
      ],
      [
        'header_invalid (near_miss)',
        'columns.items.sku does not name a field of an order',
        'did you mean items[].sku?',
      ],
      [
        'header_invalid',
        'columns.items[].n:int does not name a field: ":int" is not a type; the types are :text, :number, :boolean, :json',
        'use a field such as customer.phone or deliveryAddress.city',
      ],
    ]);
  });
});
