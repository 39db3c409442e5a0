import type { Json, JsonObject } from '../orders/json.ts';
import { formatJson } from './json-text.ts';
import type { Print } from './print.ts';
import type { Reporter } from './reporter.ts';

export function createJsonReporter(print: Print): Reporter {
  const show = (value: Json) => print.data(formatJson(value));
  return {
    order: show,
    orders: () => {
      const orders: JsonObject[] = [];
      return {
        page: (received) => {
          for (const order of received) orders.push(order);
        },
        end: ({ page, pageSize, total, nextPage }) => show({ orders, page, pageSize, total, nextPage }),
      };
    },
    cancellations: (results) => show({ orders: results.map((result) => ({ ...result })) }),
    requests: (requests) => {
      const all = requests.map((request) => ({ ...request }));
      show(all.length === 1 && all[0] ? all[0] : all);
    },
    showsOutcomes: false,
    outcome: () => {},
    imported: show,
    imports: (imports) => show({ imports }),
    facts: show,
  };
}
