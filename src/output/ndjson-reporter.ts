import type { JsonObject } from '../orders/json.ts';
import { formatJsonLine } from './json-text.ts';
import type { Print } from './print.ts';
import type { Reporter } from './reporter.ts';

export function createNdjsonReporter(print: Print): Reporter {
  const show = (value: JsonObject) => print.data(formatJsonLine(value));
  return {
    order: show,
    orders: () => ({ page: (orders) => orders.forEach(show), end: () => {} }),
    cancellations: (results) => {
      for (const result of results) show({ ...result });
    },
    requests: (requests) => {
      for (const request of requests) show({ ...request });
    },
    showsOutcomes: true,
    outcome: show,
    imported: show,
    imports: (imports) => imports.forEach(show),
    facts: show,
  };
}
