import { dayOf } from './calendar-date.ts';
import { amountOf, createSum, isDecimal, isSameAmount } from './decimal.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';
import { isJsonNumber, type Json, jsonText, member } from './json.ts';
import { moneyFields, type Order, orderLines, textField } from './order.ts';
import { isMaskedPhone, isSamePhone } from './phone.ts';
import { type FieldPlaces, type UnnamedField, unnamedFields } from './unnamed-fields.ts';

interface Comparison {
  differences: Difference[];
  equal: string[];
  notCompared: string[];
}

export interface Difference {
  field: string;
  sent: string;
  shown: string;
  /**
   * - `essential`: what the courier collects, and the day; - `usual`: services change it as they store an order: the
   * case of a SKU, lines added or merged, a masked phone, the total; - `other`
   */
  kind: 'essential' | 'usual' | 'other';
}

/** `agrees` is undefined when that is not shown. */
interface Compared {
  agrees: boolean | undefined;
  sent: string | undefined;
  shown: string | undefined;
  kind: Difference['kind'];
}

/**
 * Compares the fields of interface section 2.2, and those that it does not name at their `places`, where the response
 * shows them: money and numbers by value, lines by SKU in any order. A field that was not sent never differs, since the
 * service may normalise and add.
 */
export function compareOrders(sent: Order, found: Order, places: FieldPlaces): Comparison {
  const comparison: Comparison = { differences: [], equal: [], notCompared: [] };
  const note = (field: string, { agrees, sent = '', shown = '', kind }: Compared) => {
    if (agrees === undefined) comparison.notCompared.push(field);
    else if (agrees) comparison.equal.push(field);
    else comparison.differences.push({ field, sent: shorten(sent), shown: shorten(shown), kind });
  };
  for (const field of ['collectionMode', 'requestedDeliveryDate'] as const) {
    if (member(sent, field) !== undefined) note(field, compareText(sent, found, field));
  }
  for (const field of moneyFields) {
    if (member(sent, field) !== undefined) note(field, compareMoney(sent, found, field));
  }
  const lines = compareSkus(sent, found);
  if (member(sent, 'items') !== undefined) note('items', lines);
  if (member(sent, 'customer') !== undefined) note('customer', compareCustomers(sent, found));
  const paths = pathsOf(places);
  for (const field of orderFields) {
    const ours = shownText(valueAt(sent, paths[field]));
    if (ours === undefined) continue;
    note(places[field], compareValues(ours, shownText(valueAt(found, paths[field])), places[field]));
  }
  const areRegrouped = lines.agrees === false;
  if (!areRegrouped || lines.kind === 'usual') {
    for (const [field, compared] of compareLines(sent, found, places, areRegrouped)) note(field, compared);
  }
  return comparison;
}

interface StoredComparison {
  equal: string[];
  differing: string[];
  notCompared: string[];
}

/**
 * Compares an order as it was sent with what the service shows now, whichever machine created it. The customer's ID and
 * phone are compared separately. The name is not compared, since the service may show the one it has stored. The case of
 * a SKU, merged lines and a masked phone are not differences.
 */
export function compareStored(sent: Order, found: Order, places: FieldPlaces): StoredComparison {
  const stored: StoredComparison = { equal: [], differing: [], notCompared: [] };
  const { differences, notCompared, equal } = compareOrders(sent, found, places);
  const areMerged = holdsOnlySkus(orderLines(sent), orderLines(found));
  stored.equal.push(...equal);
  for (const { field } of differences)
    if (!isOfCustomer(field)) (field === 'items' && areMerged ? stored.equal : stored.differing).push(field);
  stored.notCompared.push(...notCompared.filter((field) => !isOfCustomer(field)));
  const shown = new Set<string>();
  for (const field of ['customer.externalCustomerId', 'customer.phone']) {
    const path = parseFieldPath(field);
    const [ours, theirs] = [shownText(valueAt(sent, path)), shownText(valueAt(found, path))];
    if (ours === undefined || theirs === undefined) continue;
    shown.add(field);
    const isSame = field === 'customer.phone' ? isPhoneShown(ours, theirs) : isTextShown(ours, theirs);
    (isSame ? stored.equal : stored.differing).push(field);
  }
  if (member(sent, 'customer') === undefined) return stored;
  if (shown.size === 0) stored.notCompared.push('customer');
  else stored.equal.push('customer');
  return stored;
}

function isOfCustomer(field: string): boolean {
  return field === 'customer' || field.startsWith('customer.');
}

