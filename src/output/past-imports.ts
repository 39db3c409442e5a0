import { inWords } from '../clean-text.ts';
import type { JsonObject } from '../orders/json.ts';
import { pickCells } from './fields.ts';
import type { PastImport } from './reporter.ts';

type Table = [names: string[], rows: string[][]];

export const importCounts = ['created', 'already_exists', 'to_fix', 'unknown', 'not_sent'];
const columnsWith = (counts: string[]) => [
  'run',
  'startedAt',
  'file',
  'service',
  'total',
  ...counts,
  'ended',
];

export function importTable(imports: PastImport[], columns = columnsWith(importCounts)): Table {
  return [columns, imports.map((past) => pickCells(flatten(past), columns))];
}

/** The same for a person at a terminal: with the age of each import, SANDBOX for any sandbox, and no counts that are all zero. */
export function importTableForPeople(
  imports: PastImport[],
  now: number,
  columns: string[] | undefined,
): [heads: (string | { name: string; isAmount: boolean })[], rows: string[][]] {
  const occurred = importCounts.filter((name) => imports.some((past) => flatten(past)[name] !== 0));
  const readable = imports.map((past) => ({
    ...past,
    startedAt: formatAge(Date.parse(past.startedAt), now),
    service: past.sandbox ? 'SANDBOX' : past.service,
  }));
  const [names, rows] = importTable(readable, columns ?? columnsWith(occurred));
  const toHead = (name: string) =>
    importCounts.includes(name) ? { name: inWords(name), isAmount: true } : name;
  return [columns === undefined ? names.map(toHead) : names, rows];
}

function flatten(past: PastImport): JsonObject {
  const { rejected, invalid, conflict } = past.orders;
  const toFix = (rejected ?? 0) + (invalid ?? 0) + (conflict ?? 0);
  return { ...past.orders, to_fix: toFix, ...past };
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago a moment was, such as `5 min ago`; both in milliseconds since the epoch. */
export function formatAge(moment: number, now: number): string {
  const age = now - moment;
  if (age < minute) return 'just now';
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < day) return `${Math.floor(age / hour)} h ago`;
  const days = Math.floor(age / day);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
