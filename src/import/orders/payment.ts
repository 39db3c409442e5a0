import type { Assignment } from '../../orders/assignment.ts';
import { isDecimal, subtractDecimals } from '../../orders/decimal.ts';
import type { Json } from '../../orders/json.ts';
import type { LeftOutReason } from '../choices.ts';
import type { NamedColumn } from '../columns/header.ts';
import { roleOfHeader } from '../columns/header-roles.ts';
import { type CellFormat, type Column, createCellReader, fills, orderProblem } from '../mapping/column.ts';
import { heldCondition, meetsAll, meetsRule, type Rule } from '../mapping/conditions.ts';
import type { Mapping, PaymentRules } from '../mapping/mapping.ts';
import { askDecided } from '../mapping/rules.ts';
import {
  amountBlank,
  amountMissing,
  amountUnclear,
  constantContradictsPayment,
  dueContradicts,
  paymentOpen,
  paymentUnknown,
} from '../order-texts.ts';
import type { Problem, ProblemText } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import { verdict } from '../words/verdict.ts';
import type { Verdict } from '../words/vocabulary.ts';
import { deliveredRows, sumOf } from './build-order.ts';
import { type OrderRows, problemIn } from './group/group-rows.ts';
import type { PlanOptions } from './plan.ts';

/** Who pays at the door: the fields that say so, or why it is unknown. */
export interface Payment {
  leftOut?: LeftOutReason;
  fields?: Assignment[];
  /** The column with the amount to collect. */
  amountFrom?: NamedColumn | undefined;
  isPaidOnDelivery?: boolean;
  problem?: Problem;
  /** Other problems of the order say why it cannot be read. */
  isUnclear?: boolean;
}

type Found =
  | { mode: 'NONE'; isPaidOnDelivery: boolean; isDecided?: boolean }
  | { mode: 'COLLECT'; amount: string; column?: NamedColumn; isDecided?: boolean }
  | { leftOut: LeftOutReason }
  | { problem: Problem; isDecided?: boolean };

/** `delivered`: the rows that hold lines to deliver. */
interface RowsToPay extends OrderRows {
  delivered: readonly Row[];
}

type PaymentOptions = CellFormat & Pick<PlanOptions, 'unpaid' | 'set' | 'constants'>;

/** An amount to collect, so that its cells are read like others of that field. */
export function amountColumn({ index, header }: NamedColumn): Column {
  return { index, header, path: ['collectionAmount'], type: 'text', isLine: false, isExtra: false };
}

/** The `collectionMode` of every order. */
export function constantMode(constants: readonly Assignment[]): Json | undefined {
  return constants.find(fills('collectionMode'))?.value;
}

/** Nothing to say where a column holds the `collectionMode`, or no column says who pays. */
export function createPaymentReader(
  mapping: Mapping,
  options: PaymentOptions,
): ((order: OrderRows, lineRows: readonly Row[]) => Payment) | undefined {
  const { payment: rules } = mapping.rules;
  if (rules === undefined) return undefined;
  if (mapping.columns.some(fills('collectionMode'))) {
    return (order) => {
      const said = askDecided(rules.decided, order);
      return typeof said === 'object' && said.decision === 'leave_out' ? { leftOut: said.reason } : {};
    };
  }
  const constant = constantMode(options.constants);
  // A value of the mapping file must not silently overrule --set.
  const isModeGiven = options.set?.some(fills('collectionMode')) ?? false;
  const decidesUnpaid = rules.decided.length > 0 && options.unpaid !== undefined;
  const find = createPaymentFinder(mapping, rules, options);
  return (order, lineRows) => {
    const found = find(order, lineRows);
    if (found === undefined) return { isUnclear: true };
    if ('leftOut' in found || 'problem' in found) return found;
    const mayDecide = (found.isDecided && !isModeGiven) || decidesUnpaid;
    if (constant !== undefined && constant !== found.mode && !mayDecide) {
      const column = rules.methods.find(({ index }) => (order.cells[index] ?? '') !== '');
      const text = constantContradictsPayment(String(constant), found.mode);
      return { problem: orderProblem(order.externalOrderId, order.rows[0], column, text) };
    }
    const mode: Assignment = { path: ['collectionMode'], value: found.mode };
    if (found.mode === 'NONE') return { fields: [mode], isPaidOnDelivery: found.isPaidOnDelivery };
    const amount: Assignment = { path: ['collectionAmount'], value: found.amount };
    return { fields: [mode, amount], amountFrom: found.column };
  };
}

/**
 * Columns whose values the mapping decides come first; then an amount due, the status and the method. Undefined:
 * another problem of the order says why it cannot be read.
 */
