import { expect } from 'vitest';
import { type JsonObject, parseJson } from '../../src/orders/json.ts';
import { createReporter, type Format, type Reporter } from '../../src/output/reporter.ts';
import { capture } from './capture.ts';

export interface Setting {
  format?: Format;
  columns?: string[];
  header?: boolean;
  isTerminal?: boolean;
  width?: number;
  colour?: boolean;
}

/** What a reporter writes to stdout. Fails if it writes to stderr. */
export function shown(use: (report: Reporter) => void, setting: Setting = {}): string {
  const {
    format = 'table',
    columns,
    header = true,
    isTerminal = false,
    width = 120,
    colour = false,
  } = setting;
  const { print, out, err } = capture({ out: colour, isTerminal });
  use(createReporter({ format, print, columns, header, terminal: { isTerminal, width, colour } }));
  expect(err()).toBe('');
  return out();
}

export const terminal = { isTerminal: true };
export const endOfList = { page: null, pageSize: null, total: null, nextPage: null };
export const read = (json: string) => parseJson(json) as JsonObject;

export const first = read(`{
  "id": "0b0e", "orderNumber": "ORD-2026-000001", "externalOrderId": "1013", "status": "CONFIRMED",
  "customer": { "phone": "+97699112233" }, "items": [{ "sku": "TEA-1", "quantity": 2.50 }],
  "total": "25000.50", "collectionAmount": "0", "requestedDeliveryDate": "2026-11-25", "delivery": null
}`);
export const second = read(
  '{ "id": "0b0f", "orderNumber": "ORD-2026-000002", "status": "ХҮЛЭЭГДЭЖ БУЙ", "total": "5" }',
);
