import { cleanCell } from '../../csv/clean-cell.ts';
import { createRecordSplitter, RecordError } from './split-records.ts';
import type { Row } from './table.ts';

/** How the cells of a file are told apart. */
export interface Dialect {
  delimiter: string;
  /** The first line says which delimiter; it is no row of the table. */
  hasSeparatorLine: boolean;
  /** Each row of data, and maybe the header, is one quoted cell that holds the whole row. */
  isWrapped: boolean;
}

export const delimiters = [',', ';', '\t', '|'] as const;
const separatorLine = /^"?sep=([^\r\n"])"?(?=[\r\n]|$)/i;
const recordsLookedAt = 100;

/**
 * The dialect of a text by its beginning: what a `sep=` line says, else the delimiter that cuts most of the first
 * records as wide as the header. `told` is what the caller says; `headerRow` counts from 1.
 */
export function detectDialect(
  text: string,
  isWhole: boolean,
  { delimiter: told, headerRow = 1 }: { delimiter?: string | undefined; headerRow?: number | undefined },
): Dialect {
  const separator = separatorLine.exec(text)?.[1];
  const hasSeparatorLine = separator !== undefined;
  const body = hasSeparatorLine ? text.replace(separatorLine, '').replace(/^(?:\r\n|\n|\r)/, '') : text;
  const only = told ?? separator;
  const candidates = (only === undefined ? delimiters : [only]).map((delimiter) => {
    const records = firstRecords(body, isWhole, delimiter, headerRow);
    return { delimiter, ...judge(records, delimiter) };
  });
  candidates.sort((left, right) => right.stability - left.stability || right.width - left.width);
  const { delimiter = ',', isWrapped = false } = candidates[0] ?? {};
  return { delimiter, hasSeparatorLine, isWrapped };
}

/** The row that one quoted cell holds, or undefined when it holds more or less than one. */
export function unwrapRow(cell: string, delimiter: string): string[] | undefined {
  try {
    const [record, ...others] = createRecordSplitter(delimiter).push(cell, true);
    return others.length === 0 ? record?.cells : undefined;
  } catch (error) {
    if (error instanceof RecordError) return undefined;
    throw error;
  }
}

function firstRecords(text: string, isWhole: boolean, delimiter: string, headerRow: number): Row[] {
  try {
    const records = createRecordSplitter(delimiter).push(text, isWhole);
    return records
      .slice(headerRow - 1)
      .filter(({ cells }) => cells.some((cell) => cleanCell(cell) !== ''))
      .slice(0, recordsLookedAt);
  } catch (error) {
    if (error instanceof RecordError) return [];
    throw error;
  }
}

/** How many of the records are as wide as the first; a table of one column is the last resort. */
function judge([header, ...rows]: Row[], delimiter: string) {
  const names = header?.cells ?? [];
  const [only = ''] = names;
  const width = names.length === 1 ? (unwrapRow(only, delimiter)?.length ?? 0) : names.length;
  if (width < 2) return { stability: 0, width: usualWidth(rows), isWrapped: false };
  const isWrapped =
    rows.length > 0 &&
    rows.every(
      ({ cells: [only = '', ...others] }) =>
        others.length === 0 && unwrapRow(only, delimiter)?.length === width,
    );
  if (isWrapped) return { stability: 1, width, isWrapped };
  if (names.length === 1) return { stability: 0, width: usualWidth(rows), isWrapped };
  const alike = rows.filter(({ cells }) => cells.length === width).length;
  if (alike === 0 && rows.length > 0) return { stability: 0, width: usualWidth(rows), isWrapped };
  return { stability: (alike + 1) / (rows.length + 1), width, isWrapped };
}

/** What most records below a title have is likelier than what few have. */
function usualWidth(rows: readonly Row[]): number {
  const widths = rows.map(({ cells }) => cells.length).sort((left, right) => left - right);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}
