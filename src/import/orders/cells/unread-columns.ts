import { formatFieldPath } from '../../../orders/field-path.ts';
import type { Json } from '../../../orders/json.ts';
import { fills } from '../../mapping/column.ts';
import { clip, createCounts, isDateLike, type ValueCounts } from '../../mapping/guess/column-profile.ts';
import { addressPart } from '../../mapping/guess/guess-by-header.ts';
import { columnsNamed, createHeader, headerProblem } from '../../mapping/header.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { findMeanings, isOnlyPayment, type Meaning, type UnreadColumn } from '../../mapping/meanings.ts';
import { paymentMeanings, paymentRules } from '../../mapping/missing-fields.ts';
import type { Problem, ProblemCode } from '../../problem.ts';
import type { HeaderRow, Row } from '../../read/read-table.ts';
import {
  isLeftOut,
  isMnt,
  isNo,
  isNoState,
  isNothing,
  isPickup,
  isYes,
  methodOf,
  orderStateOf,
  paymentStateOf,
} from '../../words/verdict.ts';

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
  const hasQuantity = filled.some(isQuantityPath);
  const hasDate = filled.includes('requestedDeliveryDate');
  const collectionMode = constants.find(fills('collectionMode'))?.value;
  const isModeMapped = columns.some(fills('collectionMode'));
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
    return orderStateOf(text) !== 'to_deliver' && !isNoState(text) && !isOnlyPayment(text);
  }
  return !isNothing(text);
}

const unreadCodes: Partial<Record<Meaning, ProblemCode>> = {
  quantity: 'quantity_unread',
  state: 'state_unread',
  address: 'address_unread',
  date: 'date_unread',
  line: 'line_lost',
};

function unreadProblem(
  header: Row,
  { index, header: name, meaning }: UnreadColumn,
  values: ValueCounts,
): Problem {
  const code = unreadCodes[meaning] ?? 'not_sent';
  const [problem, fix] = textOf(meaning, name, values);
  const found = headerProblem(header, index, { code, problem, fix });
  return code === 'not_sent' ? { ...found, severity: 'warning' } : found;
}

function textOf(meaning: Meaning, name: string, counts: ValueCounts): [problem: string, fix: string] {
  const values = counts.format();
  const map = (path: string) => `--map-column '${name}=${path}'`;
  const ignore = `--ignore-column '${name}'`;
  switch (meaning) {
    case 'quantity':
      return [
        `says how many pieces, but it is not mapped: ${values}`,
        `add ${map('items[].quantity:number')}; ${ignore} sends every line without a quantity`,
      ];
    case 'line':
      return [
        `holds one more line of each order, but it is not mapped: ${values}`,
        `map it like its neighbour: ${map('items[1].sku')}, or describe all of them with "wide" in a mapping file; ${ignore} sends the orders without these lines`,
      ];
    case 'state':
      return [
        `says which orders are not to be delivered, but it is not mapped: ${values}`,
        `leave them out with ${leaveOutFlags(name, counts)}; ${ignore} sends every order that is not left out`,
      ];
    case 'address':
      return [
        `holds addresses, but it is not mapped: ${values}`,
        `add ${map(`deliveryAddress.${addressPart(name)}`)}; ${ignore} sends the orders without it`,
      ];
    case 'date':
      return [
        `holds delivery dates, but it is not mapped: ${values}`,
        `add ${map('requestedDeliveryDate')}; ${ignore} sends the orders without a date`,
      ];
    case 'note':
      return [`is not sent: ${values}`, `to send it add ${map('deliveryAddress.note')}`];
    default:
      return [`is not sent: ${values}`, `to send it add ${map('customer.name')}`];
  }
}

const maxFlags = 5;

function leaveOutFlags(name: string, counts: ValueCounts): string {
  const known = counts.whole.filter((text) => isYes(text) || isLeftOut(orderStateOf(text)));
  if (counts.areDates) return `--leave-out '${name}=*'`;
  if (known.length === 0 || known.length > maxFlags) {
    return `--leave-out '${name}=VALUE', once for each value`;
  }
  return known.map((value) => `--leave-out '${name}=${value}'`).join(' ');
}

