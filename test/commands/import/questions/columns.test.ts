import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answering } from '../../../support/cli.ts';
import { type Cells, start } from '../setup.ts';

async function shopWith(...lines: string[]) {
  const shop = await start('orders.csv');
  writeFileSync(shop.csv, `${lines.join('\n')}\n`);
  const draft = async (...flags: string[]) =>
    JSON.parse((await shop.import(['--write-map', '-', ...flags])).stdout);
  /** What is sent of each order: who pays, and its lines. */
  const sent = async (...answers: Answering[]) => {
    const { asked, exitCode, stderr } = await shop.import([], { answers: [...answers, true] });
    const orders = await shop.listed();
    const shown = orders.map(({ externalOrderId, collectionAmount = 'nothing', items }) => [
      externalOrderId,
      `${collectionAmount}: ${items.map((line) => `${line.quantity ?? 1} ${line.sku}`).join(', ')}`,
    ]);
    return { exitCode, asked: asked.slice(0, -1), orders: Object.fromEntries(shown), stderr };
  };
  return { ...shop, draft, sent };
}

/** `count` rows made of a line with `#` for their number. */
const rowsOf = (count: number, line: string) =>
  Array.from({ length: count }, (_, index) => line.replaceAll('#', String(index + 101)));

describe('the columns of a file', () => {
  it('are judged by all of its rows, however late a value comes', async () => {
    const shop = await shopWith(
      'externalOrderId,phone,sku,total,status',
      ...rowsOf(120, 'O-#,99110#,TEA-001,8900,PACKED'),
      'C-1,99120001,TEA-001,5000,COD',
      'P-1,99130001,TEA-001,5000,PAID',
    );
    expect((await shop.draft()).values.status).toEqual({
      PACKED: expect.stringMatching(/^\? /),
      COD: 'collect',
      PAID: 'prepaid',
    });
  });

  it('with a number of pieces that is first more than one below many rows are asked about', async () => {
    const shop = await shopWith(
      'externalOrderId,phone,sku,collectionMode,xx',
      ...rowsOf(120, 'O-#,99110#,TEA-001,NONE,1'),
      'O-1,99120001,TEA-001,NONE,3',
    );
    expect((await shop.draft()).columns['items[].quantity:number']).toMatch(/^\? \(choose\) \| xx/);
    const { orders } = await shop.sent({ pick: 'xx' }, 'right');
    expect([orders['O-1'], orders['O-101']]).toEqual(['nothing: 3 TEA-001', 'nothing: 1 TEA-001']);
  });

  it('are not all read by a mapping: off a terminal that is an error with the draft', async () => {
    const shop = await shopWith(
      'externalOrderId,phone,sku,collectionMode,Tags',
      ...rowsOf(2, 'O-#,99110#,TEA-001,NONE,t#'),
    );
    const { exitCode, stderr } = await shop.import(['--yes', '--json']);
    const { error } = JSON.parse(stderr.slice(stderr.lastIndexOf('{"error"')));
    expect({ exitCode, code: error.code, draft: error.draft.ignore }).toEqual({
      exitCode: 2,
      code: 'columns_undecided',
      draft: ['? Tags'],
    });
    expect(error.hint).toMatch(/^Run:\n {2}merchant-orders import \S+ --yes --json --ignore-rest\n/);
  });

  it('that --ignore-rest covers are remembered by name, so that a later one is an error again', async () => {
    const shop = await shopWith(
      'externalOrderId,phone,sku,collectionMode,Tags',
      'O-1,99110001,TEA-001,NONE,vip',
    );
    expect(await shop.import(['--yes', '--ignore-rest'])).toMatchObject({ exitCode: 0 });
    expect(await shop.import(['--yes'])).toMatchObject({ exitCode: 0 });
    writeFileSync(
      shop.csv,
      'externalOrderId,phone,sku,collectionMode,Tags,Source\nO-2,99110002,TEA-001,NONE,vip,web\n',
    );
    const { exitCode, stderr } = await shop.import(['--yes']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('nothing says what this column holds: Source (web)'),
    });
  });

  it('that say which orders are cancelled are not covered by --ignore-rest, which says what that would send', async () => {
    const shop = await shopWith(
      'externalOrderId,phone,sku,collectionMode,Tags,Status',
      'O-1,99110001,TEA-001,NONE,vip,new',
      'O-2,99110002,TEA-001,NONE,vip,cancelled',
    );
    const { exitCode, stderr } = await shop.import(['--yes', '--ignore-rest']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('column_unread (state)');
    expect(stderr).toContain(
      '--ignore-rest --ignore-column Status\nThat would mean:\n  Status: 1 cancelled order will be created',
    );
  });

  it('are asked about at once when they do not matter, and one by one when they may', async () => {
    const shop = await shopWith(
      'externalOrderId,phone,sku,collectionMode,total,Ramen,Done,Grade',
      ...rowsOf(6, 'O-#,99110#,TEA-001,NONE,8900,r#,no,A'),
      'O-1,99120001,TEA-001,NONE,8900,rx,yes,B',
    );
    const { asked, orders } = await shop.sent(
      { tick: ['Done'] },
      'state',
      'deliver',
      'leave_out',
      'right',
      'right',
    );
    expect(asked).toEqual([
      'Nothing reads these columns yet. Which of them matter? Each that stays ticked is asked about.',
      'What does Done hold? no (6), yes (1)',
      'Done is “no” (6 rows): what about them?',
      'Done is “yes” (1 row): what about them?',
      'Not read: Ramen. Right?',
      'Are these orders right?',
    ]);
    expect(Object.keys(orders)).not.toContain('O-1');
    expect(await shop.import([], { answers: [] })).toMatchObject({ asked: [], exitCode: 0 });
  });
});

