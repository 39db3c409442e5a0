import { joinTexts, type Text, t } from '../../../advice/advice.ts';
import { formatHundredths } from '../../../orders/decimal.ts';
import type { Json } from '../../../orders/json.ts';
import { listLeftOut } from '../../choices.ts';
import { headerProblem, type NamedColumn } from '../../columns/header.ts';
import { addressRole, type UnreadColumn } from '../../columns/header-roles.ts';
import { isShipping, type Role, roles, wordsOf } from '../../columns/roles.ts';
import { mappingEntry, type Problem, type UnreadReason, type ValueCounts } from '../../problem.ts';
import type { HeaderRow, Row } from '../../read/read-table.ts';
import { isLeftOut, verdict } from '../../words/verdict.ts';

/** By its header, which needs no sentence about `--ignore-rest`. */
type ReadByHeader = UnreadColumn & { by: 'header'; values: ValueCounts };

/** What values alone may say. `orders`: those that have one. */
export type SaidByValues =
  | { reason: 'state' | 'payment' | 'currency' }
  | { reason: 'address' | 'date'; orders: number }
  | { reason: 'ticks'; orders: number; example: string }
  /** `isOfSent`: of the pieces of a quantity that is sent. */
  | { reason: 'quantity'; isOfSent: boolean }
  /** `path`: what the texts with counts are sent as. */
  | { reason: 'lines'; path: string | undefined };

type ReadByValues = NamedColumn & { by: 'values'; values: ValueCounts } & SaidByValues;

/** Amounts in `orders` of the orders to collect; `own`: theirs, beside what would be collected. */
type ReadByAmounts = NamedColumn & {
  by: 'amounts';
  orders: number;
  allOrders: number;
  collected: bigint;
  own: bigint;
  /** The total, which is what is collected when no other column is. */
  due: string | undefined;
};

/** What a column that nothing reads may say: its problem is written from this. */
type UnreadReading = ReadByHeader | ReadByValues | ReadByAmounts;

function reasonOf(reading: UnreadReading): UnreadReason {
  if (reading.by === 'amounts') return 'amount';
  if (reading.by === 'header') return roles[reading.role].unread ?? 'state';
  return reading.reason === 'lines' ? 'quantity' : reading.reason;
}

export function unreadProblem(header: Row, reading: UnreadReading): Problem {
  const [problem, fix, ifIgnored] =
    reading.by === 'header'
      ? textsOfHeader(reading)
      : reading.by === 'amounts'
        ? textsOfAmounts(reading)
        : textsOfValues(reading);
  const found = headerProblem(header, reading.index, { code: 'column_unread', problem, fix });
  return { ...found, reason: reasonOf(reading), ...(ifIgnored === undefined ? {} : { ifIgnored }) };
}

type Texts = [problem: Text, fix: Text, ifIgnored?: Text];

function textsOfValues(reading: ReadByValues): Texts {
  const { index, header: name } = reading;
  const values = reading.values.format();
  const ignore = `--ignore-column '${name}'`;
  const textsOf = (role: Role) =>
    textsOfHeader({ index, header: name, role, by: 'header', values: reading.values });
  switch (reading.reason) {
    case 'state':
    case 'currency':
      return textsOf(reading.reason);
    case 'payment':
      return [
        t`may say who pays, and --ignore-rest does not cover it: ${values}`,
        t`say what each of its values means with "values" in a mapping file (--map); ${ignore} sends the orders as they are without it`,
        t`who pays does not depend on it: ${values}`,
      ];
    case 'address':
    case 'date': {
      const [problem, fix] = textsOf(reading.reason);
      return [problem, fix, describeIgnored(reading.reason, new Map([['given', reading.orders]]))];
    }
    case 'quantity':
      return [
        reading.isOfSent
          ? t`may say how many of the pieces are meant, and --ignore-rest does not cover it: ${values}`
          : t`may say how many pieces, and --ignore-rest does not cover it: ${values}`,
        t`add ${`--map-column '${name}=items[].quantity:number'`}; ${ignore} sends the orders without it`,
        reading.isOfSent ? t`the quantities are sent as they are` : t`every line is sent without a quantity`,
      ];
    case 'ticks': {
      const example = mappingEntry({ values: { [name]: { [reading.example]: 'leave_out' } } });
      return [
        t`is ticked in some of the orders, and --ignore-rest does not cover it: ${values}`,
        t`say what its values mean, such as ${example} in a mapping file (--map); ${ignore} sends the orders without it`,
        t`${reading.orders} {order is|orders are} sent like the others`,
      ];
    }
    case 'lines': {
      const { path } = reading;
      const plain = mappingEntry({ lines: { from: name, form: `{${path}}` } });
      return path === undefined
        ? [
            t`says how many pieces, but no quantity is read: ${values}`,
            t`say how it is read with "lines" in a mapping, which --write-map FILE drafts; if no quantity is meant: --ignore-column '${name}'`,
            t`every line is sent without a quantity`,
          ]
        : [
            t`says how many pieces, and each cell is sent as the name of one: ${values}`,
            t`say how it is read with "lines" in a mapping, which --write-map FILE drafts; if no quantity is meant: ${plain}`,
          ];
    }
  }
}

