import { advice, t } from '../../advice/advice.ts';
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
import { type Problem, shownValue } from '../problem.ts';
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
      const contradiction = contradictsPayment(String(constant), found.mode);
      return { problem: orderProblem(order.externalOrderId, order.rows[0], column, contradiction) };
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
    if (total === undefined || whole === '') return { problem: amountMissing(order) };
    const unclear = heldCondition(rules.unclear, order.cells);
    if (unclear !== undefined) return { problem: amountUnclear(order, unclear) };
    const paid = rules.alreadyPaid.map((column) => amountIn(column, order)).filter((text) => text !== '');
    if (isPartlyPaid && paid.length === 0) return { problem: amountMissing(order) };
    if (!isDecimal(whole) || paid.length === 0) return { mode: 'COLLECT', amount: whole, column: total };
    const rest = paid.every(isDecimal) ? subtractDecimals(whole, paid) : undefined;
    if (rest === undefined) return { problem: amountMissing(order) };
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
        return { problem: dueContradicts(order, due, !isCollected) };
      const prepaid: Found = { mode: 'NONE', isPaidOnDelivery: false };
      return { ...(isCollected ? amountOf(order, due, false) : prepaid), isDecided: true };
    }
    const state = stateOf(rules, order);
    const method = methodsOf(rules, order);
    const isPartlyPaid = state.kind === 'partly_paid';
    if (state.kind === 'unknown') return { problem: unknownPayment(order, state.column, true) };
    if (state.kind === 'paid' || (state.kind === 'none' && due !== undefined && isNothingDue)) {
      if (due === undefined || isNothingDue)
        return { mode: 'NONE', isPaidOnDelivery: method.kind === 'on_delivery' };
      return { problem: dueContradicts(order, due, true) };
    }
    if (due !== undefined && isNothingDue) return { problem: dueContradicts(order, due, false) };
    if (method.kind === 'on_delivery') return amountOf(order, due, isPartlyPaid);
    if (method.kind === 'unknown' && method.column !== undefined && !isPartlyPaid) {
      return { problem: unknownPayment(order, method.column, state.kind === 'none') };
    }
    if (method.kind === 'cash' && method.column !== undefined)
      return { problem: cashSomewhere(order, method.column, state.kind === 'none') };
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
      return due === undefined ? { problem: amountBlank(order, rules) } : amountOf(order, due, false);
    const mayBeConstant = rules.decided.length > 0 && state.kind === 'none' && method.kind === 'none';
    if (mayBeConstant && constant === 'NONE' && due === undefined)
      return { mode: 'NONE', isPaidOnDelivery: false };
    if (mayBeConstant && (constant === 'COLLECT' || constant === 'NONE')) return amountOf(order, due, false);
    return { problem: paymentOpen(order, rules, isPartlyPaid) };
  };
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

/** `mayBePaid` unless the status says already that it is not paid. */
function unknownPayment(order: OrderRows, column: NamedColumn, mayBePaid: boolean): Problem {
  const line = lineFor('on_delivery', column, order);
  return problemIn(order, column, {
    code: 'payment_unknown',
    problem: mayBePaid
      ? t`it is not known whether this means paid, not paid, or paid on delivery`
      : t`it is not known whether this means paid on delivery`,
    fix: mayBePaid
      ? t`write what it means in a mapping file (--map): ${line}, or "paid" or "open" instead of "on_delivery"`
      : t`write what it means in a mapping file (--map): ${line}, or "open" instead of "on_delivery"`,
    cause: `payment ${mayBePaid} ${column.index} ${order.cells[column.index]}`,
  });
}

function cashSomewhere(order: OrderRows, column: NamedColumn, mayBePaid: boolean): Problem {
  const line = lineFor('on_delivery', column, order);
  return problemIn(order, column, {
    code: 'payment_unknown',
    problem: t`it is not known whether the courier collects this cash`,
    fix: mayBePaid
      ? t`write what it means in a mapping file (--map): ${line}, or "paid" instead of "on_delivery"`
      : t`write what it means in a mapping file (--map): ${line}, or "open" instead of "on_delivery"`,
    cause: `cash ${mayBePaid} ${column.index} ${order.cells[column.index]}`,
  });
}

/** `"paid": {"Method": "QPay"}`, to copy into a mapping file. */
function lineFor(key: string, { index, header }: NamedColumn, { cells }: OrderRows): string {
  const value = cells[index] ?? '';
  return `"${key}": ${JSON.stringify({ [header]: shownValue(value) })}`;
}

function paymentOpen(
  order: OrderRows,
  { decided, states, methods }: PaymentRules,
  isPartly: boolean,
): Problem {
  const column = [...decided, ...states, ...methods].find(({ index }) => (order.cells[index] ?? '') !== '');
  const method = methods.map(({ index }) => order.cells[index] ?? '').find((text) => text !== '');
  const problem = isPartly
    ? t`it is only partly paid, and the rest is not paid on delivery`
    : t`it is not paid, and it is not paid on delivery`;
  return problemIn(order, column, {
    code: 'payment_open',
    problem: method === undefined ? problem : advice`${problem} (${method})`,
    fix: t`for all such orders add --unpaid collect (the courier collects), --unpaid prepaid or --unpaid leave-out`,
    cause: `open ${isPartly}`,
  });
}

function dueContradicts(order: OrderRows, due: NamedColumn, isPaid: boolean): Problem {
  return problemIn(order, due, {
    code: 'due_contradicts_status',
    problem: isPaid
      ? t`the amount due and the status of the payment contradict each other: the status says that it is paid`
      : t`the amount due and the status of the payment contradict each other: the status says that it is not paid`,
    fix: t`look up the order in the shop, and correct the amount or the status in the file`,
    cause: `${isPaid}`,
  });
}

function amountMissing(order: OrderRows): Problem {
  return problemIn(order, undefined, {
    code: 'amount_due_missing',
    problem: t`it is paid on delivery, but the amount to collect is not in the file`,
    fix: t`name the column that has it: --map-column 'Header=total', or "amount_due" in a mapping file`,
  });
}

function amountBlank(order: OrderRows, { due }: PaymentRules): Problem {
  const [column] = due;
  const name = JSON.stringify(column?.header ?? '');
  return problemIn(order, column, {
    code: 'amount_due_missing',
    problem: t`the amount to collect is blank`,
    fix: t`fill it in, 0 for an order that is prepaid; if all orders without an amount are prepaid, add "values": {${name}: {"": "prepaid"}} to the mapping file`,
    cause: 'blank',
  });
}

function amountUnclear(order: OrderRows, column: NamedColumn): Problem {
  return problemIn(order, column, {
    code: 'amount_due_missing',
    problem: t`a part of it may be paid already, and the file does not say whether the total includes that part`,
    fix: t`look up in the shop how much is left to pay, write it as the total, and clear this cell`,
    cause: 'unclear',
  });
}

function contradictsPayment(constant: string, mode: string) {
  return {
    code: 'collection_contradicts_payment' as const,
    path: 'collectionMode',
    problem:
      mode === 'COLLECT'
        ? t`it is paid on delivery, but --set collectionMode=${constant} says that nothing is collected`
        : t`it is paid, but --set collectionMode=${constant} says that the courier collects`,
    fix: t`leave out --set collectionMode=${constant}, so that the payment columns decide`,
    cause: `${constant} ${mode}`,
  };
}
