import type { Assignment } from '../../orders/assignment.ts';
import { createSum, isDecimal } from '../../orders/decimal.ts';
import { FieldPathError, formatFieldPath, readField, setField } from '../../orders/field-path.ts';
import { copyJson, jsonText } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import { rules } from '../../orders/order-rules.ts';
import {
  alternativesOf,
  type CellFormat,
  type Column,
  createCellReader,
  fieldText,
  fills,
  kindOfCells,
  locationColumns,
  missingText,
  orderProblem,
  parseCell,
} from '../mapping/column.ts';
import type { Mapping } from '../mapping/mapping.ts';
import {
  cellNotOfType,
  differsFromOtherColumn,
  differsFromRow,
  idsDamaged,
  pathConflict,
} from '../order-texts.ts';
import type { Problem, ProblemText } from '../problem.ts';
import { findDamage, hasLostDigits } from '../read/damage.ts';
import type { Row } from '../read/read-table.ts';
import { verdict } from '../words/verdict.ts';
import type { PlanOptions, RowGroup } from './plan.ts';

/** An order and, for each of its lines, the row that the line comes from. */
interface BuiltOrder {
  externalOrderId: string;
  order: Order;
  lineRows: Row[];
  problems: Problem[];
}

interface Field {
  column: Column;
  alternatives: readonly Column[];
  read(text: string): string;
  isQuantity: boolean;
  rejectsDamage: boolean;
  /** Whether a cell says that there is none, such as `-`. */
  isBlank(text: string): boolean;
  /** A numbered line in a file whose rows carry lines too: both may fill the same field. */
  mayOverlap: boolean;
}

/** Rows → order. A blank cell is left out; a row of `lineRows` adds a line when it has a line cell. */
export function createOrderBuilder(
  { columns: named, lines, addresses }: Pick<Mapping, 'columns' | 'lines' | 'addresses'>,
  options: CellFormat & Pick<PlanOptions, 'constants' | 'checks'>,
) {
  const { constants, checks } = options;
  const constantPaths = new Set(constants.map(({ path }) => formatFieldPath(path)));
  const columns = [...named, ...(lines?.columns ?? [])];
  const hasLines = columns.some(({ isLine }) => isLine);
  const toFields = (all: readonly Column[]) =>
    all.map(
      (column): Field => ({
        column,
        alternatives: alternativesOf(column),
        read: createCellReader(column, options),
        isQuantity:
          checks && kindOfCells(column) === 'quantity' && !constantPaths.has(formatFieldPath(column.path)),
        // Damaged IDs would merge orders.
        rejectsDamage: column.type === 'text' && (checks || fills('externalOrderId')(column)),
        isBlank: blankFinder(column),
        mayOverlap: typeof column.path[1] === 'number' && hasLines,
      }),
    );
  const fields = toFields(columns);
  const addressFields = addresses.map((set) => ({ fields: toFields(set), location: locationColumns(set) }));
  const lineFields = fields.filter(({ column }) => column.isLine);
  const orderFields = fields.filter(({ column }) => !column.isLine);

  return (
    { externalOrderId, rows }: RowGroup,
    lineRows: readonly Row[] = rows,
    own: readonly Assignment[] = [],
  ): BuiltOrder => {
    const built: BuiltOrder = { externalOrderId, order: {}, lineRows: [], problems: [] };
    for (const row of lineRows) putLine(built, lineFields, row);
    for (const field of orderFields) {
      if (field.column.rule?.sums) putSum(built, field, deliveredRows(rows, lineRows));
      else putField(built, field, rows);
    }
    for (const field of addressIn(addressFields, rows) ?? []) putField(built, field, rows);
    for (const constant of constants) putConstant(built, constant, rows);
    for (const assignment of own) putConstant(built, assignment, rows);
    return built;
  };
}

function blankFinder({ path, type }: Column): Field['isBlank'] {
  const meaning =
    formatFieldPath(path) === 'customer.externalCustomerId'
      ? 'customer_id'
      : path[0] === 'deliveryAddress' && type === 'text'
        ? 'address'
        : undefined;
  return meaning === undefined ? () => false : (text) => verdict(meaning, text) === 'nothing';
}

