import { describe, expect, it } from 'vitest';
import { parseMappingFile } from '../../../src/import/map/mapping-file.ts';
import type { PlanOptions } from '../../../src/import/orders/plan-import.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { plan, tableOf } from '../tables.ts';

const columns = { externalOrderId: 'No', 'customer.phone': 'Phone', 'items[].sku': 'Code' };
const prepaid = { constants: [parseAssignment('collectionMode=NONE')] };

function mappingOf(rules: object) {
  return { map: parseMappingFile(JSON.stringify({ columns, ...rules }), 'shop.json'), ...prepaid };
}

/** Of each order its SKUs, the reason for which it is left out, or the codes of its problems. */
async function read(header: string, rows: string[], more: Partial<PlanOptions>) {
  const { all, problems } = await plan(tableOf(`No|Phone|Code${header}`, ...rows), more);
  const ofHeader = problems.filter(({ first }) => first.about === 'header' && first.severity === 'error');
  expect(ofHeader.map(({ first }) => first.code)).toEqual([]);
  return all.map(({ order, problems: own, leftOut }) => {
    if (leftOut !== undefined) return `left out: ${leftOut}`;
    if (own.length > 0) return own.map(({ code }) => code).join(' ');
    return ((order.items ?? []) as { sku: string }[]).map(({ sku }) => sku).join(' ');
  });
}

describe('the state of an order', () => {
  const rules = {
    leave_out: { cancelled: { 'Cancelled at': '*' }, fulfilled: { State: 'sent' } },
    to_deliver: { State: ['new', 'packed'] },
  };
  const states = (rows: string[], more = {}) =>
    read('|State|Cancelled at', rows, { ...mappingOf(rules), ...more });

  it.each([
    ['new|', 'A'],
    ['PACKED|', 'A'],
    ['|', 'A'],
    ['sent|', 'left out: fulfilled'],
    ['sent|2026-11-02', 'left out: cancelled'],
    ['new|2026-11-02', 'left out: cancelled'],
    // What the mapping does not list is left to the words that shops use.
    ['Цуцлагдсан|', 'left out: cancelled'],
    ['processing|', 'A'],
    ['half way|', 'state_unknown'],
  ])('%s', async (cells, expected) => {
    expect(await states([`1|99112233|A|${cells}`])).toEqual([expected]);
  });

  it('is that of all rows of the order', async () => {
    expect(await states(['1|99112233|A|sent|', '1||B||'])).toEqual(['left out: fulfilled']);
    // A state on a later row only is that of its line.
    expect(await states(['1|99112233|A||', '1||B|sent|'])).toEqual(['field_conflict']);
    expect(await states(['1|99112233|A|sent|', '1||B||'])).toEqual(['left out: fulfilled']);
    expect(await states(['1|99112233|A|new|', '1||B|sent|'])).toEqual(['field_conflict']);
    expect(await states(['1|99112233|A|sent|', '1||B|new|'])).toEqual(['field_conflict']);
  });

  it.each([
    ['a part of a text', { cancelled: { State: { contains: 'цуцл' } } }, ['new|', 'цуцлагдсан 11/20|']],
    ['any text', { fulfilled: { 'Cancelled at': '*' } }, ['new|', '|2026-11-18']],
    ['any text but none', { fulfilled: { 'Cancelled at': { not: '' } } }, ['new|', '|2026-11-18']],
  ])(
    'that only one of its rows has is a conflict, with a rule for %s',
    async (_, leave_out, [first, second]) => {
      const rows = [`1|99112233|A|${first}`, `1||B|${second}`];
      const map = mappingOf({ leave_out });
      expect(await read('|State|Cancelled at', rows, map)).toEqual(['field_conflict']);
      expect(await read('|State|Cancelled at', [rows[0]?.replace('new', '') ?? ''], map)).toEqual(['A']);
    },
  );

  it('is not looked at for a reason that --include names', async () => {
    expect(await states(['1|99112233|A|new|2026-11-02'], { include: ['cancelled'] })).toEqual(['A']);
    expect(await states(['1|99112233|A|sent|2026-11-02'], { include: ['cancelled'] })).toEqual([
      'left out: fulfilled',
    ]);
  });

  it('that is not known names the line to add', async () => {
    const { problems } = await plan(
      tableOf('No|Phone|Code|State|Cancelled at', '1|99112233|A|half way|', '2|99112234|A|half way|'),
      mappingOf(rules),
    );
    expect(problems).toMatchObject([
      {
        first: {
          code: 'state_unknown',
          header: 'State',
          value: 'half way',
          fix: `leave such orders out with --leave-out 'State=half way', or send them: "to_deliver": {"State": "half way"} in a mapping file (--map)`,
        },
        others: 1,
      },
    ]);
  });

  it('is counted by reason, apart from the orders to deliver', async () => {
    const rows = ['1|99112233|A|sent|', '2|99112233|A|new|', '3|99112234|A|sent|', '4|99112234|A|new|x'];
    const { counts } = await plan(tableOf('No|Phone|Code|State|Cancelled at', ...rows), mappingOf(rules));
    expect(counts).toMatchObject({
      orders: 4,
      selected: 1,
      invalid: 0,
      leftOut: { fulfilled: 2, cancelled: 1 },
    });
  });

  it('does not count towards --limit', async () => {
    const rows = ['1|99112233|A|sent|', '2|99112233|A|new|', '3|99112234|A|new|'];
    const limited = await plan(tableOf('No|Phone|Code|State|Cancelled at', ...rows), {
      ...mappingOf(rules),
      selection: { limit: 1 },
    });
    expect(limited.counts).toMatchObject({ selected: 1, leftOut: { fulfilled: 1 } });
    expect(
      limited.read.filter(({ isSelected, planned }) => isSelected && planned.leftOut === undefined),
    ).toHaveLength(1);
  });
});