function isPhoneShown(ours: string, theirs: string): boolean {
  return isSamePhone(ours, theirs) || isMaskedPhone(theirs, ours);
}

function isTextShown(ours: string, theirs: string): boolean {
  const fold = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').toLowerCase();
  return fold(ours) === fold(theirs);
}

/** Every SKU is there, and no other: the service may merge lines, and write SKUs in another case. */
function holdsOnlySkus(ours: Json[], theirs: Json[]): boolean {
  return theirs.length <= ours.length && holdsSkus(ours, theirs) && holdsSkus(theirs, ours);
}

const maxShown = 100;

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

function compareText(sent: Order, found: Order, field: 'collectionMode' | 'requestedDeliveryDate'): Compared {
  const [ours, theirs] = [member(sent, field), member(found, field)];
  const isSame = ours === theirs || (typeof theirs === 'string' && ours === plainText(theirs, field));
  return {
    agrees: theirs === undefined ? undefined : isSame,
    sent: jsonText(ours ?? null),
    shown: jsonText(theirs ?? null),
    kind: 'essential',
  };
}

function plainText(text: string, field: 'collectionMode' | 'requestedDeliveryDate'): string {
  return field === 'collectionMode' ? text.toUpperCase() : (dayOf(text) ?? text);
}

function compareMoney(sent: Order, found: Order, field: (typeof moneyFields)[number]): Compared {
  const shown = amountText(member(found, field));
  const ours = textField(sent, field);
  const kind = field === 'total' ? 'usual' : 'essential';
  return { agrees: sameMoney(ours, shown, field), sent: ours, shown, kind };
}

function sameMoney(ours: string | undefined, theirs: string | undefined, field: string): boolean | undefined {
  if (ours === undefined) return undefined;
  if (theirs === undefined) return isSameAmount(ours, '0') && field === 'collectionAmount' ? true : undefined;
  return isSameAmount(ours, theirs);
}

function amountText(value: Json | undefined): string | undefined {
  if (isJsonNumber(value)) return value.toString();
  return typeof value === 'string' ? value : undefined;
}

function compareSkus(sent: Order, found: Order): Compared {
  const ours = orderLines(sent);
  const theirs = orderLines(found);
  return {
    agrees: Array.isArray(member(found, 'items')) ? sameSkus(ours, theirs) : undefined,
    sent: listSkus(ours),
    shown: listSkus(theirs),
    kind: holdsSkus(ours, theirs) ? 'usual' : 'other',
  };
}

function sameSkus(ours: Json[], theirs: Json[]): boolean | undefined {
  if (ours.length !== theirs.length) return false;
  if (ours.some(carriesSku) && !theirs.some(carriesSku)) return undefined;
  return sortedSkus(ours) === sortedSkus(theirs);
}

/** Whether every SKU is there, in any case, and no fewer lines without one: the service may add or merge lines. */
function holdsSkus(ours: Json[], theirs: Json[]): boolean {
  const known = new Set(theirs.map(foldedSku));
  const countOther = (lines: Json[]) => lines.filter((line) => foldedSku(line) === '').length;
  return ours.every((line) => known.has(foldedSku(line))) && countOther(theirs) >= countOther(ours);
}

function foldedSku(line: Json): string {
  return textField(line, 'sku')?.toLowerCase() ?? '';
}

