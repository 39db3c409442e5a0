import { t } from '../../advice/advice.ts';
import type { NamedColumn } from '../columns/header.ts';
import { type Column, fieldText, locationColumns, orderProblem } from '../mapping/column.ts';
import { heldCondition, meetsAll } from '../mapping/conditions.ts';
import { type Mapping, unreadColumns } from '../mapping/mapping.ts';
import { listedText } from '../mapping/rules.ts';
import { createCounts, type Problem, shownValue } from '../problem.ts';
import { isLeftOut, verdict } from '../words/verdict.ts';
import type { Verdict } from '../words/vocabulary.ts';
import { type OrderRows, problemIn } from './group/group-rows.ts';
import type { PlannedOrder, PlanOptions } from './plan.ts';

/** What the file asks for and the service cannot deliver. */
export function createDeliveryCheck(
  mapping: Mapping,
  { allowWithoutAddress = [] }: Pick<PlanOptions, 'allowWithoutAddress'>,
): (order: OrderRows, hasLines: boolean) => Problem[] {
  const { rules, refuseRowsWhen, addresses } = mapping;
  const { quantitiesNotFinal, shippingMethod, takesPickups } = rules;
  const location = addresses.flatMap(locationColumns);
  const [methods, places] = takesPickups ? [[], []] : [shippingMethod, addressColumns(mapping)];
  const tellsParts = rules.leaveOutLines.some(({ reason }) => reason === 'fulfilled');
  const notFinalAlone = quantitiesNotFinal.filter(({ length }) => length === 1);
  return (order, hasLines) => {
    const { cells, rows, externalOrderId } = order;
    const problems: Problem[] = [];
    const textOf = ({ index }: NamedColumn) => cells[index] ?? '';

    const refused =
      refuseRowsWhen.length > 0 ? rows.find((row) => meetsAll(refuseRowsWhen, row.cells)) : undefined;
    if (refused !== undefined)
      problems.push(orderProblem(externalOrderId, refused, refuseRowsWhen[0], pickup));
    for (const column of rules.currency) {
      if (textOf(column) !== '' && verdict('currency', textOf(column)) !== 'mnt')
        problems.push(problemIn(order, column, notMnt(column)));
    }
    if (!hasLines) return problems;
    const partly = tellsParts ? undefined : heldCondition(rules.partlyFulfilled, cells);
    if (partly !== undefined) problems.push(problemIn(order, partly, partlyFulfilled));
    if (quantitiesNotFinal.length > 0) {
      const refunded =
        heldCondition(quantitiesNotFinal, cells) ??
        rows.map((row) => heldCondition(notFinalAlone, row.cells)).find((held) => held !== undefined);
      if (refunded !== undefined) problems.push(problemIn(order, refunded, notFinal));
    }
    if (location.length > 0 && location.every((place) => fieldText(place, cells) === '')) {
      const method = shippingMethod.find((column) => textOf(column) !== '');
      const lacking = method === undefined ? noAddress : noAddressWithMethod;
      if (!allowWithoutAddress.includes(externalOrderId)) problems.push(problemIn(order, method, lacking));
    }
    const carried = firstThat(methods, cells, saysPickup);
    if (carried !== undefined) problems.push(problemIn(order, carried, pickup));
    const unclear = firstThat(methods, cells, isUnclear);
    if (unclear !== undefined)
      problems.push(problemIn(order, unclear, pickupUnclear(unclear, textOf(unclear))));
    const fetched = firstThat(places, cells, isFetchedAt);
    if (fetched !== undefined) problems.push(problemIn(order, fetched, pickupAs(fetched, textOf(fetched))));
    return problems;
  };
}

function firstThat(
  columns: readonly NamedColumn[],
  cells: readonly string[],
  isSuch: (text: string, column: NamedColumn) => boolean,
): NamedColumn | undefined {
  for (const column of columns) if (isSuch(cells[column.index] ?? '', column)) return column;
  return undefined;
}

function saysPickup(text: string, { header }: NamedColumn): boolean {
  return verdict('shipping_method', text, header) === 'pickup';
}

function isUnclear(text: string, { header }: NamedColumn): boolean {
  return verdict('shipping_method', text, header) === 'unclear';
}

/** Counts the orders by their shipping method, as far as it is not known as a delivery; at most 50 methods. */
export function createShippingMethods({ rules: { shippingMethod: columns } }: Pick<Mapping, 'rules'>) {
  const counts = createCounts();
  return {
    add: ({ rows }: Pick<PlannedOrder, 'rows'>): void => {
      for (const { index, header } of columns) {
        const text = rows.find(({ cells }) => (cells[index] ?? '') !== '')?.cells[index] ?? '';
        if (text !== '' && verdict('shipping_method', text, header) === 'unknown') counts.add(text);
      }
    },
    value: (): Record<string, number> =>
      Object.fromEntries(counts.list().map(({ text, count }) => [text, count])),
  };
}

function isFetchedAt(place: string): boolean {
  return verdict('address', place) === 'pickup';
}