describe('the lines of an order', () => {
  const rules = {
    leave_out_lines: { fulfilled: { Line: 'sent' }, needs_no_shipping: { Ships: 'false' } },
    partly_fulfilled: { Part: 'partial' },
    summary_row_when: { Kind: 'sum' },
    quantities_not_final: { Refunded: { above_zero: true } },
  };
  const lines = (rows: string[], more = {}) =>
    read('|Line|Ships|Part|Kind|Refunded', rows, { ...mappingOf(rules), ...more });

  it.each([
    ['those that are still to be sent', ['A|pending|true|partial||', 'B|sent|true|||'], 'A'],
    ['a first line without shipping', ['A||false|||', 'B||true|||'], 'B'],
    ['all lines were sent', ['A|sent||||', 'B|sent||||'], 'left out: fulfilled'],
    ['no line needs shipping', ['A||false|||', 'B||false|||'], 'left out: needs_no_shipping'],
    ['a row that sums up the order', ['X||||sum|', 'A|||||', 'B|||||'], 'A B'],
    ['a refund that names no line', ['A|||||8900.00', 'B|||||'], 'quantities_not_final'],
    ['a refund of zero', ['A|||||0.00', 'B|||||'], 'A B'],
    ['a refund on the second row', ['A|||||0.00', 'B|||||5000'], 'quantities_not_final'],
  ])('%s', async (_, [first = '', ...others], expected) => {
    const rows = [`1|99112233|${first}`, ...others.map((row) => `1||${row}`)];
    expect(await lines(rows)).toEqual([expected]);
  });

  it('of a partly fulfilled order must be told apart', async () => {
    const { leave_out_lines: _, ...others } = rules;
    const map = mappingOf({ ...others, leave_out_lines: { needs_no_shipping: { Ships: 'false' } } });
    expect(await lines(['1|99112233|A|||partial||'], map)).toEqual(['partly_fulfilled']);
    expect(await lines(['1|99112233|A|||partial||'], { ...map, include: ['fulfilled'] })).toEqual(['A']);
  });

  it('keep values of the order that stand on a line that is left out', async () => {
    const { all } = await plan(
      tableOf('No|Phone|Code|Ships', '1|99112233|A|false', '1||B|true'),
      mappingOf({ leave_out_lines: { needs_no_shipping: { Ships: 'false' } } }),
    );
    expect(all.map(({ order }) => writeOrderBody(order))).toEqual([
      '{"externalOrderId":"1","customer":{"phone":"99112233"},"items":[{"sku":"B"}],"collectionMode":"NONE"}',
    ]);
  });

  it('have net quantities', async () => {
    const { all } = await plan(
      tableOf('No|Phone|Code|Qty|Gone', '1|99112233|A|3|1', '1||B|2|2', '1||C|4|', '2|99112234|A|1|-1'),
      mappingOf({ columns: { ...columns, 'items[].quantity:number': { from: 'Qty', minus: 'Gone' } } }),
    );
    expect(all.map(({ order, leftOut }) => leftOut ?? writeOrderBody({ items: order.items ?? [] }))).toEqual([
      '{"items":[{"sku":"A","quantity":2},{"sku":"C","quantity":4}]}',
      'refunded',
    ]);
  });
});

