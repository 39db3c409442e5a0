import type { JsonObject } from '../orders/json.ts';
import { pickCells } from './fields.ts';
import type { PastImport } from './reporter.ts';

type Table = [names: string[], rows: string[][]];

/** The columns that count orders. */
export const importCounts = ['created', 'already_exists', 'to_mend', 'unknown', 'not_sent'];
const columnsWith = (counts: string[]) => [
  ...['run', 'startedAt', 'file', 'service', 'total'],
  ...[...counts, 'ended'],
];

/** Past imports as a table: the names of its columns, and a row for each. */
export function importTable(imports: PastImport[], columns = columnsWith(importCounts)): Table {
  return [columns, imports.map((past) => pickCells(flatten(past), columns))];
}

/** The same for the eyes of a person: how long ago it was, only that a sandbox is one, and the counts that there are. */
export function importTableForPeople(
  imports: PastImport[],
  now: number,
  columns: string[] | undefined,
): Table {
  const occurred = importCounts.filter((name) => imports.some((past) => flatten(past)[name] !== 0));
  const told = imports.map((past) => ({
    ...past,
    startedAt: formatAge(Date.parse(past.startedAt), now),
    service: past.sandbox ? 'SANDBOX' : past.service,
  }));
  return importTable(told, columns ?? columnsWith(occurred));
}

function flatten(past: PastImport): JsonObject {
  const { rejected, invalid, conflict } = past.orders;
  const toMend = (rejected ?? 0) + (invalid ?? 0) + (conflict ?? 0);
  return { ...past.orders, to_mend: toMend, ...past };
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago a moment was; both in milliseconds since the epoch. */
export function formatAge(moment: number, now: number): string {
  const age = now - moment;
  if (age < minute) return 'just now';
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < day) return `${Math.floor(age / hour)} h ago`;
  const days = Math.floor(age / day);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
