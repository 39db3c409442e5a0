import { basename, dirname, extname, join } from 'node:path';
import { advice, joinTexts, type Say, type Text, t } from '../../advice/advice.ts';
import { formatCsvRow, isPlainNumber, protectCell, protectForeignCell } from '../../csv/write-csv.ts';
import type { System } from '../../system/system.ts';
import type { Shard } from '../choices.ts';
import type { PlannedOrder } from '../orders/plan.ts';
import type { Problem } from '../problem.ts';
import type { Row, Table } from '../read/read-table.ts';
import { rejectsColumns } from '../read/table.ts';
import type { OrderOutcome, Reject } from './order-outcome.ts';

export interface ImportFiles {
  results: string;
  rejects: string;
}

/** What the shell opened, such as `/dev/fd/63` for `<(zcat orders.csv.gz)`. */
const openedByShell = /^\/(?:dev|proc)\/(?!shm\/)/;

const rejectsName = /^(.*\.rejects)(?:\.(\d{1,6}))?$/s;

/** `orders.csv` → `orders.results.csv`; in the working directory for standard input and what the shell opened. */
export function fileBeside(file: string, what: keyof ImportFiles | 'status', shard?: Shard): string {
  const part = shard === undefined ? '' : `.${shard.number}of${shard.count}`;
  const stem = stemOf(file);
  const [, rejects, number = '1'] = what === 'rejects' ? (rejectsName.exec(stem) ?? []) : [];
  // Another name: the rejects that were read may still have orders to send.
  if (rejects !== undefined) return `${rejects}.${Number(number) + 1}${part}.csv`;
  return `${stem}${part}.${what}.csv`;
}

export function stemOf(file: string): string {
  const isStream = file === '-' || openedByShell.test(file);
  const stem = isStream ? 'stdin' : join(dirname(file), basename(file, extname(file)));
  // `join` takes off the ./ that tells a file from a flag.
  return stem.startsWith('-') ? `./${stem}` : stem;
}

/** The file that writing to this path would replace, among those that are read and the configuration. */
export async function findOverwritten(
  path: string,
  read: readonly string[],
  { configDirectory, files }: Pick<System, 'configDirectory' | 'files'>,
): Promise<string | undefined> {
  for (const other of read) if (await files.isSameFile(path, other)) return other;
  return files.findOwnFile(path, configDirectory);
}

/** One order of an import as a line of the results file; its code may come from the ledger. */
export type ResultRow = Omit<OrderOutcome, 'outcome' | 'code' | 'fix'> & {
  outcome: string;
  code?: string | undefined;
};

const header =
  'row,external_order_id,outcome,order_id,order_number,delivery,code,message,attempts,idempotency_key,created_by_run';

/** Whether a file that begins like this is a results file. */
export function isResultsFile(start: string): boolean {
  return start.startsWith(`${header}\n`);
}

/** The columns of a results file that say which orders it has; undefined for other files. */
export function resultColumns(
  cells: readonly string[],
): { externalOrderId: number; outcome: number } | undefined {
  if (cells.join(',') !== header) return undefined;
  return { externalOrderId: cells.indexOf('external_order_id'), outcome: cells.indexOf('outcome') };
}

export function* formatResults(results: Iterable<ResultRow>): Generator<string> {
  yield `${header}\n`;
  for (const result of results) yield formatResult(result);
}

/** The columns are fixed: warnings follow the message, and their codes stand where there is no other. */
function withWarningText({ code, message, warnings = [] }: ResultRow): { code: string; message: string } {
  const isFree = code === undefined && message === undefined;
  const texts = warnings.map(({ path, message: text }) => {
    const warning = path === undefined ? text : `${path}: ${text}`;
    return isFree ? warning : `warning: ${warning}`;
  });
  return {
    code: code ?? [...new Set(warnings.map((warning) => warning.code))].join('; '),
    message: [...(message === undefined ? [] : [String(message)]), ...texts]
      .join('; ')
      .replaceAll('.; ', '; '),
  };
}

