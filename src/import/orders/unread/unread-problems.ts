import { type Text, t } from '../../../advice/advice.ts';
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

function textOf(column: UnreadColumn, counts: ValueCounts): [problem: Text, fix: Text] {
  const { meaning, header: name } = column;
  const values = counts.format();
  const map = (path: string) => `--map-column '${name}=${path}'`;
  const ignore = `--ignore-column '${name}'`;
  switch (meaning) {
    case 'quantity':
      return [
        t`says how many pieces, but it is not mapped: ${values}`,
        t`add ${map('items[].quantity:number')}; ${ignore} sends every line without a quantity`,
      ];
    case 'line':
      return [
        t`holds one more line of each order, but it is not mapped: ${values}`,
        t`map it like its neighbour: ${map('items[1].sku')}, or describe all of them with "wide" in a mapping file; ${ignore} sends the orders without these lines`,
      ];
    case 'shipping_method':
    case 'shipping_or_state':
      return [
        t`may say which orders are not to be delivered, but it is not mapped: ${values}`,
        t`leave those out with ${leaveOutFlags(column, counts)}; ${ignore} sends every order that is not left out`,
      ];
    case 'address':
      return [
        t`holds addresses, but it is not mapped: ${values}`,
        t`add ${map(`deliveryAddress.${addressPart(name)}`)}; ${ignore} sends the orders without it`,
      ];
    case 'currency':
      return [
        t`names another currency, and the service takes every amount as ₮: ${values}`,
        t`give the amounts in ₮; ${ignore} sends them as they are, read as ₮`,
      ];
    case 'date':
      return [
        t`holds delivery dates, but it is not mapped: ${values}`,
        t`add ${map('requestedDeliveryDate')}; ${ignore} sends the orders without a date`,
      ];
    default:
      return [
        t`says which orders are not to be delivered, but it is not mapped: ${values}`,
        t`leave them out with ${leaveOutFlags(column, counts)}; ${ignore} sends every order that is not left out`,
      ];
  }
}

const maxFlags = 5;

function leaveOutFlags({ header: name, meaning }: UnreadColumn, counts: ValueCounts): Text {
  const read = isShipping(meaning) ? 'shipping_or_state' : meaning;
  const isTick = (text: string) => !isShipping(meaning) && verdict('tick', text) === 'yes';
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
  hasRules: boolean,
): Problem {
  const [first] = payments as [UnreadColumn];
  const column = payments.find(({ meaning }) => meaning === 'payment_method') ?? first;
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
  const rules = paymentRules(header, payments);
  const fix = hasRules
    ? t`add ${rules.slice(1, -1)} to the mapping file; ${ignore} with --set collectionMode=NONE makes every order prepaid`
    : t`save ${rules} as map.json and add --map map.json; ${ignore} with --set collectionMode=NONE makes every order prepaid`;
  return headerProblem(header, column.index, { code: 'payment_unread', problem, fix });
}

export function otherCurrency(header: Row, index: number): Problem {
  const problem = t`names another currency, and the service takes every amount as ₮`;
  const fix = t`give the amounts in ₮, and take the other currency out of the name of the column`;
  return headerProblem(header, index, { code: 'currency_not_mnt', problem, fix });
}
