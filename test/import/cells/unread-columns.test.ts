import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createCounts } from '../../../src/import/columns/value-counts.ts';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import type { PlanOptions } from '../../../src/import/orders/plan-import.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { plan, tableOf } from '../tables.ts';

const prepaid = { constants: [parseAssignment('collectionMode=NONE')] };
const base = 'externalOrderId|customer.phone|items[].sku';
const order = (id: string) => `${id}|9911223${id.length}|TEA-001`;

/** Codes of the file and its header with the texts of their columns; then those of each order. */
async function check(header: string, rows: string[], more: Partial<PlanOptions> = prepaid) {
  const { problems, all, isBroken } = await plan(tableOf(header, ...rows), more);
  return {
    isBroken,
    header: problems
      .filter(({ first }) => first.about === 'header')
      .map(({ first }) => `${first.code} ${first.header ?? ''}: ${first.problem}`),
    orders: all.map(({ problems, leftOut }) => leftOut ?? problems.map(({ code }) => code).join(' ')),
  };
}

describe('the values of a column', () => {
  it('count as one when they are long and begin alike', () => {
    const counts = createCounts();
    for (const cell of ['paid', `${'x'.repeat(1000)}1`, `${'x'.repeat(1000)}2`, 'paid', 'y'.repeat(200)])
      counts.add(cell);
    expect(counts.format()).toBe(`paid (2), ${'x'.repeat(39)}… (2), ${'y'.repeat(39)}… (1)`);
    expect(counts.whole).toEqual(['paid', 'y'.repeat(200)]);
  });

  it('are not kept whole', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const usedBytes = async () => {
      collectGarbage();
      // The memory of buffers is released a moment later.
      await new Promise((resolve) => setTimeout(resolve, 50));
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = await usedBytes();
    const counts = createCounts();
    for (let cell = 0; cell < 50; cell += 1)
      counts.add(Buffer.alloc(1024 * 1024, `${cell} `).toString('latin1'));
    expect((await usedBytes()) - before).toBeLessThan(20 * 1024 * 1024);
    expect(counts.whole).toEqual([]);
  });
});

