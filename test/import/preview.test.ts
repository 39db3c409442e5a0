import { expect, test } from 'vitest';
import { planImport } from '../../src/import/plan.ts';
import { describePlan } from '../../src/import/preview.ts';
import { tableOf } from './tables.ts';

const options = {
  ...{ constants: [], oneRowPerOrder: false, repeatedRowsAreLines: false },
  ...{ today: '2026-11-20', allRules: false, stopping: new AbortController().signal },
};

test('a plan amounts to its orders, lines, sums and dates', async () => {
  const plan = await planImport(
    tableOf(
      'externalOrderId|items[].sku|TOTAL|collectionAmount|requestedDeliveryDate|x.note|Tags',
      'A|X|9007199254740993.01|0|2030-03-02||',
      'A|Y|||||',
      'B|Z|0.99|5|2030-01-31||',
      'C|Z|no amount||||',
    ),
    options,
  );
  expect(describePlan(plan, plan.orders, 1)).toEqual({
    orders: 3,
    lines: 4,
    total: '9007199254740994',
    toCollect: '5',
    firstDate: '2030-01-31',
    lastDate: '2030-03-02',
    alreadyCreated: 1,
    mapping: [
      { header: 'externalOrderId', path: 'externalOrderId', isExtra: false },
      { header: 'items[].sku', path: 'items[].sku', isExtra: false },
      { header: 'TOTAL', path: 'total', isExtra: false },
      { header: 'collectionAmount', path: 'collectionAmount', isExtra: false },
      { header: 'requestedDeliveryDate', path: 'requestedDeliveryDate', isExtra: false },
      { header: 'x.note', path: 'x.note', isExtra: true },
    ],
    unsent: ['Tags'],
    firstOrder: {
      externalOrderId: 'A',
      items: [{ sku: 'X' }, { sku: 'Y' }],
      total: '9007199254740993.01',
      collectionAmount: '0',
      requestedDeliveryDate: '2030-03-02',
    },
  });
});

test('nothing amounts to nothing', async () => {
  const plan = await planImport(tableOf('externalOrderId|total', 'A|'), options);
  expect(describePlan(plan, plan.orders, 0)).toMatchObject({ total: undefined, firstDate: undefined });
  expect(describePlan(plan, [], 0)).toMatchObject({ orders: 0, lines: 0, firstOrder: {} });
});
