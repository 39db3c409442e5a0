import type { Assignment } from '../../orders/assignment.ts';
import type { LeftOutReason, PlanFlags } from '../choices.ts';
import type { CellFormat } from '../mapping/column.ts';
import { fills, orderProblem } from '../mapping/column.ts';
import type { Rule } from '../mapping/conditions.ts';
import type { NamedColumn } from '../mapping/header.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { Meaning } from '../mapping/meanings.ts';
import { askDecided } from '../mapping/rules.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import { createSumCheck, type SumResult } from './control-sums.ts';
import {
  createDeliveryCheck,
  createSplitCheck,
  createUnreadReader,
  findConflicts,
  sentNotes,
} from './delivery-problems.ts';
import type { RowGroup } from './group/group-rows.ts';
import { checkStates, createLineReader, leftOutReason } from './left-out.ts';
import { contradictsPayment, createPaymentReader, type OrderCells } from './payment.ts';

interface MeaningOptions extends CellFormat, Pick<PlanFlags, 'set' | 'unpaid'> {
  constants: readonly Assignment[];
  lessIsError?: boolean | undefined;
}

export interface OrderMeaning {
  /** Why the order is not to be delivered; the rest is then blank. */
  leftOut?: LeftOutReason;
  /** The rows of the lines that are to be delivered. */
  lineRows: readonly Row[];
  fields: readonly Assignment[];
  amountFrom?: NamedColumn;
  problems: Problem[];
  /** Who pays is unknown, and problems of the order or its values say why. */
  isPaymentUnclear?: boolean;
  isPaidOnDelivery?: boolean;
  sum?: SumResult;
}

type Read = (group: RowGroup) => OrderMeaning;

/** Decides in this order: the state, each line, what the service cannot do, the payment. */
export function createMeaningReader(mapping: Mapping, options: MeaningOptions): Read {
  const { rules, columns } = mapping;
  const needed = orderIndexes(mapping);
  const total = columns.find(fills('total'));
  const isMapped = columns.some(fills('collectionMode'));
  // A value of the mapping file must not silently overrule --set.
  const isModeGiven = options.set?.some(fills('collectionMode')) ?? false;
  const constant = options.constants.find(fills('collectionMode'))?.value;
  const readPayment = rules.payment && createPaymentReader(rules.payment, total, { ...options, constant });
  const payments = rules.decided.filter(({ isPayment }) => isPayment);
  const decidesUnpaid = payments.length > 0 && options.unpaid !== undefined;
  const states = [...rules.states, ...rules.decided.filter(({ isPayment }) => !isPayment)];
  const findSplitRules = createSplitCheck(rules.leaveOut);
  const checkDelivery = createDeliveryCheck(mapping);
  const readUnread = createUnreadReader([...mapping.unread, ...sentNotes(mapping)], constant);
  const checkSums = createSumCheck(mapping, options);
  const ofOrder = columnsOfOrder(mapping);
  const readLines = createLineReader(mapping);

  return ({ externalOrderId, rows }) => {
    const order: OrderCells = { externalOrderId, rows, cells: firstTexts(rows, needed) };
    const meaning: OrderMeaning = { lineRows: [], fields: [], problems: [] };
    const { problems } = meaning;
    if (rows.length > 1) {
      problems.push(...findConflicts(states, order));
      if (problems.length === 0) problems.push(...findSplitRules(order));
    }
    const leftOut = leftOutReason(rules, order);
    if (leftOut !== undefined && problems.length === 0) return { ...meaning, leftOut };
    if (rows.length > 1) {
      const others = ofOrder.filter(({ header }) => problems.every((known) => known.header !== header));
      problems.push(...findConflicts(others, order));
    }
    if (rules.states.length > 0) problems.push(...checkStates(rules.states, order));

    let all = rows;
    let lineRows = rows;
    if (readLines !== undefined) {
      const read = readLines(order, problems);
      all = read.all;
      lineRows = read.lineRows;
      if (read.leftOut !== undefined) return { ...meaning, leftOut: read.leftOut };
    }

    problems.push(...checkDelivery(order, lineRows.length > 0), ...readUnread(order));
    const sum = checkSums?.(order, all);
    if (sum !== undefined) meaning.sum = sum.result;
    if (sum?.problem !== undefined) {
      const isError = sum.result === 'less' && options.lessIsError;
      problems.push(isError ? { ...sum.problem, severity: 'error' } : sum.problem);
    }
    const said = isMapped ? askDecided(payments, order) : undefined;
    if (typeof said === 'object' && said.decision === 'leave_out')
      return { ...meaning, leftOut: said.reason };
    const payment = isMapped ? undefined : readPayment?.(order);
    if (payment === undefined) {
      meaning.lineRows = lineRows;
      meaning.isPaymentUnclear = readPayment !== undefined && !isMapped;
      return meaning;
    }
    if ('leftOut' in payment) return { ...meaning, leftOut: payment.leftOut };
    if ('problem' in payment) {
      problems.push(payment.problem);
      return { ...meaning, lineRows };
    }
    const mayDecide = payment.isDecided && !isModeGiven;
    if (constant !== undefined && constant !== payment.mode && !mayDecide && !decidesUnpaid) {
      const column = rules.payment?.methods.find(({ index }) => (order.cells[index] ?? '') !== '');
      const fields = contradictsPayment(String(constant), payment.mode);
      problems.push(orderProblem(externalOrderId, rows[0], column, fields));
      return { ...meaning, lineRows };
    }
    const fields: Assignment[] = [{ path: ['collectionMode'], value: payment.mode }];
    if (payment.mode === 'NONE')
      return { ...meaning, lineRows, fields, isPaidOnDelivery: payment.isPaidOnDelivery };
    fields.push({ path: ['collectionAmount'], value: payment.amount });
    return {
      ...meaning,
      lineRows,
      fields,
      ...(payment.column === undefined ? {} : { amountFrom: payment.column }),
    };
  };
}