function createPaymentFinder(
  { columns }: Mapping,
  rules: PaymentRules,
  options: PaymentOptions,
): (order: OrderRows, lineRows: readonly Row[]) => Found | undefined {
  const total = columns.find(fills('total'));
  const constant = constantMode(options.constants);
  const { paid, partlyPaid, open, onDelivery, methods, states } = rules;
  const isOnlyAmounts =
    [paid, partlyPaid, open, onDelivery, methods, states].every(({ length }) => length === 0) &&
    rules.decided.every(({ isAmount }) => isAmount);
  const readAmount = createCellReader(amountColumn({ index: 0, header: '' }), options);
  const isSum = ({ index }: NamedColumn) => index === total?.index && total.rule?.sums === true;
  const amountIn = (column: NamedColumn, order: RowsToPay) => {
    if (!isSum(column)) return readAmount(order.cells[column.index] ?? '');
    const cells = order.delivered.map((row) => row.cells[column.index] ?? '');
    return sumOf(cells.filter((text) => text !== '').map(readAmount));
  };

  /** What is to be collected: the amount due, else the total less what is paid. */
  const amountOf = (order: RowsToPay, due: NamedColumn | undefined, isPartlyPaid: boolean): Found => {
    // Of a total, what is paid already is subtracted.
    if (due !== undefined && due.index !== total?.index)
      return { mode: 'COLLECT', amount: amountIn(due, order), column: due };
    const whole = total === undefined ? '' : amountIn(total, order);
    if (total === undefined || whole === '') return withProblem(order, undefined, amountMissing);
    const unclear = heldCondition(rules.unclear, order.cells);
    if (unclear !== undefined) return withProblem(order, unclear, amountUnclear);
    const paid = rules.alreadyPaid.map((column) => amountIn(column, order)).filter((text) => text !== '');
    if (isPartlyPaid && paid.length === 0) return withProblem(order, undefined, amountMissing);
    if (!isDecimal(whole) || paid.length === 0) return { mode: 'COLLECT', amount: whole, column: total };
    const rest = paid.every(isDecimal) ? subtractDecimals(whole, paid) : undefined;
    if (rest === undefined) return withProblem(order, undefined, amountMissing);
    if (isOnlyAmounts && isZero(rest)) return { mode: 'NONE', isPaidOnDelivery: false };
    return { mode: 'COLLECT', amount: rest };
  };

  return (given, lineRows) => {
    const order: RowsToPay = { ...given, delivered: deliveredRows(given.rows, lineRows) };
    const due = rules.due.find((column) => (order.cells[column.index] ?? '') !== '');
    const dueText = due === undefined ? '' : amountIn(due, order);
    const isNothingDue = isZero(dueText);
    const said = askDecided(rules.decided, order);
    if (said === 'unclear') return undefined;
    if (said?.decision === 'leave_out') return { leftOut: said.reason };
    if (said !== undefined) {
      const isCollected = said.decision === 'collect';
      if (due !== undefined && isCollected === isNothingDue)
        return withProblem(order, due, dueContradicts(!isCollected));
      const prepaid: Found = { mode: 'NONE', isPaidOnDelivery: false };
      return { ...(isCollected ? amountOf(order, due, false) : prepaid), isDecided: true };
    }
    const state = stateOf(rules, order);
    const method = methodsOf(rules, order);
    const isPartlyPaid = state.kind === 'partly_paid';
    if (state.kind === 'unknown') return unknownPayment(order, state.column, false, true);
    if (state.kind === 'paid' || (state.kind === 'none' && due !== undefined && isNothingDue)) {
      if (due === undefined || isNothingDue)
        return { mode: 'NONE', isPaidOnDelivery: method.kind === 'on_delivery' };
      return withProblem(order, due, dueContradicts(true));
    }
    if (due !== undefined && isNothingDue) return withProblem(order, due, dueContradicts(false));
    if (method.kind === 'on_delivery') return amountOf(order, due, isPartlyPaid);
    if (
      method.column !== undefined &&
      (method.kind === 'cash' || (method.kind === 'unknown' && !isPartlyPaid))
    )
      return unknownPayment(order, method.column, method.kind === 'cash', state.kind === 'none');
    switch (options.unpaid) {
      case 'collect':
        return amountOf(order, due, isPartlyPaid);
      case 'prepaid':
        return { mode: 'NONE', isPaidOnDelivery: false };
      case 'leave-out':
        return { leftOut: 'unpaid' };
      default:
    }
    if (isOnlyAmounts)
      return due === undefined
        ? withProblem(order, rules.due[0], amountBlank(rules.due[0]?.header ?? ''))
        : amountOf(order, due, false);
    const mayBeConstant = rules.decided.length > 0 && state.kind === 'none' && method.kind === 'none';
    if (mayBeConstant && constant === 'NONE' && due === undefined)
      return { mode: 'NONE', isPaidOnDelivery: false };
    if (mayBeConstant && (constant === 'COLLECT' || constant === 'NONE')) return amountOf(order, due, false);
    const hasText = ({ index }: NamedColumn) => (order.cells[index] ?? '') !== '';
    const named = methods.find(hasText);
    const text = paymentOpen(isPartlyPaid, named && order.cells[named.index]);
    return withProblem(order, [...rules.decided, ...rules.states].find(hasText) ?? named, text);
  };
}

