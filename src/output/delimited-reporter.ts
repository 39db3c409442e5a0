import { escapeFormula, formatCsvRow } from '../csv/write-csv.ts';
import type { JsonObject } from '../orders/json.ts';
import { cleanCell, cleanText } from './clean-text.ts';
import { pickCells } from './fields.ts';
import { importTable } from './import-rows.ts';
import type { Print } from './print.ts';
import type { Reporter } from './reporter.ts';
import {
  cancellationTable,
  chosenFields,
  countColumns,
  countRows,
  formatRequests,
  orderColumns,
} from './rows.ts';

export interface DelimitedOptions {
  print: Print;
  columns: string[] | undefined;
  header: boolean;
}

export function createCsvReporter(options: DelimitedOptions): Reporter {
  // Cleaned first: a character that is taken out later could uncover a formula.
  return createDelimitedReporter(options, (cells) =>
    formatCsvRow(cells.map((cell) => escapeFormula(cleanText(cell)))),
  );
}

/** Also what a table is off a terminal. */
export function createTsvReporter(options: DelimitedOptions): Reporter {
  return createDelimitedReporter(options, (cells) => cells.map(cleanCell).join('\t'));
}

function createDelimitedReporter(
  { print, columns, header }: DelimitedOptions,
  formatRow: (cells: string[]) => string,
): Reporter {
  const show = (rows: string[][]) => {
    for (const row of rows) print.data(formatRow(row));
  };
  const showTable = (names: string[], rows: string[][]) => show(header ? [names, ...rows] : rows);
  const showRecord = (record: JsonObject) => {
    const fields = chosenFields(record, columns);
    showTable(
      fields.map(({ path }) => path),
      [fields.map(({ text }) => text)],
    );
  };

  return {
    order: showRecord,
    orders: () => {
      const shown = columns ?? ['id', ...orderColumns];
      let isHeaderDue = header;
      const showHeader = () => {
        if (isHeaderDue) show([shown]);
        isHeaderDue = false;
      };
      return {
        page: (orders) => {
          showHeader();
          show(orders.map((order) => pickCells(order, shown)));
        },
        end: showHeader,
      };
    },
    cancellations: (results) => {
      showTable(...cancellationTable(results, columns));
    },
    requests: (requests) => print.data(formatRequests(requests)),
    showsOutcomes: false,
    outcome: () => {},
    imported: ({ orders }) => showTable(countColumns, countRows(orders)),
    imports: (imports) => showTable(...importTable(imports, columns)),
    facts: showRecord,
  };
}
