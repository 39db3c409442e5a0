import type { Json } from '../../../orders/json.ts';
import { addressPart } from '../../mapping/guess/guess-by-header.ts';
import { headerProblem } from '../../mapping/header.ts';
import type { Meaning, UnreadColumn, ValueCounts } from '../../mapping/meanings.ts';
import { paymentRules } from '../../mapping/missing-fields.ts';
import type { Problem, ProblemCode } from '../../problem.ts';
import type { HeaderRow, Row } from '../../read/read-table.ts';
import { isLeftOut, verdict } from '../../words/verdict.ts';

export function isShipping(meaning: Meaning): boolean {
  return meaning === 'shipping_method' || meaning === 'shipping_or_state';
}

const unreadCodes: Partial<Record<Meaning, ProblemCode>> = {
  quantity: 'quantity_unread',
  address: 'address_unread',
  date: 'date_unread',
  line: 'line_lost',
  currency: 'currency_not_mnt',
};

export function unreadProblem(header: Row, column: UnreadColumn, values: ValueCounts): Problem {
  const code = unreadCodes[column.meaning] ?? 'state_unread';
  const [problem, fix] = textOf(column, values);
  return headerProblem(header, column.index, { code, problem, fix });
}

function textOf(column: UnreadColumn, counts: ValueCounts): [problem: string, fix: string] {
  const { meaning, header: name } = column;
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
    case 'shipping_method':
    case 'shipping_or_state':
      return [
        `may say which orders are not to be delivered, but it is not mapped: ${values}`,
        `leave those out with ${leaveOutFlags(column, counts)}; ${ignore} sends every order that is not left out`,
      ];
    case 'address':
      return [
        `holds addresses, but it is not mapped: ${values}`,
        `add ${map(`deliveryAddress.${addressPart(name)}`)}; ${ignore} sends the orders without it`,
      ];
    case 'currency':
      return [
        `names another currency, and the service takes every amount as ₮: ${values}`,
        `give the amounts in ₮; ${ignore} sends them as they are, read as ₮`,
      ];
    case 'date':
      return [
        `holds delivery dates, but it is not mapped: ${values}`,
        `add ${map('requestedDeliveryDate')}; ${ignore} sends the orders without a date`,
      ];
    default:
      return [
        `says which orders are not to be delivered, but it is not mapped: ${values}`,
        `leave them out with ${leaveOutFlags(column, counts)}; ${ignore} sends every order that is not left out`,
      ];
  }
}

const maxFlags = 5;

function leaveOutFlags({ header: name, meaning }: UnreadColumn, counts: ValueCounts): string {
  const read = isShipping(meaning) ? 'shipping_or_state' : meaning;
  const isTick = (text: string) => !isShipping(meaning) && verdict('tick', text) === 'yes';
  const known = counts.whole.filter((text) => isTick(text) || isLeftOut(verdict(read, text, name)));
  if (counts.areDates) return `--leave-out '${name}=*'`;
  if (known.length === 0 || known.length > maxFlags) {
    return `--leave-out '${name}=VALUE', once for each value`;
  }
  return known.map((value) => `--leave-out '${name}=${value}'`).join(' ');
}

export function paymentUnread(
  header: HeaderRow,
  payments: readonly UnreadColumn[],
  values: readonly string[],
  collectionMode: Json | undefined,
  hasRules: boolean,
): Problem {
  const [first] = payments as [UnreadColumn];
  const column = payments.find(({ meaning }) => meaning === 'payment_method') ?? first;
  const given =
    collectionMode === undefined
      ? ''
      : `, and --set collectionMode=${String(collectionMode)} treats them alike`;
  const names = payments.map(({ header: name }) => name).join(' / ');
  const ignore = payments.map(({ header: name }) => `--ignore-column '${name}'`).join(' ');
  const known = collectionMode === 'COLLECT' ? 'on delivery' : 'paid';
  const problem = `says who pays, but it is not mapped${given}; not known as ${known} (${names}): ${values.join(', ')}`;
  const rules = paymentRules(header, payments);
  const add = hasRules
    ? `add ${rules.slice(1, -1)} to the mapping file`
    : `save ${rules} as map.json and add --map map.json`;
  const fix = `${add}; ${ignore} with --set collectionMode=NONE makes every order prepaid`;
  return headerProblem(header, column.index, { code: 'payment_unread', problem, fix });
}

export function otherCurrency(header: Row, index: number): Problem {
  const problem = 'names another currency, and the service takes every amount as ₮';
  const fix = 'give the amounts in ₮, and take the other currency out of the name of the column';
  return headerProblem(header, index, { code: 'currency_not_mnt', problem, fix });
}
