import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { headerErrors, outcomes, planColumn, planRows, type RowsOptions } from '../plan-rows.ts';
import cases from './orders.json' with { type: 'json' };

const prepaid = ['--set', 'collectionMode=NONE'];
const base = 'externalOrderId|customer.phone|items[].sku|collectionMode';

/** The orders without their phones and modes, and `row code path` of each problem. */
async function read(header: string, rows: string[], flags: string[] = [], map?: RowsOptions['map']) {
  const { orders, problems } = await planRows([header, ...rows], { flags: ['--no-checks', ...flags], map });
  return {
    orders: orders.map(({ order }) => order),
    problems: problems.map(({ at, code }) => `${at.replace(/, order [^,]*/, '')} ${code}`),
  };
}

describe('an order', () => {
  it.each(cases.read)('$name', async ({ header, rows, orders, problems = [], flags = [] }) => {
    expect(await read(header, rows, flags)).toEqual({ orders, problems });
  });

  it('says how cells contradict each other', async () => {
    const sentence = async (header: string, ...rows: string[]) => {
      const { problems } = await planRows([header, ...rows], { flags: ['--no-checks'] });
      return [problems[0]?.value, problems[0]?.problem, problems[0]?.fix];
    };
    expect(await sentence('externalOrderId|total|items[].sku', 'A|5|X', 'A|6|Y')).toEqual([
      '6',
      'differs from row 2 of the same order, which has "5"',
      'write the total of the order in each of its rows; if each row has its own part, "sum": true in a mapping file (--map) adds them up',
    ]);
    expect((await sentence('externalOrderId|items[].sku|items[0].sku', 'A|X|Y'))[1]).toBe(
      'differs from the value of another column for the same line, "X"',
    );
    expect(await sentence('externalOrderId|x[0]|x.name', 'A|1|2')).toEqual([
      '2',
      '"x.name" leads through a value that has no fields',
      'two columns contradict each other; remove one of them',
    ]);
  });
});

describe('the sums of a file', () => {
  it('are exact', async () => {
    const header = `${base}|collectionAmount|total|requestedDeliveryDate`;
    const rows = [
      'A|99112233|X|NONE||9007199254740993.01|2030-03-02',
      'A||Y||||',
      'B|99112234|Z|COLLECT|5|0.99|2030-01-31',
      'C|99112235|Z|COLLECT|0.50||',
    ];
    const { summary } = await planRows([header, ...rows]);
    expect(summary?.plan).toMatchObject({
      lines: 4,
      total: '9007199254740994',
      prepaid: 1,
      collecting: 2,
      toCollect: '5.50',
      firstDate: '2030-01-31',
      lastDate: '2030-03-02',
    });
  });

  const columns = {
    externalOrderId: 'Ref',
    'customer.phone': 'Phone',
    'items[].sku': 'Code',
    'items[].quantity:number': 'Qty',
  };
  const check = async (header: string, rows: string[], sums: object) => {
    const map = { columns, sums: { price: 'Price', quantity: 'Qty', ...sums } };
    const { problems, summary } = await planRows([`Ref|Phone|Code|Price|Qty|${header}`, ...rows], {
      flags: prepaid,
      map,
    });
    return [
      problems
        .filter(({ code }) => code !== 'not_sent')
        .map(({ severity, code }) => `${severity} ${code}`)
        .join(),
      summary?.plan.sums,
    ];
  };
  const one = { compared: 1, agreeing: 1 };
  it.each(cases.sums)('hold the lines against $name', async ({ header, sums, cells, problems, compared }) => {
    const rows = [`1|99112233|A|100|2|${cells}`, `1||B|1500|1|${cells.replace(/[^|]+/g, '')}`];
    expect(await check(header, rows, sums)).toEqual([problems, compared]);
  });

  it('are an error only when a line is missing and many orders could be compared', async () => {
    const rows = Array.from(
      { length: 20 },
      (_, index) => `${index}|991122${10 + index}|A|100|2|${index === 3 ? '900' : '200'}`,
    );
    const named = { subtotal: 'Sub' };
    expect(await check('Sub', rows, named)).toEqual([
      'error lines_do_not_add_up',
      { compared: 20, agreeing: 19 },
    ]);
    expect((await check('Sub', rows.slice(0, 19), named))[0]).toBe('warning lines_do_not_add_up');
    expect((await check('Sub', ['1|99112233|A|cheap|2|200', '3|99112235|A|100|2|200'], named))[1]).toEqual(
      one,
    );
  });
});