function textsOfAmounts(reading: ReadByAmounts): Texts {
  const { header: name, orders, allOrders, collected, due } = reading;
  const amounts = [collected, reading.own, collected - reading.own];
  const [all = '', own = '', rest = ''] = amounts.map((sum) => `${formatHundredths(sum)} ₮`);
  // What is paid is subtracted from a total only.
  const ofTotal = due === undefined ? {} : { columns: { total: due }, amount_due: due };
  return [
    t`may say what is left to pay, or what is paid already: of ${allOrders} {order|orders} to collect, ${orders} {has|have} an amount in it; ${all} would be collected from {it|them}, but ${own} if it is left to pay, ${rest} if it is paid`,
    t`write ${mappingEntry({ amount_due: name })} or ${mappingEntry({ ...ofTotal, amount_paid: [name] })} into a mapping file (--map); --ignore-column '${name}' collects ${all}`,
    t`${all} will be collected from ${orders} {order|orders}, not ${own} or ${rest}`,
  ];
}

function textsOfHeader(column: ReadByHeader): Texts {
  const { role, header: name, values: counts } = column;
  const values = counts.format();
  const map = (path: string) => `--map-column '${name}=${path}'`;
  const ignore = `--ignore-column '${name}'`;
  const withoutIt = t`the orders are sent without it: ${values}`;
  const whateverItSays = t`the orders are sent whatever it says: ${values}`;
  switch (role) {
    case 'quantity':
      return [
        t`says how many pieces, but it is not mapped: ${values}`,
        t`add ${map('items[].quantity:number')}; ${ignore} sends every line without a quantity`,
        t`every line is sent without a quantity`,
      ];
    case 'line':
      return [
        t`holds one more line of each order, but it is not mapped: ${values}`,
        t`map it like its neighbour: ${map('items[1].sku')}, or describe all of them with "wide" in a mapping file; ${ignore} sends the orders without these lines`,
        withoutIt,
      ];
    case 'shipping_method':
    case 'shipping_or_state':
      return [
        t`may say which orders are not to be delivered, but it is not mapped: ${values}`,
        t`leave those out with ${leaveOutFlags(column, counts)}; ${ignore} sends every order that is not left out`,
        whateverItSays,
      ];
    case 'address':
      return [
        t`holds addresses, but it is not mapped: ${values}`,
        t`add ${map(roles[addressRole(name)].field ?? '')}; ${ignore} sends the orders without it`,
        withoutIt,
      ];
    case 'currency':
      return [
        t`names another currency, and the service takes every amount as ₮: ${values}`,
        t`give the amounts in ₮; ${ignore} sends them as they are, read as ₮`,
        t`all amounts are read as ₮: ${values}`,
      ];
    case 'date':
      return [
        t`holds delivery dates, but it is not mapped: ${values}`,
        t`add ${map('requestedDeliveryDate')}; ${ignore} sends the orders without a date`,
        withoutIt,
      ];
    default:
      return [
        t`says which orders are not to be delivered, but it is not mapped: ${values}`,
        t`leave them out with ${leaveOutFlags(column, counts)}; ${ignore} sends every order that is not left out`,
        whateverItSays,
      ];
  }
}

