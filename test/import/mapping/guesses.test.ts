import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHeader } from '../../../src/import/columns/header.ts';
import { profileRows } from '../../../src/import/columns/profile.ts';
import { guessColumns } from '../../../src/import/mapping/guesses.ts';
import cellValues from './cell-values.json' with { type: 'json' };

/**
 * Made-up exports: a language, and `Header:values=field` for each column. With `=` the column must be settled for the
 * field or stay open; with `!` it must be settled; with `~` it has a rival and must stay open; without a field it must not
 * be settled for any.
 */
const headerSets = readFileSync(new URL('header-sets.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => [line.slice(0, 2), line.slice(3)] as const);

const rowCount = 6;
/** The cells of a column in six rows, by what it holds. */
const valuesOf: Record<string, string[]> = cellValues;

interface Expected {
  header: string;
  values: string;
  mark: string;
  field: string;
}

function columnsOf(set: string): Expected[] {
  return set.split('|').map((text) => {
    const [, header = '', values = '', mark = '', field = ''] =
      /^(.*?):([a-z0-9]+)(?:([=!~])(.+))?$/.exec(text) ?? [];
    return { header, values, mark, field };
  });
}

function guess(columns: readonly Expected[]) {
  const header = createHeader({ row: 1, line: 1, cells: columns.map((column) => column.header) });
  const rows = Array.from({ length: rowCount }, (_, row) => ({
    cells: columns.map(({ values }, place) => {
      // Two columns of one kind must not be the same column twice.
      const earlier = columns.slice(0, place).filter((column) => column.values === values).length;
      const own = [row, rowCount - 1 - row, (row + 2) % rowCount][earlier] ?? row;
      return valuesOf[values]?.[own] ?? '';
    }),
  }));
  return guessColumns(header, profileRows(columns.length, rows), [...columns.keys()]);
}

function settledFields(columns: readonly Expected[]) {
  const found = guess(columns);
  const settled = found.filter(({ isSettled }) => isSettled);
  return {
    settled: new Map(settled.map(({ field, guesses }) => [guesses[0]?.index, field as string])),
    best: new Map(found.map(({ field, guesses }) => [field as string, guesses[0]?.index])),
  };
}

describe('the columns of made-up exports', () => {
  it.each(headerSets)('%s: %s', (_, set) => {
    const columns = columnsOf(set);
    const { settled, best } = settledFields(columns);
    const wrong = columns.flatMap(({ header, mark, field }, index) => {
      const is = settled.get(index);
      if (mark === '!') return is === field ? [] : [`${header} is ${is}, not ${field}`];
      if (mark === '~')
        return is === undefined && best.get(field) === index ? [] : [`${header} is ${is}, not open`];
      return is === undefined || is === field ? [] : [`${header} is ${is}`];
    });
    expect(wrong).toEqual([]);
  });

  it('are read without a mistake in ten languages and more, most of them without a question', () => {
    const counts = { right: 0, wrong: 0, undecided: 0 };
    for (const [, set] of headerSets) {
      const columns = columnsOf(set);
      const { settled } = settledFields(columns);
      for (const [index, { field }] of columns.entries()) {
        const is = settled.get(index);
        if (is === undefined && field !== '') counts.undecided += 1;
        else if (is === field) counts.right += 1;
        else if (is !== undefined) counts.wrong += 1;
      }
    }
    expect(counts.wrong).toBe(0);
    expect(counts.right / (counts.right + counts.undecided)).toBeGreaterThan(0.85);
    expect(headerSets.length).toBeGreaterThanOrEqual(60);
    expect(new Set(headerSets.map(([language]) => language)).size).toBeGreaterThanOrEqual(10);
  });
});

describe('a column', () => {
  const best = (columns: string) => {
    const { settled } = settledFields(columnsOf(columns));
    return [...settled.values()];
  };

  it('is not taken for its header alone when an order would be lost, doubled or paid wrongly', () => {
    const columns = 'Order no:person|Phone:city|SKU:note0|Qty:product|Total:person';
    expect(best(columns)).toEqual([]);
  });
});