describe('a mapping beside the preset of a shop', () => {
  const shopify =
    'Name|Financial Status|Fulfillment Status|Payment Method|Total|Lineitem quantity|Lineitem name|Lineitem sku|Shipping City|Shipping Phone|Shipping Street';
  const zorg = { on_delivery: { 'Payment Method': 'zorg' } };
  it.each<[string, string, object, string]>([
    ['says nothing', 'pending|unfulfilled|Zorg', {}, 'payment_unknown'],
    ['adds to its rules', 'pending|unfulfilled|Zorg', zorg, 'COLLECT 900'],
    ['leaves what is paid', 'paid|unfulfilled|Zorg', zorg, 'NONE'],
    ['leaves what is fulfilled', 'paid|fulfilled|', zorg, 'left out: fulfilled'],
    [
      'adds reasons',
      'paid|unfulfilled|',
      { leave_out: { test: { 'Shipping City': 'UB' } } },
      'left out: test',
    ],
    [
      'decides about a value',
      'pending|unfulfilled|Bank',
      { paid: { 'Financial Status': 'pending' } },
      'NONE',
    ],
    [
      'decides about another',
      'paid|unfulfilled|COD',
      { open: { 'Financial Status': 'paid' } },
      'COLLECT 900',
    ],
    [
      'delivers what it says',
      'paid|fulfilled|',
      { to_deliver: { 'Fulfillment Status': 'Fulfilled' } },
      'NONE',
    ],
    [
      'delivers nothing else',
      'paid|fulfilled|',
      { to_deliver: { 'Fulfillment Status': 'restocked' } },
      'left out: fulfilled',
    ],
    [
      'lists what is left out',
      'paid|unfulfilled|COD',
      {
        values: {
          'Financial Status': { paid: 'leave_out', pending: 'deliver' },
          'Payment Method': { COD: 'prepaid' },
        },
      },
      'left out: rule',
    ],
    [
      'lists what is prepaid',
      'pending|unfulfilled|COD',
      {
        values: {
          'Financial Status': { paid: 'leave_out', pending: 'deliver' },
          'Payment Method': { COD: 'prepaid' },
        },
      },
      'NONE',
    ],
  ])('%s', async (_, cells, map, expected) => {
    const rows = [shopify, `#1|${cells}|900|1|Tea|TEA-001|UB|99112233|Peace 1`];
    expect(outcomes(await planRows(rows, { flags: ['--preset', 'shopify'], map }))).toEqual([expected]);
  });

  it('is added to a recognised shop unless it maps the order ID', async () => {
    const rows = [
      `${shopify}|Lineitem price`,
      '#1|pending|unfulfilled|Zorg|900|1|Tea|TEA-001|UB|99112233|Peace 1|900',
    ];
    const added = await planRows(rows, { map: { paid: { 'Payment Method': 'Zorg' } } });
    expect([added.summary?.plan.shop, outcomes(added)]).toEqual(['Shopify orders export', ['payment_open']]);
    const whole = await planRows(rows, { map: { columns: { externalOrderId: 'Name' } } });
    expect(whole.problems.map(({ code }) => code)).toContain('collection_mode_missing');
  });
});

describe('who pays', () => {
  const columns = {
    externalOrderId: 'Ref',
    'customer.phone': 'Phone',
    'items[].sku': 'Code',
    total: 'Total',
  };

  it('follows from the rules of a mapping, and not from a column with the name of the field', async () => {
    const map = { columns, paid: { Status: 'paid' }, amount_due: 'Amount to collect' };
    const rows = [
      'Ref|Phone|Code|Total|Status|Amount to collect|collectionMode',
      '1|99112233|TEA-001|900|paid|0.00|COLLECT',
    ];
    expect(headerErrors(await planRows(rows, { map }))).toEqual(['columns_undecided']);
    const flags = ['--ignore-column', 'collectionMode'];
    expect(outcomes(await planRows(rows, { map, flags }))).toEqual(['NONE']);
  });

  const transfers = Array<string>(150).fill('transfer');
  it.each<[string, string[], string[]]>([
    ['nothing', transfers, []],
    ['the payment', [...transfers, 'cash on delivery', 'transfer'], ['column_unread (payment) Zz']],
    ['the state', [...Array<string>(150).fill('new'), 'cancelled'], ['column_unread (state) Zz']],
    ['pickup', [...transfers, 'pickup'], ['column_unread (state) Zz']],
    [
      'names',
      [...transfers, ...Array.from({ length: 60 }, (_, index) => `Bat ${index}`), 'cash on delivery'],
      [],
    ],
    ['notes', [...transfers, 'x'.repeat(201), 'cash on delivery'], []],
  ])(
    'may be said by a column whose header says nothing, by the values of the whole file: %s',
    async (_, cells, errors) => {
      const rows = cells.map((cell, index) => `A-${index}|99112233|TEA-001|${cell}`);
      const plan = await planRows(['externalOrderId|customer.phone|items[].sku|Zz', ...rows], {
        flags: [...prepaid, '--ignore-rest'],
      });
      expect(headerErrors(plan)).toEqual(errors);
    },
  );
});