const maxFlags = 5;

function leaveOutFlags({ header: name, role }: UnreadColumn, counts: ValueCounts): Text {
  const read = isShipping(role) ? 'shipping_or_state' : wordsOf(role);
  const isTick = (text: string) => !isShipping(role) && verdict('tick', text) === 'yes';
  const known = counts.whole.filter((text) => isTick(text) || isLeftOut(verdict(read, text, name)));
  if (counts.areDates) return `--leave-out '${name}=*'`;
  if (known.length === 0 || known.length > maxFlags) {
    return t`--leave-out '${name}=VALUE', once for each value`;
  }
  return known.map((value) => `--leave-out '${name}=${value}'`).join(' ');
}

export function paymentUnread(
  header: HeaderRow,
  payments: readonly UnreadColumn[],
  values: readonly string[],
  collectionMode: Json | undefined,
): Problem {
  const [first] = payments as [UnreadColumn];
  const column = payments.find(({ role }) => role === 'payment_method') ?? first;
  const names = payments.map(({ header: name }) => name).join(' / ');
  const ignore = payments.map(({ header: name }) => `--ignore-column '${name}'`).join(' ');
  const mode = String(collectionMode);
  const shown = values.join(', ');
  const problem =
    collectionMode === undefined
      ? t`says who pays, but it is not mapped; not known as paid (${names}): ${shown}`
      : mode === 'COLLECT'
        ? t`says who pays, but it is not mapped, and --set collectionMode=${mode} treats them alike; not known as on delivery (${names}): ${shown}`
        : t`says who pays, but it is not mapped, and --set collectionMode=${mode} treats them alike; not known as paid (${names}): ${shown}`;
  const fix = t`say what it means with "values", "amount_due" or "amount_paid" in a mapping, which --write-map FILE drafts when --set collectionMode is not given; ${ignore} with --set collectionMode=NONE makes every order prepaid`;
  const found = headerProblem(header, column.index, { code: 'column_unread', problem, fix });
  return { ...found, reason: 'payment', ifIgnored: t`who pays does not depend on it: ${shown}` };
}

export function otherCurrency(header: Row, index: number): Problem {
  const problem = t`names another currency, and the service takes every amount as ₮`;
  const fix = t`give the amounts in ₮, and take the other currency out of the name of the column`;
  return headerProblem(header, index, { code: 'currency_not_mnt', problem, fix });
}

/** What ignoring a column changes: `values` counts the orders, or lines, by what their value would have changed. */
export function describeIgnored(role: Role | undefined, values: ReadonlyMap<string, number>): Text {
  const counts = [...values].sort(([, left], [, right]) => right - left);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  switch (role) {
    case 'currency':
      return t`the amounts of ${total} {order|orders} in ${listKinds(counts)} are read as ₮`;
    case undefined:
    case 'state':
    case 'state_or_payment':
    case 'shipping_or_state': {
      const states = joinTexts(listLeftOut(Object.fromEntries(values)), ', ');
      return total === 1 ? t`${states} order will be created` : t`${states} orders will be created`;
    }
    case 'payment_method':
      return t`${total} {order is|orders are} paid on delivery`;
    case 'payment_status':
    case 'amount_due':
    case 'amount_paid':
      return t`${total} {order is|orders are} not known as paid`;
    case 'shipping_method':
      return t`${total} {order|orders} that the customer picks up will be delivered`;
    case 'quantity':
      return t`${total} {line|lines} of more than one piece {is|are} sent without a quantity`;
    default:
      return t`${total} {order that has|orders that have} it {is|are} sent without it`;
  }
}

function listKinds(counts: readonly [string, number][]): string {
  const shown = counts.slice(0, 3).map(([kind]) => kind);
  return shown.join(', ') + (counts.length > shown.length ? ', ...' : '');
}