function listSkus(lines: Json[]): string {
  return lines.map((line) => textField(line, 'sku') ?? 'a line without a SKU').join(', ') || 'no lines';
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

function compareCustomers(sent: Order, found: Order): Compared {
  const ours = member(sent, 'customer');
  const theirs = member(found, 'customer');
  const externalId = textField(ours, 'externalCustomerId');
  const theirExternalId = textField(theirs, 'externalCustomerId');
  const phone = textField(ours, 'phone');
  const theirPhone = textField(theirs, 'phone');
  const isSame =
    (externalId !== undefined && externalId === theirExternalId) ||
    (phone !== undefined && theirPhone !== undefined && isSamePhone(phone, theirPhone));
  // The service may have matched an existing customer, and not show the external ID.
  const [value, theirValue] = externalId === undefined ? [phone, theirPhone] : [externalId, theirExternalId];
  const isShown = value !== undefined && theirValue !== undefined;
  const isMasked = externalId === undefined && isShown && isMaskedPhone(theirValue, value);
  return {
    agrees: isSame || (isShown ? false : undefined),
    sent: value,
    shown: theirValue,
    kind: isMasked ? 'usual' : 'other',
  };
}

/** The item first: lines without a SKU are matched by it. */
const lineFields: readonly UnnamedField[] = ['item', 'price', 'quantity'];
const orderFields = unnamedFields.filter((field) => !lineFields.includes(field));

const pathsByPlaces = new WeakMap<FieldPlaces, Record<UnnamedField, FieldPath>>();

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

function valueAt(value: Json | undefined, path: FieldPath): Json | undefined {
  let found = value;
  for (const segment of path) {
    if (found === undefined) return undefined;
    if (typeof segment === 'string') found = member(found, segment);
    else found = Array.isArray(found) ? found[segment ?? 0] : undefined;
  }
  return found;
}

/** The service may use the data of a known customer (interface section 4.1), so a difference there proves nothing. */
function compareValues(ours: string, theirs: string | undefined, place: string): Compared {
  const isOfCustomer = place.startsWith('customer.');
  const agrees = theirs === undefined || (isOfCustomer && ours !== theirs) ? undefined : ours === theirs;
  return { agrees, sent: ours, shown: theirs, kind: 'other' };
}

interface ComparedLine {
  key: string;
  line: Json;
  value: string | undefined;
}

/** `areRegrouped`: the service added or merged lines, or changed the case of a SKU. */
function compareLines(
  sent: Order,
  found: Order,
  places: FieldPlaces,
  areRegrouped: boolean,
): [field: string, Compared][] {
  const theirLines = orderLines(found);
  const showsSkus = theirLines.some(carriesSku);
  const skuOf = areRegrouped ? foldedSku : (line: Json) => textField(line, 'sku') ?? '';
  const toCompare = (line: Json): ComparedLine => ({
    key: showsSkus ? skuOf(line) : '',
    line,
    value: undefined,
  });
  const ours = orderLines(sent).map(toCompare);
  const theirs = theirLines.map(toCompare);
  const fields: [field: string, Compared][] = [];
  for (const field of lineFields) {
    const path = pathsOf(places)[field];
    for (const compared of ours) compared.value = lineValue(compared.line, field, path);
    if (ours.every(({ value }) => value === undefined)) continue;
    for (const compared of theirs) compared.value = lineValue(compared.line, field, path);
    const [oursNow, theirsNow] = areRegrouped ? mergeLines(ours, theirs, field) : [ours, theirs];
    const compared: Compared = {
      agrees: theirs.length === 0 ? undefined : sameLines(oursNow, theirsNow),
      sent: listValues(ours),
      shown: listValues(theirs),
      kind: 'other',
    };
    fields.push([places[field], compared]);
  }
  return fields;
}

function listValues(lines: readonly ComparedLine[]): string {
  return lines.map(({ value }) => value ?? '-').join(', ');
}

/** Lines with the same SKU are merged if the two sides have different numbers of them. */
function mergeLines(
  ours: readonly ComparedLine[],
  theirs: readonly ComparedLine[],
  field: UnnamedField,
): [ComparedLine[], ComparedLine[]] {
  const [sent, found] = [groupByKey(ours), groupByKey(theirs)];
  const isMerged = (key: string) => key !== '' && sent.get(key)?.length !== found.get(key)?.length;
  const merge = (groups: Map<string, ComparedLine[]>) =>
    [...groups].flatMap(([key, lines]) => (isMerged(key) ? [mergeLine(lines, field)] : lines));
  return [merge(sent), merge(found)];
}

/** Quantities are added; other values are kept only if all lines agree. */
function mergeLine(lines: readonly ComparedLine[], field: UnnamedField): ComparedLine {
  const [first] = lines as [ComparedLine];
  const values = lines.map(({ value }) => value);
  if (values.every((value) => value === first.value) && (lines.length === 1 || field !== 'quantity'))
    return { ...first };
  if (field !== 'quantity' || values.includes(undefined)) return { ...first, value: undefined };
  const sum = createSum();
  for (const value of values) sum.add(value);
  const areWhole = values.every((value) => isDecimal(value ?? ''));
  return { ...first, value: areWhole ? sum.value() : values.join(' + ') };
}

function lineValue(line: Json, field: UnnamedField, path: FieldPath): string | undefined {
  // The service names a product by its catalogue.
  if (field === 'item' && textField(line, 'sku') !== undefined) return undefined;
  const text = shownText(valueAt(line, path));
  return text === undefined || field === 'item' ? text : amountOf(text);
}

/** Among lines with the same key; undefined if some values may not be shown. */
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

function shownText(value: Json | undefined): string | undefined {
  return amountText(value)?.trim() || undefined;
}
