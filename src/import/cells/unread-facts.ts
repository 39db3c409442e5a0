import { formatFieldPath } from '../../orders/field-path.ts';
import type { Json } from '../../orders/json.ts';
import { headerProblem, type Mapping } from '../map/column.ts';
import type { Meaning, UnreadColumn } from '../map/meanings.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import type { Row } from '../table/read-table.ts';
import { isNo, isNothing, methodOf, orderStateOf, paymentStateOf } from '../words.ts';

/** Those of the columns that say who pays. */
export function paymentColumns(unread: readonly UnreadColumn[]): UnreadColumn[] {
  return unread.filter(({ meaning }) => ['payment_status', 'amount_due', 'payment_method'].includes(meaning));
}

/** What unread payment columns say together: a status or an amount due before a method. */
export function paymentIn(
  payments: readonly UnreadColumn[],
  cells: readonly string[],
): { kind: 'paid' | 'on_delivery' | 'other'; column: UnreadColumn } {
  const texts = payments.map((column) => ({ column, text: cells[column.index] ?? '' }));
  const paid = texts.find(({ column, text }) => saysPaid(column.meaning, text));
  if (paid !== undefined) return { kind: 'paid', column: paid.column };
  const onDelivery = texts.find(({ text }) => text !== '' && methodOf(text) === 'on_delivery');
  if (onDelivery !== undefined) return { kind: 'on_delivery', column: onDelivery.column };
  return { kind: 'other', column: payments[0] as UnreadColumn };
}

function saysPaid(meaning: Meaning, text: string): boolean {
  if (meaning === 'amount_due') return /^0+(?:[.,]0+)?$/.test(text);
  return (
    text !== '' && (paymentStateOf(text) === 'paid' || (meaning === 'payment_status' && isDateLike(text)))
  );
}

function isDateLike(text: string): boolean {
  return /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(text);
}

const maxValues = 50;
const maxShown = 5;

interface ValueCount {
  text: string;
  count: number;
}

/** Counts the values of columns that nothing reads, in the orders that would be sent. */
export interface UnreadFacts {
  add(order: { rows: readonly Row[] }): void;
  problems(header: Row): Problem[];
}

export function createUnreadFacts(
  { unread, columns, lines, addresses }: Mapping,
  constants: readonly { path: Parameters<typeof formatFieldPath>[0]; value: Json }[],
): UnreadFacts {
  const filled = [...columns, ...(lines?.columns ?? []), ...addresses.flat(), ...constants].map(({ path }) =>
    formatFieldPath(path),
  );
  const fills = (isField: (path: string) => boolean) => filled.some(isField);
  const hasQuantity = fills((path) => /^items\[\d*\]\.quantity$/.test(path));
  const hasDate = fills((path) => path === 'requestedDeliveryDate');
  const collectionMode = constants.find(({ path }) => formatFieldPath(path) === 'collectionMode')?.value;
  const isModeMapped = columns.some(({ path }) => formatFieldPath(path) === 'collectionMode');
  const payments = isModeMapped ? [] : paymentColumns(unread);
  const watched = unread.filter(({ meaning }) => {
    if (meaning === 'quantity') return !hasQuantity;
    return meaning === 'date' ? !hasDate : ['state', 'address', 'name', 'note'].includes(meaning);
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
      if (!isSettled) found.push(paymentUnread(header, payments, [onDelivery, open], collectionMode));
      return found;
    },
  };
}

/** Whether a value of an unread column changes something. */
function isOpen(meaning: Meaning, text: string): boolean {
  if (meaning === 'quantity') return !/^1(?:[.,]0+)?$/.test(text);
  if (meaning === 'state') return orderStateOf(text) !== 'to_deliver' && !isNo(text) && !isNothing(text);
  return !isNothing(text);
}

