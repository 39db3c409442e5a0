import type { Assignment } from '../../orders/assignment.ts';
import { isZeroDecimal } from '../../orders/decimal.ts';
import { FieldPathError, formatFieldPath } from '../../orders/field-path.ts';
import { type Issue, issueOf } from '../../orders/issue.ts';
import { type Order, textField, tidyOrder } from '../../orders/order.ts';
import { isOrdinary } from '../../orders/order-rules.ts';
import type { findIssues } from '../../orders/order-schemas.ts';
import { createFieldMover, isMethodPath } from '../../orders/unnamed-fields.ts';
import type { LeftOutReason } from '../choices.ts';
import { fromExport } from '../file-texts.ts';
import { alternativesOf, type Column, fieldText, locationOf, orderProblem } from '../mapping/column.ts';
import { type Condition, meetsRule } from '../mapping/conditions.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { amountNotMnt, linesUnreadable, placeTaken, stateUnknown } from '../order-texts.ts';
import type { Problem, ProblemText } from '../problem.ts';
import { findDamage, hasLostDigits } from '../read/damage.ts';
import type { Row } from '../read/read-table.ts';
import { namesOtherCurrency } from '../words/money.ts';
import { findPickup, isLeftOut, verdict } from '../words/verdict.ts';
import { createAcrossCheck } from './across-orders.ts';
import { createOrderBuilder } from './build-order.ts';
import { createSumCheck } from './control-sums.ts';
import { createDeliveryCheck, createNoteCheck } from './delivery-problems.ts';
import { firstTexts, type OrderRows, orderIndexes, problemIn } from './group/group-rows.ts';
import {
  createConflictFinder,
  createLostLineFinder,
  createUnclearRowFinder,
  findOtherWidths,
  findRepeatedHeaders,
  separateRepeats,
} from './group/row-problems.ts';
import { createNewValueCheck } from './new-values.ts';
import { amountColumn, createPaymentReader, type Payment } from './payment.ts';
import type { PlannedOrder, PlanOptions, RowGroup } from './plan.ts';

/**
 * `missing`: problems of the header, which are not repeated for each order. Undefined for an order that is not ordinary,
 * without `find`.
 */
export function createOrderPlanner(
  mapping: Mapping,
  options: PlanOptions,
  missing: readonly Problem[],
): (group: RowGroup, isSelected: boolean, find?: typeof findIssues) => PlannedOrder | undefined {
  const columns = [...mapping.columns, ...(mapping.lines?.columns ?? []), ...mapping.addresses.flat()];
  const textsOfOrder = orderIndexes(mapping);
  const findUnclearRows = createUnclearRowFinder(mapping);
  const build = createOrderBuilder(mapping, options);
  const findLostLines = createLostLineFinder(mapping);
  const readMeaning = createMeaningReader(mapping, options);
  const checkNotes = createNoteCheck(mapping);
  const checkAcross = createAcrossCheck(mapping, options);
  const checkNewValues = createNewValueCheck(mapping, options.remembered);
  const constants = new Set(options.constants.map(({ path }) => formatFieldPath(path)));
  const readColumns = columns
    .filter(({ path }) => !constants.has(formatFieldPath(path)))
    .flatMap(alternativesOf);
  const { map = {}, today, checks, fieldPaths } = options;
  const filled = [...columns, ...options.constants];
  const isShallow = !filled.some(holdsJson);
  const mayBePickedUp = !isShallow || filled.some(({ path }) => isMethodPath(path));
  const rules = { today, allRules: checks, isShallow };
  const moveFields = createFieldMover(fieldPaths);
  const missingCodes = new Set<string>(missing.map(({ code }) => code));
  return (group, isSelected, find) => {
    const { externalOrderId } = group;
    const planned: PlannedOrder = {
      externalOrderId,
      row: group.rows[0]?.row ?? 0,
      isSelected,
      order: {},
      rows: group.rows,
      repeated: [],
      problems: [],
    };
    const unclear = findUnclearRows(group);
    const unusable = findRepeatedHeaders(group, mapping.columns).concat(findOtherWidths(group, unclear));
    if (unusable.length === group.rows.length) return { ...planned, problems: unusable };
    const ofRows = unusable.concat(unclear);
    const ofRepeats = separateRepeats(planned, mayBeSeveral(group) ? { repeated_rows: 'lines' } : map);
    const { rows } = planned;
    const order: OrderRows = { externalOrderId, rows, cells: firstTexts(rows, textsOfOrder) };
    const meaning = readMeaning(order);
    if (meaning.leftOut !== undefined) {
      // A state that was read from such a row may be another cell.
      return ofRows.length > 0 ? { ...planned, problems: ofRows } : { ...planned, leftOut: meaning.leftOut };
    }
    const built = build(planned, meaning.lineRows, meaning.fields);
    const tidied = tidyOrder(built.order);
    const found = isOrdinary(tidied, rules) ? [] : find?.(tidied, rules);
    if (found === undefined) return undefined;
    const problems = [
      ...ofRepeats,
      ...(checkNewValues?.(order) ?? []),
      ...(checks ? (group.problems ?? []) : []),
      ...built.problems,
      ...meaning.problems,
      ...(checkNotes?.(order, textField(tidied, 'collectionMode') === 'NONE') ?? []),
      ...findLostLines(planned),
    ];
    const issues = [
      ...found,
      ...(mayBePickedUp ? findPickup(tidied) : []),
      ...(checks ? findSmallAmount(tidied) : []),
    ];
    for (const issue of newIssues(issues, meaning, built.problems)) {
      const { code, path } = issue;
      if (missingCodes.has(code)) continue;
      const from = path === 'collectionAmount' ? meaning.amountFrom : undefined;
      const all = from === undefined ? readColumns : [amountColumn(from), ...readColumns];
      const better = constants.has(path) ? undefined : explainAmount(issue, tidied);
      problems.push(toProblem({ ...issue, ...better }, planned, built.lineRows, all));
    }
    // After the checks, which know the fields at their default paths.
    planned.order = moveOrReport(tidied, moveFields, problems, planned);
    planned.problems = oncePerCell(ofRows.length === 0 ? problems : withoutFollowing(ofRows, problems));
    if (meaning.isPaidOnDelivery) planned.isPaidOnDelivery = true;
    if (meaning.sum !== undefined) planned.sum = meaning.sum;
    planned.problems.push(...(checkAcross?.(planned) ?? []));
    return planned;
  };
}