describe('IDs that look alike', () => {
  const header = base;
  const twice = 'The customer is the same too, so it may be one order twice';
  const found = async (rows: string[], flags: string[] = [], columns = header) => {
    const { problems, orders } = await planRows([columns, ...rows], { flags });
    const alike = problems.filter(({ code }) => code === 'ids_alike');
    // Each order has the problem too, when the file is read again.
    for (const { at, problem } of alike) {
      const order = orders.find(({ row }) => at.startsWith(`row ${row},`));
      const texts = [order?.message, ...(order?.warnings ?? []).map(({ message }) => message)].join();
      expect(texts).toContain(problem);
    }
    return alike.map(({ severity, at, problem }) => `${severity} ${at.split(',')[0]}: ${problem}`);
  };
  it.each([
    ['#12', '12', 'only zeros or a sign before it differ'],
    ['12.0', '0012', 'only zeros or a sign before it differ'],
    ['ub-1', 'UB-1', 'only upper and lower case differ'],
    ['１２', '12', 'one has full-width characters'],
    ['А-1', 'A-1', 'one has Cyrillic letters where the other has Latin ones'],
    ['A 1', 'A-1', 'one has a space or a dash where the other has a hyphen'],
    ['№1001', '1001', 'only zeros or a sign before it differ'],
    ['1001.0', '1001', 'only zeros or a sign before it differ'],
  ])(
    '%s and %s are an error of both when the customers are the same, else a warning',
    async (left, right, difference) => {
      expect(await found([`${left}|99112233.0|X|NONE`, `${right}|(976) 9911-2233|Y|NONE`])).toEqual([
        `error row 2: "${left}" looks like "${right}" in row 3: ${difference}. ${twice}`,
      ]);
      expect(await found([`${left}|99112233|X|NONE`, `${right}|88112233|Y|NONE`])).toEqual([
        `warning row 3: "${right}" looks like "${left}" in row 2: ${difference}`,
      ]);
    },
  );

  const alike = (row: number, id: string, other: string, first: number) =>
    `row ${row}: "${id}" looks like "${other}" in row ${first}: only zeros or a sign before it differ`;
  const byId = 'externalOrderId|customer.externalCustomerId|items[].sku|collectionMode';
  const four = ['#12|99112233|X|NONE', '12|88112233|X|NONE', '0012|99112233|X|NONE', '12.0|95112233|X|NONE'];
  const apart = [
    '#12|99112233|X|NONE',
    '7|99112233|X|NONE',
    '12|99112233|X|NONE',
    '7||Y|',
    '#12||Y|',
    '12||Z|',
  ];
  const parts = ['#12|99112233|X|NONE', '7|99112233|X|NONE', '12|99112233|X|NONE', '9|99112233|X|NONE'];
  const error = `error ${alike(2, '#12', '12', 4)}. ${twice}`;
  it.each<[string, string[], string[], string[]?, string?]>([
    [
      'by the customer ID',
      ['#12|C-1|X|NONE', '12|C-1|X|NONE'],
      [`error ${alike(2, '#12', '12', 3)}. ${twice}`],
      [],
      byId,
    ],
    [
      'by another customer ID',
      ['#12|C-1|X|NONE', '12|C-2|X|NONE'],
      [`warning ${alike(3, '12', '#12', 2)}`],
      [],
      byId,
    ],
    [
      'by a phone and a customer ID',
      ['#12|99112233|X|NONE|', '12||X|NONE|C-1'],
      [`warning ${alike(3, '12', '#12', 2)}`],
      [],
      `${base}|customer.externalCustomerId`,
    ],
    [
      'with every such order, the one of the same customer first',
      four,
      [`error ${alike(2, '#12', '0012', 4)}. ${twice}`, `warning ${alike(3, '12', '#12', 2)}`],
    ],
    ['when their rows are apart', apart, [error]],
    ['whatever is selected', parts, [`error ${alike(4, '12', '#12', 2)}. ${twice}`], ['--rows', '4']],
    ['with those that are not selected', parts, [error], ['--limit', '2']],
    ['not among blank IDs', ['|99112233|X|NONE', '|99112233|X|NONE'], []],
    [
      'not among very long IDs',
      [`${'x'.repeat(300)}|99112233|X|NONE`, `${'X'.repeat(300)}|99112233|X|NONE`],
      [],
    ],
    ['not with --no-checks', parts, [], ['--no-checks']],
  ])('are compared %s', async (_, rows, problems, flags, columns) => {
    expect(await found(rows, flags, columns)).toEqual(problems);
  });
});

describe('a choice of orders', () => {
  it.each([
    ['--rows', ['', ',', '14,', 'a', '1-', '-3', '1.5', '1-2-3', '1;2', '1234567890']],
    [
      '--shard',
      [
        '',
        '4',
        '0/4',
        '5/4',
        '1/0',
        '0/0',
        '-1/4',
        '1.5/4',
        '1/1025',
        '1/99999',
        '2 / 4',
        '2/4/8',
        '2of4',
        'a/b',
      ],
    ],
  ])('is refused when it cannot be read: %s', async (flag, texts) => {
    for (const text of texts) {
      const { exitCode, stderr } = await runCli(['import', 'none.csv', `${flag}=${text}`]);
      expect([text, exitCode, stderr]).toEqual([text, 2, expect.stringContaining(flag)]);
    }
  });

  it.each([
    ['3', ['A-1']],
    ['2,4-5', ['A-0', 'A-2', 'A-3']],
    [' 2 , 4-4 ', ['A-0', 'A-2']],
  ])('by rows takes %j', async (rows, ids) => {
    const { orders } = await planColumn('x.a', ['1', '2', '3', '4', '5'], { flags: ['--rows', rows] });
    expect(orders.map(({ id }) => id)).toEqual(ids);
  });
});
