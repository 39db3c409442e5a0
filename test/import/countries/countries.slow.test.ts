import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { fixture } from '../tables.ts';
import { codeIn, differences, type KnownSheet, knownSheets, plannedOrders } from './known-orders.ts';
import { createShopPerson } from './shop-person.ts';

const sheets = knownSheets();
const maxQuestions = 40;

/** `right` after at most so many questions, or `refused` with a cure; never wrong. */
const resultsPath = join(fixture('countries'), 'results.json');
const results: Record<string, string> = JSON.parse(readFileSync(resultsPath, 'utf8'));
const found: Record<string, string> = {};

/**
 * Exports and sheets of shops of many countries, made up by persons who had not read the code, with what is right. Each
 * is imported by a person of the shop. `sheet-` files have headers and words that no list has.
 */
it.each(sheets)('$name means what the shop meant', async (sheet) => {
  const { wrong, verdict } = await importAs(sheet);
  expect(wrong).toEqual([]);
  found[sheet.name] = verdict;
  if (process.env.UPDATE_COUNTRIES === '1') {
    writeFileSync(resultsPath, `${JSON.stringify({ ...results, ...found }, null, 2)}\n`);
  } else {
    const countIn = (text = '') => Number(/after (\d+)/.exec(text)?.[1] ?? 0);
    expect(verdict.replace(/\d+/, '')).toBe(results[sheet.name]?.replace(/\d+/, ''));
    expect(countIn(verdict)).toBeLessThanOrEqual(countIn(results[sheet.name]));
  }
});

async function importAs({
  known: { delimiter, headerRows, orders },
  text,
  columns,
}: KnownSheet): Promise<{ wrong: string[]; verdict: string }> {
  const path = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(path, text);
  const records: string[][] = parse(text, { delimiter, relax_column_count: true, skip_empty_lines: false });
  const labels = labelsOf(headerRows.map((row) => records[row - 1] ?? []));
  const person = createShopPerson({
    columns,
    headerRow: headerRows.at(-1) ?? 1,
    orders,
    textOf: (header, { row }) =>
      (records[row - 1]?.[labels.indexOf(header.replace(/#\d+$/, ''))] ?? '').trim(),
  });
  let asked = 0;
  const answer = (question: Parameters<typeof person>[0]) => {
    asked += 1;
    return asked > maxQuestions ? ({ leave: true } as const) : person(question);
  };
  const { stdout, stderr } = await runCli(['import', path, '--sandbox', '--dry-run', '--format', 'ndjson'], {
    answers: Array.from({ length: maxQuestions + 1 }, () => answer),
  });
  const planned = plannedOrders(stdout);
  if (planned === undefined) {
    const code = codeIn(stderr);
    const isFailure = code === 'unexpected_failure' || asked > maxQuestions;
    return { wrong: isFailure ? [stderr] : [], verdict: `refused: ${code}` };
  }
  const invalid = [...planned.values()].filter(({ outcome }) => outcome === 'invalid').length;
  const wrong = orders.flatMap((order) => differences(order, planned.get(order.row)));
  return { wrong, verdict: `right after ${asked}${invalid === 0 ? '' : `, ${invalid} to fix`}` };
}

/** The header, with both names of a column that two rows name. */
function labelsOf(rows: readonly string[][]): string[] {
  const [upper = [], lower] = rows;
  if (lower === undefined) return upper.map((cell) => cell.trim());
  let group = '';
  return lower.map((cell, index) => {
    group = upper[index] || group;
    return (cell !== '' && group !== '' ? `${group} / ${cell}` : cell || group).trim();
  });
}
