import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemFiles } from '../../../src/system/files.ts';
import { type Answer, type Answering, runCli } from '../../support/cli.ts';
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
  /** The cells of each row behind its states: cash, difference, and where it is from, without the folder. */
  const cash = () =>
    service.rows().map((row) => {
      const cells = row.replaceAll(`${service.folder}/`, '').split(',');
      return [cells[0], ...cells.slice(-3)].join(',');
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
        {
          file: 'monday.csv',
          rows: 5,
          collected: '26500',
          fee: '1500',
          net: '25000',
        },
        {
          file: 'tuesday.csv',
          rows: 4,
          collected: '12000',
          fee: null,
          net: null,
        },
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
      notInLists: '10000',
    });
    expect(short(stderr)).toContain(
      [
        'monday.csv row 4: UB-3; tuesday.csv row 2: UB-3: in the lists 2 times, 10,000 ₮ in all.',
        'tuesday.csv row 3: UB-99: collected 5,000 ₮ for an unknown order.',
        'tuesday.csv row 4: collected 2,000 ₮ for an unknown order.',
        'monday.csv row 5: UB-7: collected 7,000 ₮, but there is nothing to collect.',
        'monday.csv row 3: UB-2: collected 4,500 ₮ instead of 5,000 ₮.',
        'tuesday.csv row 5: UB-4: collected 0 ₮ instead of 5,000 ₮.',
        '7 orders, 7 found; to collect in all, without those that are cancelled: 30,000 ₮.',
        'Cash: 1 more than once in the lists, 2 unknown, 1 nothing to collect, 2 other amounts, 2 equal.',
        '2 orders not in these lists, with 10,000 ₮ to collect.',
        'monday.csv: 26,500 ₮ (fee 1,500 ₮, paid out 25,000 ₮).',
        'tuesday.csv: 12,000 ₮.',
      ].join('\n'),
    );
    expect(stderr).toContain('"message":"The cash of the lists is not as the orders have it."');
    expect(exitCode).toBe(6);
  });

  it('ends with 0 when all cash agrees, whatever is not in the lists', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['order,amount', 'UB-1,5000', 'UB-2,5000₮', 'UB-7,0']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    expect(short(stderr)).toContain(
      'Cash: 3 equal.\n4 orders not in these lists, with 20,000 ₮ to collect.\none.csv: 10,000 ₮.',
    );
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
      .map((row) => row.split(',')[1] ?? '')
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
    expect(cash()[1]).toMatch(/^UB-1,10000,twice,one.csv row 2: ord-2026-000001; one.csv row 3: /);
    expect(cash()).toHaveLength(8);
  });

  it.each([
    ['ub1', 'UB-1'],
    ['UB—1', 'UB-1'],
    ['ORD 2026 000002', 'ORD-2026-000002'],
    ['ord 2', 'ORD-2026-000002'],
    ['UB-9', undefined],
  ])('says that %s may be %s', async (reference, name) => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const one = list('one.csv', ['order,amount', `${reference},5000`]);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    const hint = name === undefined ? '' : `; perhaps ${name}`;
    expect(short(stderr)).toContain(
      `one.csv row 2: ${reference}: collected 5,000 ₮ for an unknown order${hint}.`,
    );
    expect(cash().at(-1)).toMatch(/^,5000,unknown_order,/);
    expect(exitCode).toBe(6);
  });

  it('says what a list states otherwise than its rows', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', [
      'order,amount,fee,net',
      'UB-1,5000,300,4700',
      'UB-2,5000,300,4900',
      'Total,11000,,',
    ]);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    expect(short(stderr)).toContain(
      [
        'one.csv states a total of 11,000 ₮ in row 4, but the rows above come to 10,000 ₮.',
        'one.csv: what is paid out is not the amount less the fee.',
      ].join('\n'),
    );
    expect(stderr).toContain('error: A list states another sum than that of its rows.');
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
    expect(stderr).toContain('Cash: 5 equal.');
    expect(exitCode, stderr).toBe(0);
  });

  it('names orders and cash in the error when both differ', async () => {
    const { cli, file, list, find } = await shopWithCash();
    find('UB-1').status = 'CANCELLED';
    const one = list('one.csv', ['order,amount', 'UB-2,4000']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    expect(stderr).toContain('1 other amount.');
    expect(stderr).toContain(
      'error: 1 order of 7 is not at the service as in the file. The cash of the lists is not as the orders have it.',
    );
    expect(exitCode).toBe(6);
  });

  it('counts what is collected for a cancelled order, and not what a list lacks of it', async () => {
    const { cli, file, list, cash, find } = await shopWithCash();
    for (const id of ['UB-1', 'UB-2']) find(id).status = 'CANCELLED';
    await cli(['status', file, '--cash', list('one.csv', ['order,amount', 'UB-1,5000'])]);
    expect(cash().slice(1, 3)).toEqual(['UB-1,5000,not_to_collect,one.csv row 2: UB-1', 'UB-2,,,']);
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
    const flags = ['--cash-column', 'Код=order'];
    const answers = [{ pick: 'Авсан' }, { pick: 'Хөлс' }].map(choose);
    const { exitCode, stderr } = await cli(['status', file, '--cash', one, ...flags], { answers });
    expect(seen).toEqual([
      'one.csv: which column has the amount that was collected? | Авсан мөнгө  5к  5,000 | Хөлс  300  300',
      'one.csv: which column has the fee of the courier? | None | Хөлс  300  300',
    ]);
    expect(cash()[2]).toBe('UB-2,5000,equal,one.csv row 3: UB-2');
    expect(stderr).toContain('one.csv: 10,000 ₮ (fee 600 ₮).');
    expect(exitCode).toBe(6);
    const two = list('two.csv', ['Код,Дүн', 'K-1,5000', 'UB-2,5000', 'K-2,5001']);
    await cli(['status', file, '--cash', two], { answers: [choose({ pick: 'Код' })] });
    expect(cash()[2]).toBe('UB-2,5000,equal,two.csv row 3: UB-2');
  });

  it('reads a list without a header', async () => {
    const { cli, file, list, cash } = await shopWithCash();
    const one = list('one.csv', ['UB-1,5000', 'UB-2,4500', 'UB-3,5000']);
    const { stderr } = await cli(['status', file, '--cash', one]);
    expect(cash().slice(1, 4), stderr).toEqual([
      'UB-1,5000,equal,one.csv row 1: UB-1',
      'UB-2,4500,differs,one.csv row 2: UB-2',
      'UB-3,5000,equal,one.csv row 3: UB-3',
    ]);
  });

  it('asks for a flag where a column has amounts with three decimals', async () => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const one = list('one.csv', ['order,amount,fee', 'UB-1,5.000,0.300', 'UB-2,5000.000,1.000']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    const because = 'because this column has amounts with three decimals, such as';
    expect(short(stderr)).toBe(
      [
        'error: one.csv has amounts that can be read in two ways.',
        `  row 2, amount "5.000": may be 5,000 ₮ or 5 ₮, ${because} 5000.000; add --decimal comma if it is 5,000 ₮, or --decimal dot if it is 5 ₮ (decimal_ambiguous)`,
        `  row 3, fee "1.000": may be 1,000 ₮ or 1 ₮, ${because} 0.300; add --decimal comma if it is 1,000 ₮, or --decimal dot if it is 1 ₮ (decimal_ambiguous)`,
        'Say with --decimal how they are written. Nothing was written.',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(2);
    await cli(['status', file, '--cash', one, '--decimal', 'comma']);
    expect(cash().slice(1, 3)).toEqual([
      'UB-1,5000,equal,one.csv row 2: UB-1',
      'UB-2,5000,equal,one.csv row 3: UB-2',
    ]);
  });

  it('takes the columns from flags, before names and values', async () => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const one = list('one.csv', ['Дугаар,Дүн,Авсан', 'UB-1,1000,5000']);
    const unasked = await cli(['status', file, '--cash', one]);
    expect(short(unasked.stderr)).toBe(
      [
        'error: one.csv does not say which columns have the orders and the amounts.',
        'Its columns are: Дугаар, Дүн, Авсан. Name those that are meant, such as:',
        "  merchant-orders status orders.csv --cash one.csv --cash-column 'Дугаар=order' --cash-column 'Дүн=amount'",
        '',
      ].join('\n'),
    );
    expect(unasked.exitCode).toBe(2);
    const { exitCode, stderr } = await cli(['status', file, '--cash', one, '--cash-column', 'Авсан=amount']);
    expect(exitCode, stderr).toBe(0);
    expect(cash()[1]).toBe('UB-1,5000,equal,one.csv row 2: UB-1');
    const two = list('two.csv', ['order,amount,Collected', 'UB-1,1,5000']);
    await cli(['status', file, '--cash', two, '--cash-column', 'Collected=amount']);
    expect(cash()[1]).toBe('UB-1,5000,equal,two.csv row 2: UB-1');
    expect((await runCli(['status', file, '--cash-column', 'Дүн=money'])).exitCode).toBe(2);
  });

  it.each([
    [['Kollected=amount'], 'No list has the column Kollected.'],
    [['sum=amount', 'amount=amount'], 'one.csv has several columns for =amount: sum, amount.'],
    [['twin=amount'], 'one.csv has several columns for =amount: twin, twin.'],
    [['sum=net'], undefined],
  ])('takes %j for the columns of a list only if it is clear', async (flags, sentence) => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['order,amount,sum,twin,twin', 'UB-1,5000,5000,1,2']);
    const { stderr, exitCode } = await cli([
      ...['status', file, '--cash', one, ...flags.flatMap((flag) => ['--cash-column', flag])],
    ]);
    expect(exitCode, stderr).toBe(sentence === undefined ? 0 : 2);
    expect(short(stderr)).toContain(sentence ?? 'one.csv: 5,000 ₮ (paid out 5,000 ₮).');
  });

  it.each([
    ['a column without a list', ['--cash-column', 'Sum=amount'], 'No list has the column Sum.'],
    ['standard output', ['--output', '-'], 'The rows with their states are not written to standard output.'],
  ])('refuses %s', async (_, flags, sentence) => {
    const { cli, file } = await shopWithCash();
    const { stderr, exitCode } = await cli(['status', file, ...flags]);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(2);
  });

  it('refuses standard input for the file and a list', async () => {
    const { cli } = await shopWithCash();
    const { stderr, exitCode } = await cli(['status', '-', '--cash', '-'], {
      stdin: 'order,amount\nUB-1,5000\n',
    });
    expect(stderr).toContain('Standard input cannot be both the file and a list.');
    expect(exitCode).toBe(2);
  });

  it('reads thousands without a flag', async () => {
    const { cli, file, list, cash } = await shopWithCash();
    const one = list('one.csv', ['order,amount', 'UB-1,"5,000₮"', 'UB-2,"4,000₮"']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one]);
    expect(exitCode, stderr).toBe(6);
    expect(cash().slice(1, 3)).toEqual([
      'UB-1,5000,equal,one.csv row 2: UB-1',
      'UB-2,4000,differs,one.csv row 3: UB-2',
    ]);
  });

  it('reads amounts in words, such as 5к', async () => {
    const { cli, file, list, cash } = await shopWithCash();
    const rows = ['UB-1,5к', 'UB-2,"4,5 мянга"', 'UB-3,5k ₮', 'UB-4,0.01 сая', 'UB-5,-1 мянган төгрөг'];
    const words = list('words.csv', ['order,amount', ...rows]);
    const { stderr } = await cli(['status', file, '--cash', words]);
    expect(cash().slice(1, 6), stderr).toEqual([
      'UB-1,5000,equal,words.csv row 2: UB-1',
      'UB-2,4500,differs,words.csv row 3: UB-2',
      'UB-3,5000,equal,words.csv row 4: UB-3',
      'UB-4,10000,differs,words.csv row 5: UB-4',
      'UB-5,-1000,differs,words.csv row 6: UB-5',
    ]);
  });

  it.each([
    ['UB-1,1.500к', 'one.csv has cells that are not amounts.', 'row 2, amount "1.500к": is not an amount'],
    ['UB-1,five', 'one.csv has cells that are not amounts.', 'row 2, amount "five": is not an amount'],
    ['UB-1,5000 $', 'one.csv has cells that are not amounts.', 'row 2, amount "5000 $": is not an amount'],
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

  it('refuses a list that is named twice, is absent, or would be overwritten', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['order,amount', 'UB-1,5000']);
    const twice = await cli(['status', file, '--cash', one, '--cash', one]);
    expect(short(twice.stderr)).toContain('The list one.csv is named twice.');
    const absent = await cli(['status', file, '--cash', `${one}.x`]);
    expect(short(absent.stderr)).toContain('one.csv.x cannot be read: it does not exist.');
    const over = await cli(['status', file, '--cash', one, '--output', one]);
    expect(short(over.stderr)).toContain('The states would overwrite one.csv.');
    expect([twice, absent, over].map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
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
    const rows = [['Courier: Bat'], ['order', 'amount'], ['UB-1', 5000], ['UB-2', 4999.5], ['Total', 9999.5]];
    writeFileSync(path, workbookOf({ sheets: [sheetOf(rows)] }));
    const { stderr } = await cli(['status', file, '--cash', path]);
    expect(stderr).not.toContain('states a total');
    expect(cash().slice(1, 3)).toEqual([
      'UB-1,5000,equal,list.xlsx row 3: UB-1',
      'UB-2,4999.5,differs,list.xlsx row 4: UB-2',
    ]);
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
    expect(cash()[1]).toBe('UB-1,5000,equal,list.xlsx row 2: UB-1');
  });

  it('counts an order once that the file names twice', async () => {
    const { cli, list, rows } = await shopWithCash();
    const names = list('names.csv', ['Which', 'ORD-2026-000001', 'UB-1']);
    const one = list('one.csv', ['order,amount', 'UB-1,5000', 'ORD-2026-000001,5000']);
    await cli(['status', names, '--id-column', 'Which', '--cash', one]);
    expect(rows('names.status.csv').map((row) => row.split(',').slice(1).join())).toEqual([
      `${added},_cash,_cash_difference,_cash_from`,
      expect.stringMatching(/^ORD-2026-000001,CONFIRMED,,5000,5000,[^,]*,,10000,twice,/),
      expect.stringMatching(/^ORD-2026-000001,CONFIRMED,,,,[^,]*,,,,$/),
    ]);
  });

  it('runs no formula of a list', async () => {
    const { cli, file, list, rows } = await shopWithCash();
    const one = list('one.csv', ['order,amount', 'UB-1,5000']);
    const name = '=one.csv';
    const real = (path: string) => (path === name ? one : path);
    const files = {
      openPipe: async () => undefined,
      stampOf: (path: string) => systemFiles.stampOf(real(path)),
      readChunks: (path: string, first?: number) => systemFiles.readChunks(real(path), first),
    };
    const { exitCode, stderr } = await cli(['status', file, '--cash', name], { files });
    expect(exitCode, stderr).toBe(0);
    expect(rows()[1]).toMatch(/,'=one\.csv row 2: UB-1$/);
  });
});

function toHundredths(amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(amount) ?? [];
  const value = BigInt(`${whole}${fraction.padEnd(2, '0')}`);
  return sign === '-' ? -value : value;
}
