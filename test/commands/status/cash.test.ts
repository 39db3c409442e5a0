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
    const { cli, file, list, cash, short, orders } = await shopWithCash();
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
    expect(cash()).toEqual([
      'externalOrderId,_cash,_cash_difference,_cash_from',
      'UB-1,5000,equal,monday.csv row 2: ORD-2026-000001',
      'UB-2,4500,differs,monday.csv row 3: UB-2',
      'UB-3,10000,twice,monday.csv row 4: UB-3; tuesday.csv row 2: UB-3',
      'UB-4,0,differs,tuesday.csv row 5: UB-4',
      'UB-5,,not_in_lists,',
      'UB-6,,not_in_lists,',
      'UB-7,7000,not_to_collect,monday.csv row 5: UB-7',
      ',5000,equal,monday.csv row 6: OLD-1',
      ',5000,unknown_order,tuesday.csv row 3: UB-99',
      ',2000,unknown_order,tuesday.csv row 4',
    ]);
    expect(JSON.parse(short(stdout)).cash).toEqual({
      lists: [
        {
          file: 'monday.csv',
          rows: 5,
          collected: '26500',
          fee: '1500',
          net: '25000',
          otherTotals: [],
          otherNets: [],
        },
        {
          file: 'tuesday.csv',
          rows: 4,
          collected: '12000',
          fee: null,
          net: null,
          otherTotals: [],
          otherNets: [],
        },
      ],
      collected: '38500',
      fee: '1500',
      net: '25000',
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
        'monday.csv row 4: UB-3 and tuesday.csv row 2: UB-3: in the lists 2 times, 10,000 ₮ in all.',
        'tuesday.csv row 4: collected 2,000 ₮ for an unknown order.',
        'tuesday.csv row 3: UB-99: collected 5,000 ₮ for an unknown order.',
        'monday.csv row 5: UB-7: collected 7,000 ₮, but there is nothing to collect.',
        'monday.csv row 3: UB-2: collected 4,500 ₮ instead of 5,000 ₮.',
        'tuesday.csv row 5: UB-4: collected 0 ₮ instead of 5,000 ₮.',
        '7 orders, 7 found; to collect in all, without those that are cancelled: 30,000 ₮.',
        'Cash: 38,500 ₮ (fee 1,500 ₮, paid out 25,000 ₮) in 2 lists; 1 more than once in the lists, 2 unknown, 1 nothing to collect, 2 other amounts, 2 equal.',
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
      'Cash: 10,000 ₮ in 1 list; 3 equal.\n4 orders not in these lists, with 20,000 ₮ to collect.',
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
    ['#ORD-2026-000002', 'ORD-2026-000002'],
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

  it('reads a Cyrillic letter of an unknown order as the Latin one', async () => {
    const { cli, file, folder } = await imported([header, rowOf('D-12')]);
    const one = join(folder, 'one.csv');
    writeFileSync(one, 'order,amount\nД-12,5000\n');
    const { stderr } = await cli(['status', file, '--cash', one]);
    expect(stderr).toContain('row 2: Д-12: collected 5,000 ₮ for an unknown order; perhaps D-12.');
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
        'one.csv: what is paid out is not the amount less the fee in row 3.',
      ].join('\n'),
    );
    expect(exitCode).toBe(6);
  });

  it('compares totals of fees and of what is paid out too', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['order,amount,fee,net', 'UB-1,5000,300,4700', 'Нийт,5000,500,4500']);
    const { stdout, stderr, exitCode } = await cli(['status', file, '--cash', one, '--json']);
    expect(short(stderr)).toContain(
      [
        'one.csv states a total fee of 500 ₮ in row 3, but the rows above come to 300 ₮.',
        'one.csv states a total paid out of 4,500 ₮ in row 3, but the rows above come to 4,700 ₮.',
      ].join('\n'),
    );
    expect(JSON.parse(stdout).cash.lists[0].otherTotals).toEqual([
      { row: 3, field: 'fee', stated: '500', sum: '300' },
      { row: 3, field: 'net', stated: '4500', sum: '4700' },
    ]);
    expect(stderr).toContain('"message":"A total of the lists is not the sum of its rows."');
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
    expect(stderr).toContain('Cash: 25,000 ₮ in 1 list; 5 equal.');
    expect(exitCode, stderr).toBe(0);
  });

  it('says what the rows of a part come to', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['order,amount', ...parts, 'Total,14000']);
    const { stderr } = await cli(['status', file, '--cash', one]);
    expect(short(stderr)).toContain(
      'one.csv states a total of 14,000 ₮ in row 8, but the rows above come to 25,000 ₮, those since the last total to 15,000 ₮.',
    );
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

  it('asks for the columns once', async () => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const rows = ['Огноо,Дугаар,Хураасан,Шимтгэл,Шилжүүлэх', '11/25,ORD-2026-000001,"5,000","300","4,700"'];
    const one = list('one.csv', rows);
    const first = await cli(['status', file, '--cash', one], {
      answers: [
        ({ preset, choices }) => {
          expect(choices.find(({ value }) => value === preset)?.name).toBe('Дугаар  ORD-2026-000001');
          return { pick: 'Дугаар' };
        },
        { pick: 'Хураасан' },
        { pick: 'Шимтгэл' },
        { pick: 'Шилжүүлэх' },
        'right',
      ],
    });
    expect(first.asked.map(short)).toEqual([
      'one.csv: which column has the order number or order ID?',
      'one.csv: which column has the amount that was collected?',
      'one.csv: which column has the fee of the courier?',
      'one.csv: which column has the amount that is paid out?',
      'one.csv: row 2, ORD-2026-000001: 5,000 ₮; in all 5,000 ₮ collected, fee 300 ₮, paid out 4,700 ₮. Is this right?',
    ]);
    expect(first.exitCode, first.stderr).toBe(0);
    expect(cash()[1]).toBe('UB-1,5000,equal,one.csv row 2: ORD-2026-000001');
    const two = list('two.csv', rows);
    const second = await cli(['status', file, '--cash', two]);
    expect(second.stderr).toContain('Read with the remembered columns one.');
    expect(second.exitCode, second.stderr).toBe(0);
    const { stdout } = await cli(['mappings', 'show', 'one']);
    expect(JSON.parse(stdout)).toEqual({
      cash: { order: 'Дугаар', amount: 'Хураасан', fee: 'Шимтгэл', net: 'Шилжүүлэх' },
    });
  });

  const listOfCourier = [
    '№,Дугаар,Утас,Хаяг,Тоо,Авсан мөнгө,Хөлс',
    '1,UB-1,99112233,БЗД,1,5к,300',
    '2,UB-2,88113344,СБД,3,"5,000",300',
    '3,UB-7,88113345,СБД,1,0,300',
    ',,,Нийт,,10к,900',
  ];
  const asked = (name: string, preset: string | undefined, ...names: string[]) => ({ name, preset, names });

  it('takes no column by Enter but one in which every cell names an order, and reads the others back', async () => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const one = list('one.csv', listOfCourier);
    const seen: unknown[] = [];
    const choose =
      (answer: Answer): Answering =>
      ({ message, preset, choices }) => {
        const isChosen = choices.find(({ value }) => value === preset)?.name;
        seen.push(
          asked(short(message).slice('one.csv: '.length), isChosen, ...choices.map(({ name }) => name)),
        );
        return answer;
      };
    const answers = [
      { pick: 'Дугаар' },
      '',
      'back',
      { pick: 'Дугаар' },
      { pick: 'Хөлс' },
      'none',
      'none',
      'back',
    ];
    const { exitCode, stderr } = await cli(['status', file, '--cash', one], {
      answers: [...answers, 'back', 'back', { pick: 'Авсан' }, { pick: 'Хөлс' }, 'right'].map(choose),
    });
    const offered = ['please choose a column', 'Авсан мөнгө  5к  5,000', 'Хөлс  300  300', '← back'];
    const [open = ''] = offered;
    const order = asked(
      'which column has the order number or order ID?',
      'Дугаар  UB-1  UB-2',
      ...['№  1  2', 'Дугаар  UB-1  UB-2', 'Утас  99112233  88113344', 'Хаяг  БЗД  СБД'],
      ...['Тоо  1  3', 'Авсан мөнгө  5к  5,000', 'Хөлс  300  300'],
    );
    const amount = asked('which column has the amount that was collected?', open, ...offered);
    const others = (index: number) => [open, 'None', offered[index] ?? '', '← back'];
    const fee = (index: number) => asked('which column has the fee of the courier?', open, ...others(index));
    const net = asked('which column has the amount that is paid out?', open, ...others(1));
    const right = (text: string) => asked(`${text}. Is this right?`, undefined, 'yes', '← back');
    expect(seen).toEqual([
      ...[order, amount, amount, order, amount, fee(1), net],
      right('row 2, UB-1: 300 ₮; row 3, UB-2: 300 ₮; in all 900 ₮ collected'),
      ...[net, fee(1), amount, fee(2)],
      right('row 2, UB-1: 5,000 ₮; row 3, UB-2: 5,000 ₮; in all 10,000 ₮ collected, fee 900 ₮'),
    ]);
    expect(exitCode, stderr).toBe(0);
    expect(cash().slice(1, 3)).toEqual([
      'UB-1,5000,equal,one.csv row 2: UB-1',
      'UB-2,5000,equal,one.csv row 3: UB-2',
    ]);
    const { stdout } = await cli(['mappings', 'show', 'one']);
    expect(JSON.parse(stdout)).toEqual({ cash: { order: 'Дугаар', amount: 'Авсан мөнгө', fee: 'Хөлс' } });
  });

  it.each<[what: string, header: string, cells: [string, string, string], isOffered: boolean]>([
    ['amounts', 'X', ['4,500', '12к', '0'], true],
    ['amounts below zero', 'X', ['5000', '-200', ''], true],
    ['amounts that are not round', 'Paid amount', ['44999', '17903', '20001'], true],
    ['numbers of rows', 'X', ['1', '2', '3'], false],
    ['numbers of rows that do not begin with 1', '№', ['400', '500', '600'], false],
    ['phones', 'X', ['99112233', '88112244', '99112255'], false],
    ['numbers of orders', 'X', ['10231', '10232', '10235'], false],
    ['codes of products', 'SKU', ['1000', '1000', '2000'], false],
    ['pieces', 'X', ['1', '2', '1'], false],
    ['addresses', 'X', ['БЗД 3-р хороо', '45', '46'], false],
    ['amounts beside a word', 'X', ['5000', '5000', 'төлсөн'], true],
    ['words beside an amount', 'X', ['төлсөн', 'төлсөн', '5000'], false],
  ])('offers a column of %s: %s %j', async (_, name, cells, isOffered) => {
    const { cli, file, list } = await shopWithCash();
    const one = list('one.csv', [
      `id,Sum,${name}`,
      ...cells.map((cell, index) => `UB-${index + 1},5000,"${cell}"`),
    ]);
    const offered: string[] = [];
    const look: Answering = ({ choices }) => {
      offered.push(...choices.map(({ name: shown }) => shown));
      return { leave: true };
    };
    await cli(['status', file, '--cash', one], { answers: [{ pick: 'id' }, look] });
    expect(offered.some((shown) => shown.startsWith(`${name}  `))).toBe(isOffered);
    expect(offered.some((shown) => shown.startsWith('Sum  '))).toBe(true);
  });

  it('preselects no column of orders where two may be it, or none certainly is', async () => {
    const { cli, file, list } = await shopWithCash();
    for (const rows of [
      ['id,number,Sum', 'UB-1,ORD-2026-000001,5000'],
      ['id,Sum', 'UB-1,5000', 'other,5000'],
    ]) {
      const presets: (string | undefined)[] = [];
      const look: Answering = ({ preset }) => {
        presets.push(preset);
        return { leave: true };
      };
      await cli(['status', file, '--cash', list('one.csv', rows)], { answers: [look] });
      expect(presets).toEqual(['']);
    }
  });

  it('names the flags where no column has amounts', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['id,phone', 'UB-1,99112233', 'UB-2,88112244']);
    const { stderr, exitCode } = await cli(['status', file, '--cash', one], { answers: [{ pick: 'id' }] });
    expect(short(stderr)).toContain('one.csv does not say which columns have the orders and the amounts.');
    expect(exitCode).toBe(2);
  });

  it('names the command that forgets the columns, where what is remembered does not fit', async () => {
    const { cli, file, list, short } = await shopWithCash();
    const answers = [{ pick: 'Дугаар' }, { pick: 'Хөлс' }, 'none', 'none', 'right'];
    await cli(['status', file, '--cash', list('one.csv', listOfCourier)], { answers });
    const forget = 'If the remembered columns are wrong, run: merchant-orders mappings remove one';
    const two = await cli(['status', file, '--cash', list('two.csv', listOfCourier)]);
    expect(short(two.stderr)).toContain('two.csv row 2: UB-1: collected 300 ₮ instead of 5,000 ₮.');
    expect([two.exitCode, two.stderr.endsWith(`${forget}\n`)]).toEqual([6, true]);
    const unreadable = listOfCourier.map((row) => row.replace(/,300$/, ',-'));
    const three = await cli(['status', file, '--cash', list('three.csv', unreadable)]);
    expect(short(three.stderr)).toContain('three.csv has cells that are not amounts.');
    expect([three.exitCode, three.stderr.includes(forget)]).toEqual([2, true]);
    await cli(['mappings', 'remove', 'one']);
    const flags = ['--cash-column', 'Дугаар=order', '--cash-column', 'Авсан мөнгө=amount'];
    const four = await cli(['status', file, '--cash', list('four.csv', listOfCourier), ...flags]);
    expect([four.exitCode, four.stderr.includes('remembered')], four.stderr).toEqual([0, false]);
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

  it('keeps what is remembered of a list apart from mappings of orders', async () => {
    const { cli, file, folder, list } = await shopWithCash();
    const same = list('same.csv', [header, rowOf('UB-1')]);
    const answers = [{ pick: 'externalOrderId' }, { pick: 'collectionAmount' }, 'none', 'none', 'right'];
    const { exitCode, stderr } = await cli(['status', file, '--cash', same], { answers });
    expect(exitCode, stderr).toBe(0);
    const imported = await cli(['import', join(folder, 'orders.csv'), '--dry-run']);
    expect(imported.stderr).not.toContain('remembered');
    expect(imported.exitCode, imported.stderr).toBe(0);
  });

  it('takes the columns from flags, and names them where nobody can be asked', async () => {
    const { cli, file, list, short, cash } = await shopWithCash();
    const one = list('one.csv', ['Дугаар,Дүн', 'UB-1,5000']);
    const unasked = await cli(['status', file, '--cash', one]);
    expect(short(unasked.stderr)).toBe(
      [
        'error: one.csv does not say which columns have the orders and the amounts.',
        'Its columns are: Дугаар, Дүн. Name these, and =fee and =net where it has them, such as:',
        "  merchant-orders status orders.csv --cash one.csv --cash-column 'Дугаар=order' --cash-column 'Дүн=amount'",
        '',
      ].join('\n'),
    );
    expect(unasked.exitCode).toBe(2);
    const flags = ['--cash-column', 'Дугаар=order', '--cash-column', 'Дүн=amount'];
    const { exitCode, stderr } = await cli(['status', file, '--cash', one, ...flags]);
    expect(exitCode, stderr).toBe(0);
    expect(cash()[1]).toBe('UB-1,5000,equal,one.csv row 2: UB-1');
    expect((await runCli(['status', file, '--cash-column', 'Дүн=money'])).exitCode).toBe(2);
  });

  it('takes flags before remembered columns and names', async () => {
    const { cli, file, list, cash } = await shopWithCash();
    const one = list('one.csv', ['order,amount,Collected', 'UB-1,1,5000']);
    const { exitCode, stderr } = await cli([
      ...['status', file, '--cash', one, '--cash-column', 'Collected=amount'],
    ]);
    expect(exitCode, stderr).toBe(0);
    expect(cash()[1]).toBe('UB-1,5000,equal,one.csv row 2: UB-1');
    const two = list('two.csv', ['No,Sum,Paid', 'UB-1,100,5000']);
    const answers = [{ pick: 'No' }, { pick: 'Sum' }, 'none', 'none', 'right'];
    await cli(['status', file, '--cash', two], { answers });
    const flags = ['--cash-column', 'No=order', '--cash-column', 'Paid=amount'];
    await cli(['status', file, '--cash', two, ...flags]);
    expect(cash()[1]).toBe('UB-1,5000,equal,two.csv row 2: UB-1');
  });

  it.each([
    [['Kollected=amount'], 'No list has the column Kollected.'],
    [['sum=amount', 'amount=amount'], 'one.csv has several columns for =amount: sum, amount.'],
    [['twin=amount'], 'one.csv has several columns twin.'],
    [['sum=net'], undefined],
  ])('takes %j for the columns of a list only if it is clear', async (flags, sentence) => {
    const { cli, file, list, short } = await shopWithCash();
    const one = list('one.csv', ['order,amount,sum,twin,twin', 'UB-1,5000,5000,1,2']);
    const { stderr, exitCode } = await cli([
      ...['status', file, '--cash', one, ...flags.flatMap((flag) => ['--cash-column', flag])],
    ]);
    expect(exitCode, stderr).toBe(sentence === undefined ? 0 : 2);
    expect(short(stderr)).toContain(sentence ?? 'Cash: 5,000 ₮ (paid out 5,000 ₮) in 1 list');
  });

  it.each([
    ['a column without a list', ['--cash-column', 'Sum=amount'], '--cash-column is about lists'],
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
