import { cleanCell } from '../../csv/clean-cell.ts';
import { type Dialect, hasOddQuotes, parseSample, unwrapRow } from '../../csv/read-csv.ts';

export const delimiters = [',', ';', '\t', '|'] as const;
const separatorLine = /^"?sep=([^\r\n"])"?(?=[\r\n]|$)/i;
const maxRecords = 100;

/** The delimiter is the given one, else that of a `sep=` line, else the one that gives the first records one width. */
export function detectDialect(
  text: string,
  isWhole: boolean,
  { delimiter: given, headerRow = 1 }: { delimiter?: string | undefined; headerRow?: number | undefined },
): Dialect {
  const separator = separatorLine.exec(text)?.[1];
  const hasSeparatorLine = separator !== undefined;
  const body = hasSeparatorLine ? text.replace(separatorLine, '').replace(/^(?:\r\n|\n|\r)/, '') : text;
  const only = given ?? separator;
  const candidates = (only === undefined ? delimiters : [only]).map((delimiter) => {
    const records = parseSample(body, isWhole, delimiter, headerRow - 1 + maxRecords)
      .slice(headerRow - 1)
      .filter((cells) => cells.some((cell) => cleanCell(cell) !== ''));
    return { delimiter, ...judge(records, delimiter) };
  });
  candidates.sort((left, right) => right.stability - left.stability || right.width - left.width);
  const { delimiter = ',', isWrapped = false } = candidates[0] ?? {};
  return { delimiter, hasSeparatorLine, isWrapped };
}

/** `stability` is the share of the records that are as wide as the first; 0 for a table of one column. */
function judge([header = [], ...rows]: string[][], delimiter: string) {
  const [only = ''] = header;
  const width = header.length === 1 ? (unwrapRow(only, delimiter)?.length ?? 0) : header.length;
  const isWrapped =
    width > 1 &&
    rows.length > 0 &&
    rows.every(
      ([only = '', ...others]) => others.length === 0 && unwrapRow(only, delimiter)?.length === width,
    );
  if (isWrapped) return { stability: 1, width, isWrapped };
  const alike = rows.filter((cells) => cells.length === width && !isSplitInQuotes(cells)).length;
  const isTable = header.length > 1 && !isSplitInQuotes(header) && (alike > 0 || rows.length === 0);
  if (!isTable) return { stability: 0, width: medianWidth(rows), isWrapped };
  return { stability: (alike + 1) / (rows.length + 1), width, isWrapped };
}

/** A wrong delimiter splits quoted cells. */
function isSplitInQuotes(cells: string[]): boolean {
  return cells.filter(hasOddQuotes).length > 1;
}

function medianWidth(rows: string[][]): number {
  const widths = rows.map((cells) => cells.length).sort((left, right) => left - right);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}
