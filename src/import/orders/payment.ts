import { isDecimal, subtractDecimals } from '../../orders/decimal.ts';
import type { Json } from '../../orders/json.ts';
import type { LeftOutReason, UnpaidChoice } from '../choices.ts';
import { type CellFormat, type Column, createCellReader, orderProblem } from '../mapping/column.ts';
import { heldCondition, meetsAll, meetsRule, type Rule } from '../mapping/conditions.ts';
import type { NamedColumn } from '../mapping/header.ts';
import type { PaymentRules } from '../mapping/mapping.ts';
import { meaningOfHeader } from '../mapping/meanings.ts';
import { askDecided } from '../mapping/rules.ts';
import { type Problem, shownValue } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import { verdict } from '../words/verdict.ts';
import type { Verdict } from '../words/vocabulary.ts';

/** Who pays at the door, or why it is unknown. */
type Payment =
  | { mode: 'NONE'; isPaidOnDelivery: boolean; isDecided?: boolean }
  | { mode: 'COLLECT'; amount: string; column?: NamedColumn; isDecided?: boolean }
  | { leftOut: LeftOutReason }
  | { problem: Problem; isDecided?: boolean };

/** One order: `cells` has the first text of each column, and `rows` are where problems are located. */
export interface OrderCells {
  cells: readonly string[];
  rows: readonly Row[];
  externalOrderId: string;
}

/** An amount to collect, so that its cells are read like others of that field. */
export function amountColumn({ index, header }: NamedColumn): Column {
  return { index, header, path: ['collectionAmount'], type: 'text', isLine: false, isExtra: false };
}

interface PaymentOptions extends CellFormat {
  unpaid?: UnpaidChoice | undefined;
  /** The `collectionMode` of an order without an answer from decided columns. */
  constant?: Json | undefined;
}

/**
 * Columns whose values the mapping decides come first; then an amount due, the status and the method. Undefined:
 * another problem of the order says why it cannot be read.
 */
export function createPaymentReader(
  rules: PaymentRules,
  total: NamedColumn | undefined,
  { unpaid, constant, ...cellFormat }: PaymentOptions,
): (order: OrderCells) => Payment | undefined {
  const readAmount = createCellReader(amountColumn({ index: 0, header: '' }), cellFormat);
  const amountIn = (column: NamedColumn, order: OrderCells) => readAmount(order.cells[column.index] ?? '');

  /** What is to be collected: the amount due, else the total less what is paid. */
  const amountOf = (order: OrderCells, due: NamedColumn | undefined, isPartlyPaid: boolean): Payment => {
    if (due !== undefined) return { mode: 'COLLECT', amount: amountIn(due, order), column: due };
    const whole = total === undefined ? '' : amountIn(total, order);
    if (total === undefined || whole === '') return { problem: amountMissing(order) };
    const unclear = heldCondition(rules.unclear, order.cells);
    if (unclear !== undefined) return { problem: amountUnclear(order, unclear) };
    const paid = rules.alreadyPaid.map((column) => amountIn(column, order)).filter((text) => text !== '');
    if (isPartlyPaid && paid.length === 0) return { problem: amountMissing(order) };
    if (!isDecimal(whole) || paid.length === 0) return { mode: 'COLLECT', amount: whole, column: total };
    const rest = paid.every(isDecimal) ? subtractDecimals(whole, paid) : undefined;
    return rest === undefined ? { problem: amountMissing(order) } : { mode: 'COLLECT', amount: rest };
  };

  return (order) => {
    const due = rules.due.find((column) => (order.cells[column.index] ?? '') !== '');
    const dueText = due === undefined ? '' : amountIn(due, order);
    const isNothingDue = /^0(?:\.0[01])?$/.test(dueText);
    const said = askDecided(rules.decided, order);
    if (said === 'unclear') return undefined;
    if (said?.decision === 'leave_out') return { leftOut: said.reason };
    if (said !== undefined) {
      const isCollected = said.decision === 'collect';
      if (due !== undefined && isCollected === isNothingDue)
        return { problem: dueContradicts(order, due, `says that it is ${isCollected ? 'not ' : ''}paid`) };
      const prepaid: Payment = { mode: 'NONE', isPaidOnDelivery: false };
      return { ...(isCollected ? amountOf(order, due, false) : prepaid), isDecided: true };
    }
    const state = stateOf(rules, order);
    const method = methodsOf(rules, order);
    const isPartlyPaid = state.kind === 'partly_paid';
    if (state.kind === 'unknown') return { problem: unknownPayment(order, state.column, true) };
    if (state.kind === 'paid' || (state.kind === 'none' && due !== undefined && isNothingDue)) {
      if (due === undefined || isNothingDue)
        return { mode: 'NONE', isPaidOnDelivery: method.kind === 'on_delivery' };
      return { problem: dueContradicts(order, due, 'says that it is paid') };
    }
    if (due !== undefined && isNothingDue)
      return { problem: dueContradicts(order, due, 'says that it is not paid') };
    if (method.kind === 'on_delivery') return amountOf(order, due, isPartlyPaid);
    if (method.kind === 'unknown' && method.column !== undefined && !isPartlyPaid) {
      return { problem: unknownPayment(order, method.column, state.kind === 'none') };
    }
    if (method.kind === 'cash' && method.column !== undefined)
      return { problem: cashSomewhere(order, method.column, state.kind === 'none') };
    switch (unpaid) {
      case 'collect':
        return amountOf(order, due, isPartlyPaid);
      case 'prepaid':
        return { mode: 'NONE', isPaidOnDelivery: false };
      case 'leave-out':
        return { leftOut: 'unpaid' };
      default:
    }
    const mayBeConstant = rules.decided.length > 0 && state.kind === 'none' && method.kind === 'none';
    if (mayBeConstant && constant === 'NONE' && due === undefined)
      return { mode: 'NONE', isPaidOnDelivery: false };
    if (mayBeConstant && (constant === 'COLLECT' || constant === 'NONE')) return amountOf(order, due, false);
    return { problem: paymentOpen(order, rules, isPartlyPaid) };
  };
}

