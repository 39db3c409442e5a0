import { describe, expect, it } from 'vitest';
import { type MappingOptions, mapHeader } from '../../../src/import/map/map-header.ts';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import { presets } from '../../../src/import/shops/presets.ts';
import { formatFieldPath } from '../../../src/orders/field-path.ts';
import { headerOf } from '../tables.ts';

const file = (mapping: object) => parseMappingFile(JSON.stringify(mapping), 'mapping.json');

/** `header → path`, what is not sent, and the codes of the problems. */
function map(header: string, flags: MappingOptions = {}) {
  const { columns, unsent, problems } = mapHeader(headerOf(...header.split('|')), flags);
  return {
    sent: columns.map((column) => `${column.header} → ${formatFieldPath(column.path)}`),
    unsent,
    problems: problems.map(({ code, header, fix }) => `${code} ${header ?? ''}: ${fix}`),
  };
}

describe('mapping precedence', () => {
  const header = 'No|Phone|total|Order Total';
  const flag = { header: 'No', path: 'externalOrderId' };

  it('prefers --map-column to everything else', () => {
    const flags = { mapColumn: [flag, { header: 'order total', path: 'total' }] };
    expect(map(header, { ...flags, map: file({ columns: { total: 'total' } }) })).toEqual({
      sent: ['No → externalOrderId', 'Phone → customer.phone', 'Order Total → total'],
      unsent: ['total'],
      problems: [],
    });
  });

  it('prefers the mapping file to the header', () => {
    const flags = { mapColumn: [flag], map: file({ columns: { total: 'Order Total' } }) };
    expect(map(header, flags).sent).toContain('Order Total → total');
    expect(map(header, flags).unsent).toEqual(['total']);
  });

  it('prefers a field path to an alias', () => {
    expect(map(header, { mapColumn: [flag] })).toEqual({
      sent: ['No → externalOrderId', 'Phone → customer.phone', 'total → total'],
      unsent: ['Order Total'],
      problems: [],
    });
  });

  it('prefers the preset to an alias', () => {
    expect(map('Name|Phone|Shipping Phone|Total|Lineitem sku', { preset: presets.shopify })).toEqual({
      sent: [
        'Name → externalOrderId',
        'Shipping Phone → customer.phone',
        'Total → total',
        'Lineitem sku → items[].sku',
      ],
      unsent: [],
      problems: [],
    });
  });

  it('falls back to aliases', () => {
    expect(map('Захиалгын дугаар| Утас |Барааны код|НИЙТ ДҮН|Хүргэх өдөр|Хураах дүн').sent).toEqual([
      'Захиалгын дугаар → externalOrderId',
      ' Утас  → customer.phone',
      'Барааны код → items[].sku',
      'НИЙТ ДҮН → total',
      'Хүргэх өдөр → requestedDeliveryDate',
      'Хураах дүн → collectionAmount',
    ]);
    expect(map('order number|PHONE NUMBER|Customer ID|COD Amount|Delivery Date').sent).toEqual([
      'order number → externalOrderId',
      'PHONE NUMBER → customer.phone',
      'Customer ID → customer.externalCustomerId',
      'COD Amount → collectionAmount',
      'Delivery Date → requestedDeliveryDate',
    ]);
  });

  it('sends an explicitly mapped column nowhere else', () => {
    const mapColumn = [{ header: 'total', path: 'collectionAmount' }];
    expect(map('externalOrderId|total', { mapColumn }).sent).toEqual([
      'externalOrderId → externalOrderId',
      'total → collectionAmount',
    ]);
    const both = file({ columns: { total: 'Total', collectionAmount: 'Total' } });
    expect(map('externalOrderId|Total', { map: both }).sent).toEqual([
      'externalOrderId → externalOrderId',
      'Total → total',
      'Total → collectionAmount',
    ]);
  });

  it('reports two aliases of one field', () => {
    expect(map('Order ID|Phone|Shipping Phone').problems).toEqual([
      "header_duplicate Shipping Phone: keep one of the two, or choose one: --map-column 'Shipping Phone=customer.phone'",
    ]);
    const mapColumn = [{ header: 'Shipping Phone', path: 'customer.phone' }];
    expect(map('Order ID|Phone|Shipping Phone', { mapColumn })).toMatchObject({
      unsent: ['Phone'],
      problems: [],
    });
  });

  it('never maps the order number that the service assigns', () => {
    expect(map('orderNumber|externalOrderId')).toMatchObject({ unsent: ['orderNumber'], problems: [] });
    expect(map('orderNumber').problems).toEqual([expect.stringContaining('column_missing')]);
  });
});