describe('a column that means something and that nothing reads', () => {
  it('says what its values decide', async () => {
    const { header } = await check(`${base}|Status`, [`${order('1')}|cancelled`, `${order('22')}|cancelled`]);
    expect(header).toEqual([
      'state_unread Status: says which orders are not to be delivered, but it is not mapped: cancelled (2)',
    ]);
  });

  it('is an error when small numbers may be the quantity, and nothing else is', async () => {
    const rows = [`${order('A')}|2`, `${order('B')}|1`];
    const { header } = await check(`${base}|Ct`, rows);
    expect(header).toEqual([expect.stringContaining('quantity_unread Ct: ')]);
    const ones = rows.map((row) => row.replace('|2', '|1'));
    expect((await check(`${base}|Ct`, ones)).header).toEqual([]);
    const counted = rows.map((row) => `${row}|3`);
    const mapColumn = [{ header: 'Qty', path: 'items[].quantity:number' }];
    expect((await check(`${base}|Ct|Qty`, counted, { ...prepaid, mapColumn })).header).toEqual([]);
    expect((await check(`${base}|Ct`, rows, { ...prepaid, ignoreColumn: ['Ct'] })).header).toEqual([]);
  });

  it.each([
    ['Тоо ширхэг', '3', 'quantity_unread'],
    ['Qty', '2', 'quantity_unread'],
    ['Кол-во', '0', 'quantity_unread'],
    ['Cantidad', '1.5', 'quantity_unread'],
    ['Status', 'cancelled', 'state_unread'],
    ['Төлөв', 'Цуцлагдсан', 'state_unread'],
    ['Статус', 'Отменён', 'state_unread'],
    ['Status', 'on the moon', 'state_unread'],
    ['Cancelled at', '2026-11-02 10:00', 'state_unread'],
    ['Refunded', 'yes', 'state_unread'],
    ['Returned qty', '1', 'state_unread'],
    ['Refunded amount', '5000.00', 'state_unread'],
    ['Буцаагдсан', 'тийм', 'state_unread'],
    ['Возврат', 'да', 'state_unread'],
    ['Is draft', 'true', 'state_unread'],
    ['Хүргэлтээр авах', '45000', 'payment_unread'],
    ['Хэмжээ ширхэг', '3', 'quantity_unread'],
    ['date_fulfilled', '2026-11-02 10:00', 'state_unread'],
    ['Completed Date', '2026-11-02', 'state_unread'],
    ['Хаяг', 'БЗД 5-р хороо', 'address_unread'],
    ['Shipping City', 'Дархан', 'address_unread'],
    ['Хүргүүлэх өдөр', '2026-11-25', 'date_unread'],
    ['Payment Method', 'Bank transfer', 'payment_unread'],
    ['Төлбөрийн төлөв', 'төлөгдөөгүй', 'payment_unread'],
    ['Paid', 'no', 'payment_unread'],
    ['Үлдэгдэл', '25000', 'payment_unread'],
    ['Урьдчилгаа', '10000', 'payment_unread'],
    ['Тоо / Qty', '2', 'quantity_unread'],
    ['Qty (pcs)', '2', 'quantity_unread'],
    ['Ilość szt.', '2', 'quantity_unread'],
    ['Кол-во, шт', '2', 'quantity_unread'],
    ['*Product Quantity', '2', 'quantity_unread'],
    ['Quantitiy', '2', 'quantity_unread'],
    ['Төлөв / Status', '🚚 Хүргэгдсэн', 'state_unread'],
    ['Order statuss', 'deliverd', 'state_unread'],
    ['Delivered', '✓', 'state_unread'],
    ['RecipientCity(*)', 'UB', 'address_unread'],
    ['Adress', 'UB 1', 'address_unread'],
    ['Төлбөр / Payment', '❌ Төлөөгүй', 'payment_unread'],
    ['Paid?', 'N', 'payment_unread'],
  ])('%s with %s is an error of the header', async (name, value, code) => {
    const { header, isBroken } = await check(`${base}|${name}`, [`${order('A')}|${value}`]);
    expect(header).toEqual([expect.stringContaining(`${code} ${name}: `)]);
    expect(header[0]).toContain(value);
    expect(isBroken).toBe(true);
  });

  it.each([
    ['Тоо ширхэг', '1'],
    ['Qty', '1.00'],
    ['Status', 'new'],
    ['Төлөв', 'Шинэ'],
    ['Cancelled at', ''],
    ['Cancelled', 'no'],
    ['Refunded amount', '0.00'],
    ['Returned', 'үгүй'],
    ['Хаяг', '-'],
    ['Payment Status', 'PAID'],
    ['Paid at', '2026-11-02'],
    ['Amount due', '0.00'],
    ['Currency', 'MNT'],
    ['Валют', '₮'],
    ['Валют', 'төгрөг'],
    ['Shipping Method', 'Standard'],
    ['Урьдчилгаа', '0'],
    ['Deposit', ''],
    ['COD (Y/N)', 'N'],
    ['Paid?', '✓'],
    ['Price (pcs)', '8900'],
    ['Нэгж үнэ / ш', '8900'],
    ['Shipping rate', '5000'],
    ['Delivery rate', '5000'],
    ['Total (currency)', '8900'],
    ['Pickup', 'no'],
    ['Хаяг', ''],
  ])('%s with %s changes nothing', async (name, value) => {
    expect(await check(`${base}|${name}`, [`${order('A')}|${value}`])).toEqual({
      isBroken: false,
      header: [],
      orders: [''],
    });
  });

  it.each([
    ['Currency', 'USD', 'currency_not_mnt'],
    ['Валют', '$', 'currency_not_mnt'],
    ['Shipping Method', 'Local pickup', 'pickup_not_deliverable'],
    ['Хүргэлтийн хэлбэр', 'Өөрөө очиж авна', 'pickup_not_deliverable'],
    ['Medio de envío', 'Punto de retiro', 'pickup_not_deliverable'],
    ['Ирж авах', 'тийм', 'pickup_not_deliverable'],
    ['Retirada?', 'Sim', 'pickup_not_deliverable'],
    ['Payment Method', 'Cash on Delivery (COD)', 'collection_contradicts_payment'],
    ['Төлбөрийн хэлбэр', 'Хүргэлтээр төлөх', 'collection_contradicts_payment'],
    ['COD (Y/N)', 'Y', 'collection_contradicts_payment'],
  ])('%s with %s is an error of that order', async (name, value, code) => {
    const rows = [`${order('A')}|${value}`, `${order('BB')}|`];
    const paid = `${name}|Payment Status`;
    const all = rows.map((row) => `${row}|paid`);
    const { header, orders } = await check(
      code === 'collection_contradicts_payment' ? `${base}|${name}` : `${base}|${paid}`,
      code === 'collection_contradicts_payment' ? [rows[0] ?? ''] : all,
    );
    expect(header).toEqual([]);
    expect(orders[0]).toBe(code);
    expect(orders.slice(1).join('')).toBe('');
  });

  it('is a warning when it holds names or notes', async () => {
    const { header, isBroken } = await check(`${base}|Нэр|Notes`, [`${order('A')}|Б.Болд|ring twice`]);
    expect(header).toEqual([
      'not_sent Нэр: is not sent: Б.Болд (1)',
      'not_sent Notes: is not sent: ring twice (1)',
    ]);
    expect(isBroken).toBe(false);
  });

  it('is settled by a mapping, by a rule, or by the word of the user', async () => {
    const header = `${base}|Qty|Status|Хаяг`;
    const rows = [`${order('A')}|2|new|БЗД`, `${order('BB')}|1|cancelled|`];
    const settled = {
      ...prepaid,
      mapColumn: [{ header: 'Qty', path: 'items[].quantity:number' }],
      leaveOut: [{ header: 'Status', value: 'cancelled' }],
      ignoreColumn: ['Хаяг'],
    };
    expect(await check(header, rows, settled)).toEqual({
      isBroken: false,
      header: [],
      orders: ['', 'cancelled'],
    });
    const ignored = { ...prepaid, ignoreColumn: ['Qty', 'Status', 'Хаяг'] };
    expect(await check(header, rows, ignored)).toEqual({ isBroken: false, header: [], orders: ['', ''] });
  });

  it('is an error when it holds a further line beside one that is mapped', async () => {
    const numbered = 'externalOrderId|customer.phone|SKU 1|Тоо 1|SKU 2|Тоо 2';
    const mapColumn = [
      { header: 'SKU 1', path: 'items[0].sku' },
      { header: 'Тоо 1', path: 'items[0].quantity:number' },
    ];
    const { header } = await check(numbered, ['1|99112233|TEA|2|MUG|1'], { ...prepaid, mapColumn });
    expect(header.map((text) => text.split(':')[0])).toEqual(['line_lost SKU 2', 'line_lost Тоо 2']);
    const blank = await check(numbered, ['1|99112233|TEA|2||'], { ...prepaid, mapColumn });
    expect(blank.header).toEqual([]);
  });

  it('still counts for the values that a rule does not name', async () => {
    const rows = [`${order('A')}|cancelled`, `${order('BB')}|refunded`, `${order('CCC')}|new`];
    const { header, orders } = await check(`${base}|Stage of it`, rows, {
      ...prepaid,
      leaveOut: [{ header: 'Stage of it', value: 'cancelled' }],
    });
    expect(orders[0]).toBe('cancelled');
    expect(header).toEqual([expect.stringContaining('state_unread Stage of it: ')]);
    expect(header[0]).toContain('refunded (1)');
    expect(header[0]).not.toContain('cancelled (');
  });

  it('is known by its values when its header says nothing', async () => {
    const rows = ['COD', 'Card', 'COD'].map((value, index) => `${order('A'.repeat(index + 1))}|${value}`);
    const { orders } = await check(`${base}|X7`, rows);
    expect(orders[0]).toBe('collection_contradicts_payment');
    const states = ['fulfilled', 'new'].map((value, index) => `${order('A'.repeat(index + 1))}|${value}`);
    expect((await check(`${base}|X8`, states)).header).toEqual([expect.stringContaining('state_unread X8')]);
    const ways = ['Local pickup', 'Courier', 'Courier', 'Courier'].map(
      (value, index) => `${order('A'.repeat(index + 1))}|${value}`,
    );
    expect((await check(`${base}|X7`, ways)).orders[0]).toBe('pickup_not_deliverable');
    const money = ['USD', 'MNT'].map((value, index) => `${order('A'.repeat(index + 1))}|${value}`);
    expect((await check(`${base}|X9`, money)).orders).toEqual(['currency_not_mnt', '']);
  });

  it('is known by some of its values when it is a choice', async () => {
    const rows = ['Refund', 'Sale', 'Delivery', 'Sale', 'Sale', 'Sale'].map(
      (value, index) => `${order('A'.repeat(index + 1))}|${value}`,
    );
    expect((await check(`${base}|Type`, rows)).header).toEqual([
      expect.stringContaining('state_unread Type'),
    ]);
    const free = ['Refund policy', 'new box', 'gift'].map(
      (value, index) => `${order('A'.repeat(index + 1))}|${value}`,
    );
    expect((await check(`${base}|Type`, free)).header).toEqual([]);
  });

  it('may say the state and the payment of an order', async () => {
    const rows = ['Шинэ', 'Төлөөгүй', 'Цуцалсан'].map(
      (value, index) => `${order('A'.repeat(index + 1))}|${value}`,
    );
    const { header } = await check(`${base}|Төлөв`, rows);
    expect(header).toEqual([
      expect.stringContaining('state_unread Төлөв: '),
      expect.stringContaining('payment_unread Төлөв: '),
    ]);
    expect(header[0]).not.toContain('Төлөөгүй');
  });

  it('is read for the payment, and still says the state', async () => {
    const map = parseMappingFile('{"paid": {"Төлөв": "Төлсөн"}}', 'map.json');
    const rows = ['Төлсөн', 'Цуцалсан', 'Савласан'].map(
      (value, index) => `${order('A'.repeat(index + 1))}|${value}`,
    );
    const { header } = await check(`${base}|Төлөв`, rows, { map, unpaid: 'prepaid' });
    expect(header).toEqual([expect.stringContaining('state_unread Төлөв: ')]);
    const cured = { map, unpaid: 'prepaid' as const, leaveOut: [{ header: 'Төлөв', value: 'Цуцалсан' }] };
    expect(await check(`${base}|Төлөв`, rows, cured)).toEqual({
      isBroken: false,
      header: [],
      orders: ['', 'cancelled', ''],
    });
  });

  it('is not paid because it says yes to cash on delivery', async () => {
    const map = parseMappingFile('{"paid": {"COD (Y/N)": "N"}}', 'map.json');
    const rows = [`${order('A')}|Y`, `${order('BB')}|N`];
    expect((await check(`${base}|COD (Y/N)`, rows, { map })).orders).toEqual(['payment_unknown', '']);
  });

  it('is added to the rules that read another column for the payment', async () => {
    const map = parseMappingFile('{"payment_method": "Төлбөр"}', 'map.json');
    const table = tableOf(`${base}|Төлбөр|Үлдэгдэл`, `${order('A')}|COD|5000`);
    const { problems } = await plan(table, { map });
    expect(problems.find(({ first }) => first.code === 'payment_unread')?.first.fix).toMatch(
      /^add "amount_due":"Үлдэгдэл" to the mapping file; --ignore-column/,
    );
  });

  it('is no state because some of its values are left out', async () => {
    const rows = ['Ховд', 'Дархан'].map((value, index) => `${order('A'.repeat(index + 1))}|${value}`);
    const leaveOut = [{ header: 'Салбар', value: 'Ховд' }];
    expect(await check(`${base}|Салбар`, rows, { ...prepaid, leaveOut })).toEqual({
      isBroken: false,
      header: [],
      orders: ['rule', ''],
    });
  });

  it('contradicts that everything is collected when it says paid', async () => {
    const constants = [parseAssignment('collectionMode=COLLECT'), parseAssignment('collectionAmount=5000')];
    const { orders } = await check(`${base}|Payment status`, [`${order('A')}|paid`], { constants });
    expect(orders).toEqual(['collection_contradicts_payment']);
  });

  it('is sent, but its header names another currency', async () => {
    const mapped = (name: string) => ({
      ...prepaid,
      mapColumn: [{ header: name, path: 'total' }],
    });
    const found = await check(`${base}|Total €`, [`${order('A')}|9`], mapped('Total €'));
    expect(found.header).toEqual([expect.stringContaining('currency_not_mnt Total €: ')]);
    for (const name of ['Сумма, тг', 'Tutar (TL)', 'Total USD']) {
      expect((await check(`${base}|${name}`, [`${order('A')}|9`], mapped(name))).isBroken).toBe(true);
    }
    for (const name of ['Дүн (₮)', 'Total (all)', 'Price MNT', 'Try total']) {
      expect((await check(`${base}|${name}`, [`${order('A')}|9`], mapped(name))).isBroken).toBe(false);
    }
  });

  it('is sent as a name, but its cells hold quantities', async () => {
    const named = { ...prepaid, mapColumn: [{ header: 'Бараа', path: 'items[].name' }] };
    const header = 'externalOrderId|customer.phone|Бараа';
    for (const text of ['2 x Tea, 1 x Mug', 'Tea x3', '3х Цай']) {
      expect((await check(header, [`A|99112233|${text}`], named)).header).toEqual([
        expect.stringContaining('quantity_unread Бараа: '),
      ]);
    }
    for (const text of [
      'Bolt M8 x 20 mm',
      'Kodak Max 200',
      '20 x 30 см хөрөг',
      'iPhone X 64',
      'Tea (100 pcs)',
    ]) {
      expect((await check(header, [`A|99112233|${text}`], named)).header).toEqual([]);
    }
  });

  it('lists the values with their counts, the most frequent first', async () => {
    const values = ['Хүргэлтээр', 'QPay', 'QPay', 'Карт'];
    const rows = values.map((value, index) => `${order('A'.repeat(index + 1))}|${value}`);
    const { header } = await check(`${base}|Төлбөр`, rows, {});
    expect(header).toEqual([
      expect.stringContaining('collection_mode_missing'),
      expect.stringContaining('(Төлбөр): Хүргэлтээр (1), QPay (2), Карт (1)'),
    ]);
  });
});