function withProblem(order: OrderRows, column: NamedColumn | undefined, text: ProblemText): Found {
  return { problem: problemIn(order, column, text) };
}

function unknownPayment(order: OrderRows, column: NamedColumn, isCash: boolean, mayBePaid: boolean): Found {
  const text = order.cells[column.index] ?? '';
  return withProblem(order, column, paymentUnknown(column, text, isCash, mayBePaid));
}

function isZero(amount: string): boolean {
  return /^0(?:\.0[01])?$/.test(amount);
}

type PaymentState = 'paid' | 'partly_paid' | 'open';
type PaymentMethod = 'on_delivery' | 'cash' | 'other' | 'unknown';

function isPaymentState(found: Verdict): found is PaymentState {
  return found === 'paid' || found === 'partly_paid' || found === 'open';
}

function stateOf(
  { paid, partlyPaid, open, onDelivery, states, methods }: PaymentRules,
  { cells }: OrderRows,
): { kind: PaymentState | 'none' } | { kind: 'unknown'; column: NamedColumn } {
  if (meetsRule(partlyPaid, cells)) return { kind: 'partly_paid' };
  if (meetsRule(open, cells)) return { kind: 'open' };
  if (meetsRule(paid, cells)) return { kind: 'paid' };
  for (const column of states) {
    const text = cells[column.index] ?? '';
    if (text === '' || column.matches(text) || isNamedBy(onDelivery, column, cells)) continue;
    const isState = roleOfHeader(column.header) === 'state';
    const found = verdict(isState ? 'state_or_payment' : 'payment_status', text, column.header);
    // In a column for the state of an order `packed` says nothing about its payment.
    if (found === 'deliver') continue;
    return isPaymentState(found) ? { kind: found } : { kind: 'unknown', column };
  }
  // A method may say whether it was paid: `QPay төлсөн`.
  for (const column of methods) {
    const found = verdict('payment_method', cells[column.index] ?? '', column.header);
    if (isPaymentState(found) && !isNamedBy(onDelivery, column, cells)) return { kind: found };
  }
  return { kind: 'none' };
}

/** Of several methods in one cell: first one that is paid at the door, then one that is unknown. */
function methodsOf(
  { methods, split, onDelivery, paid, open }: PaymentRules,
  { cells }: OrderRows,
): { kind: PaymentMethod | 'none'; column?: NamedColumn } {
  const ranks: PaymentMethod[] = ['on_delivery', 'unknown', 'cash', 'other'];
  const found = methods.flatMap((column) => {
    const cell = cells[column.index] ?? '';
    if (cell === '') return [];
    const parts = split === undefined ? [cell] : cell.split(split).map((part) => part.trim());
    return parts
      .filter((part) => part !== '')
      .map((part) => {
        const withPart = cells.with(column.index, part);
        if (isNamedBy(onDelivery, column, withPart)) return { kind: 'on_delivery' as const, column };
        const isNamed = isNamedBy(paid, column, withPart) || isNamedBy(open, column, withPart);
        return { kind: isNamed ? ('other' as const) : methodIn(column, part), column };
      });
  });
  const [first] = found.toSorted((left, right) => ranks.indexOf(left.kind) - ranks.indexOf(right.kind));
  if (first !== undefined) return first;
  return meetsRule(onDelivery, cells) ? { kind: 'on_delivery' } : { kind: 'none' };
}

function methodIn({ header }: NamedColumn, text: string): PaymentMethod {
  const found = verdict('payment_method', text, header);
  if (found === 'on_delivery' || found === 'cash') return found;
  return found === 'other_method' || isPaymentState(found) ? 'other' : 'unknown';
}

function isNamedBy(rule: Rule, { index }: NamedColumn, cells: readonly string[]): boolean {
  return rule.some(
    (conditions) => conditions.some((condition) => condition.index === index) && meetsAll(conditions, cells),
  );
}
