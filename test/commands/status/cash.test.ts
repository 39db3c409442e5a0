import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, Answering } from '../../support/cli.ts';
import { sheetOf, workbookOf } from '../../support/workbook.ts';
import { added, header, imported, rowOf } from './shop.ts';

const ids = ['UB-1', 'UB-2', 'UB-3', 'UB-4', 'UB-5', 'UB-6', 'UB-7'];

/** Seven orders to collect 5,000 each, the last one prepaid; and functions to write and compare lists. */
async function shopWithCash() {
  const service = await imported([
    header,
    ...ids.slice(0, 6).map((id) => rowOf(id)),
    'UB-7,99112233,TEA-1,NONE,,7000',
  ]);
  const list = (name: string, rows: readonly string[]) => {
    const path = join(service.folder, name);
    writeFileSync(path, `${rows.join('\n')}\n`);
    return path;
  };
  /** The cells of each row behind its states: cash and difference. */
  const cash = () =>
    service.rows().map((row) => {
      const cells = row.replaceAll(`${service.folder}/`, '').split(',');
      return [cells[0], ...cells.slice(-2)].join(',');
    });
  const short = (text: string) => text.replaceAll(`${service.folder}/`, '');
  return { ...service, list, cash, short };
}

describe('status --cash', () => {
  it('compares the lists of couriers with what is to be collected', async () => {
    const { cli, file, list, short, orders } = await shopWithCash();
    orders.push({ ...orders[0], id: 'other', orderNumber: 'ORD-2026-000077', externalOrderId: 'OLD-1' });
    const monday = list('monday.csv', [
      'order,amount,fee,net',
      'ORD-2026-000001,5000,300,4700',
      'UB-2,4500,300,4200',
      'UB-3,"5,000.00",300,"4,700.00"',
      'UB-7,7000,300,6700',
      'OLD-1,5000,300,4700',
      'Нийт,"26,500.00","1,500.00","25,000.00"',
    ]);
    const tuesday = list('tuesday.csv', ['Amount;Order', '5000;UB-3', '5000;UB-99', '2000;', '0;UB-4', '']);
    const { stdout, stderr, exitCode } = await cli([
      'status',
      file,
      '--cash',
      monday,
      '--cash',
      tuesday,
      '--json',
    ]);
    expect(JSON.parse(short(stdout)).cash).toEqual({
      lists: [
        { file: 'monday.csv', rows: 5, collected: '26500', fee: '1500', net: '25000' },
        { file: 'tuesday.csv', rows: 4, collected: '12000', fee: null, net: null },
      ],
      orders: {
        equal: 2,
        differs: 2,
        twice: 1,
        not_to_collect: 1,
        unknown_order: 2,
        not_compared: 0,
        not_in_lists: 2,
      },
    });
    expect(short(stderr)).toContain(
      [
        '7 orders, 7 found; to collect in all, without those that are cancelled: 30,000 ₮.',
        'Cash: 1 more than once in the lists, 2 unknown, 1 with nothing to collect, 2 with another amount, 2 equal, 2 not in these lists.',
        'monday.csv: 26,500 ₮ collected, fee 1,500 ₮, paid out 25,000 ₮.',
        'tuesday.csv: 12,000 ₮ collected.',
      ].join('\n'),
    );
    expect(JSON.parse(short(stderr).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: {
        message: 'The cash of the lists is not as the orders have it.',
        issues: [
          { path: 'monday.csv row 3', value: 'UB-2', code: 'differs' },
          { path: 'monday.csv row 4; tuesday.csv row 2', value: 'UB-3', code: 'twice' },
          {
            path: 'tuesday.csv row 5',
            value: 'UB-4',
            message: '0 ₮ collected, 5,000 ₮ due',
            code: 'differs',
          },
          { path: 'monday.csv row 5', value: 'UB-7', code: 'not_to_collect' },
          { path: 'tuesday.csv row 3', value: 'UB-99', message: '5,000 ₮ collected', code: 'unknown_order' },
          { path: 'tuesday.csv row 4', value: '', message: '2,000 ₮ collected', code: 'unknown_order' },
        ],
      },
    });
    expect(exitCode).toBe(6);
  });

  it('ends with 0 when all cash agrees, whatever is not in the lists', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['order,amount', 'UB-1,5000', 'UB-2,5000₮', 'UB-7,0']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    expect(short(stderr)).toContain('Cash: 3 equal, 4 not in these lists.\none.csv: 10,000 ₮ collected.');
    expect(exitCode, stderr).toBe(0);
  });

  it('sums the column of the cash as the lists do', async () => {
    const { cli, file, list, cash } = await shopWithCash();
    const one = list('one.csv', [
      'order,amount',
      'UB-1,0.10',
      'UB-2,0.20',
      'X,900719925474099.30',
      'ub-2,-1',
      'UB-3,-1000.50',
      ',5',
    ]);
    await cli(['status', file, '--cash', one]);
    const hundredths = cash()
      .slice(1)
      .map((row) => row.split(',').at(-2) ?? '')
      .map(toHundredths);
    expect(hundredths.reduce((sum, amount) => sum + amount, 0n)).toBe(90071992547409930n + 430n - 100050n);
  });

  it('leaves the amounts of the file as numbers, and protects what a spreadsheet would change', async () => {
    const { cli, file, rows } = await imported([
      'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,total',
      '0013,99112233,1.10,COLLECT,5000.50,5000.50',
    ]);
    await cli(['status', file]);
    expect(rows()[1]).toMatch(/^'0013,99112233,'1\.10,COLLECT,5000\.50,5000\.50,ORD-/);
  });

  it('takes an order that two lists name differently for one', async () => {
    const { cli, file, list, cash, find } = await shopWithCash();
    const one = list('one.csv', [
      'order,amount',
      'ord-2026-000001,5000',
      `${String(find('UB-1').id).toUpperCase()},5000`,
    ]);
    await cli(['status', file, '--cash', one]);
    expect(cash()[1]).toBe('UB-1,10000,twice');
    expect(cash()).toHaveLength(8);
  });

  it('names an order that nobody knows in a row of its own', async () => {
    const { cli, file, list, rows } = await shopWithCash();
    const one = list('one.csv', ['order,amount', 'UB-9,5000', ',100']);
    const { exitCode } = await cli(['status', file, '--cash', one]);
    expect(rows().slice(-2)).toEqual([
      ',,,,,,UB-9,,,,,,,5000,unknown_order',
      ',,,,,,,,,,,,,100,unknown_order',
    ]);
    expect(exitCode).toBe(6);
  });

  const parts = ['UB-1,5000', 'UB-2,5000', 'Total,10000', 'UB-3,5000', 'UB-4,5000', 'UB-5,5000'];

  it.each([
    ['of a part', ['Total,15000', 'Total,25000']],
    ['without a word', [',15000', ',25000']],
    ['of a part only', [',15000']],
    ['of all rows', ['Total,25000']],
  ])('accepts totals %s', async (_, totals) => {
    const { cli, file, list } = await shopWithCash();
    const one = list('one.csv', ['order,amount', ...parts, ...totals]);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    expect(stderr).toContain('Cash: 5 equal, 1 not in these lists.');
    expect(exitCode, stderr).toBe(0);
  });

  it('names orders and cash in the error when both differ', async () => {
    const { cli, file, list, find } = await shopWithCash();
    find('UB-1').status = 'CANCELLED';
    const one = list('one.csv', ['order,amount', 'UB-2,4000']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    expect(stderr).toContain('Cash: 1 with another amount, 4 not in these lists.');
    expect(stderr).toContain(
      'error: 1 order of 7 is not at the service as in the file. The cash of the lists is not as the orders have it.',
    );
    expect(exitCode).toBe(6);
  });

  it('counts what is collected for a cancelled order, and not what a list lacks of it', async () => {
    const { cli, file, list, cash, find } = await shopWithCash();
    for (const id of ['UB-1', 'UB-2']) find(id).status = 'CANCELLED';
    await cli(['status', file, '--cash', list('one.csv', ['order,amount', 'UB-1,5000'])]);
    expect(cash().slice(1, 3)).toEqual(['UB-1,5000,not_to_collect', 'UB-2,,']);
  });

  it.each([
    [
      'order numbers',
      'Дугаар,Авсан дүн',
      'ORD-2026-000001,"5,000"',
      'ORD-2026-000002,5к',
      'Дугаар=order, Авсан дүн=amount',
    ],
    ['IDs of the file', 'Юу,Хэд', 'UB-1,5000', 'UB-2,4500', 'Юу=order, Хэд=amount'],
    ['a header for orders', 'Захиалга,X', 'K-1,5000', 'K-2,4500', 'Захиалга=order, X=amount'],
    [
      'a fee by its header',
      '№,Дугаар,Тоо,Авсан мөнгө,Хүргэлтийн хөлс',
      '1,UB-1,1,5000,300',
      '2,UB-2,3,4500,300',
      'Дугаар=order, Авсан мөнгө=amount, Хүргэлтийн хөлс=fee',
    ],
    [
      'phones',
      'Утас,Жолоочийн утас,Дүн',
      '99112233,88001122,5000',
      '88113344,88001123,4500',
      'Утас=phone, Дүн=amount',
    ],
  ])('reads a list by %s, under any header, and says so', async (_, head, one, two, columns) => {
    const { cli, file, list, short } = await shopWithCash();
    const path = list('one.csv', [head, one, two, 'Нийт']);
    const { stderr } = await cli(['status', file, '--cash', path]);
    expect(short(stderr)).toContain(`one.csv is read by its columns ${columns}.\n`);
  });

  it.each<[what: string, header: string, rows: string[]]>([
    ['two columns of amounts', 'id,Sum,Paid', ['UB-1,5000,4000', 'UB-2,5000,4500']],
    ['a fee alone', 'id,Хөлс,Авсан', ['UB-1,300,-', 'UB-2,300,5000', 'UB-3,300,-']],
    ['numbers of documents', 'id,X', ['UB-1,10231', 'UB-2,10232', 'UB-3,10235']],
    ['numbers of rows', 'id,X', ['UB-1,1', 'UB-2,2']],
    ['amounts beside words', 'id,X', ['UB-1,5000', 'UB-2,төлсөн']],
    ['two columns of orders', 'one,two,Sum', ['UB-1,ORD-2026-000001,5000', 'UB-2,ORD-2026-000002,4000']],
    ['goods under a header for orders', 'Захиалга,Sum', ['Цай x2,5000', 'Аяга x1,4000']],
    ['orders of nobody', 'one,Sum', ['K-1,5000', 'K-2,4000']],
    ['two columns of phones', 'one,two,Sum', ['99112233,88112233,5000', '99112234,88112234,4000']],
  ])('takes nothing for certain from %s', async (_, head, rows) => {
    const { cli, file, list, short } = await shopWithCash();
    const { stderr, exitCode } = await cli(['status', file, '--cash', list('one.csv', [head, ...rows])]);
    expect(short(stderr)).toContain('one.csv does not say which columns have the orders and the amounts.');
    expect(exitCode).toBe(2);
  });

  it('asks for what is not certain, and takes nothing by Enter', async () => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const one = list('one.csv', [
      '№,Код,Утас,Авсан мөнгө,Хөлс',
      '1,K-1,99112233,5к,300',
      '2,UB-2,99112233,"5,000",300',
      ',,Нийт,10к,600',
    ]);
    const seen: string[] = [];
    const choose =
      (answer: Answer): Answering =>
      ({ message, preset, choices }) => {
        expect(preset).toBeNull();
        seen.push([short(message), ...choices.map(({ name }) => name)].join(' | '));
        return answer;
      };
    const answers = [{ pick: 'Авсан' }, { pick: 'Хөлс' }].map(choose);
    const { exitCode, stderr } = await cli(['status', file, '--cash', one], { answers });
    expect(seen).toEqual([
      'one.csv: which column has the amount that was collected? | Авсан мөнгө  5к  5,000 | Хөлс  300  300',
      'one.csv: which column has the fee of the courier? | None | Хөлс  300  300',
    ]);
    expect(cash()[2]).toBe('UB-2,5000,equal');
    expect(stderr).toContain('one.csv: 10,000 ₮ collected, fee 600 ₮.');
    expect(exitCode).toBe(6);
    const two = list('two.csv', ['Код,Дүн', 'K-1,5000', 'UB-2,5000', 'K-2,5001']);
    await cli(['status', file, '--cash', two], { answers: [choose({ pick: 'Код' })] });
    expect(cash()[2]).toBe('UB-2,5000,equal');
    expect(seen.at(-1)).toBe(
      "two.csv: which column has the order number, the order ID or the customer's phone? | Код  K-1  UB-2",
    );
  });

  it('reads a list without a header', async () => {
    const { cli, file, list, cash } = await shopWithCash();
    const one = list('one.csv', ['UB-1,5000', 'UB-2,4500', 'UB-3,5000']);
    const { stderr } = await cli(['status', file, '--cash', one]);
    expect(cash().slice(1, 4), stderr).toEqual(['UB-1,5000,equal', 'UB-2,4500,differs', 'UB-3,5000,equal']);
  });

  it('asks for a flag where a column has amounts with three decimals', async () => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const one = list('one.csv', ['order,amount,fee', 'UB-1,5.000,0.300', 'UB-2,5000.000,1.000']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    const because = 'because this column has amounts with three decimals, such as';
    expect(short(stderr)).toBe(
      [
        'one.csv is read by its columns order=order, amount=amount, fee=fee.',
        'error: one.csv has cells that are not certainly amounts.',
        `  row 2, amount "5.000": may be 5,000 ₮ or 5 ₮, ${because} 5000.000; add --decimal comma if it is 5,000 ₮, or --decimal dot if it is 5 ₮ (decimal_ambiguous)`,
        `  row 3, fee "1.000": may be 1,000 ₮ or 1 ₮, ${because} 0.300; add --decimal comma if it is 1,000 ₮, or --decimal dot if it is 1 ₮ (decimal_ambiguous)`,
        'Write them in digits, such as 45000. Nothing was written.',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(2);
    await cli(['status', file, '--cash', one, '--decimal', 'comma']);
    expect(cash().slice(1, 3)).toEqual(['UB-1,5000,equal', 'UB-2,5000,equal']);
  });

  it('takes the columns that are named for a field, before their values', async () => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const one = list('one.csv', ['Дугаар,Дүн,Авсан', 'UB-1,1000,5000']);
    const unasked = await cli(['status', file, '--cash', one]);
    expect(short(unasked.stderr)).toBe(
      [
        'error: one.csv does not say which columns have the orders and the amounts.',
        'Its columns are: Дугаар, Дүн, Авсан. Run it at a terminal, where it is asked, or write order (or phone) and amount above those that are meant.',
        '',
      ].join('\n'),
    );
    expect(unasked.exitCode).toBe(2);
    const two = list('two.csv', ['Дугаар,net,Amount', 'UB-1,1000,5000']);
    const { exitCode, stderr } = await cli(['status', file, '--cash', two]);
    expect(short(stderr)).toContain('two.csv is read by its columns Дугаар=order, Amount=amount, net=net.\n');
    expect(exitCode, stderr).toBe(0);
    expect(cash()[1]).toBe('UB-1,5000,equal');
  });

  it('reads thousands without a flag', async () => {
    const { cli, file, list, cash } = await shopWithCash();
    const one = list('one.csv', ['order,amount', 'UB-1,"5,000₮"', 'UB-2,"4,000₮"']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    expect(exitCode, stderr).toBe(6);
    expect(cash().slice(1, 3)).toEqual(['UB-1,5000,equal', 'UB-2,4000,differs']);
  });

  it('reads amounts in words, such as 5к', async () => {
    const { cli, file, list, cash } = await shopWithCash();
    const rows = ['UB-1,5к', 'UB-2,"4,5 мянга"', 'UB-3,5k ₮', 'UB-4,0.01 сая', 'UB-5,-1 мянган төгрөг'];
    const words = list('words.csv', ['order,amount', ...rows]);
    const { stderr } = await cli(['status', file, '--cash', words]);
    expect(cash().slice(1, 6), stderr).toEqual([
      'UB-1,5000,equal',
      'UB-2,4500,differs',
      'UB-3,5000,equal',
      'UB-4,10000,differs',
      'UB-5,-1000,differs',
    ]);
  });

  it.each([
    [
      'UB-1,1.500к',
      'one.csv has cells that are not certainly amounts.',
      'row 2, amount "1.500к": is not an amount',
    ],
    [
      'UB-1,five',
      'one.csv has cells that are not certainly amounts.',
      'row 2, amount "five": is not an amount',
    ],
    [
      'UB-1,5000 $',
      'one.csv has cells that are not certainly amounts.',
      'row 2, amount "5000 $": is not an amount',
    ],
  ])('refuses a list with the row %s, before anything is read or written', async (row, sentence, detail) => {
    const { cli, file, list, short, seen } = await shopWithCash();
    const { lists } = seen;
    const { stderr, exitCode } = await cli([
      'status',
      file,
      '--cash',
      list('one.csv', ['order,amount', row]),
    ]);
    expect(short(stderr)).toContain(sentence);
    expect(short(stderr)).toContain(detail);
    expect(exitCode).toBe(2);
    expect(seen.lists).toBe(lists);
  });

  it('refuses a list that is absent, or would be overwritten', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['order,amount', 'UB-1,5000']);
    const absent = await cli(['status', file, '--cash', `${one}.x`]);
    expect(short(absent.stderr)).toContain('one.csv.x cannot be read: it does not exist.');
    const over = await cli(['status', file, '--cash', one, '--output', one]);
    expect(short(over.stderr)).toContain('The states would overwrite one.csv.');
    expect([absent, over].map(({ exitCode }) => exitCode)).toEqual([2, 2]);
  });

  it('drops the cash of an earlier status, with the rows of orders elsewhere', async () => {
    const { cli, file, list, folder, rows } = await shopWithCash();
    await cli(['status', file, '--cash', list('one.csv', ['order,amount', 'UB-1,5000', 'X,1'])]);
    expect(rows()).toHaveLength(9);
    const again = await cli(['status', join(folder, 'orders.status.csv')]);
    expect(again.exitCode, again.stderr).toBe(0);
    expect(rows('orders.status.status.csv')).toHaveLength(8);
    expect(rows('orders.status.status.csv')[0]).not.toContain('_cash');
  });

  it('reads a list from a workbook, with its title above', async () => {
    const { cli, file, folder, cash } = await shopWithCash();
    const path = join(folder, 'list.xlsx');
    const rows = [
      ['Courier: Bat'],
      ['Дугаар', 'Утас', 'Авсан дүн'],
      ['UB-1', '99112233', 5000],
      ['UB-2', '99112233', 4999.5],
      ['Нийт', '', 9999.5],
    ];
    writeFileSync(path, workbookOf({ sheets: [sheetOf(rows)] }));
    const { stderr, asked } = await cli(['status', file, '--cash', path], { answers: ['2'] });
    expect(asked).toEqual(['Row 2 looks like the header: Дугаар, Утас, Авсан дүн. Use it?']);
    expect(stderr).toContain('list.xlsx: 9,999.50 ₮ collected.');
    expect(cash().slice(1, 3)).toEqual(['UB-1,5000,equal', 'UB-2,4999.5,differs']);
  });

  it('asks about a list how it is read, or says where that is asked', async () => {
    const { cli, file, folder, cash } = await shopWithCash();
    const path = join(folder, 'list.xlsx');
    const sheet = (name: string) =>
      sheetOf(
        [
          ['order', 'amount'],
          ['UB-1', 5000],
        ],
        name,
      );
    writeFileSync(path, workbookOf({ sheets: [sheet('Mon'), sheet('Tue')] }));
    const unasked = await cli(['status', file, '--cash', path]);
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain('Run it at a terminal, where it is asked');
    await cli(['status', file, '--cash', path], { answers: [{ pick: 'Tue' }] });
    expect(cash()[1]).toBe('UB-1,5000,equal');
  });

  it('counts an order once that the file names twice', async () => {
    const { cli, list, rows } = await shopWithCash();
    const names = list('names.csv', ['Which', 'ORD-2026-000001', 'UB-1']);
    const one = list('one.csv', ['order,amount', 'UB-1,5000', 'ORD-2026-000001,5000']);
    await cli(['status', names, '--id-column', 'Which', '--cash', one]);
    expect(rows('names.status.csv').map((row) => row.split(',').slice(1).join())).toEqual([
      `${added},_cash,_cash_difference`,
      expect.stringMatching(/^ORD-2026-000001,CONFIRMED,,5000,5000,[^,]*,,10000,twice$/),
      expect.stringMatching(/^ORD-2026-000001,CONFIRMED,,,,[^,]*,,,twice$/),
    ]);
  });

  it('runs no formula of a list', async () => {
    const { cli, file, list, rows } = await shopWithCash();
    const one = list('one.csv', ['order,amount', '=1+1,5000']);
    await cli(['status', file, '--cash', one]);
    expect(rows().at(-1)).toContain(",'=1+1,");
  });
});

function toHundredths(amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(amount) ?? [];
  const value = BigInt(`${whole}${fraction.padEnd(2, '0')}`);
  return sign === '-' ? -value : value;
}
