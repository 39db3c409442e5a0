import { isSameAmount, plainAmount } from './decimal.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';
import { isJsonNumber, type Json, member } from './json.ts';
import { moneyFields, type Order, orderLines, textField } from './order.ts';
import { isSamePhone } from './phone.ts';
import { type FieldPlaces, type UnnamedField, unnamedFields } from './unnamed-fields.ts';

export interface Comparison {
  differing: string[];
  /** Fields that were sent but are missing from the response. */
  notCompared: string[];
}

/**
 * Compares the fields of interface section 2.2, and those that it does not name at their `places`, where the response
 * shows them: money and numbers by value, lines by SKU in any order. A field that was not sent never differs, since the
 * service may normalise and add.
 */
export function compareOrders(sent: Order, found: Order, places: FieldPlaces): Comparison {
  const comparison: Comparison = { differing: [], notCompared: [] };
  const note = (field: string, agrees: boolean | undefined) => {
    if (agrees === undefined) comparison.notCompared.push(field);
    else if (!agrees) comparison.differing.push(field);
  };
  for (const field of ['collectionMode', 'requestedDeliveryDate'] as const) {
    if (member(sent, field) !== undefined) note(field, sameText(sent, found, field));
  }
  for (const field of moneyFields) {
    if (member(sent, field) !== undefined) note(field, sameMoney(sent, found, field));
  }
  if (member(sent, 'items') !== undefined) note('items', sameSkus(sent, found));
  if (member(sent, 'customer') !== undefined) note('customer', sameCustomer(sent, found));
  const paths = pathsOf(places);
  for (const field of orderFields) {
    const valueIn = (order: Order) => shownText(valueAt(order, paths[field]));
    const ours = valueIn(sent);
    if (ours !== undefined) note(places[field], sameValue(ours, valueIn(found), places[field]));
  }
  const agreements = comparison.differing.includes('items') ? [] : compareLines(sent, found, places);
  for (const [field, agrees] of agreements) note(places[field], agrees);
  return comparison;
}

function sameText(sent: Order, found: Order, field: string): boolean | undefined {
  const theirs = member(found, field);
  return theirs === undefined ? undefined : theirs === member(sent, field);
}

function sameMoney(sent: Order, found: Order, field: string): boolean | undefined {
  const theirs = amountText(member(found, field));
  const ours = textField(sent, field);
  if (ours === undefined) return undefined;
  if (theirs === undefined) return isSameAmount(ours, '0') && field === 'collectionAmount' ? true : undefined;
  return isSameAmount(ours, theirs);
}

function amountText(value: Json | undefined): string | undefined {
  if (isJsonNumber(value)) return value.toString();
  return typeof value === 'string' ? value : undefined;
}

function sameSkus(sent: Order, found: Order): boolean | undefined {
  if (!Array.isArray(member(found, 'items'))) return undefined;
  const ours = orderLines(sent);
  const theirs = orderLines(found);
  if (ours.length !== theirs.length) return false;
  if (ours.some(carriesSku) && !theirs.some(carriesSku)) return undefined;
  return sortedSkus(ours) === sortedSkus(theirs);
}

function carriesSku(line: Json): boolean {
  return member(line, 'sku') !== undefined;
}

function sortedSkus(lines: Json[]): string {
  return lines
    .map((line) => textField(line, 'sku') ?? '')
    .sort()
    .join('\n');
}

function sameCustomer(sent: Order, found: Order): boolean | undefined {
  const ours = member(sent, 'customer');
  const theirs = member(found, 'customer');
  const externalId = textField(ours, 'externalCustomerId');
  const theirExternalId = textField(theirs, 'externalCustomerId');
  if (externalId !== undefined && externalId === theirExternalId) return true;
  const phone = textField(ours, 'phone');
  const theirPhone = textField(theirs, 'phone');
  if (phone !== undefined && theirPhone !== undefined && isSamePhone(phone, theirPhone)) return true;
  // The service may have matched an existing customer, whose external ID it does not show.
  const compared = externalId === undefined ? [phone, theirPhone] : [externalId, theirExternalId];
  return compared.includes(undefined) ? undefined : false;
}