function createCounts() {
  const values = new Map<string, ValueCount>();
  let others = 0;
  return {
    get areDates() {
      return [...values.keys()].every(isDateLike);
    },
    add: (text: string) => {
      const known = values.get(text);
      if (known !== undefined) known.count += 1;
      else if (values.size < maxValues) values.set(text, { text, count: 1 });
      else others += 1;
    },
    get isEmpty() {
      return values.size === 0;
    },
    /** The most frequent of them, or undefined when there are more. */
    all: (most: number): string[] | undefined => {
      return values.size > most || others > 0 ? undefined : [...values.keys()];
    },
    /** `cancelled (12), refunded (3)`, the most frequent first. */
    format: () => {
      const all = [...values.values()].sort((left, right) => right.count - left.count);
      const shown = all.slice(0, maxShown).map(({ text, count }) => `${clip(text)} (${count})`);
      return shown.join(', ') + (all.length > maxShown || others > 0 ? ', ...' : '');
    },
  };
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

const unreadCodes: Partial<Record<Meaning, ProblemCode>> = {
  quantity: 'quantity_unread',
  state: 'state_unread',
  address: 'address_unread',
  date: 'date_unread',
};

function unreadProblem(
  header: Row,
  { index, header: name, meaning }: UnreadColumn,
  values: ReturnType<typeof createCounts>,
): Problem {
  const code = unreadCodes[meaning] ?? 'not_sent';
  const [problem, fix] = textOf(meaning, name, values);
  const found = headerProblem(header, index, code, problem, fix);
  return code === 'not_sent' ? { ...found, severity: 'warning' } : found;
}

function textOf(
  meaning: Meaning,
  name: string,
  counts: ReturnType<typeof createCounts>,
): [problem: string, fix: string] {
  const values = counts.format();
  const map = (path: string) => `--map-column '${name}=${path}'`;
  const ignore = `--ignore-column '${name}'`;
  switch (meaning) {
    case 'quantity':
      return [
        `says how many pieces, and nothing reads it: ${values}`,
        `add ${map('items[].quantity:number')}; ${ignore} sends every line without a quantity`,
      ];
    case 'state':
      return [
        `says which orders are not to be delivered, and nothing reads it: ${values}`,
        `leave them out with ${leaveOutFlags(name, counts)}; ${ignore} creates these orders`,
      ];
    case 'address':
      return [
        `holds addresses, and nothing reads it: ${values}`,
        `add ${map(`deliveryAddress.${addressPart(name)}`)}; ${ignore} sends the orders without it`,
      ];
    case 'date':
      return [
        `holds delivery dates, and nothing reads it: ${values}`,
        `add ${map('requestedDeliveryDate')}; ${ignore} sends the orders without a date`,
      ];
    case 'note':
      return [`is not sent: ${values}`, `to send it add ${map('deliveryAddress.note')}`];
    default:
      return [`is not sent: ${values}`, `to send it add ${map('customer.name')}`];
  }
}

const maxFlags = 3;

function leaveOutFlags(name: string, counts: ReturnType<typeof createCounts>): string {
  const values = counts.all(maxFlags);
  if (values?.every((text) => orderStateOf(text) !== 'unknown')) {
    return values.map((value) => `--leave-out '${name}=${value}'`).join(' ');
  }
  if (counts.areDates) return `--leave-out '${name}=*'`;
  return `--leave-out '${name}=VALUE', once for each value`;
}

const addressParts: [part: string, words: RegExp][] = [
  [
    'city',
    /city|town|хот|ciudad|localidad|cidade|ville|stadt|^ort$|città|comune|miasto|şehir|город|қала|oraș|עיר/i,
  ],
  ['postalCode', /zip|post ?code|postal|индекс|шуудан|cep|plz|postleitzahl|^cap$|posta kodu/i],
  ['country', /country|улс|страна|país|pays|land$|paese|kraj|ülke/i],
  [
    'province',
    /province|state|region|district|аймаг|дүүрэг|сум|область|район|provincia|estado|bairro|județ/i,
  ],
];

/** The part of an address that a header names; the street when it names none. */
function addressPart(header: string): string {
  return addressParts.find(([, words]) => words.test(header))?.[0] ?? 'street';
}

function paymentUnread(
  header: Row,
  payments: readonly UnreadColumn[],
  [onDelivery, open]: [ReturnType<typeof createCounts>, ReturnType<typeof createCounts>],
  collectionMode: Json | undefined,
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
  const problem = `says who pays, and nothing reads it${given}; not known as paid (${names}): ${values.join(', ')}`;
  const fix = `describe its values in a mapping file (--map): "on_delivery": {"${column.header}": "..."}, "paid": {"${column.header}": "..."}; ${ignore} with --set collectionMode=NONE makes every order prepaid`;
  return headerProblem(header, column.index, 'payment_unread', problem, fix);
}
