import { basename, dirname, extname, join } from 'node:path';
import { plainText } from '../../advice/advice.ts';
import type { UserShell } from '../../advice/command-line.ts';
import { formatCsvRow, protectCell, protectForeignCell } from '../../csv/write-csv.ts';
import type { System } from '../../system/system.ts';
import type { Shard } from '../choices.ts';
import { type RowRun, rejectsColumns } from '../read/table.ts';
import type { OrderOutcome, Reject } from './order-outcome.ts';

export interface ImportFiles {
  results: string;
  rejects: string;
}

/** What the shell opened, such as `/dev/fd/63` for `<(zcat orders.csv.gz)`. */
const openedByShell = /^\/(?:dev|proc)\//;

const rejectsName = /^(.*\.rejects)(?:\.(\d{1,6}))?$/s;

/** `orders.csv` → `orders.results.csv`; in the working directory for standard input and what the shell opened. */
export function fileBeside(file: string, what: keyof ImportFiles, shard?: Shard): string {
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

const detectedDelimiters = [',', ';', '\t', '|'];
const byteOrderMark = '\uFEFF';
const linesAtOnce = 10_000;

interface RejectedTable {
  header: readonly string[];
  /** The rows above the header; they are kept for the --header-row of the original. */
  above: readonly RowRun[];
  delimiter: string;
  /** Quotes are text, so that no cell may hold the delimiter or a line break. */
  isUnquoted: boolean;
}

/**
 * Formats the rejects file piece by piece: the columns of the original, then what is wrong. Columns that an earlier
 * rejects file added are replaced. The flags of the original import fit it.
 */
export function createRejectsFormat(
  { header, above, delimiter, isUnquoted }: RejectedTable,
  shell: UserShell,
) {
  const kept = [...header.keys()].filter((index) => !rejectsColumns.includes(header[index] ?? ''));
  // An import detects only the common delimiters.
  const separatorLine = detectedDelimiters.includes(delimiter) ? '' : `sep=${delimiter}\n`;
  const pick = (cells: readonly string[]) => kept.map((index) => cells[index] ?? '');
  // Neither padded nor cut: the row stays wrong until somebody adds or removes the right cell.
  const pickOwn = (cells: readonly string[]) => cells.slice(0, kept.length - header.length || undefined);
  const line = (own: string[], added: readonly string[] = []) => {
    const safe = [...own.map(protectCell), ...added.map(protectForeignCell)];
    return `${isUnquoted ? safe.join(delimiter) : formatCsvRow(safe, delimiter)}\n`;
  };
  const otherMark = delimiter === ',' ? ';' : ',';
  // The cells of an unquoted file have neither; our own texts may.
  const ownText = (text: string) =>
    isUnquoted ? text.replace(/[\r\n]+/g, ' ').replaceAll(delimiter, otherMark) : text;
  return {
    head: function* (): Generator<string> {
      yield `${byteOrderMark}${separatorLine}`;
      for (const { cells, count } of above) {
        const title = line(cells);
        for (let left = count; left > 0; left -= linesAtOnce) yield title.repeat(Math.min(left, linesAtOnce));
      }
      yield line(pick(header), rejectsColumns);
    },
    row: ({ row, cells, ownCells, code, error, fix }: Reject): string =>
      line(ownCells ? pickOwn(ownCells) : pick(cells), [
        String(row),
        code,
        ownText(error),
        ownText(plainText(fix, shell)),
      ]),
  };
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
    message: [...(message === undefined ? [] : [message]), ...texts].join('; ').replaceAll('.; ', '; '),
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