describe('explicit mappings', () => {
  it('reports unknown columns and invalid fields', () => {
    const mapColumn = [
      { header: 'Phne', path: 'customer.phone' },
      { header: 'Id', path: 'customer.__proto__' },
    ];
    expect(map('Id|Phone', { mapColumn }).problems).toEqual([
      `column_unknown Phne: did you mean "Phone"?`,
      'header_invalid : use a field such as customer.phone or deliveryAddress.city',
      expect.stringContaining('column_missing'),
    ]);
    const mapping = file({
      columns: { externalOrderId: 'Number', total: { from: 'Id', when: { Stat: 'x' } } },
      ignore: ['Tags'],
      skip_rows_when: { Cancelled: '*' },
      refuse_rows_when: { Way: 'x' },
    });
    expect(map('Id', { map: mapping }).problems.map((text) => text.split(':')[0])).toEqual([
      'column_unknown Tags',
      'column_unknown Number',
      'column_unknown Stat',
      'column_unknown Cancelled',
      'column_unknown Way',
      expect.stringContaining('column_missing'),
    ]);
  });

  it('reports misspelled fields and unknown types', () => {
    const mapColumn = [{ header: 'Phone', path: 'customer.phonee' }];
    const mapping = file({ columns: { 'items.sku': 'SKU', 'items[].n:int': 'N' } });
    const { problems } = mapHeader(headerOf('externalOrderId', 'Phone', 'SKU', 'N'), {
      mapColumn,
      map: mapping,
    });
    const common = { about: 'header', severity: 'error' };
    expect(problems).toEqual([
      {
        ...common,
        code: 'header_near_miss',
        path: 'customer.phonee',
        problem: '--map-column does not name a field of an order',
        fix: 'did you mean customer.phone?',
      },
      {
        ...common,
        code: 'header_near_miss',
        path: 'items.sku',
        problem: 'columns.items.sku does not name a field of an order',
        fix: 'did you mean items[].sku?',
      },
      {
        ...common,
        code: 'header_invalid',
        path: 'items[].n:int',
        problem:
          'columns.items[].n:int does not name a field: ":int" is not a type; the types are :text, :number, :boolean, :json',
        fix: 'use a field such as customer.phone or deliveryAddress.city',
      },
    ]);
  });

  it('ignores the columns listed under ignore', () => {
    const flags = { map: file({ ignore: ['customer.fone', 'Tags'] }) };
    expect(map('externalOrderId|customer.fone|Tags|Notes', flags)).toEqual({
      sent: ['externalOrderId → externalOrderId'],
      unsent: ['Notes'],
      problems: [],
    });
  });

  it('groups rows by the column of group_by', () => {
    expect(map('Name|Total', { map: file({ group_by: 'Name' }) }).sent).toEqual([
      'Name → externalOrderId',
      'Total → total',
    ]);
  });

  it('groups rows by the order ID rather than by the column of group_by', () => {
    const flags = { map: file({ group_by: 'Name', columns: { externalOrderID: 'No' } }) };
    expect(map('Name|No', flags)).toMatchObject({ sent: ['No → externalOrderId'], unsent: ['Name'] });
  });
});
