import { readFileSync } from 'node:fs';
import type { ServiceError } from '../../src/api/responses/error-body.ts';

export interface ErrorShape {
  name: string;
  status: number;
  text: string;
  contentType: string;
  sent?: string;
  expected: ServiceError;
}

interface FixtureRow {
  name: string;
  status: number;
  contentType?: string;
  /** JSON, or `text` when the body is no JSON. */
  body?: unknown;
  text?: string;
  /** The body of the request. */
  sent?: string;
  expected: ServiceError;
}

function readRows(file: string) {
  const path = new URL(`../../fixtures/responses/${file}`, import.meta.url);
  const rows: FixtureRow[] = JSON.parse(readFileSync(path, 'utf8'));
  return rows.map(({ body, text, contentType, ...row }) => ({
    ...row,
    text: text ?? JSON.stringify(body),
    contentType: contentType ?? (text === undefined ? 'application/json' : 'text/plain'),
  }));
}

/** The bodies that frameworks, validators, gateways and well-known services send with an error. */
export const errorShapes: ErrorShape[] = readRows('errors.json');
/** A body for each rule by which an error is read. */
export const errorRules: ErrorShape[] = readRows('error-rules.json');