function formatResult(result: ResultRow): string {
  const { code, message } = withWarningText(result);
  const { orderId = '', orderNumber = '', delivery = '' } = result;
  const cells = [
    ...[String(result.row), result.externalOrderId, result.outcome].map(protectCell),
    ...[orderId, orderNumber, delivery, code, message].map(protectForeignCell),
    ...[String(result.attempts), result.idempotencyKey ?? '', result.createdByRun ?? ''].map(protectCell),
  ];
  return `${formatCsvRow(cells)}\n`;
}

export function invalidOutcome({ externalOrderId, rows, problems }: PlannedOrder): OrderOutcome {
  const { code, error } = summarise(problems.filter(({ severity }) => severity === 'error'));
  return { row: rows[0]?.row ?? 0, externalOrderId, outcome: 'invalid', code, message: error, attempts: 0 };
}

const rejectedOutcomes = new Set(['invalid', 'rejected', 'conflict']);

/** All rows of an order that has to be fixed, each with its own problems; no rows for other outcomes. */
export function rejectsOf(
  { rows, repeated, problems }: PlannedOrder,
  { outcome, code, message, fix, row: first }: OrderOutcome,
): Reject[] {
  if (!rejectedOutcomes.has(outcome)) return [];
  const ownProblems = new Map<number | undefined, Problem[]>();
  for (const problem of problems) {
    if (problem.severity !== 'error') continue;
    const known = ownProblems.get(problem.row);
    if (known === undefined) ownProblems.set(problem.row, [problem]);
    else known.push(problem);
  }
  const all =
    repeated.length === 0 ? rows : [...rows, ...repeated].sort((left, right) => left.row - right.row);
  return all.map(({ row, cells, ownCells }) => {
    const from = { row, cells, ...(ownCells === undefined ? {} : { ownCells }) };
    const own = ownProblems.get(row);
    if (own !== undefined) return { ...from, ...summarise(own) };
    // A problem of the whole order is at its first row.
    if (row !== first) return { ...from, code: '', error: '', fix: '' };
    return { ...from, code: code ?? '', error: message ?? '', fix: fix ?? '' };
  });
}

/** One cell of a spreadsheet holds 32,767 characters, and an order may have 40,000 problems. */
const maxSaid = 20;

function summarise(problems: readonly Problem[]): Pick<Reject, 'code' | 'error' | 'fix'> {
  const [only] = problems;
  if (only !== undefined && problems.length === 1)
    return { code: only.code, error: describe(only), fix: only.fix };
  const errors = distinct(problems, ({ header, path, problem }) => `${header ?? path}: ${problem}`);
  const fixes = distinct(problems, ({ fix }) => String(fix));
  const [said, more] = [[...errors.values()].slice(0, maxSaid).map(describe), errors.size - maxSaid];
  return {
    code: [...distinct(problems, ({ code }) => code).keys()].join(' '),
    error: joinTexts([...said, ...(more > 0 ? [t`and ${more} more`] : [])], '; '),
    fix: joinTexts(
      [...fixes.values()].slice(0, maxSaid).map(({ fix }) => fix),
      '; ',
    ),
  };
}

/** The first problem of each text, in their order. */
function distinct(problems: readonly Problem[], textOf: (problem: Problem) => string): Map<string, Problem> {
  const found = new Map<string, Problem>();
  for (const problem of problems) {
    const text = textOf(problem);
    if (!found.has(text)) found.set(text, problem);
  }
  return found;
}

function describe({ header, path, problem }: Problem): Text {
  const field = header ?? path;
  return field === undefined ? problem : advice`${field}: ${problem}`;
}

/** Rows of orders, which come sorted by their first rows → rows in file order. */
export function createFileOrder() {
  const waiting = createHeap();
  const takeBefore = (row: number): Reject[] => {
    const ready: Reject[] = [];
    while (waiting.firstRow() < row) ready.push(waiting.take());
    return ready;
  };
  return {
    /** Takes the rows of the next order; returns those that no later order can precede. */
    add: (rows: readonly Reject[]): Reject[] => {
      const ready = takeBefore(rows[0]?.row ?? 0);
      for (const row of rows) waiting.put(row);
      return ready;
    },
    end: (): Reject[] => takeBefore(Number.POSITIVE_INFINITY),
  };
}

