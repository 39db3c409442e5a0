import { readFileSync } from 'node:fs';
import type { ServiceError } from '../../src/api/responses/error-body.ts';

export interface ErrorShape {
  name: string;
  status: number;
  text: string;
  contentType: string;
  expected: ServiceError;
}

interface FixtureRow {
  name: string;
  status: number;
  contentType?: string;
  /** JSON, or `text` when the body is no JSON. */
  body?: unknown;
  text?: string;
  expected: ServiceError;
}

const rows: FixtureRow[] = JSON.parse(
  readFileSync(new URL('../../fixtures/responses/errors.json', import.meta.url), 'utf8'),
);

/** The bodies that frameworks, validators, gateways and well-known services send with an error. */
export const errorShapes: ErrorShape[] = rows.map(({ name, status, contentType, body, text, expected }) => ({
  name,
  status,
  text: text ?? JSON.stringify(body),
  contentType: contentType ?? (text === undefined ? 'application/json' : 'text/plain'),
  expected,
}));