/** The first address with text, more than a country; cells of two addresses are never mixed. */
function addressIn(
  addresses: readonly { fields: readonly Field[]; location: readonly Column[] }[],
  rows: readonly Row[],
): readonly Field[] | undefined {
  const hasText = (column: Column) => rows.some(({ cells }) => fieldText(column, cells) !== '');
  return addresses.find(({ location }) => location.some(hasText))?.fields;
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

/** The rows of the file that hold lines to deliver. */
export function deliveredRows(rows: readonly Row[], lineRows: readonly Row[]): readonly Row[] {
  if (rows.length === 1 || rows === lineRows) return rows;
  const delivered = new Set(lineRows.map(({ row }) => row));
  return rows.filter(({ row }) => delivered.has(row));
}

function putSum(built: BuiltOrder, field: Field, rows: readonly Row[]): void {
  const filled = rows.filter(({ cells }) => fieldText(field.column, cells) !== '');
  const [row] = filled;
  if (row === undefined) return;
  const texts = filled.map(({ cells }) => field.read(fieldText(field.column, cells)));
  put(built, field, row, sumOf(texts));
}

/** Of several amounts; the first text that is none instead, which the checks refuse. */
export function sumOf(amounts: readonly string[]): string {
  const other = amounts.find((text) => !isDecimal(text));
  if (other !== undefined) return other;
  const sum = createSum();
  for (const text of amounts) sum.add(text);
  return sum.value() ?? '';
}

/** Rows of one order must not differ in a field. Of several columns, the first with text in any row is read. */
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
    if (cell === '' || field.isBlank(cell)) continue;
    const text = field.read(cell);
    if (first === undefined) {
      first = row;
      known = text;
      put(built, column === field.column ? field : { ...field, column }, row, text);
    } else if (text !== known) {
      addProblem(built, column, row, differsFromRow(first.row, known, kindOfCells(column) === 'money'));
    }
  }
  return first !== undefined;
}

const wholeAboveZero = /^[1-9]\d*$/;

/** `line`: of the order, when the field is one of a line. */
function put(built: BuiltOrder, field: Field, row: Row, text: string, line?: number): void {
  const { column, mayOverlap, rejectsDamage } = field;
  const { path, type } = column;
  const damage = rejectsDamage ? findDamage(text) : undefined;
  // The checks of the order say more about a damaged phone: the range of the lost digits.
  if (damage !== undefined && !(damage.code === 'number_damaged' && path.at(-1) === 'phone')) {
    const isId = hasLostDigits(damage) && path[0] === 'externalOrderId';
    addProblem(built, column, row, isId ? idsDamaged(damage) : damage, line);
  }
  const isNoQuantity = field.isQuantity && damage === undefined && !wholeAboveZero.test(text);
  if (isNoQuantity) {
    const { problem, fix } = rules.quantity_invalid;
    addProblem(built, column, row, { code: 'quantity_invalid', problem, fix }, line);
  }
  const value = parseCell(text, type);
  if (value === undefined) {
    if (isNoQuantity) return;
    addProblem(built, column, row, cellNotOfType(type), line);
    return;
  }
  try {
    const other = mayOverlap ? readField(built.order, path) : undefined;
    if (other === undefined || jsonText(other) === text) {
      setField(built.order, path, value, line);
      return;
    }
    addProblem(built, column, row, differsFromOtherColumn(jsonText(other)));
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    addProblem(built, column, row, pathConflict(error, false), line);
  }
}

function addProblem(
  { externalOrderId, problems }: BuiltOrder,
  column: Column,
  row: Row,
  text: ProblemText,
  line?: number,
): void {
  const path = formatFieldPath(column.path, line);
  problems.push(orderProblem(externalOrderId, row, column, { ...text, path }));
}

/** Sets a constant in each line when its path goes through lines; each order gets its own copy. */
function putConstant(
  { externalOrderId, order, lineRows, problems }: BuiltOrder,
  constant: Assignment,
  rows: readonly Row[],
): void {
  const { path, value } = constant;
  const count = path.includes(null) ? lineRows.length : 1;
  try {
    for (let line = 0; line < count; line++) setField(order, path, copyJson(value), line);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const text = { ...pathConflict(error, true), path: formatFieldPath(path) };
    problems.push(orderProblem(externalOrderId, rows[0], undefined, text));
  }
}