describe('the header of a Mongolian shop', () => {
  it('loses no quantity', async () => {
    const header = 'Захиалгын дугаар|Утас|Барааны код|Тоо ширхэг|Нийт дүн|Хураах төрөл';
    const { header: problems } = await check(header, ['1|99112233|TEA-001|3|26700|NONE'], {});
    expect(problems).toEqual([expect.stringContaining('quantity_unread Тоо ширхэг: ')]);
  });

  it('never collects dollars as tugrik', async () => {
    const header = 'Order ID|Phone|SKU|Collection|COD Amount|Currency';
    expect(await check(header, ['1|99112233|TEA-001|COLLECT|25|USD'], {})).toEqual({
      isBroken: false,
      header: [],
      orders: ['currency_not_mnt'],
    });
  });

  it('never takes the total of a line for that of the order', async () => {
    const header = 'Захиалгын дугаар|Утас|Барааны код|Нийт үнэ|Хураах төрөл';
    const { mapping, all } = await plan(tableOf(header, '1|99112233|TEA-001|8900|NONE'), {});
    expect(mapping.unsent).toEqual(['Нийт үнэ']);
    expect(all.map(({ order }) => 'total' in order)).toEqual([false]);
  });
});

describe('what every order needs', () => {
  it('is said once, with the columns whose values fit', async () => {
    const rows = ['1|88112233|Чай|COD', '2|99112233|Сүү|paid'];
    const { header, orders } = await check('Order ID|Teléfono|Бараа|Төлбөр', rows, {});
    expect(orders).toEqual(['', '']);
    expect(header.map((text) => text.split(' ')[0])).toEqual([
      'customer_missing',
      'items_missing',
      'collection_mode_missing',
      'payment_unread',
    ]);
    const { problems } = await plan(tableOf('Order ID|Teléfono|Бараа|Төлбөр', ...rows), {});
    expect(problems.map(({ first }) => first.fix)).toEqual([
      `"Teléfono" looks like phones: --map-column 'Teléfono=customer.phone'`,
      expect.stringContaining('items[].sku'),
      expect.stringMatching(/"Төлбөр" seems to say who pays.*--set collectionMode=NONE/),
      expect.stringContaining('save {"payment_method":"Төлбөр"} as map.json and add --map map.json'),
    ]);
    for (const header of ['Order ID|Total|Бараа|Төлбөр', 'Order ID|Balance due|Бараа|Төлбөр']) {
      const other = await plan(tableOf(header, ...rows), {});
      expect(other.problems[0]?.first.fix).toBe("--map-column 'Header=customer.phone'");
    }
  });
});
