import type { Json } from '../../orders/json.ts';
import { type Column, fieldText, locationColumns, orderProblem } from '../mapping/column.ts';
import { foldCell, heldCondition, meetsRule } from '../mapping/conditions.ts';
import type { NamedColumn } from '../mapping/header.ts';
import type { Mapping, ReasonRule } from '../mapping/mapping.ts';
import type { UnreadColumn } from '../mapping/meanings.ts';
import { paymentColumns } from '../mapping/missing-fields.ts';
import type { Problem } from '../problem.ts';
import { verdict } from '../words/verdict.ts';
import { paymentIn } from './cells/unread-columns.ts';
import { contradictsPayment, type OrderCells, rowWith } from './payment.ts';

/** What the file asks for and the service cannot deliver. */
export function createDeliveryCheck(mapping: Mapping): (order: OrderCells, hasLines: boolean) => Problem[] {
  const { rules, refuseRowsWhen, addresses } = mapping;
  const location = addresses.flatMap(locationColumns);
  const fetchedFrom = rules.takesPickups ? [] : addressColumns(mapping);
  const tellsParts = rules.leaveOutLines.some(({ reason }) => reason === 'fulfilled');
  const notFinalAlone = rules.quantitiesNotFinal.filter(({ length }) => length === 1);
  const { currency, shippingMethod, partlyFulfilled: partlyWhen, quantitiesNotFinal } = rules;
  const checked = [refuseRowsWhen, currency, partlyWhen, quantitiesNotFinal, shippingMethod, addresses];
  const hasRules = checked.some(({ length }) => length > 0);

  return ({ cells, rows, externalOrderId }, hasLines) => {
    const [first] = rows;
    if (first === undefined) return [];
    if (!hasRules && fetchedFrom.every(({ index }) => !isFetchedAt(cells[index]))) return [];
    const problems: Problem[] = [];
    const add = (
      column: NamedColumn | undefined,
      fields: Parameters<typeof orderProblem>[3],
      row = rowWith(rows, column) ?? first,
    ) => problems.push(orderProblem(externalOrderId, row, column, fields));
    const textOf = ({ index }: NamedColumn) => cells[index] ?? '';

    const refused = rows.find((row) => refuseRowsWhen.length > 0 && meetsRule([refuseRowsWhen], row.cells));
    if (refused !== undefined) add(refuseRowsWhen[0], pickup, refused);
    for (const column of rules.currency) {
      if (textOf(column) !== '' && verdict('currency', textOf(column)) !== 'mnt') add(column, notMnt(column));
    }
    if (!hasLines) return problems;
    const partly = tellsParts ? undefined : heldCondition(rules.partlyFulfilled, cells);
    if (partly !== undefined) add(partly, partlyFulfilled);
    const refunded =
      heldCondition(rules.quantitiesNotFinal, cells) ??
      rows.map((row) => heldCondition(notFinalAlone, row.cells)).find((held) => held !== undefined);
    if (refunded !== undefined) add(refunded, notFinal);
    const method = rules.shippingMethod.find((column) => textOf(column) !== '');
    if (addresses.length > 0 && location.every((place) => fieldText(place, cells) === '')) {
      add(method, method === undefined ? noAddress : noAddressWithMethod);
    }
    const carried = rules.takesPickups
      ? undefined
      : rules.shippingMethod.find(
          (column) => verdict('shipping_method', textOf(column), column.header) === 'pickup',
        );
    if (carried !== undefined) add(carried, pickup);
    const fetched = fetchedFrom.find((column) => isFetchedAt(textOf(column)));
    if (fetched !== undefined) add(fetched, pickupAs(fetched, textOf(fetched)));
    return problems;
  };
}

function isFetchedAt(place = ''): boolean {
  return verdict('address', place) === 'pickup';
}

function addressColumns({ columns, addresses, unread }: Mapping): NamedColumn[] {
  const isAddress = ({ path }: Column) => path[0] === 'deliveryAddress' && path.at(-1) !== 'note';
  const sent = [...columns, ...addresses.flat()].filter(isAddress);
  return [...sent, ...unread.filter(({ meaning }) => meaning === 'address')];
}

export function sentNotes({ columns, rules }: Mapping): UnreadColumn[] {
  if (rules.takesPickups) return [];
  return columns.flatMap(({ path, index, header }) =>
    path.at(-1) === 'note' ? [{ index, header, meaning: 'note' as const }] : [],
  );
}

const partlyFulfilled = {
  code: 'partly_fulfilled',
  problem: 'a part of this order was sent already, and the file does not say which lines',
  fix: 'export it with the state of each line, or remove the lines that were sent; --include fulfilled sends all of them',
} as const;

const notFinal = {
  code: 'quantities_not_final',
  problem: 'a part of this order was refunded, and the file does not say which lines',
  fix: 'correct the quantities in the file and clear this cell, or create the order by hand',
} as const;

