import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { start } from '../setup.ts';

async function shopWith(...lines: string[]) {
  const shop = await start('orders.csv');
  writeFileSync(shop.csv, `${lines.join('\n')}\n`);
  return shop;
}

/** `2 TEA-001` of each order, by its ID. */
async function linesSent(shop: Awaited<ReturnType<typeof shopWith>>) {
  const orders = await shop.listed();
  return Object.fromEntries(
    orders.map(({ externalOrderId, items }) => [
      externalOrderId,
      items.map((line) => [line.quantity, line.sku ?? line.name].join(' ').trim()),
    ]),
  );
}

const prepaid = { pick: 'nothing: all orders are prepaid' };

describe('the lines of an order in one row', () => {
  it('are read from one cell without a question when only one reading fits', async () => {
    const shop = await shopWith(
      'Pedido,Teléfono,Items',
      'A-1,99112233,TEA-001 x 2; MLK-002 x 1',
      'A-2,99112244,TEA-001 x 3',
    );
    const { exitCode, asked } = await shop.import([], { answers: [prepaid, 'right', true] });
    expect({ exitCode, count: asked.length }).toEqual({ exitCode: 0, count: 3 });
    expect(await linesSent(shop)).toEqual({ 'A-1': ['2 TEA-001', '1 MLK-002'], 'A-2': ['3 TEA-001'] });
  });

  it('are asked about when each cell may be one product', async () => {
    const shop = await shopWith(
      'Pedido,Teléfono,Lo que quiere',
      'A-1,99112233,Socks x 3',
      'A-2,99112244,Tea x 2',
    );
    const { exitCode, asked } = await shop.import([], {
      answers: ['0', prepaid, 'right', true],
    });
    expect(asked[0]).toContain('How is this column read?');
    expect(exitCode).toBe(0);
    expect(await linesSent(shop)).toEqual({ 'A-1': ['3 Socks'], 'A-2': ['2 Tea'] });
  });

  it('are read from a column that would be the SKU', async () => {
    const shop = await shopWith(
      'Order ID,Phone,SKU,collectionMode',
      '1,99112233,TEA-001 x 3; MLK-002 x 1,NONE',
      '2,99112244,TEA-001 x 2,NONE',
    );
    const { exitCode } = await shop.import([], { answers: ['right', true] });
    expect(exitCode).toBe(0);
    expect(await linesSent(shop)).toEqual({ 1: ['3 TEA-001', '1 MLK-002'], 2: ['2 TEA-001'] });
  });

  it('are read from a column of SKUs whose cells look like names', async () => {
    const shop = await shopWith('Pedido,Phone,SKU,collectionMode', 'A1,99112233,Tea x 2; Mug x 1,NONE');
    const { stderr } = await shop.import(['--dry-run', '--details'], { answers: ['right'] });
    expect(stderr).toMatch(/items {7}2 × Tea\n +1 × Mug\n/);
    expect(stderr).toContain('SKU → items[].sku');
    expect(stderr).not.toContain('items[].name');
  });

  it.each([
    ['names with a number beside a quantity', 'Product,Quantity', 'Socks x 3,1', undefined],
    ['one line a cell', 'Items', 'Socks x 3', { from: 'Items', form: expect.stringMatching(/^\? .* \| /) }],
    [
      'a quantity of all lines',
      'Items,Quantity',
      'A-1 x 3; B-1 x 1,4',
      { form: expect.stringMatching(/^\? /) },
    ],
    ['sizes', 'Items', 'Shoe (42); Sock (2)', { form: expect.stringMatching(/^\? /) }],
    ['numbered phones', 'Phone 1,Phone 2,SKU', '99112233,99112234,TEA', undefined],
    ['counts before', 'Items', '"2 x Tea, 1 x Mug"', { between: ',', form: expect.stringMatching(/^\{/) }],
  ])('are in a draft only as far as they are sure: %s', async (_, names, cells, lines) => {
    const shop = await shopWith(`Pedido,Teléfono,${names}`, `A-1,99112233,${cells}`, `A-2,99112244,${cells}`);
    const { stdout } = await shop.import(['--write-map', '-']);
    const draft = JSON.parse(stdout);
    if (lines === undefined) expect(draft).not.toHaveProperty('lines');
    else expect(draft.lines).toMatchObject(lines);
  });
});