function createHeap() {
  const rows: Reject[] = [];
  const rowAt = (index: number) => rows[index]?.row ?? Number.POSITIVE_INFINITY;
  const swap = (index: number, other: number) => {
    [rows[index], rows[other]] = [rows[other] as Reject, rows[index] as Reject];
  };
  return {
    firstRow: () => rowAt(0),
    put: (row: Reject) => {
      let index = rows.push(row) - 1;
      for (
        let parent = (index - 1) >> 1;
        index > 0 && rowAt(parent) > rowAt(index);
        parent = (index - 1) >> 1
      ) {
        swap(index, parent);
        index = parent;
      }
    },
    take: (): Reject => {
      swap(0, rows.length - 1);
      const first = rows.pop() as Reject;
      let index = 0;
      for (;;) {
        const child = 2 * index + (rowAt(2 * index + 2) < rowAt(2 * index + 1) ? 2 : 1);
        if (rowAt(child) >= rowAt(index)) return first;
        swap(index, child);
        index = child;
      }
    },
  };
}

const detectedDelimiters = [',', ';', '\t', '|'];
const byteOrderMark = '\uFEFF';
const linesAtOnce = 10_000;

/** What a file for a spreadsheet begins with. An import detects only the common delimiters. */
export function formatFileStart(delimiter: string, isDetected = true): string {
  const isNamed = !isDetected || !detectedDelimiters.includes(delimiter);
  return `${byteOrderMark}${isNamed ? `sep=${delimiter}\n` : ''}`;
}

type RowsTable = Pick<Table, 'header' | 'above' | 'delimiter' | 'isUnquoted'>;

/**
 * Formats rows of a file piece by piece: its columns, then those that we add. Such columns of an earlier file, and those
 * named `replaced`, are dropped. The flags by which the file was read fit the result. Plain numbers in columns of `amounts`
 * stay numbers.
 */
export function createRowsFormat(
  { header: { cells: header }, above, delimiter, isUnquoted }: RowsTable,
  addedColumns: readonly string[],
  {
    replaced = addedColumns,
    amounts = new Set(),
  }: { replaced?: readonly string[]; amounts?: ReadonlySet<number> | undefined } = {},
) {
  const kept = [...header.keys()].filter((index) => !replaced.includes(header[index] ?? ''));
  const pick = (cells: readonly string[]) => kept.map((index) => cells[index] ?? '');
  // Neither padded nor cut: the row stays wrong until somebody adds or removes the right cell.
  const pickOwn = (cells: readonly string[]) => cells.slice(0, kept.length - header.length || undefined);
  const line = (own: string[], added: readonly string[] = []) => {
    const isAmount = (place: number) => amounts.has(kept[place] ?? -1);
    const safe = [
      ...own.map((cell, place) => (isAmount(place) && isPlainNumber(cell) ? cell : protectCell(cell))),
      ...added,
    ];
    return `${isUnquoted ? safe.join(delimiter) : formatCsvRow(safe, delimiter)}\n`;
  };
  const otherMark = delimiter === ',' ? ';' : ',';
  return {
    head: function* (): Generator<string> {
      yield formatFileStart(delimiter);
      for (const { cells, count } of above) {
        const title = line(cells);
        for (let left = count; left > 0; left -= linesAtOnce) yield title.repeat(Math.min(left, linesAtOnce));
      }
      yield line(pick(header), addedColumns);
    },
    /** `added` is safe for a spreadsheet. */
    row: ({ cells, ownCells }: Pick<Row, 'cells' | 'ownCells'>, added: readonly string[]): string =>
      line(ownCells ? pickOwn(ownCells) : pick(cells), added),
    /** The cells of an unquoted file have neither line breaks nor delimiters; our own texts may. */
    ownText: (text: string): string =>
      isUnquoted ? text.replace(/[\r\n]+/g, ' ').replaceAll(delimiter, otherMark) : text,
  };
}

export function createRejectsFormat(table: RowsTable, say: Say) {
  const { head, row, ownText } = createRowsFormat(table, rejectsColumns);
  return {
    head,
    row: ({ row: number, code, error, fix, ...cells }: Reject): string => {
      const texts = [String(number), code, ownText(say(error)), ownText(say(fix))];
      return row(cells, texts.map(protectForeignCell));
    },
  };
}