/** The columns that have one text for the whole order. */
export function orderIndexes({ rules, unread, addresses, columns }: Mapping): ReadonlySet<number> {
  const { leaveOut, partlyFulfilled, quantitiesNotFinal, payment } = rules;
  const { currency, shippingMethod, states, sums, decided } = rules;
  const all: Rule[] = [...leaveOut.map(({ rule }) => rule), partlyFulfilled, quantitiesNotFinal];
  if (payment !== undefined) {
    const { paid, partlyPaid, open, onDelivery, unclear } = payment;
    all.push(paid, partlyPaid, open, onDelivery, unclear);
  }
  const named: readonly NamedColumn[] = [
    ...all.flat(2),
    ...currency,
    ...shippingMethod,
    ...states,
    ...decided,
    ...unread,
    ...addresses.flat().flatMap((column) => [column, ...(column.rule?.others ?? [])]),
    ...columns.filter(({ path }) => path[0] === 'deliveryAddress'),
    ...Object.values(sums ?? {}),
    ...columns.filter(fills('total')),
    ...(payment === undefined ? [] : [...payment.methods, ...payment.due, ...payment.alreadyPaid]),
  ];
  return new Set(named.map(({ index }) => index));
}

/** Shops fill cells of the order on its first row only, or repeat them. */
export function firstTexts(rows: readonly Row[], needed: ReadonlySet<number>): readonly string[] {
  if (rows.length <= 1) return rows[0]?.cells ?? [];
  const cells = [...(rows[0] as Row).cells];
  for (const index of needed) {
    if (cells[index] === '') cells[index] = rows.find((row) => row.cells[index] !== '')?.cells[index] ?? '';
  }
  return cells;
}

const paymentMeanings: readonly Meaning[] = [
  'payment_method',
  'payment_status',
  'state_or_payment',
  'amount_due',
];
const meaningsOfOrder: readonly Meaning[] = [
  ...paymentMeanings,
  'currency',
  'shipping_method',
  'shipping_or_state',
];

/** The columns, apart from those of the state, that must say the same in all rows of an order. */
function columnsOfOrder({ rules, unread }: Mapping): NamedColumn[] {
  const { payment, currency, shippingMethod } = rules;
  const { decided = [], states = [], methods = [], due = [], alreadyPaid = [] } = payment ?? {};
  // The states include those that list whole values.
  const searches = [payment?.paid, payment?.partlyPaid, payment?.open].flatMap((rule) =>
    (rule ?? []).flat().filter(({ values }) => values === undefined),
  );
  const ofUnread = unread.filter(({ meaning }) => meaningsOfOrder.includes(meaning));
  const ofPayment = [searches, decided, states, methods, due, alreadyPaid].flat();
  const all = [...ofPayment, ...currency, ...shippingMethod, ...ofUnread];
  return [...new Map(all.map((column) => [column.index, column])).values()];
}