it('a part of a field is joined to the column that fills it already, in the order of the file', async () => {
  const shop = await shopWith(
    'Order ID,Phone,Size,Product,collectionMode',
    'O-1,99110001,Large,Coat,NONE',
    'O-2,99110002,Small,Coat,NONE',
  );
  await shop.sent('product', 'right');
  const orders = await shop.listed();
  expect(orders.map(({ items }) => items[0]?.name)).toEqual(['Small Coat', 'Large Coat']);
});

it('a note that may be a state is asked about, and the others are sent as notes', async () => {
  const shop = await shopWith(
    'Order ID,Phone,SKU,Qty,Address,Note,collectionMode',
    'A1,99112233,TEA-001,2,"БЗД 3-р хороо, 12-р байр",call first,NONE',
    'A2,99112234,TEA-001,1,"БЗД 3-р хороо, 14-р байр",cancelled,NONE',
    'A3,99112235,TEA-001,1,"БЗД 3-р хороо, 16-р байр",after six,NONE',
  );
  const { exitCode, asked } = await shop.import([], { answers: ['leave_out', 'right', true] });
  expect(asked.filter((question) => question.startsWith('Note'))).toHaveLength(1);
  const notes = (await shop.listed()).map((order) => [order.externalOrderId, order.deliveryAddress]);
  expect([exitCode, Object.fromEntries(notes)]).toMatchObject([
    0,
    { A1: { note: 'call first' }, A3: { note: 'after six' } },
  ]);
  expect(notes).toHaveLength(2);
});

describe('who pays', () => {
  const plain = 'Order ID,Phone,SKU';

  it('is an error of an order whose amount to collect is blank, until the mapping says that it is prepaid', async () => {
    const shop = await shopWith(`${plain},COD amount`, 'K-1,99110001,TEA-001,8900', 'K-2,99110002,TEA-001,');
    const map = shop.path('cod.json');
    writeFileSync(map, '{"amount_due": "COD amount"}');
    const first = await shop.import(['--yes', '--map', map]);
    expect(first).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('the amount to collect is blank'),
    });
    writeFileSync(map, '{"amount_due": "COD amount", "values": {"COD amount": {"": "prepaid"}}}');
    expect(await shop.import(['--yes', '--map', map])).toMatchObject({ exitCode: 0 });
    const collected = (await shop.listed()).map((order) => [order.externalOrderId, order.collectionAmount]);
    expect(Object.fromEntries(collected)).toEqual({ 'K-1': '8900', 'K-2': undefined });
  });

  it('is the total less what is paid already', async () => {
    const shop = await shopWith(
      `${plain},Total,Deposit`,
      'K-1,99110001,TEA-001,45000,20000',
      'K-2,99110002,TEA-001,30000,30000',
      'K-3,99110003,TEA-001,25000,0',
    );
    const { orders } = await shop.sent({ pick: 'Total less Deposit of every order' }, 'right');
    expect(orders).toEqual({
      'K-1': '25000: 1 TEA-001',
      'K-2': 'nothing: 1 TEA-001',
      'K-3': '25000: 1 TEA-001',
    });
  });

  it('is an amount with or without what is paid, as the answer says', async () => {
    const header = `${plain},Total,Deposit,Rest`;
    const rows = ['K-1,99110001,TEA-001,45000,20000,25000', 'K-2,99110002,TEA-001,30000,5000,25000'];
    const shop = await shopWith(header, ...rows);
    const rest = await shop.sent({ pick: 'Rest of every order' }, 'right');
    expect(rest.orders).toEqual({ 'K-1': '25000: 1 TEA-001', 'K-2': '25000: 1 TEA-001' });
    const other = await shopWith(header, ...rows);
    const whole = await other.sent({ pick: 'Total of every order' }, 'right', 'right');
    expect(whole.stderr.replace(/\s+/g, ' ')).toContain(
      'Rest: 75,000 ₮ will be collected from 2 orders, not 50,000 ₮ or 25,000 ₮',
    );
    expect(whole.orders).toEqual({ 'K-1': '45000: 1 TEA-001', 'K-2': '30000: 1 TEA-001' });
  });

  it('is asked where a column of amounts may hold what is paid or what is due', async () => {
    const shop = await shopWith(`${plain},Payment`, 'K-1,99110001,TEA-001,8900', 'K-2,99110002,TEA-001,0');
    expect((await shop.draft()).amount_due).toBe('? (choose) | Payment | none');
  });

  it('is listed value by value in a draft, never for all others at once', async () => {
    const methods = ['Мөнгө', 'Дансаар', 'Карт', 'Урьдчилгаа', 'Зээл', 'Төлсөн'];
    const shop = await shopWith(
      `${plain},Total,Төлбөр`,
      ...methods.map((method, index) => `K-${index},9911000${index},TEA-001,8900,${method}`),
    );
    expect(Object.keys((await shop.draft()).values.Төлбөр)).toEqual(methods);
  });
});