interface OrderMeaning extends Payment, Pick<PlannedOrder, 'problems' | 'sum'> {
  /** The rows of the lines that are to be delivered. */
  lineRows: readonly Row[];
}

/** Decides in this order: the state, each line, what the service cannot do, the payment. Stops when it is left out. */
function createMeaningReader(mapping: Mapping, options: PlanOptions): (order: OrderRows) => OrderMeaning {
  const { rules } = mapping;
  const conflicts = createConflictFinder(mapping);
  const readLines = createLineReader(mapping);
  const checkDelivery = createDeliveryCheck(mapping, options);
  const checkSums = createSumCheck(mapping, options);
  const readPayment = createPaymentReader(mapping, options);
  return (order) => {
    const problems = conflicts.inState(order);
    const leftOut = leftOutReason(rules, order);
    if (leftOut !== undefined && problems.length === 0) return { leftOut, problems, lineRows: [] };
    problems.push(...conflicts.inOthers(order, problems), ...checkStates(rules.states, order));
    const lines = readLines(order, problems);
    const { all, lineRows } = lines;
    if (lines.leftOut !== undefined) return { leftOut: lines.leftOut, problems, lineRows };
    problems.push(...checkDelivery(order, lineRows.length > 0));
    const sum = checkSums?.(order, all, problems);
    const payment = readPayment?.(order, lineRows);
    if (payment?.problem !== undefined) problems.push(payment.problem);
    return { ...payment, problems, lineRows, sum };
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
    problems.push(orderProblem(externalOrderId, rows[0], undefined, placeTaken(error.problem)));
    return order;
  }
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

/** The issues that no problem of the order says already. */
function newIssues(
  issues: readonly Issue[],
  { problems, isUnclear }: OrderMeaning,
  ofCells: readonly Problem[],
): Issue[] {
  if (issues.length === 0) return [];
  const codes = problems.flatMap(({ code }) => repeatedBy[code] ?? []);
  const said = new Set<string>(isUnclear ? [...codes, ...paymentCodes] : codes);
  // Other checks of such a text would only repeat that it cannot be sent.
  const known = new Set(ofCells.flatMap(({ code, path }) => (cellCodes.has(code) ? path : [])));
  return issues.filter(({ code, path }) => !said.has(code) && !known.has(path));
}

/** Other problems of such a row follow from that of the row. */
function withoutFollowing(ofRows: readonly Problem[], problems: readonly Problem[]): Problem[] {
  const unusable = new Set(ofRows.map(({ row }) => row));
  return [...ofRows, ...problems.filter(({ row }) => !unusable.has(row))];
}

/** A cell that fills two fields, such as the total and what is collected, is said to be wrong once. */
function oncePerCell(problems: Problem[]): Problem[] {
  if (problems.length < 2) return problems;
  const byCell = new Map<string, Problem[]>();
  return problems.filter((problem) => {
    const { row, column, code } = problem;
    if (column === undefined) return true;
    const cell = `${row} ${column} ${code}`;
    const known = byCell.get(cell);
    if (known?.some((other) => String(other.problem) === String(problem.problem))) return false;
    if (known === undefined) byCell.set(cell, [problem]);
    else known.push(problem);
    return true;
  });
}

/** Less than 1,000 ₮ to collect is rarely meant: three zeros may be missing. */
function findSmallAmount(order: Order): Issue[] {
  const path = 'collectionAmount';
  const amount = textField(order, path) ?? '';
  const isSmall = /^\d{1,3}(?:\.\d{2})?$/.test(amount) && !isZeroDecimal(amount);
  return isSmall ? [issueOf('collection_amount_small', path, amount)] : [];
}

/** More than that the format is not the service's. */
function explainAmount({ code, path }: Issue, order: Order): ProblemText | undefined {
  const isOther = code === 'decimal_invalid' && namesOtherCurrency(textField(order, path) ?? '');
  return isOther ? amountNotMnt : undefined;
}

/** Problems of a cell that say more than the checks of its field. */
const cellCodes: ReadonlySet<string> = new Set([
  'number_damaged',
  'text_damaged',
  'value_lost',
  'quantity_invalid',
]);

/** Equal rows under an ID that lost its digits may be different orders, so they are not repetitions. */
function mayBeSeveral({ externalOrderId, rows }: RowGroup): boolean {
  return rows.length > 1 && hasLostDigits(findDamage(externalOrderId));
}

function toProblem(
  { path, code, severity, problem, fix, value }: Omit<Issue, 'code' | 'fix'> & Pick<Problem, 'code' | 'fix'>,
  group: RowGroup,
  lineRows: readonly Row[],
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
    ...locateField(path, group, lineRows, columns),
  };
}