/** The item comes first, because lines without a SKU are matched by it. */
const lineFields: readonly UnnamedField[] = ['item', 'price', 'quantity'];
const orderFields = unnamedFields.filter((field) => !lineFields.includes(field));

const pathsByPlaces = new WeakMap<FieldPlaces, Record<UnnamedField, FieldPath>>();

/** Parsed once: the places are the same for all orders of a run. */
function pathsOf(places: FieldPlaces): Record<UnnamedField, FieldPath> {
  const known = pathsByPlaces.get(places);
  if (known !== undefined) return known;
  const entries = unnamedFields.map((field) => [field, parseFieldPath(places[field])]);
  const paths = Object.fromEntries(entries) as Record<UnnamedField, FieldPath>;
  pathsByPlaces.set(places, paths);
  return paths;
}

/** The value at a place in an order or in a line, in which no step goes through all lines. */
function valueAt(value: Json | undefined, path: FieldPath): Json | undefined {
  let found = value;
  for (const step of path) {
    if (found === undefined) return undefined;
    if (typeof step === 'string') found = member(found, step);
    else found = Array.isArray(found) ? found[step ?? 0] : undefined;
  }
  return found;
}

/** The service may use the data of a customer that it knows (interface section 4.1), so there a difference shows nothing. */
function sameValue(ours: string, theirs: string | undefined, place: string): boolean | undefined {
  if (theirs === undefined) return undefined;
  return ours === theirs || (place.startsWith('customer.') ? undefined : false);
}

interface ComparedLine {
  /** What tells lines apart: the SKU, and then each field in which the lines with one key agree. */
  key: string;
  line: Json;
}

/** The fields of lines that were sent, and whether those of the found order agree; undefined when that is not shown. */
function compareLines(sent: Order, found: Order, places: FieldPlaces): [UnnamedField, boolean | undefined][] {
  const theirLines = orderLines(found);
  const showsSkus = theirLines.some(carriesSku);
  const withKey = (line: Json) => ({ line, key: showsSkus ? (textField(line, 'sku') ?? '') : '' });
  const ours = orderLines(sent).map(withKey);
  const theirs = theirLines.map(withKey);
  return lineFields.flatMap((field): [UnnamedField, boolean | undefined][] => {
    const path = pathsOf(places)[field].slice(2);
    const read = ({ line }: ComparedLine) => {
      // The catalogue of the service names the product of a SKU.
      if (field === 'item' && textField(line, 'sku') !== undefined) return undefined;
      const text = shownText(valueAt(line, path));
      return text === undefined || field === 'item' ? text : plainAmount(text);
    };
    if (ours.every((line) => read(line) === undefined)) return [];
    return [[field, theirs.length === 0 ? undefined : sameLines(ours, theirs, read)]];
  });
}

/** Whether, among lines with the same key, each value that was sent is found; undefined when some may not be shown. */
function sameLines(
  ours: readonly ComparedLine[],
  theirs: readonly ComparedLine[],
  read: (line: ComparedLine) => string | undefined,
): boolean | undefined {
  let isShown = true;
  const theirsByKey = groupByKey(theirs);
  for (const [key, sent] of groupByKey(ours)) {
    const found = theirsByKey.get(key) ?? [];
    const shown = found.map(read);
    const missing = sent.map(read).filter((value) => {
      const index = value === undefined ? -1 : shown.indexOf(value);
      if (index >= 0) shown.splice(index, 1);
      return value !== undefined && index < 0;
    });
    const hidden = shown.filter((value) => value === undefined).length;
    if (missing.length > hidden) return false;
    if (missing.length > 0) isShown = false;
    const lines = [...sent, ...found];
    if (lines.some((line) => read(line) === undefined)) continue;
    for (const line of lines) line.key += `\n${read(line)}`;
  }
  return isShown ? true : undefined;
}

function groupByKey(lines: readonly ComparedLine[]): Map<string, ComparedLine[]> {
  const groups = new Map<string, ComparedLine[]>();
  for (const line of lines) {
    const group = groups.get(line.key);
    if (group === undefined) groups.set(line.key, [line]);
    else group.push(line);
  }
  return groups;
}

/** Text or digits; undefined for what shows no value: null, blank text, an object. */
function shownText(value: Json | undefined): string | undefined {
  return amountText(value)?.trim() || undefined;
}