function paymentUnread(
  header: HeaderRow,
  payments: readonly UnreadColumn[],
  [onDelivery, open]: [ValueCounts, ValueCounts],
  { collectionMode, hasRules }: { collectionMode: Json | undefined; hasRules: boolean },
): Problem {
  const [first] = payments as [UnreadColumn];
  const column = payments.find(({ meaning }) => meaning === 'payment_method') ?? first;
  const values = [onDelivery, open].filter(({ isEmpty }) => !isEmpty).map((counts) => counts.format());
  const given =
    collectionMode === undefined
      ? ''
      : `, and --set collectionMode=${String(collectionMode)} treats them alike`;
  const names = payments.map(({ header: name }) => name).join(' / ');
  const ignore = payments.map(({ header: name }) => `--ignore-column '${name}'`).join(' ');
  const problem = `says who pays, but it is not mapped${given}; not known as paid (${names}): ${values.join(', ')}`;
  const rules = paymentRules(header, payments);
  const add = hasRules
    ? `add ${rules.slice(1, -1)} to the mapping file`
    : `save ${rules} as map.json and add --map map.json`;
  const fix = `${add}; ${ignore} with --set collectionMode=NONE makes every order prepaid`;
  return headerProblem(header, column.index, { code: 'payment_unread', problem, fix });
}

interface IgnoredFacts {
  add(order: { rows: readonly Row[] }): void;
  /** One for each column that makes a difference: `Status: 12 cancelled orders will be created`. */
  sentences(): string[];
}

export function createIgnoredFacts(row: HeaderRow, names: readonly string[]): IgnoredFacts {
  const header = createHeader(row);
  const indexes = new Set(names.flatMap((name) => columnsNamed(header, name)));
  const columns = findMeanings(header, [...indexes], []).map((column) => ({
    column,
    values: new Map<string, number>(),
  }));
  return {
    add: ({ rows }) => {
      for (const { column, values } of columns) {
        for (const value of valuesIn(rows, column)) {
          const kind = kindOf(column.meaning, value);
          if (kind !== undefined) values.set(kind, (values.get(kind) ?? 0) + 1);
        }
      }
    },
    sentences: () =>
      columns.flatMap(({ column, values }) => {
        if (values.size === 0) return [];
        return [`${clip(column.header)}: ${describe(column.meaning, values)}`];
      }),
  };
}

/** One value of each order, but the quantity of each line. */
function valuesIn(rows: readonly Row[], { index, meaning }: UnreadColumn): string[] {
  const texts = rows.map(({ cells }) => cells[index] ?? '').filter((text) => !isNothing(text));
  return meaning === 'quantity' ? texts : texts.slice(0, 1);
}

const maxCurrencyLength = 12;

/** What a value would have changed. */
function kindOf(meaning: Meaning, text: string): string | undefined {
  switch (meaning) {
    case 'currency':
      return isMnt(text) ? undefined : text.slice(0, maxCurrencyLength);
    case 'state': {
      const state = orderStateOf(text);
      if (state === 'to_deliver') return undefined;
      return state === 'unknown' ? 'marked' : state.replaceAll('_', ' ');
    }
    case 'payment_method':
      return methodOf(text) === 'on_delivery' ? 'on delivery' : undefined;
    case 'payment_status':
      return paymentStateOf(text) === 'paid' ? undefined : 'open';
    case 'amount_due':
    case 'amount_paid':
      return /^0*(?:[.,]0+)?$/.test(text) ? undefined : 'open';
    case 'shipping_method':
      return isPickup(text) ? 'pickup' : undefined;
    case 'quantity':
      return /^1(?:[.,]0+)?$/.test(text) ? undefined : 'several';
    case 'address':
    case 'date':
      return 'given';
    default:
      return undefined;
  }
}

function describe(meaning: Meaning, values: ReadonlyMap<string, number>): string {
  const counts = [...values].sort(([, left], [, right]) => right - left);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const orders = total === 1 ? '1 order' : `${total} orders`;
  const [is, has] = total === 1 ? ['is', 'has'] : ['are', 'have'];
  switch (meaning) {
    case 'currency':
      return `the amounts of ${orders} in ${listKinds(counts)} are read as ₮`;
    case 'state':
      return `${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')} ${total === 1 ? 'order' : 'orders'} will be created`;
    case 'payment_method':
      return `${orders} ${is} paid on delivery`;
    case 'payment_status':
    case 'amount_due':
    case 'amount_paid':
      return `${orders} ${is} not known as paid`;
    case 'shipping_method':
      return `${orders} that the customer picks up will be delivered`;
    case 'quantity':
      return `${total === 1 ? '1 line' : `${total} lines`} of more than one piece ${is} sent without a quantity`;
    default:
      return `${orders} that ${has} it ${is} sent without it`;
  }
}

function listKinds(counts: readonly [string, number][]): string {
  const shown = counts.slice(0, 3).map(([kind]) => kind);
  return shown.join(', ') + (counts.length > shown.length ? ', ...' : '');
}
