import { STATUS_CODES } from 'node:http';
import { type Json, writeJson } from '../../orders/json.ts';

/** What an error answer has to say. */
export interface ErrorFacts {
  code: string;
  message: string;
  status: number;
  requestId: string;
  fields: readonly FieldProblem[];
  /** Of the request. */
  path: string;
  /** ISO 8601. */
  time: string;
}

export interface FieldProblem {
  /** Such as `items[0].sku`. */
  field: string;
  problem: string;
}

export interface ErrorBody {
  text: string;
  /** Undefined for none. */
  contentType: string | undefined;
}

export type ToErrorBody = (facts: ErrorFacts) => ErrorBody;

export function json(value: Json, contentType = 'application/json'): ErrorBody {
  return { text: writeJson(value), contentType };
}

/** Such as `Not Found`. */
export function phraseOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

/** Such as `/items/0/sku` (RFC 6901). */
export function pointerTo(field: string): string {
  return `/${field.replaceAll('[', '.').replaceAll(']', '').replaceAll('.', '/')}`;
}

/** The problems by field; the whole message under `base` when no field is named. */
export function problemsByField({ fields, message }: ErrorFacts): Record<string, Json> {
  if (fields.length === 0) return { base: [message] };
  return Object.fromEntries(fields.map(({ field, problem }) => [field, [problem]]));
}

/** The names in a table, typed as the schema wants the values of a setting. */
export function namesOf<Name extends string>(table: Record<Name, unknown>): [Name, ...Name[]] {
  return Object.keys(table) as [Name, ...Name[]];
}