type PaymentState = 'paid' | 'partly_paid' | 'open';
type PaymentMethod = 'on_delivery' | 'cash' | 'other' | 'unknown';

function isPaymentState(found: Verdict): found is PaymentState {
  return found === 'paid' || found === 'partly_paid' || found === 'open';
}

function stateOf(
  { paid, partlyPaid, open, onDelivery, states, methods }: PaymentRules,
  { cells }: OrderCells,
): { kind: PaymentState | 'none' } | { kind: 'unknown'; column: NamedColumn } {
  if (meetsRule(partlyPaid, cells)) return { kind: 'partly_paid' };
  if (meetsRule(open, cells)) return { kind: 'open' };
  if (meetsRule(paid, cells)) return { kind: 'paid' };
  for (const column of states) {
    const text = cells[column.index] ?? '';
    if (text === '' || column.matches(text) || isNamedBy(onDelivery, column, cells)) continue;
    const isState = meaningOfHeader(column.header) === 'state';
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
  { cells }: OrderCells,
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

function problemOf(
  { rows, externalOrderId, cells }: OrderCells,
  column: NamedColumn | undefined,
  fields: Pick<Problem, 'code' | 'problem' | 'fix'> & { cause?: string },
): Problem {
  const value = column === undefined ? '' : (cells[column.index] ?? '');
  return orderProblem(externalOrderId, rowWith(rows, column) ?? rows[0], column, {
    ...fields,
    ...(value === '' ? {} : { value }),
  });
}

export function rowWith(rows: readonly Row[], column: NamedColumn | undefined): Row | undefined {
  return column && rows.find(({ cells }) => (cells[column.index] ?? '') !== '');
}

/** `mayBePaid` unless the status says already that it is not paid. */
function unknownPayment(order: OrderCells, column: NamedColumn, mayBePaid: boolean): Problem {
  const others = mayBePaid ? '"paid" or "open"' : '"open"';
  return problemOf(order, column, {
    code: 'payment_unknown',
    problem: `it is not known whether this means ${mayBePaid ? 'paid, not paid, or ' : ''}paid on delivery`,
    fix: `write what it means in a mapping file (--map): ${lineFor('on_delivery', column, order)}, or ${others} instead of "on_delivery"`,
    cause: `payment ${mayBePaid} ${column.index} ${order.cells[column.index]}`,
  });
}

function cashSomewhere(order: OrderCells, column: NamedColumn, mayBePaid: boolean): Problem {
  const other = mayBePaid ? 'paid' : 'open';
  return problemOf(order, column, {
    code: 'payment_unknown',
    problem: 'it is not known whether the courier collects this cash',
    fix: `write what it means in a mapping file (--map): ${lineFor('on_delivery', column, order)}, or "${other}" instead of "on_delivery"`,
    cause: `cash ${mayBePaid} ${column.index} ${order.cells[column.index]}`,
  });
}

/** `"paid": {"Method": "QPay"}`, to copy into a mapping file. */
function lineFor(key: string, { index, header }: NamedColumn, { cells }: OrderCells): string {
  const value = cells[index] ?? '';
  return `"${key}": ${JSON.stringify({ [header]: shownValue(value) })}`;
}

function paymentOpen(
  order: OrderCells,
  { decided, states, methods }: PaymentRules,
  isPartly: boolean,
): Problem {
  const column = [...decided, ...states, ...methods].find(({ index }) => (order.cells[index] ?? '') !== '');
  const method = methods.map(({ index }) => order.cells[index] ?? '').find((text) => text !== '');
  const how = method === undefined ? '' : ` (${method})`;
  return problemOf(order, column, {
    code: 'payment_open',
    problem: isPartly
      ? `it is only partly paid, and the rest is not paid on delivery${how}`
      : `it is not paid, and it is not paid on delivery${how}`,
    fix: 'for all such orders add --unpaid collect (the courier collects), --unpaid prepaid or --unpaid leave-out',
    cause: `open ${isPartly}`,
  });
}

function dueContradicts(order: OrderCells, due: NamedColumn, state: string): Problem {
  return problemOf(order, due, {
    code: 'due_contradicts_status',
    problem: `the amount due and the status of the payment contradict each other: the status ${state}`,
    fix: 'look up the order in the shop, and correct the amount or the status in the file',
    cause: state,
  });
}

function amountMissing(order: OrderCells): Problem {
  return problemOf(order, undefined, {
    code: 'amount_due_missing',
    problem: 'it is paid on delivery, but the amount to collect is not in the file',
    fix: `name the column that has it: --map-column 'Header=total', or "amount_due" in a mapping file`,
  });
}

function amountUnclear(order: OrderCells, column: NamedColumn): Problem {
  return problemOf(order, column, {
    code: 'amount_due_missing',
    problem:
      'a part of it may be paid already, and the file does not say whether the total includes that part',
    fix: 'look up in the shop how much is left to pay, write it as the total, and clear this cell',
    cause: 'unclear',
  });
}

export function contradictsPayment(constant: string, mode: string) {
  return {
    code: 'collection_contradicts_payment' as const,
    path: 'collectionMode',
    problem:
      mode === 'COLLECT'
        ? `it is paid on delivery, but --set collectionMode=${constant} says that nothing is collected`
        : `it is paid, but --set collectionMode=${constant} says that the courier collects`,
    fix: `leave out --set collectionMode=${constant}, so that the payment columns decide`,
    cause: `${constant} ${mode}`,
  };
}
