import { parse } from 'node:path';
import { isJsonObject, type JsonObject } from '../../orders/json.ts';
import { hiddenRowsChoices } from '../choices.ts';
import type { ReadingFlags, Table } from './table.ts';

/** `read` of a mapping; that of a remembered one may hold anything. */
interface ReadSettings {
  header_row?: unknown;
  sheet?: unknown;
  encoding?: unknown;
  delimiter?: unknown;
  hidden_rows?: unknown;
}

/** What `read` of a mapping says, as flags. */
export function readingFlags(read: ReadSettings = {}): ReadingFlags {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const headerRow = Number(read.header_row);
  return {
    headerRow: headerRow > 0 ? headerRow : undefined,
    sheet: textOf(read.sheet),
    encoding: textOf(read.encoding),
    delimiter: textOf(read.delimiter),
    hiddenRows: hiddenRowsChoices.find((choice) => choice === read.hidden_rows),
  };
}

/** The mapping with what a person has said about how the file is read. */
export function withRead(mapping: JsonObject, { reading }: Pick<Table, 'reading'>): JsonObject {
  const read = readOf(reading);
  if (read === undefined) return mapping;
  const before = mapping.read ?? {};
  return { ...mapping, read: { ...(isJsonObject(before) ? before : {}), ...read } };
}

/** `read` of a mapping; undefined when nothing was said. */
export function readOf({
  headerRow,
  sheet,
  encoding,
  delimiter,
  hiddenRows,
}: ReadingFlags = {}): JsonObject | undefined {
  const said = { header_row: headerRow, sheet, encoding, delimiter, hidden_rows: hiddenRows };
  const members = Object.entries(said).filter(([, value]) => value !== undefined);
  return members.length === 0 ? undefined : (Object.fromEntries(members) as JsonObject);
}

/** `orders` of `orders.csv`, and of the files with its rejects: `orders.rejects.csv`, `orders.rejects.before-1a2b3c4d.csv`. */
export function stemOf(file: string): string {
  return parse(file).name.replace(/\.rejects(?:\.before-[0-9a-f]{8})?$/, '');
}
