import { headerProblem } from '../columns/header.ts';
import { blankName, orderUnknown } from '../file-texts.ts';
import { kindOfCells } from '../mapping/column.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Problem } from '../problem.ts';
import { columnIndex, type HeaderRow } from '../read/read-table.ts';
import { isRejectsFile } from '../read/table.ts';
import { createAcrossOrders } from './across-orders.ts';
import { createColumnFormats, createUnclearAmounts } from './column-formats.ts';
import { createCutOffCheck, createRoundingCheck } from './file-damage.ts';
import { createCountedIds, createLineTotalCheck, createSkusAsNames } from './invariants.ts';
import { amountColumn } from './payment.ts';
import type { Check, PlanOptions, Totals } from './plan.ts';
import { createRestCheck } from './unread/rest-values.ts';
import { createMisreadColumns, createUndecidedColumns, createUnreadColumns } from './unread-columns.ts';

/** The checks of a whole file (docs/import.md), in the order of their problems, and what they find besides these. */
export function createChecks(header: HeaderRow, mapped: Mapping, options: PlanOptions, totals: () => Totals) {
  const { due = [], alreadyPaid = [] } = mapped.rules.payment ?? {};
  const columns = [...mapped.columns, ...mapped.addresses.flat(), ...due.map(amountColumn)];
  const amounts = columns.filter((column) => kindOfCells(column) === 'money');
  const formats = createColumnFormats(columns, options);
  const undecided = createUndecidedColumns(mapped, options);
  const rest = createRestCheck(mapped, undecided.indexes, options);
  const countedIds = createCountedIds(mapped, options, totals);
  const acrossOrders = createAcrossOrders(mapped, options);
  const isRejects = isRejectsFile(header);
  /** Say something only of a file that was read to its end. */
  const ofWholeFile = [
    // Of the orders of a rejects file only some are left.
    isRejects ? undefined : createUnknownIds(options),
    // A rejects file is complete, and its rows may be there because of their width.
    options.endsHere || isRejects ? undefined : createCutOffCheck(header, columns),
    createRoundingCheck(header, columns, options),
    createUnclearAmounts([...amounts, ...alreadyPaid.map(amountColumn)], options),
    createBlankHeaders(header),
  ];
  const ofColumns = [
    createUnreadColumns(mapped, options),
    createMisreadColumns(mapped, undecided.indexes),
    undecided,
    rest,
    createLineTotalCheck(mapped),
    createSkusAsNames(mapped),
    countedIds,
    acrossOrders,
    formats,
  ];
  const made = (checks: readonly (Check | undefined)[]) => checks.filter((check) => check !== undefined);
  const all = made([...ofWholeFile, ...ofColumns]);
  return {
    ofRows: all.flatMap(({ rows }) => rows ?? []),
    ofOrders: all.flatMap(({ order }) => order ?? []),
    problems: (isWhole: boolean): Problem[] => {
      const said = new Set<number>();
      return (isWhole ? all : made(ofColumns)).flatMap(({ end }) => {
        const problems = end?.(said) ?? [];
        for (const { column } of problems) if (column !== undefined) said.add(columnIndex(column));
        return problems;
      });
    },
    formats,
    undecided,
    /** After `problems`: of columns that are ignored anyway. */
    ofIgnored: rest?.ofIgnored ?? [],
    /** What single orders are refused for, which needs another reading. */
    across: acrossOrders.value,
    /** The order IDs are 1, 2, 3 and so on, perhaps behind a prefix. */
    idsCount: () => countedIds?.isCounting() ?? false,
  };
}

/** The order IDs of `--allow-without-address` that no order has. */
function createUnknownIds({
  allowWithoutAddress = [],
}: Pick<PlanOptions, 'allowWithoutAddress'>): Check | undefined {
  if (allowWithoutAddress.length === 0) return undefined;
  const unknown = new Set(allowWithoutAddress);
  return {
    rows: ({ externalOrderId }) => void unknown.delete(externalOrderId),
    end: () => [...unknown].map(orderUnknown),
  };
}

/** Columns without a name in which a row has text. */
function createBlankHeaders(header: HeaderRow): Check | undefined {
  const blank = [...header.cells.keys()].filter((index) => header.cells[index] === '');
  if (blank.length === 0) return undefined;
  const filled = new Set<number>();
  return {
    rows: (_, rows) => {
      for (const { cells } of rows) for (const index of blank) if (cells[index] !== '') filled.add(index);
    },
    end: () => [...filled].map((index) => headerProblem(header, index, blankName)),
  };
}
