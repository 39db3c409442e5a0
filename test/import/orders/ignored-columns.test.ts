import { expect, test } from 'vitest';
import { bind } from '../../../src/import/mapping/bind.ts';
import { createIgnoredColumns } from '../../../src/import/orders/unread-columns.ts';
import cases from './ignored-columns.json' with { type: 'json' };

const rowOf = (cells: string[], row = 2) => ({ row, line: row, cells });

/** What follows from ignoring a column with these orders, each given by the cells of its rows. */
function sentences(header: string, orders: string[][]): string[] {
  const mapping = bind(rowOf([header, 'Tags'], 1), { ignoreColumn: [header, 'Tags'] });
  const facts = createIgnoredColumns(mapping);
  for (const cells of orders) facts.add({ rows: cells.map((cell) => rowOf([cell, 'gift'])) });
  return [...facts.sentences().values()].map(String);
}

test.each(cases.ignored as [string, string[][], string[]][])(
  '%s with %j, when it is ignored',
  (header, orders, expected) => {
    expect(sentences(header, orders)).toEqual(expected);
  },
);
