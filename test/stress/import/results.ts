import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** A line of a results file. */
export interface Result {
  row: string;
  external_order_id: string;
  outcome: string;
  order_id: string;
  order_number: string;
  code: string;
  message: string;
  created_by_run: string;
}

export function readResults(path: string): Result[] {
  return parse(readFileSync(path), { columns: true, bom: true }) as Result[];
}

export function isThere({ outcome }: Result): boolean {
  return outcome === 'created' || outcome === 'already_exists';
}

/** The order exists, and the ledger knows which run created it. */
export function isOurs(result: Result): boolean {
  return isThere(result) && result.created_by_run !== '';
}

/** The outcome is not known yet, or nothing was sent. */
export function isOpen({ outcome }: Result): boolean {
  return outcome === 'unknown' || outcome === 'not_sent';
}
