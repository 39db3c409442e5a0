import type { Json, JsonObject } from '../orders/json.ts';
import { formatJson, formatJsonLine } from './clean-text.ts';
import { createStyle } from './colour.ts';
import { createCsvReporter, createTableReporter, createTsvReporter } from './column-reporters.ts';
import type { Print } from './print.ts';
import type { Format, Reporter } from './reporter.ts';

interface ReporterOptions {
  format: Format;
  print: Print;
  /** Dotted paths to show instead of the default columns, in formats that have columns. */
  columns?: string[] | undefined;
  header: boolean;
  terminal: { isTerminal: boolean; width: number; colour: boolean };
}

export function createReporter({ format, print, columns, header, terminal }: ReporterOptions): Reporter {
  if (format === 'json') return createJsonReporter(print);
  if (format === 'ndjson') return createNdjsonReporter(print);
  if (format === 'csv') return createCsvReporter({ print, columns, header });
  if (format === 'tsv' || !terminal.isTerminal) return createTsvReporter({ print, columns, header });
  const look = { width: terminal.width, header, style: createStyle(terminal.colour) };
  return createTableReporter({ print, columns, look });
}

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
