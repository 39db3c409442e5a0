import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import type { JsonOrder } from '../../support/plan-file.ts';
import { fixture } from '../tables.ts';
import { type ColumnKind, createShopPerson, type KnownOrder } from './shop-person.ts';

interface Known {
  delimiter: string;
  headerRows: number[];
  columns: Record<string, ColumnKind>;
  /** Other headers for the same file. */
  odd?: { headers: string[][]; columns: Record<string, ColumnKind> };
  orders: KnownOrder[];
}

const folder = fixture('countries');
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.csv') ? [file.slice(0, -4)] : []));
const maxQuestions = 40;

/** `right` after at most so many questions, or `refused` with a cure; never wrong. */
const results: Record<string, string> = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
const found: Record<string, string> = {};

const files = names.map((name) => {
  const known: Known = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const text = readFileSync(join(folder, `${name}.csv`), 'utf8').replace(/^\uFEFF/, '');
  return { name, known, text };
});
const oddFiles = files.flatMap(({ name, known, text }) => {
  const { odd } = known;
  return odd === undefined ? [] : [{ name, known, odd, text: withHeaders(text, known, odd.headers) }];
});

/**
 * Exports and sheets of shops of many countries, made up by persons who had not read the code, with what is right. Each
 * is imported by a person of the shop. `sheet-` files have headers and words that no list has.
 */
it.each(files)('$name means what the shop meant', async ({ name, known, text }) => {
  await expectRight(name, known, text, known.columns);
});

it.each(oddFiles)('$name means it with headers that no list has', async ({ name, known, odd, text }) => {
  await expectRight(`${name} (odd)`, known, text, odd.columns);
});

async function expectRight(
  name: string,
  known: Known,
  text: string,
  columns: Record<string, ColumnKind>,
): Promise<void> {
  const { wrong, verdict } = await importAs(known, text, columns);
  expect(wrong).toEqual([]);
  found[name] = verdict;
  if (process.env.UPDATE_COUNTRIES === '1') {
    writeFileSync(join(folder, 'results.json'), `${JSON.stringify({ ...results, ...found }, null, 2)}\n`);
  } else {
    const countIn = (text = '') => Number(/after (\d+)/.exec(text)?.[1] ?? 0);
    expect(verdict.replace(/\d+/, '')).toBe(results[name]?.replace(/\d+/, ''));
    expect(countIn(verdict)).toBeLessThanOrEqual(countIn(results[name]));
  }
}

async function importAs(
  { delimiter, headerRows, orders }: Known,
  text: string,
  columns: Record<string, ColumnKind>,
): Promise<{ wrong: string[]; verdict: string }> {
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
    const a = asked > maxQuestions ? ({ leave: true } as const) : person(question);
    if (process.env.TRACE)
      process.stderr.write(
        `${asked} ${question.message}\n   ${question.choices.map((c) => `${c.value}${c.isTicked ? '*' : ''}`).join(' | ')} [${question.preset}]\n   -> ${JSON.stringify(a)}\n`,
      );
    return a;
  };
  const { stdout, stderr } = await runCli(['import', path, '--sandbox', '--dry-run', '--format', 'ndjson'], {
    answers: Array.from({ length: maxQuestions + 1 }, () => answer),
  });
  const lines = stdout.trimEnd().split('\n');
  if (!lines.at(-1)?.startsWith('{"file":')) {
    const [, code = 'left'] = /"code":"(\w+)"/.exec(stderr.slice(stderr.lastIndexOf('{"error"'))) ?? [];
    const isFailure = code === 'unexpected_failure' || asked > maxQuestions;
    return { wrong: isFailure ? [stderr] : [], verdict: `refused: ${code}` };
  }
  const planned = new Map(lines.slice(0, -1).map((line) => [JSON.parse(line).row, JSON.parse(line)]));
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

function differences(order: KnownOrder, line: JsonOrder | undefined): string[] {
  const at = `row ${order.row}`;
  if (line === undefined) return [`${at}: there is no such order`];
  if (line.outcome === 'invalid') return [];
  const isLeftOut = line.outcome === 'left_out';
  if (isLeftOut !== (order.leftOut !== undefined)) {
    return [
      isLeftOut ? `${at}: it is left out: ${line.code}` : `${at}: it is to be left out: ${order.leftOut}`,
    ];
  }
  if (isLeftOut) return [];
  const { customer, collectionMode, collectionAmount, items = [], deliveryAddress = {} } = line.request;
  const digits = (phone = '') => phone.replace(/\D/g, '').replace(/^976(?=\d{8}$)/, '');
  const collect = collectionMode === 'COLLECT' ? Number(collectionAmount) : 0;
  const linesBy = (first: 'sku' | 'name', second: 'sku' | 'name') =>
    items
      .map((item: JsonOrder) => `${item.quantity ?? 1} × ${item[first] ?? item[second]}`)
      .sort()
      .join(', ');
  const wanted = [...(order.items ?? [])].sort().join(', ');
  const sent = JSON.stringify(deliveryAddress);
  const lost = (order.address ?? '')
    .split(', ')
    .filter((part) => !sent.includes(JSON.stringify(part).slice(1, -1)));
  return [
    ...(digits(customer?.phone) === digits(order.phone)
      ? []
      : [`${at}: phone ${customer?.phone}, not ${order.phone}`]),
    ...(collect === order.collect ? [] : [`${at}: collects ${collect}, not ${order.collect}`]),
    ...([linesBy('sku', 'name'), linesBy('name', 'sku')].includes(wanted)
      ? []
      : [`${at}: lines ${linesBy('sku', 'name')}, not ${wanted}`]),
    ...lost.map((part) => `${at}: its address lacks ${part}`),
  ];
}

function withHeaders(
  text: string,
  { delimiter, headerRows }: Known,
  headers: readonly (readonly string[])[],
): string {
  const lines = text.split(/\r?\n/);
  const cellOf = (cell: string) =>
    /["\n]/.test(cell) || cell.includes(delimiter) ? JSON.stringify(cell) : cell;
  for (const [place, row] of headerRows.entries()) {
    lines[row - 1] = (headers[place] ?? []).map(cellOf).join(delimiter);
  }
  return lines.join('\n');
}
