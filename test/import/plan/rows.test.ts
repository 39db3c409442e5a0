import { describe, expect, it } from 'vitest';
import { linesOf, outcomes, planRows, type RowsOptions } from '../plan-rows.ts';
import cases from './rows.json' with { type: 'json' };

interface RowCase {
  rows: string[];
  orders?: string[];
  problems?: string[];
  found?: string[];
  map?: object;
  options?: RowsOptions;
}

const prepaid = ['--set', 'collectionMode=NONE'];

/** `ID: lines` of each order, and `row code` of each problem, further rows with a `+`. */
async function read(rows: string[], { flags = prepaid, ...options }: RowsOptions = {}) {
  const { orders, problems } = await planRows(rows, { flags: [...flags, '--ignore-rest'], ...options });
  return {
    orders: orders.map(({ id, order }) => `${id}: ${linesOf(order)}`),
    problems: problems.map(({ at, code, same = '' }) => {
      const row = /^row (\d+)/.exec(at)?.[1] ?? at;
      return `${row}${same.replace(/^\d+ more rows?: /, '+')} ${code}`;
    }),
  };
}

describe('rows of one order', () => {
  const header = 'externalOrderId|customer.phone|items[].sku|Tags|items[].name';
  const none = ['--no-checks'];
  it.each(cases.orders)('$name', async ({ rows, orders, problems, map }: RowCase) => {
    expect(await read([header, ...rows], { flags: none, map })).toEqual({ orders, problems });
  });
});

describe('orders with scattered rows', () => {
  const header = 'externalOrderId|customer.phone|items[].sku|collectionMode';
  const rows = [
    'A|99112233|X|NONE',
    'B|99112234|Y|NONE',
    'A||Z|',
    '||W|',
    'C|99112235|X|NONE',
    'B||Y2|',
    'A|99112233|V|NONE',
  ];
  const joined = ['A: X, Z, W, V', 'B: Y, Y2', 'C: X'];

  it('are joined at their first row and checked as a whole', async () => {
    expect(await read([header, ...rows], { flags: [] })).toEqual({ orders: joined, problems: [] });
    const found = await read([header, ...rows, 'C|99112236||', 'A|99112233|X|NONE'], { flags: [] });
    expect(found.problems).toEqual(['10 duplicate_row', '9 field_conflict']);
    const alike = ['#12|99112233|X|NONE', '7|99112234|X|NONE', '12|99112235|X|NONE', '#12||Y|', '12||Z|'];
    expect((await read([header, ...alike], { flags: [] })).orders).toEqual(['#12: X, Y', '7: X', '12: X, Z']);
    const bySku = [0, 1, 2].flatMap((line) =>
      Array.from({ length: 2000 }, (_, order) => `${order}|99112233|SKU-${line}|NONE`),
    );
    const { orders } = await read([header, ...bySku], { flags: [] });
    expect([orders.length, orders[1999]]).toEqual([2000, '1999: SKU-0, SKU-1, SKU-2']);
  });

  it.each([
    [['--limit', '2'], 'AB'],
    [['--limit', '9'], 'ABC'],
    [['--rows', '7'], 'B'],
    [['--rows', '4,6'], 'AC'],
    [['--rows', '5-9', '--limit', '2'], 'AB'],
    [['--shard', '1/2'], 'B'],
    [['--shard', '2/2'], 'AC'],
    [['--shard', '2/2', '--limit', '1'], 'A'],
    [['--shard', '2/2', '--rows', '6-9'], 'AC'],
    [['--shard', '1/2', '--rows', '6'], ''],
  ])('are selected by %j', async (flags, ids) => {
    const { orders, summary } = await planRows([header, ...rows], { flags });
    expect([orders.map(({ id }) => id).join(''), summary?.orders]).toEqual([
      ids,
      expect.objectContaining({ total: ids.length }),
    ]);
  });
});

describe('rows that are no orders', () => {
  const header = 'externalOrderId|customer.phone|items[].sku|items[].quantity:number|total|Note';
  it.each(cases.totals)('may have $name', async ({ rows, found, options }: RowCase) => {
    const { flags = prepaid, ...others } = options ?? {};
    const { summary, error } = await planRows(rows, { flags: [...flags, '--ignore-rest'], ...others });
    expect(error?.code).not.toBe('file_invalid');
    const notes = (summary?.plan.notes ?? []) as string[];
    const named = notes.flatMap((note) => [...note.matchAll(/row (\d+) \(a (\w+)\)/g)]);
    expect(named.map(([, row, kind]) => `${row} ${kind}`)).toEqual(found);
  });

  const words = [
    ...[
      'Total',
      'TOTAL:',
      ' Grand  total ',
      'Sub-total',
      'sub total',
      'Нийт',
      'НИЙТ ДҮН:',
      'нийлбэр',
      'Итого:',
      'ВСЕГО',
    ],
    ...[
      'Total Général',
      'Summe',
      'RAZEM',
      'ΣΎΝΟΛΟ',
      'الإجمالي',
      'योग',
      'Tổng cộng',
      'ยอดรวม',
      '合计',
      '합계',
    ],
  ];
  const others = [
    'Total Energies',
    'totally',
    'Total 12',
    'Сумка',
    'Дүнжингарав',
    'A-1',
    '45000',
    'कल',
    'sum of all',
  ];
  it.each([
    ['stand for a total', words, words.length],
    ['do not', others, 0],
  ])('may have words that %s', async (_, cells, count) => {
    const rows = cells.flatMap((cell, index) => [`A-${index}|1|X|1|5|`, `${cell}||||7|gift`]);
    const { summary } = await planRows([header, ...rows], { flags: [...prepaid, '--ignore-rest'] });
    expect(summary?.rows).toBe(2 * cells.length);
    const [note = '0'] = (summary?.plan.notes ?? []) as string[];
    expect(Number.parseInt(note, 10)).toBe(count);
  });
});

describe('rows that may be orders and may not', () => {
  it.each(cases.unclear)('are errors of that row: $name', async ({ rows, problems, options }: RowCase) => {
    const { problems: found } = await read(rows, options);
    const quiet = found.filter((text) => !/phone_|customer_missing/.test(text));
    expect(quiet).toEqual(problems);
  });

  it('are not left out for a state that may be another cell', async () => {
    const header = 'externalOrderId|customer.phone|items[].sku|State';
    const rows = ['A|99112233|X|', 'A||Y|more|cancelled', 'B|99112234|X|cancelled', 'C|99112235|X|'];
    const map = { leave_out: { cancelled: { State: 'cancelled' } } };
    const plan = await planRows([header, ...rows], { flags: prepaid, map });
    expect(outcomes(plan)).toEqual(['row_width', 'left out: cancelled', 'NONE']);
  });

  it('continue an order unless they name another customer, or stand behind a row that is no order', async () => {
    const map = { columns: { externalOrderId: 'Ref', 'customer.phone': 'Phone', 'items[].sku': 'Code' } };
    const header = 'Ref|Phone|Code|Customer';
    const ids = async (...rows: string[]) => (await read([header, ...rows], { flags: prepaid, map })).orders;
    expect(await ids('1|99112233|A|Болд', '||B|')).toEqual(['1: A, B']);
    expect(await ids('1|99112233|A|Болд', '||B|Дорж')).toEqual(['1: A', ': B']);
    expect(await ids('1|99112233|A|', 'Нийт|||', '||B|')).toEqual(['1: A', ': B']);
  });
});
