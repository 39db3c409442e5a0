import { isBefore } from '../../orders/calendar-date.ts';
import { formatFieldPath, readEach, readField } from '../../orders/field-path.ts';
import { issueOf } from '../../orders/issue.ts';
import { type Json, member } from '../../orders/json.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import type { RuleName } from '../../orders/order-rules.ts';
import { statedOrder } from '../../orders/order-schemas.ts';
import { deliveryMethodsOf } from '../../orders/unnamed-fields.ts';
import { fieldsError } from '../behaviour/api-error.ts';
import type { FieldProblem } from '../behaviour/error-bodies.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { Service } from './service.ts';
import { unknownFields } from './unknown-fields.ts';

const maxProblems = 20;

/** Interface sections 2.2 to 2.4, then the behaviour; one problem of each field. `now` in epoch ms. @throws ApiError */
export function checkOrder(order: Order, { orders, limits }: Behaviour, now: number): void {
  const problems = [
    ...checkRequired(order, orders),
    ...checkStated(order),
    ...checkDate(textField(order, 'requestedDeliveryDate'), limits, now),
    ...checkItems(order, limits),
    ...checkPickup(order, orders),
    ...checkUnknown(order, orders),
  ].filter(({ field }, place, all) => all.findIndex((other) => other.field === field) === place);
  if (problems.length > 0) throw fieldsError('orderInvalid', problems.slice(0, maxProblems));
}

function checkUnknown(order: Order, { fieldsBeyond }: Behaviour['orders']): FieldProblem[] {
  if (fieldsBeyond !== 'refused') return [];
  return unknownFields(order).map((field) => fieldProblem(field, 'is not a field of an order'));
}

function checkRequired(order: Order, { required }: Behaviour['orders']): FieldProblem[] {
  const isMissing = (path: string) =>
    path.split('.').reduce<Json | undefined>((value, name) => member(value, name), order) === undefined;
  return required.filter(isMissing).map((path) => fieldProblem(path, 'is missing'));
}

/** Exact values only; guessing what other words mean is up to the client. */
const pickups = ['PICKUP', 'STORE_PICKUP'];

function checkPickup(order: Order, { pickup }: Behaviour['orders']): FieldProblem[] {
  if (pickup === 'accept') return [];
  const found = deliveryMethodsOf(order).filter(({ text }) => pickups.includes(text));
  return found.map(({ path }) => fieldProblem(path, 'is a pickup, which is not a delivery'));
}

function checkItems(order: Order, { items }: Behaviour['limits']): FieldProblem[] {
  const isLong = items !== null && orderLines(order).length > items;
  return isLong ? [fieldProblem('items', `has more than ${items} items`)] : [];
}

const dayMilliseconds = 86_400_000;

function checkDate(
  date: string | undefined,
  { daysAhead }: Behaviour['limits'],
  now: number,
): FieldProblem[] {
  if (date === undefined || daysAhead === null) return [];
  const problem = (text: string) => [fieldProblem('requestedDeliveryDate', text)];
  const dateAfter = (days: number) => new Date(now + days * dayMilliseconds).toISOString().slice(0, 10);
  if (isBefore(date, dateAfter(0))) return problem('is in the past');
  return isBefore(dateAfter(daysAhead), date) ? problem(`is more than ${daysAhead} days ahead`) : [];
}

/** The service's messages for the rules of `statedOrder`; those for money are this tool's own. */
const sentences: Readonly<Record<string, string>> = {
  text_invalid: 'is not text',
  text_blank: 'is blank',
  customer_invalid: 'an order needs its customer, as an object',
  phone_missing: 'is missing',
  lines_invalid: 'an order needs at least one line, in an array',
  line_invalid: 'is not an object',
  date_invalid: 'is not a calendar date written YYYY-MM-DD',
  currency_invalid: 'is not MNT',
};

function checkStated(order: Order): FieldProblem[] {
  const broken = statedOrder.safeParse(order).error?.issues ?? [];
  const problems = broken.map(({ message: rule, path: steps }) => {
    const path = steps as (string | number)[];
    const field = formatFieldPath(path);
    const own = () => String(issueOf(rule as RuleName, field, readField(order, path)).problem);
    return fieldProblem(field, sentences[rule] ?? own());
  });
  return [...problems, ...findAltered(order)];
}

const storedTexts = [['externalOrderId'], ['customer', 'phone'], ['customer', 'externalCustomerId']];

/** SQLite would cut or replace these characters, so that two texts became equal. */
function findAltered(order: Order): FieldProblem[] {
  const altered = storedTexts.filter((path) => {
    const [text] = readEach(order, path);
    return typeof text === 'string' && (text.includes('\0') || /\p{Surrogate}/u.test(text));
  });
  const problem = 'has a null character, or half of a surrogate pair';
  return altered.map((path) => fieldProblem(formatFieldPath(path), problem));
}

function fieldProblem(field: string, problem: string): FieldProblem {
  return { field, problem };
}

/** Interface section 4.1; a line without a SKU is ad-hoc. @throws ApiError */
export function checkSkus(
  { store: { products }, anySku }: Pick<Service, 'store' | 'anySku'>,
  merchantId: number,
  order: Order,
): void {
  const unknown: FieldProblem[] = [];
  const inactive: FieldProblem[] = [];
  for (const [index, line] of orderLines(order).entries()) {
    const sku = textField(line, 'sku');
    if (sku === undefined) continue;
    const product = products.find(merchantId, sku);
    const field = `items[${index}].sku`;
    if (!product) unknown.push(fieldProblem(field, `no product has the SKU "${sku}"`));
    else if (product.active === 0) inactive.push(fieldProblem(field, `"${sku}" is inactive`));
  }
  if (unknown.length > 0 && anySku !== 'unknown')
    throw fieldsError('skuUnknown', unknown.slice(0, maxProblems));
  if (inactive.length > 0) throw fieldsError('skuInactive', inactive.slice(0, maxProblems));
}