describe('what cannot be delivered', () => {
  const address = [
    { 'deliveryAddress.city': 'Ship city', 'deliveryAddress.street': 'Ship street' },
    { 'deliveryAddress.city': 'Bill city', 'deliveryAddress.street': 'Bill street' },
  ];
  const rules = {
    address,
    shipping_method: 'Method',
    pickup: { Method: { starts_with: 'Counter' } },
    currency: 'Money',
  };
  const header = '|Ship city|Ship street|Bill city|Bill street|Method|Money';

  it.each([
    ['UB|Peace 1|||Post|MNT', 'A'],
    ['|||||', 'pickup_suspected'],
    ['||||Post|', 'pickup_suspected'],
    ['||||Counter 3|', 'left out: pickup'],
    ['UB||||Өөрөө очиж авах|', 'pickup_not_deliverable'],
    ['UB||||Post|USD', 'currency_not_mnt'],
    ['UB||||Post|төгрөг', 'A'],
  ])('%s', async (cells, expected) => {
    expect(await read(header, [`1|99112233|A|${cells}`], mappingOf(rules))).toEqual([expected]);
  });

  it.each([
    ['UB||||Post|MNT', 'UB||||Post|USD'],
    ['UB||||Post|', 'UB||||Counter 3|'],
  ])('is refused when rows of an order disagree: %s and %s', async (first, second) => {
    expect(await read(header, [`1|99112233|A|${first}`, `1||B|${second}`], mappingOf(rules))).toEqual([
      'field_conflict',
    ]);
  });

  it('is never an address of which a half is that of the payer', async () => {
    const rows = ['1|99112233|A|UB||Darkhan|Main 2||', '2|99112234|A|||Darkhan|Main 2||'];
    const { all } = await plan(tableOf(`No|Phone|Code${header}`, ...rows), mappingOf(rules));
    expect(all.map(({ order }) => order.deliveryAddress)).toEqual([
      { city: 'UB' },
      { city: 'Darkhan', street: 'Main 2' },
    ]);
  });

  it('is refused where the mapping refuses its rows', async () => {
    const map = mappingOf({ refuse_rows_when: { Method: 'Post' } });
    expect(await read('|Method', ['1|99112233|A|', '1||B|Post'], map)).toEqual(['pickup_not_deliverable']);
  });
});

describe('values that a mapping lists', () => {
  it('stand for what the mapping says, in any case, and others are unknown', async () => {
    const mode = { from: 'Pay', values: { Бэлэн: 'COLLECT', Карт: 'NONE' } };
    const map = {
      map: parseMappingFile(
        JSON.stringify({ columns: { ...columns, collectionMode: mode, collectionAmount: 'Sum' } }),
        'm.json',
      ),
    };
    const rows = ['1|99112233|A|бэлэн|900', '2|99112234|A|Карт|', '3|99112235|A|Зээл|'];
    const { all } = await plan(tableOf('No|Phone|Code|Pay|Sum', ...rows), map);
    expect(all.map(({ order, problems }) => problems[0]?.code ?? order.collectionMode)).toEqual([
      'COLLECT',
      'NONE',
      'value_unknown',
    ]);
  });
});

describe('values of several columns that a mapping lists', () => {
  it('are looked up in the first column with text', async () => {
    const district = { from: ['A', 'B'], values: { x: 'БЗД' } };
    const map = mappingOf({ columns: { ...columns, 'deliveryAddress.district': district } });
    expect(await read('|A|B', ['1|99112233|S||Данс', '2|99112234|S||X'], map)).toEqual([
      'value_unknown',
      'S',
    ]);
    const { problems } = await plan(tableOf('No|Phone|Code|A|B', '1|99112233|S||Данс'), map);
    expect(problems.map(({ first }) => first.problem)).toEqual([
      '"Данс" is not among the values that the mapping lists',
    ]);
  });
});

describe('a row without an order ID', () => {
  const continued = async (rows: string[]) => {
    const { all } = await plan(tableOf('No|Phone|Code|Customer', ...rows), mappingOf({}));
    return all.map(({ externalOrderId, rows: own }) => `${externalOrderId}: ${own.length}`);
  };

  it('continues the order above it, unless it names another customer', async () => {
    expect(await continued(['1|99112233|A|Болд', '||B|'])).toEqual(['1: 2']);
    expect(await continued(['1|99112233|A|Болд', '||B|Дорж'])).toEqual(['1: 1', ': 1']);
  });

  it('does not continue an order across a row that is no order', async () => {
    expect(await continued(['1|99112233|A|', 'Нийт|||', '||B|'])).toEqual(['1: 1', ': 1']);
  });
});

