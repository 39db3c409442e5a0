import { describe, expect, it } from 'vitest';
import { headerErrors, outcomes, planRows } from '../plan-rows.ts';

const base = 'externalOrderId|customer.phone|items[].sku|collectionMode';

describe('a customer ID', () => {
  const header = `${base}|customer.externalCustomerId`;
  const orders = (...ids: string[]) =>
    planRows([header, ...ids.map((id, index) => `A-${index}|9911223${index}|TEA-1|NONE|${id}`)]);

  it('with three phones is no customer’s: each of its orders is refused', async () => {
    const plan = await orders('walkin', '17', 'walkin', 'walkin', '18');
    expect(outcomes(plan)).toEqual([
      'customer_id_shared',
      'NONE',
      'customer_id_shared',
      'customer_id_shared',
      'NONE',
    ]);
  });

  it('may have two phones, such as that of a gift, which is said', async () => {
    const plan = await orders('17', '18', '17');
    expect(outcomes(plan)).toEqual(['NONE', 'NONE', 'NONE']);
    expect(plan.problems).toMatchObject([{ severity: 'warning', code: 'customer_id_shared' }]);
  });

  it.each(['0', '-', 'guest', 'Зочин', 'null', 'N/A'])('is none when all guests have %s', async (id) => {
    const plan = await orders(id, id, id, '17');
    expect(plan.problems).toEqual([]);
    expect(plan.orders.map(({ order }) => order?.customer.externalCustomerId)).toEqual([
      undefined,
      undefined,
      undefined,
      '17',
    ]);
  });
});

describe('an address', () => {
  const header = `${base}|deliveryAddress.street|deliveryAddress.city`;
  const orders = (addresses: string[], map?: object) =>
    planRows(
      [header, ...addresses.map((address, index) => `A-${index}|9911223${index}|TEA-1|NONE|${address}`)],
      { map },
    );

  it('is missing where other orders have one', async () => {
    const plan = await orders(['Peace 1|UB', '|UB', '-|UB', 'N/A|UB']);
    expect(outcomes(plan)).toEqual(['NONE', 'address_missing', 'address_missing', 'address_missing']);
    expect(plan.problems).toMatchObject([{ code: 'address_missing', same: '2 more rows: 4, 5' }]);
  });

  it('may stand in any row of its order', async () => {
    const plan = await planRows([
      header,
      'A|99112233|TEA-1|NONE||',
      'A||MUG-1|||',
      'A||CUP-1||Peace 2|UB',
      'B|99112244|TEA-1|NONE|Peace 3|UB',
    ]);
    expect(plan.problems).toEqual([]);
  });

  it('is missing nowhere when the mapping says that it may be', async () => {
    expect((await orders(['Peace 1|UB', '|'], { address: 'optional' })).problems).toEqual([]);
  });

  it('is not missing in an order that is left out', async () => {
    const plan = await planRows(
      [`${header}|State`, 'A|99112233|TEA-1|NONE|Peace 1||new', 'B|99112244|TEA-1|NONE|||gone'],
      { map: { values: { State: { new: 'deliver', gone: 'leave_out' } } } },
    );
    expect(outcomes(plan)).toEqual(['NONE', 'left out: rule']);
  });
});

