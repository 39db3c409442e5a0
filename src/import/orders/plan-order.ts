import { advice, command } from '../../advice/advice.ts';
import type { Assignment } from '../../orders/assignment.ts';
import { checkOrder } from '../../orders/check-order.ts';
import { FieldPathError, formatFieldPath } from '../../orders/field-path.ts';
import type { Issue } from '../../orders/issue.ts';
import { type Order, textField, tidyOrder } from '../../orders/order.ts';
import { createFieldMover, type FieldPlaces } from '../../orders/unnamed-fields.ts';
import type { Spill } from '../../system/temporary-file.ts';
import type { DecimalMark, PlanFlags } from '../choices.ts';
import type { CellFormat } from '../mapping/column.ts';
import { alternativesOf, type Column, fieldText, locationOf, orderProblem } from '../mapping/column.ts';
import type { MappingFile } from '../mapping/language.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Problem } from '../problem.ts';
import { findDamage, fromExport, hasLostDigits } from '../read/damage.ts';
import type { Row } from '../read/read-table.ts';
import { checkMoneyText } from '../words/money.ts';
import { findPickup } from '../words/verdict.ts';
import { type BuiltOrder, createOrderBuilder } from './build-order.ts';
import type { RowGroup } from './group/group-rows.ts';
import { createListedValuesCheck, createSeenCheck, type RememberedValues } from './known-values.ts';
import { createMeaningReader, type OrderMeaning } from './order-meaning.ts';
import { amountColumn } from './payment.ts';
import type { PlannedOrder } from './planned-order.ts';
import {
  createLostLineFinder,
  createUnclearRowFinder,
  findOtherWidths,
  findRepeatedHeaders,
  separateRepeats,
} from './row-problems.ts';

/** The flags, and what the mapping file and the command add. */
export interface PlanOptions extends PlanFlags, CellFormat {
  map?: MappingFile | undefined;
  /** The file is read by a remembered mapping, which holds for these values. */
  remembered?: RememberedValues | undefined;
  /** Fields of every order: those of the mapping file, then those of `--set`. */
  constants: readonly Assignment[];
  places: FieldPlaces;
  /** Today where the user is, `YYYY-MM-DD`. */
  today: string;
  headerProblems?: readonly Problem[] | undefined;
  /** Whether lines that come to less than their subtotal are an error. */
  lessIsError?: boolean | undefined;
  /** False when nobody will read the orders of the plan (default: true). */
  keepsOrders?: boolean | undefined;
  stopping: AbortSignal;
  /** Opens a temporary file, which the caller removes. */
  openSpill(): Spill;
}

/**
 * `missing`: codes that the header's problems say once, and that are not repeated for each order. Plans nothing of an
 * order that `checkOrder` rejects.
 */
export function createOrderPlanner(
  mapping: Mapping,
  options: PlanOptions,
  header: readonly string[],
  missing: ReadonlySet<string> = new Set(),
): (group: RowGroup, isSelected?: boolean) => PlannedOrder | undefined {
  const columns = [...mapping.columns, ...(mapping.lines?.columns ?? []), ...mapping.addresses.flat()];
  const findUnclearRows = createUnclearRowFinder(mapping);
  const build = createOrderBuilder(mapping, options);
  const findLostLines = createLostLineFinder(mapping, header);
  const readMeaning = createMeaningReader(mapping, options);
  const checkListedValues = createListedValuesCheck(mapping, options.remembered?.name);
  const checkSeenValues = createSeenCheck(mapping, header, options.remembered);
  const constants = new Set(options.constants.map(({ path }) => formatFieldPath(path)));
  const readColumns = columns
    .filter(({ path }) => !constants.has(formatFieldPath(path)))
    .flatMap(alternativesOf);
  const { map = {}, today, checks, places } = options;
  const isShallow = ![...columns, ...options.constants].some(holdsJson);
  const rules = { today, allRules: checks, isShallow };
  const moveFields = createFieldMover(places);
  return (group, isSelected = true) => {
    const { externalOrderId } = group;
    const row = group.rows[0]?.row ?? 0;
    const unclear = findUnclearRows(group);
    const unusable = findRepeatedHeaders(group, mapping.columns).concat(findOtherWidths(group, unclear));
    if (unusable.length === group.rows.length) {
      return {
        externalOrderId,
        row,
        isSelected,
        order: {},
        rows: group.rows,
        repeated: [],
        problems: unusable,
      };
    }
    const ofRows = unusable.concat(unclear);
    const {
      rows,
      repeated,
      problems: repeats,
    } = separateRepeats(group, mayBeSeveral(group) ? { repeated_rows: 'lines' } : map);
    const kept: RowGroup = { externalOrderId, rows };
    const meaning = readMeaning(kept);
    const { leftOut } = meaning;
    if (leftOut !== undefined) {
      // A state that was read from such a row may be another cell.
      const planned = { externalOrderId, row, isSelected, order: {}, rows, repeated, problems: ofRows };
      return ofRows.length > 0 ? planned : { ...planned, leftOut };
    }
    const built = build(kept, meaning.lineRows, meaning.fields);
    const order = tidyOrder(built.order);
    const found = checkOrder(order, rules);
    if (found === undefined) return undefined;
    // An order may have more problems than a call may have arguments.
    const problems = repeats.concat(
      checkListedValues(kept),
      checkSeenValues(kept),
      checks ? (group.problems ?? []) : [],
      built.problems,
      meaning.problems,
      findLostLines(kept),
    );
    const issues = [...found, ...findPickup(order)];
    for (const issue of newIssues(issues, { built, meaning, missing })) {
      const from = issue.path === 'collectionAmount' ? meaning.amountFrom : undefined;
      const all = from === undefined ? readColumns : [amountColumn(from), ...readColumns];
      const better = constants.has(issue.path) ? undefined : explainAmount(issue, order, options.decimal);
      problems.push(toProblem({ ...issue, ...better }, kept, built, all));
    }
    // After the checks, which know the fields at their default places.
    const moved = moveOrReport(order, moveFields, problems, kept);
    // Other problems of such a row follow from this one.
    const unusableRows = new Set(ofRows.map(({ row }) => row));
    const all =
      ofRows.length === 0 ? problems : [...ofRows, ...problems.filter(({ row }) => !unusableRows.has(row))];
    const planned: PlannedOrder = {
      externalOrderId,
      row,
      isSelected,
      order: moved,
      rows,
      repeated,
      problems: all,
    };
    if (meaning.isPaidOnDelivery) planned.isPaidOnDelivery = true;
    if (meaning.sum !== undefined) planned.sum = meaning.sum;
    return planned;
  };
}

