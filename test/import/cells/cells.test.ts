import { describe, expect, it } from 'vitest';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { fixture, planFile } from '../tables.ts';

describe('fixtures/import/cells-with-one-reading.csv', () => {
  it('is sent in the format of the service, and that is said', async () => {
    const { all, facts } = await planFile(fixture('import/cells-with-one-reading.csv'));
    expect(all.map(({ order }) => JSON.parse(writeOrderBody(order)))).toMatchObject([
      {
        customer: { phone: '99112233' },
        items: [{ quantity: '2' }],
        collectionAmount: '45000.00',
        total: '45000.00',
        requestedDeliveryDate: '2027-03-14',
      },
      {
        customer: { phone: '+976 8811 2233' },
        items: [{ quantity: '1' }],
        collectionAmount: '25000',
        total: '25000.50',
        requestedDeliveryDate: '2027-03-14',
      },
      { items: [{ quantity: '3' }], collectionAmount: '8900', requestedDeliveryDate: '2027-03-14' },
      { items: [{ sku: 'TEA-001' }], collectionAmount: '0.00', total: '60000' },
    ]);
    expect(all.map(({ problems }) => problems.map(({ code, severity }) => `${severity} ${code}`))).toEqual([
      [],
      [],
      [],
      ['warning phone_implausible'],
    ]);
    expect(facts.reformatted()).toEqual([
      { from: '99112233.0', to: '99112233', count: 1 },
      { from: '2.0', to: '2', count: 2 },
      { from: '45000.0', to: '45000.00', count: 4 },
      { from: '45000.0000', to: '45000.00', count: 3 },
      { from: '2027-03-14 00:00:00', to: '2027-03-14', count: 4 },
    ]);
  });
});

describe('fixtures/import/cells-to-fix.csv', () => {
  it('has each problem at its cell', async () => {
    const { all } = await planFile(fixture('import/cells-to-fix.csv'));
    const found = all.flatMap(({ problems }) =>
      problems.map(
        ({ row, column, code, value, severity }) => `${severity} ${row}${column} ${code} ${value}`,
      ),
    );
    expect(found.sort()).toEqual(
      [
        'error 2B phone_invalid 99112233;88112233',
        'error 2D quantity_invalid 0',
        'error 2F decimal_ambiguous 45.000',
        'error 2H date_invalid 2027-03-14 10:00',
        'error 3B phone_invalid 99112233 88112233',
        'error 3D quantity_invalid -1',
        'error 3F currency_not_mnt $25',
        'error 3G currency_not_mnt 25 USD',
        'error 3H date_invalid 14.03.2027',
        'error 4B phone_invalid 8613800138000',
        'error 4D quantity_invalid 1.5',
        'error 4F decimal_invalid 25,000.50',
        'error 4G currency_not_mnt €',
        'error 4H date_invalid 45972',
        'error 5B phone_invalid 9911223',
        'error 5D quantity_invalid two',
        'error 5F decimal_invalid 1 234,50',
        'error 5G currency_not_mnt EUR 90',
        'error 5H date_invalid 2027-02-29 00:00',
        'error 6A ids_alike #12',
        'error 6B phone_invalid 99112233;88112233',
        'error 6D quantity_invalid 1,5',
        'error 6G currency_not_mnt AU $3,013.00',
        'warning 7A ids_alike ub-2',
      ].sort(),
    );
  });
});
