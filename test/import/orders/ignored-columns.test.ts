import { expect, test } from 'vitest';
import { createIgnoredColumns } from '../../../src/import/orders/unread-columns.ts';

const rowOf = (cells: string[], row = 2) => ({ row, line: row, cells });

/** What follows from ignoring a column with these orders, each given by the cells of its rows. */
function sentences(header: string, orders: string[][]): string[] {
  const ignoredAnyway = [header, 'Tags'].map((name, index) => ({ index, header: name }));
  const facts = createIgnoredColumns(rowOf([header, 'Tags'], 1), { ignoredAnyway });
  for (const cells of orders) facts.add({ rows: cells.map((cell) => rowOf([cell, 'gift'])) });
  return [...facts.sentences().values()].map(String);
}

test.each<[string, string[][], string[]]>([
  ['Currency', [['USD'], ['MNT'], ['₮'], ['']], ['Currency: the amounts of 1 order in USD are read as ₮']],
  ['Currency', [['USD', ''], ['EUR']], ['Currency: the amounts of 2 orders in USD, EUR are read as ₮']],
  [
    'Status',
    [['cancelled'], ['delivered'], ['цуцлагдсан'], ['new'], ['2026-11-20']],
    ['Status: 2 cancelled, 1 fulfilled, 1 marked orders will be created'],
  ],
  ['Status', [['cancelled', 'cancelled']], ['Status: 1 cancelled order will be created']],
  [
    'Payment Method',
    [['COD'], ['Bank'], ['cash on delivery']],
    ['Payment Method: 2 orders are paid on delivery'],
  ],
  ['Payment Status', [['pending'], ['paid']], ['Payment Status: 1 order is not known as paid']],
  ['Amount due', [['0'], ['0.00'], ['500'], ['']], ['Amount due: 1 order is not known as paid']],
  [
    'Shipping Method',
    [['Local pickup'], ['Courier']],
    ['Shipping Method: 1 order that the customer picks up will be delivered'],
  ],
  ['Qty', [['1', '2'], ['3.0']], ['Qty: 2 lines of more than one piece are sent without a quantity']],
  ['Address', [['Peace avenue 1'], ['']], ['Address: 1 order that has it is sent without it']],
  [
    `${' '.repeat(50)}Qty`,
    [['2']],
    [`${' '.repeat(39)}…: 1 line of more than one piece is sent without a quantity`],
  ],
  ['Status', [['no'], ['-'], ['n/a']], []],
  ['Notes', [['call first']], []],
  ['Currency', [['MNT']], []],
  ['Mark', [['cancelled'], ['vip']], ['Mark: 1 cancelled order will be created']],
])('%s with %j, when it is ignored', (header, orders, expected) => {
  expect(sentences(header, orders)).toEqual(expected);
});
