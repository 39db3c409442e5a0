import { createStyle } from './colour.ts';
import { createCsvReporter, createTsvReporter } from './delimited-reporter.ts';
import { createJsonReporter } from './json-reporter.ts';
import { createNdjsonReporter } from './ndjson-reporter.ts';
import type { Print } from './print.ts';
import type { Format, Reporter } from './reporter.ts';
import { createTableReporter } from './table-reporter.ts';

export interface ReporterOptions {
  format: Format;
  print: Print;
  /** Dotted paths, instead of the default columns; only where the output has columns. */
  columns?: string[] | undefined;
  header: boolean;
  /** stdout as it is: the width in columns. */
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
