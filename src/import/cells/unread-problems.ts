import type { Json } from '../../orders/json.ts';
import { headerProblem } from '../columns/header.ts';
import { addressPart } from '../columns/header-match.ts';
import type { Meaning } from '../columns/meaning-names.ts';
import type { UnreadColumn } from '../columns/meanings.ts';
import type { ValueCounts } from '../columns/value-counts.ts';
import { paymentRules } from '../map/missing-fields.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import type { HeaderRow, Row } from '../table/read-table.ts';
import { isYes, orderStateOf } from '../words.ts';

const unreadCodes: Partial<Record<Meaning, ProblemCode>> = {
  quantity: 'quantity_unread',
  state: 'state_unread',
  address: 'address_unread',
  date: 'date_unread',
  line: 'line_lost',
};

export function unreadProblem(
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
  const known = counts.whole.filter(
    (text) => isYes(text) || !['unknown', 'to_deliver'].includes(orderStateOf(text)),
  );
  if (counts.areDates) return `--leave-out '${name}=*'`;
  if (known.length === 0 || known.length > maxFlags) {
    return `--leave-out '${name}=VALUE', once for each value`;
  }
  return known.map((value) => `--leave-out '${name}=${value}'`).join(' ');
}

export function paymentUnread(
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
