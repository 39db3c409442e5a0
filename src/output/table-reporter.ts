import type { JsonObject } from '../orders/json.ts';
import { pickCells } from './fields.ts';
import { importTableForPeople } from './import-rows.ts';
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
import { formatRecord, formatTable, type TableLook } from './table.ts';

export interface TableOptions {
  print: Print;
  columns: string[] | undefined;
  look: TableLook;
}

/** For the eyes of a person at a terminal. */
export function createTableReporter({ print, columns, look }: TableOptions): Reporter {
  const showTable = (names: string[], rows: string[][], before?: number[]) => {
    if (rows.length === 0) return before;
    const { text, contentWidths } = formatTable(names, rows, look, before);
    print.data(text);
    return contentWidths;
  };
  const showRecord = (record: JsonObject) =>
    print.data(formatRecord(chosenFields(record, columns), look.style));

  return {
    order: showRecord,
    orders: () => {
      const shown = columns ?? orderColumns;
      let widths: number[] | undefined;
      return {
        page: (orders) => {
          const rows = orders.map((order) => pickCells(order, shown));
          widths = showTable(shown, rows, widths);
        },
        end: () => {},
      };
    },
    cancellations: (results) => {
      showTable(...cancellationTable(results, columns));
    },
    requests: (requests) => print.data(formatRequests(requests)),
    showsOutcomes: false,
    outcome: () => {},
    imported: ({ orders }) => {
      showTable(countColumns, countRows(orders));
    },
    imports: (imports, now) => {
      showTable(...importTableForPeople(imports, now, columns));
    },
    facts: showRecord,
  };
}