function addressColumns(mapping: Mapping): NamedColumn[] {
  const { columns, addresses } = mapping;
  const isAddress = ({ path }: Column) => path[0] === 'deliveryAddress' && path.at(-1) !== 'note';
  const sent = [...columns, ...addresses.flat()].filter(isAddress);
  return [...sent, ...unreadColumns(mapping).filter(({ role }) => role === 'address')];
}

const partlyFulfilled = {
  code: 'partly_fulfilled',
  problem: t`a part of this order was sent already, and the file does not say which lines`,
  fix: t`export it with the state of each line, or remove the lines that were sent; --include fulfilled sends all of them`,
} as const;

const notFinal = {
  code: 'partly_fulfilled',
  reason: 'refunded',
  problem: t`a part of this order was refunded, and the file does not say which lines`,
  fix: t`correct the quantities in the file and clear this cell, or create the order by hand`,
} as const;

const noAddress = {
  code: 'pickup_suspected',
  problem: t`it has no address to deliver to`,
  fix: t`fill in the address, or remove its rows; --on-invalid skip imports the other orders, and --allow-without-address ID this one as it is`,
} as const;

const noAddressWithMethod = {
  ...noAddress,
  problem: t`it has a delivery method but no address to deliver to, as orders that the customer picks up have`,
} as const;

const pickup = {
  code: 'pickup_not_deliverable',
  problem: t`the customer picks this order up; the service only delivers`,
  fix: t`remove its rows, or import the other orders with --on-invalid skip`,
} as const;

function pickupUnclear({ header }: NamedColumn, text: string) {
  const deliver = JSON.stringify({ values: { [header]: { [text]: 'deliver' } } });
  return {
    code: 'pickup_suspected',
    problem: t`its delivery method may mean that the customer picks the order up`,
    fix: t`leave such orders out with --leave-out '${header}=${text}', or send them: ${deliver} in a mapping file (--map)`,
    cause: text,
  } as const;
}

function pickupAs({ header }: NamedColumn, text: string) {
  return { ...pickup, fix: t`leave such orders out: --leave-out '${header}=${text}'` };
}

function notMnt({ header }: NamedColumn) {
  return {
    code: 'currency_not_mnt',
    problem: t`the service takes every amount as ₮`,
    fix: t`give the amounts in ₮; --ignore-column '${header}' sends them as they are, read as ₮`,
    cause: 'currency',
  } as const;
}

/**
 * What the notes say against the order or its payment, also those that are not sent, unless the values of a mapping say
 * what such a text means.
 */
export function createNoteCheck(
  mapping: Mapping,
): ((order: OrderRows, isPrepaid: boolean) => Problem[]) | undefined {
  const { columns, rules } = mapping;
  const sent = rules.takesPickups ? [] : columns.filter(({ path }) => path.at(-1) === 'note');
  const notes = [...sent, ...unreadColumns(mapping).filter(({ role }) => role === 'note')].map((column) => ({
    column,
    decided: rules.decided.find(({ index }) => index === column.index),
  }));
  if (notes.length === 0) return undefined;
  return (order, isPrepaid) =>
    notes.flatMap(({ column, decided }) => {
      const text = order.cells[column.index] ?? '';
      const isDecided = decided && (!decided.isNote || listedText(decided, text) !== undefined);
      if (text === '' || isDecided) return [];
      const said = verdict('note', text, column.header);
      if (said === 'pickup') return problemIn(order, column, pickupAs(column, text));
      const state = verdict('state', text);
      // In a note, pickup is what the words for notes say.
      if (state !== 'pickup' && isLeftOut(state)) return problemIn(order, column, endedAs(column, text));
      if (said === 'on_delivery' && isPrepaid) return problemIn(order, column, noteContradicts(column, text));
      const payment = verdict('payment_method', text);
      const mayContradict = (isPrepaid ? doubtsOfPrepaid : doubtsOfCollected).includes(payment);
      if (state !== 'unclear' && !mayContradict) return [];
      return { ...problemIn(order, column, noteUnclear(text)), severity: 'warning' };
    });
}

const doubtsOfPrepaid: readonly Verdict[] = ['open', 'perhaps_open', 'partly_paid', 'unclear'];
const doubtsOfCollected: readonly Verdict[] = ['paid', 'perhaps_paid', 'partly_paid', 'unclear'];

/** A word of a state or a payment among others. */
function noteUnclear(text: string) {
  return {
    code: 'state_unknown',
    problem: t`its note "${shownValue(text)}" may say that it is not to be delivered, or that another amount is collected`,
    fix: t`read it, and change the order or leave it out where it does`,
    cause: text,
  } as const;
}

function endedAs({ header }: NamedColumn, text: string) {
  const deliver = JSON.stringify({ values: { [header]: { [text]: 'deliver' } } });
  return {
    code: 'state_unknown',
    problem: t`its note "${text}" may mean that it is not to be delivered`,
    fix: t`leave such orders out with --leave-out '${header}=${text}', or send them: ${deliver} in a mapping file (--map)`,
    cause: text,
  } as const;
}

function noteContradicts({ header }: NamedColumn, text: string) {
  return {
    code: 'collection_contradicts_payment',
    problem: t`its note says "${text}", but nothing would be collected`,
    fix: t`leave such orders out: --leave-out '${header}=${text}'; --ignore-column '${header}' makes them prepaid`,
    cause: text,
  } as const;
}
