import type { NamedColumn } from '../columns/header.ts';
import { type Column, fieldText, locationColumns, orderProblem } from '../mapping/column.ts';
import { heldCondition, meetsAll } from '../mapping/conditions.ts';
import { type Mapping, unreadColumns } from '../mapping/mapping.ts';
import { listedText } from '../mapping/rules.ts';
import {
  currencyNotMnt,
  mayBePickedUp,
  noAddress,
  noteContradicts,
  noteMayEnd,
  noteUnclear,
  partlyFulfilled,
  partlyRefunded,
  pickedUp,
  pickedUpBy,
} from '../order-texts.ts';
import { createCounts, type Problem, type ProblemText } from '../problem.ts';
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
    const addFor = (
      column: NamedColumn | undefined,
      describe: (column: NamedColumn, text: string) => ProblemText,
    ) => {
      if (column !== undefined) problems.push(problemIn(order, column, describe(column, textOf(column))));
    };

    const refused =
      refuseRowsWhen.length > 0 ? rows.find((row) => meetsAll(refuseRowsWhen, row.cells)) : undefined;
    if (refused !== undefined)
      problems.push(orderProblem(externalOrderId, refused, refuseRowsWhen[0], pickedUp));
    for (const column of rules.currency) {
      if (textOf(column) !== '' && verdict('currency', textOf(column)) !== 'mnt')
        problems.push(problemIn(order, column, currencyNotMnt(column.header)));
    }
    if (!hasLines) return problems;
    addFor(tellsParts ? undefined : heldCondition(rules.partlyFulfilled, cells), () => partlyFulfilled);
    if (quantitiesNotFinal.length > 0) {
      const refunded =
        heldCondition(quantitiesNotFinal, cells) ??
        rows.map((row) => heldCondition(notFinalAlone, row.cells)).find((held) => held !== undefined);
      addFor(refunded, () => partlyRefunded);
    }
    if (location.length > 0 && location.every((place) => fieldText(place, cells) === '')) {
      const method = shippingMethod.find((column) => textOf(column) !== '');
      if (!allowWithoutAddress.includes(externalOrderId))
        problems.push(problemIn(order, method, noAddress(method !== undefined)));
    }
    const methodThatIs = (wanted: Verdict) =>
      methods.find((column) => verdict('shipping_method', textOf(column), column.header) === wanted);
    addFor(methodThatIs('pickup'), () => pickedUp);
    addFor(methodThatIs('unclear'), mayBePickedUp);
    addFor(
      places.find((column) => verdict('address', textOf(column)) === 'pickup'),
      pickedUpBy,
    );
    return problems;
  };
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

function addressColumns(mapping: Mapping): NamedColumn[] {
  const { columns, addresses } = mapping;
  const isAddress = ({ path }: Column) => path[0] === 'deliveryAddress' && path.at(-1) !== 'note';
  const sent = [...columns, ...addresses.flat()].filter(isAddress);
  return [...sent, ...unreadColumns(mapping).filter(({ role }) => role === 'address')];
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
      if (said === 'pickup') return problemIn(order, column, pickedUpBy(column, text));
      const state = verdict('state', text);
      // In a note, pickup is what the words for notes say.
      if (state !== 'pickup' && isLeftOut(state)) return problemIn(order, column, noteMayEnd(column, text));
      if (said === 'on_delivery' && isPrepaid) return problemIn(order, column, noteContradicts(column, text));
      const payment = verdict('payment_method', text);
      const mayContradict = (isPrepaid ? doubtsOfPrepaid : doubtsOfCollected).includes(payment);
      if (state !== 'unclear' && !mayContradict) return [];
      return { ...problemIn(order, column, noteUnclear(text)), severity: 'warning' };
    });
}

const doubtsOfPrepaid: readonly Verdict[] = ['open', 'perhaps_open', 'partly_paid', 'unclear'];
const doubtsOfCollected: readonly Verdict[] = ['paid', 'perhaps_paid', 'partly_paid', 'unclear'];