describe('control sums', () => {
  const sums = {
    price: 'Price',
    quantity: 'Qty',
    subtotal: 'Sub',
    discount: 'Off',
    total: 'All',
    shipping: 'Ship',
    tax: 'Tax',
  };
  const check = async (header: string, rows: string[], named: object = sums) => {
    const more = mappingOf({ columns: { ...columns, 'items[].quantity:number': 'Qty' }, sums: named });
    const { counts, all, isBroken } = await plan(tableOf(`No|Phone|Code|Price|Qty|${header}`, ...rows), more);
    expect(isBroken).toBe(false);
    return {
      counts,
      found: all.map(({ problems }) => problems.map(({ code, severity }) => `${code} ${severity}`).join()),
    };
  };

  it.each([
    ['the subtotal', 'Sub', { subtotal: 'Sub' }, '1700', ''],
    ['a subtotal with a discount', 'Sub|Off', { subtotal: 'Sub', discount: 'Off' }, '1500|200', ''],
    ['a subtotal with taxes', 'Sub|Tax', { subtotal: 'Sub', tax: 'Tax' }, '1870.00|170.00', ''],
    ['a total with shipping', 'All|Ship', { total: 'All', shipping: 'Ship' }, '6700|5000', ''],
    ['a rounded subtotal', 'Sub', { subtotal: 'Sub' }, '1700.02', ''],
    ['a larger subtotal', 'Sub', { subtotal: 'Sub' }, '2700', 'lines_do_not_add_up warning'],
    ['a smaller subtotal', 'Sub', { subtotal: 'Sub' }, '700', 'lines_do_not_add_up warning'],
  ])('hold the lines against %s', async (_, header, parts, cells, expected) => {
    const rows = [`1|99112233|A|100|2|${cells}`, `1||B|1500|1|${cells.replace(/[^|]+/g, '')}`];
    const { found } = await check(header, rows, { price: 'Price', quantity: 'Qty', ...parts });
    expect(found).toEqual([expected]);
  });

  it('compare lines that stand side by side, and name the first of their columns', async () => {
    const wide = {
      'Code {n}': 'items[].sku',
      'Price {n}': 'items[].unitPrice',
      'Qty {n}': 'items[].quantity:number',
    };
    const map = parseMappingFile(JSON.stringify({ lines: { wide } }), 'map.json');
    const header = 'externalOrderId|customer.phone|total|Code 1|Price 1|Qty 1|Code 2|Price 2|Qty 2';
    const rows = ['A|99112233|500|X|100|2|Y|300|1', 'B|99112234|500|X|100|2|Y|300|one'];
    const { counts, all } = await plan(tableOf(header, ...rows), {
      map,
      constants: [parseAssignment('collectionMode=NONE')],
    });
    expect(counts.sums.agrees).toBe(1);
    expect(all.map(({ problems }) => problems.map(({ column, header }) => [column, header]))).toEqual([
      [],
      [['F', 'Qty {n}']],
    ]);
  });

  it('are not made where a price or an amount is no number', async () => {
    const rows = ['1|99112233|A|cheap|2|200', '2|99112234|A|100|2|', '3|99112235|A|100|2|200'];
    const { counts, found } = await check('Sub', rows, { price: 'Price', quantity: 'Qty', subtotal: 'Sub' });
    expect(counts.sums).toEqual({ agrees: 1, differs: 0, less: 0 });
    expect(found).toEqual(['', '', '']);
  });

  it('are an error only when a line is missing and many orders could be compared', async () => {
    const rows = Array.from(
      { length: 20 },
      (_, index) => `${index}|991122${10 + index}|A|100|2|${index === 3 ? '900' : '200'}`,
    );
    const named = { price: 'Price', quantity: 'Qty', subtotal: 'Sub' };
    const many = await check('Sub', rows, named);
    expect(many.found[3]).toBe('lines_do_not_add_up error');
    expect(many.counts).toMatchObject({ selected: 20, invalid: 1, sums: { agrees: 19, less: 1 } });
    const few = await check('Sub', rows.slice(0, 19), named);
    expect(few.found[3]).toBe('lines_do_not_add_up warning');
    expect(few.counts).toMatchObject({ selected: 19, invalid: 0 });
  });
});
