import type { Assignment } from '../../orders/assignment.ts';
import {
  createFieldSetter,
  FieldPathError,
  type FieldSetter,
  formatFieldPath,
  readField,
  setField,
} from '../../orders/field-path.ts';
import { copyJson, jsonText } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import { damageOf } from '../cells/cell-damage.ts';
import { createCellReader, type Spelling } from '../cells/cell-reader.ts';
import { alternativesOf, type Column, fieldText, missingText, parseCell } from '../map/column.ts';
import { type Problem, placeOf } from '../problem.ts';
import type { Row } from '../table/table.ts';
import type { Run } from './row-runs.ts';

/** An order as its rows make it, and the rows that its lines came from. */
export interface BuiltOrder {
  order: Order;
  lineRows: Row[];
  problems: Problem[];
}

export interface BuildOptions extends Spelling {
  columns: readonly Column[];
  /** Fields that every order gets. */
  constants: readonly Assignment[];
  /** False lets damaged texts pass, but for the own id: damaged ids make one order of several. */
  allRules: boolean;
}

/** A column with all that can be known of it before the first order. */
interface Field {
  column: Column;
  alternatives: readonly Column[];
  read(text: string): string;
  set: FieldSetter;
  /** Whether a damaged text is refused. */
  isGuarded: boolean;
  /** Its cells may run into those of the lines that the rows carry. */
  isFixedLine: boolean;
}

/** Rows → order. A blank cell is left out; a row adds a line when it has a line cell. */
export function createOrderBuilder({ columns, constants, allRules, ...spelling }: BuildOptions) {
  const fields = columns.map(
    (column): Field => ({
      column,
      alternatives: alternativesOf(column),
      read: createCellReader(column, spelling),
      set: createFieldSetter(column.path),
      isGuarded: column.type === 'text' && (allRules || formatFieldPath(column.path) === 'externalOrderId'),
      isFixedLine: typeof column.path[1] === 'number' && columns.some(({ isLine }) => isLine),
    }),
  );
  const ofLines = fields.filter(({ column }) => column.isLine);
  const ofOrders = fields.filter(({ column }) => !column.isLine);

  return ({ externalOrderId, rows }: Run): BuiltOrder => {
    const built: BuiltOrder = { order: {}, lineRows: [], problems: [] };
    for (const row of rows) putLine(built, ofLines, row);
    for (const field of ofOrders) putField(built, field, rows);
    for (const constant of constants) putConstant(built, constant, rows);
    for (const problem of built.problems) problem.externalOrderId = externalOrderId;
    return built;
  };
}

function putLine(built: BuiltOrder, fields: readonly Field[], row: Row): void {
  const line = built.lineRows.length;
  let hasText = false;
  for (const field of fields) {
    const text = fieldText(field.column, row.cells);
    if (text === '') continue;
    hasText = true;
    put(built, field, row, field.read(text), line);
  }
  if (!hasText) return;
  built.lineRows.push(row);
  for (const field of fields) {
    if (field.column.rule === undefined || fieldText(field.column, row.cells) !== '') continue;
    const missing = missingText(field.column, [row]);
    if (missing !== '') put(built, field, row, missing, line);
  }
}

/**
 * The rows of an order may all tell a field, or only one of them; they may not contradict each other. Of several
 * columns the first counts that any of the rows has text in.
 */
function putField(built: BuiltOrder, field: Field, rows: readonly Row[]): void {
  for (const column of field.alternatives) if (putColumn(built, field, column, rows)) return;
  const missing = field.column.rule === undefined ? '' : missingText(field.column, rows);
  if (missing !== '') put(built, field, rows[0] as Row, missing);
}

function putColumn(built: BuiltOrder, field: Field, column: Column, rows: readonly Row[]): boolean {
  let first: Row | undefined;
  let known = '';
  for (const row of rows) {
    const cell = fieldText(column, row.cells);
    if (cell === '') continue;
    const text = field.read(cell);
    if (first === undefined) {
      first = row;
      known = text;
      put(built, field, row, text, undefined, column);
    } else if (text !== known) {
      const problem = `differs from row ${first.row} of the same order, which has "${known}"`;
      const fix = 'make them agree, or give one of the rows another order id';
      refuse(built, row, column, { code: 'field_conflict', cause: 'other row', problem, fix });
    }
  }
  return first !== undefined;
}

function put(
  built: BuiltOrder,
  field: Field,
  row: Row,
  text: string,
  line?: number,
  column: Column = field.column,
): void {
  const { set, isFixedLine, isGuarded } = field;
  const { path, type } = column;
  const damage = isGuarded ? damageOf(text) : undefined;
  // The checks of an order tell more of a damaged phone: what it may have been.
  if (damage !== undefined && !(damage.code === 'number_damaged' && path.at(-1) === 'phone')) {
    const isId = damage.code === 'number_damaged' && path[0] === 'externalOrderId';
    const merged = isId ? `${damage.problem}, and different orders may have become one` : damage.problem;
    refuse(built, row, column, { ...damage, problem: merged }, line);
  }
  const value = parseCell(text, type);
  if (value === undefined) {
    const problem = `is not ${type === 'json' ? 'JSON' : `a ${type}`}`;
    const fix = 'mend the cell, or take the type off the header';
    refuse(built, row, column, { code: 'cell_type_invalid', problem, fix }, line);
    return;
  }
  try {
    const other = isFixedLine ? readField(built.order, path) : undefined;
    if (other === undefined || jsonText(other) === text) {
      set(built.order, value, line ?? 0);
      return;
    }
    const problem = `differs from what another column has for the same line, "${jsonText(other)}"`;
    const fix = 'make them agree, or take one of the columns out';
    refuse(built, row, column, { code: 'field_conflict', cause: 'other column', problem, fix });
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const fix = 'two columns contradict each other; take one of them out';
    refuse(built, row, column, { code: 'path_conflict', problem: error.message, fix }, line);
  }
}

function refuse(
  { problems }: BuiltOrder,
  row: Row,
  column: Column,
  what: Pick<Problem, 'code' | 'problem' | 'fix' | 'cause'>,
  line?: number,
): void {
  const place = { ...placeOf(row, column), path: formatFieldPath(column.path, line) };
  problems.push({ about: 'order', severity: 'error', ...what, ...place });
}

/** A constant of a line goes into every line; a fresh copy, so that orders share nothing. */
function putConstant(
  { order, lineRows, problems }: BuiltOrder,
  constant: Assignment,
  rows: readonly Row[],
): void {
  const { path, value } = constant;
  const count = path.includes(null) ? lineRows.length : 1;
  try {
    for (let line = 0; line < count; line++) setField(order, path, copyJson(value), line);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    problems.push({
      ...{ about: 'order', severity: 'error', code: 'path_conflict', path: formatFieldPath(path) },
      problem: error.message,
      fix: 'a column and --set contradict each other; leave one of them out',
      ...placeOf(rows[0] as Row),
    });
  }
}