describe('a suggestion', () => {
  it('reads phones of another country without their + once for the column, in the draft too', async () => {
    const header = 'Order ID,Phone,SKU,collectionMode';
    const shop = await shopWith(header, 'V-1,84912345601,TEA-001,NONE', 'V-2,84912345602,TEA-001,NONE');
    const phone = { from: 'Phone', prefix: '? (choose) | + | none' };
    expect((await shop.draft()).columns['customer.phone']).toEqual(phone);
    const { asked } = await shop.sent('+', 'right');
    expect(asked[0]).toBe(
      'Phone has phones such as 84912345601. Are they of another country, with the + left out?',
    );
    const others = await shopWith(header, 'V-1,84912345601,TEA-001,NONE', 'V-2,99112233,TEA-001,NONE');
    expect((await others.draft()).columns['customer.phone']).toBe('Phone');
  });

  it('asks which of two phones in a cell is called, once for the column', async () => {
    const header = 'Order ID,Phone,SKU,collectionMode';
    const rows = ['P-1,"99110001, 88110001",TEA-001,NONE', 'P-2,99110002/88110002,TEA-001,NONE'];
    const others = ['P-3,99110003,TEA-001,NONE', 'P-5,+976 9911-0005 8811-0005,TEA-001,NONE'];
    const shop = await shopWith(header, ...rows, ...others);
    const { exitCode, asked } = await shop.sent('last', 'right');
    expect([exitCode, asked[0]]).toEqual([
      0,
      'Phone has two phones in a cell, such as 99110001, 88110001. Which one is the customer’s?',
    ]);
    const phones = (await shop.listed()).map(({ customer }) => (customer as unknown as Cells).phone);
    expect(phones.toSorted()).toEqual(['8811-0005', '88110001', '88110002', '99110003']);
    writeFileSync(shop.csv, `${header}\nP-4,99110004/88110004,TEA-001,NONE\n`);
    expect(await shop.import([], { answers: [true] })).toMatchObject({ exitCode: 0 });
    const elsewhere = await shopWith(header, ...rows);
    const refused = await elsewhere.import(['--yes']);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('"pick": "first", or "pick": "last"'),
    ]);
  });

  it('shows two phones as a pair, and takes equal ones for one', async () => {
    const shop = await shopWith(
      'Order ID,Phone,Delivery Phone,SKU,collectionMode',
      'D-1,99110001,99110001,TEA-001,NONE',
      'D-2,99110002,88220002,TEA-001,NONE',
    );
    expect((await shop.draft()).columns['customer.phone']).toMatch(
      /^\? \(choose\) \| (?:Phone \| Delivery Phone|Delivery Phone \| Phone) \| none$/,
    );
    writeFileSync(
      shop.csv,
      'Order ID,Phone,Delivery Phone,SKU,collectionMode\nD-1,99110001,99110001,TEA-001,NONE\nD-2,88220002,88220002,TEA-001,NONE\n',
    );
    expect((await shop.draft()).columns['customer.phone']).toBe('Phone');
  });
});
