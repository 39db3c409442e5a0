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

/** `agrees` is undefined when that is not shown. */
type Note = (field: string, agrees: boolean | undefined) => void;

/**
 * Compares the fields of interface section 2.2, and those that it does not name at their `places`, where the response
 * shows them: money and numbers by value, lines by SKU in any order. A field that was not sent never differs, since the
 * service may normalise and add.
 */
export function compareOrders(sent: Order, found: Order, places: FieldPlaces): Comparison {
  const comparison: Comparison = { differing: [], notCompared: [] };
  const note: Note = (field, agrees) => {
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
    const ours = shownText(valueAt(sent, paths[field]));
    if (ours === undefined) continue;
    note(places[field], sameValue(ours, shownText(valueAt(found, paths[field])), places[field]));
  }
  if (!comparison.differing.includes('items')) compareLines(sent, found, places, note);
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

/** Parsed once: the places are the same for all orders of a run. Those of lines begin in the line. */
function pathsOf(places: FieldPlaces): Record<UnnamedField, FieldPath> {
  const known = pathsByPlaces.get(places);
  if (known !== undefined) return known;
  const entries = unnamedFields.map((field) => {
    const path = parseFieldPath(places[field]);
    return [field, lineFields.includes(field) ? path.slice(2) : path];
  });
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
  /** Of the field that is being compared. */
  value: string | undefined;
}

/** Notes the fields of lines that were sent. */
function compareLines(sent: Order, found: Order, places: FieldPlaces, note: Note): void {
  const theirLines = orderLines(found);
  const showsSkus = theirLines.some(carriesSku);
  const keyOf = (line: Json) => (showsSkus ? (textField(line, 'sku') ?? '') : '');
  const toCompare = (line: Json): ComparedLine => ({ key: keyOf(line), line, value: undefined });
  const ours = orderLines(sent).map(toCompare);
  const theirs = theirLines.map(toCompare);
  for (const field of lineFields) {
    const path = pathsOf(places)[field];
    for (const compared of ours) compared.value = lineValue(compared.line, field, path);
    if (ours.every(({ value }) => value === undefined)) continue;
    for (const compared of theirs) compared.value = lineValue(compared.line, field, path);
    note(places[field], theirs.length === 0 ? undefined : sameLines(ours, theirs));
  }
}

function lineValue(line: Json, field: UnnamedField, path: FieldPath): string | undefined {
  // The catalogue of the service names the product of a SKU.
  if (field === 'item' && textField(line, 'sku') !== undefined) return undefined;
  const text = shownText(valueAt(line, path));
  return text === undefined || field === 'item' ? text : plainAmount(text);
}

/** Whether, among lines with the same key, each value that was sent is found; undefined when some may not be shown. */
function sameLines(ours: readonly ComparedLine[], theirs: readonly ComparedLine[]): boolean | undefined {
  let isShown = true;
  const theirsByKey = groupByKey(theirs);
  for (const [key, sent] of groupByKey(ours)) {
    const found = theirsByKey.get(key) ?? [];
    const shown = found.map(({ value }) => value);
    const missing = sent.filter(({ value }) => {
      const index = value === undefined ? -1 : shown.indexOf(value);
      if (index >= 0) shown.splice(index, 1);
      return value !== undefined && index < 0;
    });
    const hidden = shown.filter((value) => value === undefined).length;
    if (missing.length > hidden) return false;
    if (missing.length > 0) isShown = false;
    const lines = [...sent, ...found];
    if (lines.some(({ value }) => value === undefined)) continue;
    for (const line of lines) line.key += `\n${line.value}`;
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