function holdsJson(filled: Column | Assignment): boolean {
  return 'type' in filled ? filled.type === 'json' : typeof filled.value === 'object';
}

function moveOrReport(
  order: Order,
  moveFields: (order: Order) => Order,
  problems: Problem[],
  { externalOrderId, rows }: RowGroup,
): Order {
  try {
    return moveFields(order);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const problem = orderProblem(externalOrderId, rows[0], undefined, {
      code: 'path_conflict',
      problem: `${error.message}, and the profile sends another field there`,
      fix: advice`remove one of the two columns, or choose another place: ${command('profiles', 'fields', '--help')}`,
    });
    problems.push(problem);
    return order;
  }
}

function newIssues(
  issues: readonly Issue[],
  { built, meaning, missing }: { built: BuiltOrder; meaning: OrderMeaning; missing: ReadonlySet<string> },
): readonly Issue[] {
  if (issues.length === 0) return issues;
  const said = codesSaid(meaning);
  // Other checks of such a text would only repeat that it cannot be sent.
  const known = new Set(built.problems.flatMap(({ code, path }) => (cellCodes.has(code) ? path : [])));
  return issues.filter(({ code, path }) => !missing.has(code) && !said.has(code) && !known.has(path));
}

/** Checks that would repeat what the cells say about payment, lines or delivery. */
const repeatedBy: Readonly<Record<string, string>> = {
  payment_unknown: 'collection_mode_missing',
  payment_open: 'collection_mode_missing',
  due_contradicts_status: 'collection_mode_missing',
  amount_due_missing: 'collection_mode_missing',
  collection_contradicts_payment: 'collection_mode_missing',
  lines_unreadable: 'items_missing',
  pickup_not_deliverable: 'pickup_not_deliverable',
};

const paymentCodes = ['collection_mode_missing', 'collection_amount_required'];

function codesSaid({ problems, isPaymentUnclear }: OrderMeaning): ReadonlySet<string> {
  const codes = problems.flatMap(({ code }) => repeatedBy[code] ?? []);
  return new Set(isPaymentUnclear ? [...codes, ...paymentCodes] : codes);
}

/** More than that the format is not the service's. */
function explainAmount({ code, path }: Issue, order: Order, decimal: DecimalMark | undefined) {
  return code === 'decimal_invalid' ? checkMoneyText(textField(order, path) ?? '', decimal) : undefined;
}

/** Problems of a cell that say more than the checks of its field. */
const cellCodes: ReadonlySet<string> = new Set([
  ...'number_damaged digits_lost formula_uncalculated text_damaged'.split(' '),
  ...'spreadsheet_error value_hidden quantity_invalid'.split(' '),
]);

/** Equal rows under an ID that lost its digits may be different orders, so they are not repetitions. */
function mayBeSeveral({ externalOrderId, rows }: RowGroup): boolean {
  return rows.length > 1 && hasLostDigits(findDamage(externalOrderId));
}

function toProblem(
  { path, code, severity, problem, fix, value }: Omit<Issue, 'code' | 'fix'> & Pick<Problem, 'code' | 'fix'>,
  group: RowGroup,
  built: BuiltOrder,
  columns: readonly Column[],
): Problem {
  return {
    about: 'order',
    severity,
    code,
    problem,
    fix,
    path,
    ...(value === undefined ? {} : { value }),
    ...(code === 'phone_damaged' ? { cause: code, fix: fromExport } : {}),
    externalOrderId: group.externalOrderId,
    ...locateField(path, group, built, columns),
  };
}

/** The cell that fills a field; without one the row of its line, or the first row. */
function locateField(
  path: string,
  { rows }: RowGroup,
  { lineRows }: BuiltOrder,
  columns: readonly Column[],
): Partial<Problem> {
  const line = /^[^.[]+\[(\d+)\]/.exec(path)?.[1];
  const lineRow = line === undefined ? undefined : lineRows[Number(line)];
  for (const column of columns) {
    if (formatFieldPath(column.path, column.isLine ? Number(line) : undefined) !== path) continue;
    const row = (column.isLine && lineRow ? [lineRow] : rows).find(
      ({ cells }) => fieldText(column, cells) !== '',
    );
    if (row !== undefined) return locationOf(row, column);
  }
  return locationOf(lineRow ?? (rows[0] as Row));
}