const noAddress = {
  code: 'pickup_suspected',
  problem: 'it has no address to deliver to',
  fix: 'fill in the address, or remove its rows; --on-invalid skip imports the other orders',
} as const;

const noAddressWithMethod = {
  ...noAddress,
  problem: 'it has a delivery method but no address to deliver to, as orders that the customer picks up have',
} as const;

const pickup = {
  code: 'pickup_not_deliverable',
  problem: 'the customer picks this order up; the service only delivers',
  fix: 'remove its rows, or import the other orders with --on-invalid skip',
} as const;

function pickupAs({ header }: NamedColumn, text: string) {
  return { ...pickup, fix: `leave such orders out: --leave-out '${header}=${text}'` };
}

function notMnt({ header }: NamedColumn) {
  return {
    code: 'currency_not_mnt',
    problem: 'the service takes every amount as ₮',
    fix: `give the amounts in ₮; --ignore-column '${header}' sends them as they are, read as ₮`,
    cause: 'currency',
  } as const;
}

export function createUnreadReader(
  unread: readonly UnreadColumn[],
  collectionMode: Json | undefined,
): (order: OrderCells) => Problem[] {
  const payments = paymentColumns(unread);
  return (order) => {
    const { cells, rows, externalOrderId } = order;
    const problems: Problem[] = [];
    for (const column of unread) {
      const text = cells[column.index] ?? '';
      const fields = unreadIn(column, text, collectionMode);
      if (fields === undefined) continue;
      problems.push(orderProblem(externalOrderId, rowWith(rows, column) ?? rows[0], column, fields));
    }
    if (typeof collectionMode === 'string' && payments.length > 0) {
      const verdict = paymentIn(payments, cells);
      const actual = { paid: 'NONE', on_delivery: 'COLLECT', other: undefined, nothing: undefined }[
        verdict.kind
      ];
      if (actual !== undefined && actual !== collectionMode) {
        const { column } = verdict;
        const fields = contradictsPayment(collectionMode, actual);
        problems.push(orderProblem(externalOrderId, rowWith(rows, column), column, fields));
      }
    }
    return problems;
  };
}

function unreadIn(column: UnreadColumn, text: string, collectionMode: Json | undefined) {
  const { meaning, header } = column;
  if (text === '' || !['currency', 'note', 'shipping_method'].includes(meaning)) return undefined;
  const said = verdict(meaning, text, header);
  if (said === 'pickup') return pickupAs(column, text);
  if (meaning === 'currency') return said === 'mnt' || said === 'nothing' ? undefined : notMnt(column);
  return said === 'on_delivery' && meaning === 'note' && collectionMode === 'NONE'
    ? noteContradicts(column, text)
    : undefined;
}

function noteContradicts({ header }: UnreadColumn, text: string) {
  return {
    code: 'collection_contradicts_payment',
    problem: `its note says "${text}", but collectionMode is NONE for all orders, so that nothing is collected`,
    fix: `leave such orders out: --leave-out '${header}=${text}'; --ignore-column '${header}' makes them prepaid`,
    cause: text,
  } as const;
}

export function findConflicts(
  columns: readonly NamedColumn[],
  { rows, cells, externalOrderId }: OrderCells,
): Problem[] {
  return columns.flatMap((column): Problem[] => {
    const text = cells[column.index] ?? '';
    const other = rows.find(({ cells: own }) => {
      const cell = own[column.index] ?? '';
      return cell !== '' && foldCell(cell) !== foldCell(text);
    });
    if (other === undefined) return [];
    return [
      orderProblem(externalOrderId, other, column, {
        code: 'field_conflict',
        problem: `differs from another row of the same order, which has "${text}"`,
        fix: 'make them agree, or give one of the rows another order ID',
        cause: 'other row',
      }),
    ];
  });
}

/** Rules that leave out one row of an order and not another: then the state is that of the lines. */
export function createSplitCheck(leaveOut: readonly ReasonRule[]): (order: OrderCells) => Problem[] {
  const conditions = leaveOut
    .flatMap(({ rule }) => rule.flatMap((all) => (all.length === 1 ? all : [])))
    .filter(({ matches }) => !matches(''));
  return ({ rows, externalOrderId }) =>
    conditions.flatMap((condition): Problem[] => {
      const texts = rows.map(({ cells }) => cells[condition.index] ?? '');
      const held = texts.findIndex(condition.matches);
      const other = texts.findIndex((text, row) => !condition.matches(text) && (text !== '' || row === 0));
      if (held < 0 || other < 0) return [];
      return [
        orderProblem(externalOrderId, rows[Math.max(held, other)], condition, {
          code: 'field_conflict',
          problem: 'some rows of this order are to be left out, and others are not',
          fix: 'make them agree, or name the column in "leave_out_lines" of a mapping file (--map) when it is about lines',
          cause: `split ${condition.index}`,
        }),
      ];
    });
}