/** The cell that fills a field; without one the row of its line, or the first row. */
function locateField(
  path: string,
  { rows }: RowGroup,
  lineRows: readonly Row[],
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

/** Why an order is left out: by a rule of the mapping, or by the usual word for its state. Undefined for an order to deliver. */
function leftOutReason(
  { leaveOut, states }: Pick<Mapping['rules'], 'leaveOut' | 'states'>,
  { cells }: OrderRows,
): LeftOutReason | undefined {
  const found = leaveOut.find(({ rule }) => meetsRule(rule, cells))?.reason;
  if (found !== undefined) return found;
  for (const column of states) {
    const text = cells[column.index] ?? '';
    if (text === '' || column.matches(text)) continue;
    const state = verdict('state', text, column.header);
    if (isLeftOut(state)) return state;
  }
  return undefined;
}

type LineReader = (
  order: OrderRows,
  problems: Problem[],
) => { all: readonly Row[]; lineRows: readonly Row[]; leftOut?: LeftOutReason | undefined };

/** Reads which lines of an order are to be delivered. `leftOut` when all are left out. */
function createLineReader({ rules, lines, columns }: Mapping): LineReader {
  const counted = [...columns, ...(lines?.columns ?? [])].filter(({ rule }) => rule?.minus !== undefined);
  const readsRows = [rules.summaryRow, rules.leaveOutLines, counted].some(({ length }) => length > 0);
  if (!readsRows && lines === undefined) return ({ rows }) => ({ all: rows, lineRows: rows });
  return ({ externalOrderId, rows }, problems) => {
    const all: Row[] = [];
    const reasonOfRow = ({ cells }: Row) =>
      rules.leaveOutLines.find(({ rule }) => meetsRule(rule, cells))?.reason;
    let reasonOfAll: LeftOutReason | undefined;
    for (const row of rows) {
      if (meetsRule(rules.summaryRow, row.cells)) {
        reasonOfAll ??= reasonOfRow(row);
        continue;
      }
      const read = lines?.read(row);
      all.push(...(read?.rows ?? [row]));
      problems.push(
        ...(read?.unread ?? []).map((column) => orderProblem(externalOrderId, row, column, linesUnreadable)),
      );
    }
    const reasons = all.map((row) => {
      const empty = counted.find((column) => fieldText(column, row.cells) === '0');
      return reasonOfRow(row) ?? reasonOfAll ?? empty?.rule?.minus?.reason;
    });
    const lineRows = all.filter((_, index) => reasons[index] === undefined);
    // Rows without any line are kept: the checks of the order say that its lines are missing.
    const [leftOut] = lineRows.length > 0 ? [] : reasons.toSorted().filter((reason) => reason !== undefined);
    return { all, lineRows, leftOut };
  };
}

/** The texts of a state that are no known status, as the mapping or the usual words have it. */
function checkStates(states: readonly Condition[], order: OrderRows): Problem[] {
  return states.flatMap((column) => {
    const text = order.cells[column.index] ?? '';
    if (text === '' || column.matches(text)) return [];
    const state = verdict('state', text, column.header);
    if (state === 'deliver' || isLeftOut(state)) return [];
    return problemIn(order, column, stateUnknown(column, text));
  });
}