describe('a total', () => {
  const header = 'Order ID|Phone|SKU|Pcs|Each|Worth|Pay';
  const columns = { 'items[].quantity:number': 'Pcs', total: 'Worth' };
  const map = { columns, values: { Pay: { door: 'collect' } }, ignore_anyway: ['Each'] };
  const lines = [
    'A|99112233|TEA-1|1|15000|15000|door',
    'A||MUG-1|1|15000|15000|door',
    'B|99112244|TEA-1|2|15000|30000|door',
  ];

  it('that is quantity × price in each row of an order is not the total of the order', async () => {
    expect(headerErrors(await planRows([header, ...lines], { map }))).toEqual(['total_is_of_line Worth']);
  });

  describe.each(['Price', 'Үнэ', 'Нэгж үнэ', 'Цена (MNT)'])('under %s', (price) => {
    const columns = { 'items[].quantity:number': 'Pcs' };
    const due = { columns, amount_due: price };
    const summed = { columns: { ...columns, total: { from: price, sum: true } }, amount_due: price };
    const errors = async (pieces: number, map: object) => {
      const rows = [`Order ID|Phone|SKU|Pcs|${price}`, `A|1|TEA-1|${pieces}|45000`, 'B|2|TEA-1|1|30000'];
      return headerErrors(await planRows(rows, { map, flags: ['--no-checks'] }));
    };

    it('is that of the order when each has one piece, or when the mapping adds it up', async () => {
      expect([await errors(1, due), await errors(2, summed)]).toEqual([[], []]);
    });
  });

  it('that differs between the rows of orders is not theirs', async () => {
    const rows = [
      'A|1|TEA-1|1||100|door',
      'A||MUG-1|1||200|door',
      'B|2|TEA-1|1||300|door',
      'B||MUG-1|1||400|door',
    ];
    const plan = await planRows([header, ...rows], { map, flags: ['--no-checks'] });
    expect(headerErrors(plan)).toEqual(['total_is_of_line Worth']);
  });

  it('that is one row’s, and the sum of the others, is a contradiction of each order', async () => {
    const rows = ['A|1|||| 300|door', 'A||TEA-1|1||100|door', 'A||MUG-1|1||200|door'];
    const more = ['B|2|||| 70|door', 'B||TEA-1|1||30|door', 'B||MUG-1|1||40|door'];
    const plan = await planRows([header, ...rows, ...more], { map, flags: ['--no-checks'] });
    expect(headerErrors(plan)).toEqual([]);
    expect(plan.problems).toMatchObject([{ code: 'field_conflict' }]);
  });

  it('is collected as the sum of its rows when the mapping says so', async () => {
    const summed = { ...map, columns: { ...columns, total: { from: 'Worth', sum: true } } };
    const plan = await planRows([header, ...lines], { map: summed });
    expect(outcomes(plan)).toEqual(['COLLECT 30000', 'COLLECT 30000']);
    expect(plan.orders.map(({ order }) => order?.total)).toEqual(['30000', '30000']);
  });

  it('is summed without the lines that are left out, and less what is paid', async () => {
    const summed = {
      ...map,
      columns: { ...columns, total: { from: 'Worth', sum: true } },
      leave_out_lines: { cancelled: { Gone: 'x' } },
      amount_paid: ['Paid'],
    };
    const plan = await planRows(
      [
        `${header}|Gone|Paid`,
        'A|99112233|TEA-1|1|15000|15000|door||4000',
        'A||MUG-1|1|9000|9000|door|x|4000',
      ],
      { map: summed },
    );
    expect(outcomes(plan)).toEqual(['COLLECT 11000']);
    expect(plan.orders.map(({ order }) => order?.total)).toEqual(['15000']);
  });

  it('may equal quantity × price in a file of one row an order', async () => {
    const rows = ['A|99112233|TEA-1|2|15000|30000|door', 'B|99112244|TEA-1|1|15000|15000|door'];
    expect(outcomes(await planRows([header, ...rows], { map }))).toEqual(['COLLECT 30000', 'COLLECT 15000']);
  });

  it('may stand in each row of an order, or in its first one alone', async () => {
    const rows = [
      'A|99112233|TEA-1|1|15000|24000|door',
      'A||MUG-1|1|9000|24000|door',
      'B|99112244|TEA-1|2|15000|39000|door',
      'B||MUG-1|1|9000||',
    ];
    expect(outcomes(await planRows([header, ...rows], { map }))).toEqual(['COLLECT 24000', 'COLLECT 39000']);
  });
});

describe('the name of a product', () => {
  const header = 'externalOrderId|customer.phone|items[].sku|items[].name|collectionMode';
  const tea = 'A|99112233|TEA-1|Tea|NONE';

  it('that is the SKU of another line is no name where the SKU is blank', async () => {
    const plan = await planRows([header, tea, 'B|99112244||TEA-1|NONE']);
    expect(headerErrors(plan)).toEqual(['sku_as_name items[].name']);
  });

  it('may be all that a line has, or the same text as its own SKU', async () => {
    const plan = await planRows([header, tea, 'B|99112244||Mug|NONE', 'C|99112255|TEA-1|TEA-1|NONE']);
    expect(plan.problems).toEqual([]);
  });
});
