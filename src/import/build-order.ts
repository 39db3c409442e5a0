import type { Assignment } from '../orders/assignment.ts';
import { FieldPathError, formatFieldPath, setField } from '../orders/field-path.ts';
import type { Json, JsonObject } from '../orders/json.ts';
import { type Order, orderLines } from '../orders/order.ts';
import { type Column, parseCell } from './column.ts';
import type { RowGroup } from './group-rows.ts';
import { type Problem, placeOf } from './problem.ts';
import type { Row } from './table.ts';

/** An order as its rows make it, and where each of its fields came from. */
export interface BuiltOrder {
  order: Order;
  origins: Map<string, Origin>;
  problems: Problem[];
}

export interface Origin {
  row: Row;
  column: Column;
}

/** Rows → order. A blank cell is left out; a row adds a line when it has a line cell. */
export function buildOrder(
  { externalOrderId, rows }: RowGroup,
  columns: readonly Column[],
  constants: readonly Assignment[],
): BuiltOrder {
  const built: BuiltOrder = { order: {}, origins: new Map(), problems: [] };
  for (const row of rows) {
    const line = orderLines(built.order).length;
    for (const column of columns) {
      const text = row.cells[column.index] ?? '';
      if (text !== '') putCell(built, { row, column }, text, line, externalOrderId);
    }
  }
  for (const constant of constants) putConstant(built, constant, rows, externalOrderId);
  return built;
}

function putCell(
  { order, origins, problems }: BuiltOrder,
  origin: Origin,
  text: string,
  line: number,
  externalOrderId: string,
): void {
  const { row, column } = origin;
  const path = formatFieldPath(column.path, line);
  const refuse = (code: Problem['code'], problem: string, fix: string) => {
    const place = placeOf(row, column);
    problems.push({ about: 'order', severity: 'error', externalOrderId, ...place, path, code, problem, fix });
  };
  const earlier = origins.get(path);
  if (earlier !== undefined) {
    const other = earlier.row.cells[earlier.column.index] ?? '';
    if (other === text) return;
    const problem = `differs from row ${earlier.row.row} of the same order, which has "${other}"`;
    refuse('field_conflict', problem, 'make them agree, or give one of the rows another order id');
    return;
  }
  const value = parseCell(text, column.type);
  if (value === undefined) {
    refuse(
      'cell_type_invalid',
      `is not ${column.type === 'json' ? 'JSON' : `a ${column.type}`}`,
      'mend the cell, or take the type off the header',
    );
    return;
  }
  try {
    setField(order, column.path, value, line);
    origins.set(path, origin);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    refuse('path_conflict', error.message, 'two columns contradict each other; take one of them out');
  }
}

/** A constant of a line goes into every line; a fresh copy, so that orders share nothing. */
function putConstant(
  { order, origins, problems }: BuiltOrder,
  { path, value }: Assignment,
  rows: readonly Row[],
  externalOrderId: string,
): void {
  const count = path.includes(null) ? orderLines(order).length : 1;
  try {
    for (let line = 0; line < count; line++) {
      setField(order, path, copy(value), line);
      origins.delete(formatFieldPath(path, line));
    }
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    problems.push({
      about: 'order',
      severity: 'error',
      code: 'path_conflict',
      problem: error.message,
      fix: 'a column and --set contradict each other; leave one of them out',
      path: formatFieldPath(path),
      externalOrderId,
      ...placeOf(rows[0] as Row),
    });
  }
}

function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, copy(item)]));
}
