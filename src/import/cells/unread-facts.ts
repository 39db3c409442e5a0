import { formatFieldPath } from '../../orders/field-path.ts';
import type { Json } from '../../orders/json.ts';
import type { Meaning } from '../columns/meaning-names.ts';
import { isOnlyPayment, type UnreadColumn } from '../columns/meanings.ts';
import { createCounts, isDateLike } from '../columns/value-counts.ts';
import type { Mapping } from '../map/mapping.ts';
import { paymentMeanings } from '../map/missing-fields.ts';
import type { Problem } from '../problem.ts';
import type { HeaderRow, Row } from '../table/read-table.ts';
import { isNo, isNothing, isYes, methodOf, orderStateOf, paymentStateOf } from '../words.ts';
import { paymentUnread, unreadProblem } from './unread-problems.ts';

export function paymentColumns(unread: readonly UnreadColumn[]): UnreadColumn[] {
  return unread.filter(({ meaning }) => paymentMeanings.has(meaning));
}

type PaymentKind = 'paid' | 'on_delivery' | 'other' | 'nothing';

/** A status or an amount due decides before a method. */
export function paymentIn(
  payments: readonly UnreadColumn[],
  cells: readonly string[],
): { kind: PaymentKind; column: UnreadColumn } {
  const [first] = payments as [UnreadColumn];
  const texts = payments.map((column) => ({ column, text: cells[column.index] ?? '' }));
  const paid = texts.find(({ column, text }) => saysPaid(column, text));
  if (paid !== undefined) return { kind: 'paid', column: paid.column };
  const onDelivery = texts.find(({ column, text }) => saysOnDelivery(column, text));
  if (onDelivery !== undefined) return { kind: 'on_delivery', column: onDelivery.column };
  const isSilent = texts.every(
    ({ column: { meaning }, text }) => meaning === 'amount_paid' && (isZero(text) || isNothing(text)),
  );
  return { kind: isSilent ? 'nothing' : 'other', column: first };
}

function saysPaid({ meaning, header }: UnreadColumn, text: string): boolean {
  if (text === '' || meaning === 'amount_paid') return false;
  if (meaning === 'amount_due') return isZero(text);
  if (meaning === 'payment_status') return paymentStateOf(text) === 'paid' || isDateLike(text);
  if (isYes(text) || isNo(text)) return isNo(text) && methodOf(header) === 'on_delivery';
  return paymentStateOf(text) === 'paid';
}

/** `COD`, or `Y` in a column `COD (Y/N)`. */
function saysOnDelivery({ meaning, header }: UnreadColumn, text: string): boolean {
  if (meaning === 'amount_paid' || text === '') return false;
  const isMethod = meaning === 'payment_method' && isYes(text) && methodOf(header) === 'on_delivery';
  return isMethod || methodOf(text) === 'on_delivery';
}

function isZero(text: string): boolean {
  return /^0+(?:[.,]0+)?\s?₮?$/.test(text);
}

export function isQuantityPath(path: string): boolean {
  return /^items\[\d*\]\.quantity$/.test(path);
}

interface UnreadFacts {
  add(order: { rows: readonly Row[] }): void;
  problems(header: HeaderRow): Problem[];
}

export function createUnreadFacts(
  { unread, columns, lines, addresses, rules }: Mapping,
  constants: readonly { path: Parameters<typeof formatFieldPath>[0]; value: Json }[],
): UnreadFacts {
  const filled = [...columns, ...(lines?.columns ?? []), ...addresses.flat(), ...constants].map(({ path }) =>
    formatFieldPath(path),
  );
  const fills = (isField: (path: string) => boolean) => filled.some(isField);
  const hasQuantity = fills(isQuantityPath);
  const hasDate = fills((path) => path === 'requestedDeliveryDate');
  const collectionMode = constants.find(({ path }) => formatFieldPath(path) === 'collectionMode')?.value;
  const isModeMapped = columns.some(({ path }) => formatFieldPath(path) === 'collectionMode');
  const payments = isModeMapped ? [] : paymentColumns(unread);
  const watched = unread.filter(({ meaning }) => {
    if (meaning === 'quantity') return !hasQuantity;
    return meaning === 'date' ? !hasDate : ['state', 'address', 'name', 'note', 'line'].includes(meaning);
  });
  const counts = new Map(watched.map((column) => [column, createCounts()]));
  const open = createCounts();
  const onDelivery = createCounts();

  return {
    add: ({ rows }) => {
      for (const [column, found] of counts) {
        for (const { cells } of rows) {
          const text = cells[column.index] ?? '';
          if (text !== '' && isOpen(column.meaning, text)) found.add(text);
        }
      }
      if (payments.length === 0) return;
      const cells = payments.map(
        ({ index }) => rows.find((row) => row.cells[index] !== '')?.cells[index] ?? '',
      );
      const own = payments.map((column, index) => ({ ...column, index }));
      const { kind } = paymentIn(own, cells);
      const text = cells.filter((cell) => cell !== '').join(' / ') || '(blank)';
      if (kind === 'on_delivery') onDelivery.add(text);
      else if (kind === 'other') open.add(text);
    },
    problems: (header) => {
      const found = [...counts].flatMap(([column, values]) =>
        values.isEmpty ? [] : [unreadProblem(header, column, values)],
      );
      const isSettled = open.isEmpty && (collectionMode !== undefined || onDelivery.isEmpty);
      if (!isSettled)
        found.push(
          paymentUnread(header, payments, [onDelivery, open], {
            collectionMode,
            hasRules: rules.payment !== undefined,
          }),
        );
      return found;
    },
  };
}

function isOpen(meaning: Meaning, text: string): boolean {
  if (meaning === 'quantity') return !/^1(?:[.,]0+)?$/.test(text);
  if (meaning === 'state') {
    const saysNothing = isNo(text) || isNothing(text) || /^0+(?:[.,]0+)?$/.test(text);
    return orderStateOf(text) !== 'to_deliver' && !saysNothing && !isOnlyPayment(text);
  }
  return !isNothing(text);
}
