import { describe, expect, it } from 'vitest';
import { mapHeader } from '../../../src/import/map/map-header.ts';
import { presets } from '../../../src/import/shops/presets.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { formatFieldPath } from '../../../src/orders/field-path.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { fixture, headerOf, planFile } from '../tables.ts';

const more = { preset: 'woocommerce', constants: [parseAssignment('collectionMode=NONE')] } as const;
const planned = async (name: string) => {
  const { all } = await planFile(fixture(`import/exports/${name}`), more);
  return all.map(({ order, problems }) => [writeOrderBody(order), problems.map(({ code }) => code)]);
};

describe('lines side by side in one row', () => {
  it('reads the lines of an order that have text', async () => {
    const order = (id: number, phone: number, items: string, total: number) =>
      `{"externalOrderId":"${id}","customer":{"phone":"${phone}"},"items":[${items}],"collectionMode":"NONE","total":"${total}"}`;
    const tea = (quantity: number) => `{"sku":"TEA-001","name":"Сүүтэй цай","quantity":${quantity}}`;
    const green = '{"sku":"TEA-002","name":"Ногоон цай","quantity":1}';
    expect(await planned('woocommerce-lines-side-by-side.csv')).toEqual([
      [order(601, 99112233, `${tea(2)},${green}`, 26700), []],
      [order(602, 88114455, tea(1), 8900), []],
      [order(603, 88114456, tea(1), 8900), ['cancelled_in_shop']],
      [order(604, 88114457, tea(1), 8900), ['pickup_not_deliverable']],
    ]);
    const unstocked = '{"name":"Сүүтэй цай","quantity":1}';
    expect(await planned('woocommerce-lines-in-one-cell.csv')).toEqual([
      [order(601, 99112233, `${tea(2)},${green.replace('цай', 'цай: шинэ')}`, 26700), []],
      [order(602, 88114455, unstocked, 8900), []],
    ]);
  });

  const sent = (...header: string[]) => {
    const { columns } = mapHeader(headerOf('order_id', ...header), { preset: presets.woocommerce });
    return columns.slice(1).map((column) => `${column.header} → ${formatFieldPath(column.path)}`);
  };

  it.each([
    ['line_item_1_name', 'items[0].name'],
    ['Product Item 12 SKU', 'items[11].sku'],
    ['lineitem_2_qty', 'items[1].quantity'],
    ['SKU #3', 'items[2].sku'],
    ['Item Name #1', 'items[0].name'],
  ])('maps %s', (header, path) => {
    expect(sent(header)).toEqual([`${header} → ${path}`]);
  });

  it('ignores them when each row is a line', () => {
    expect(sent('item_sku', 'line_item_1_name')).toEqual(['item_sku → items[].sku']);
    expect(sent('line_item_1_color', 'line_items')).toEqual([]);
  });
});
