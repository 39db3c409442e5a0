import { amountOf, createSum, isDecimal, isSameAmount, isZeroDecimal } from './decimal.ts';
import { type FieldPath, parseFieldPath } from './field-path.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject, jsonText, member } from './json.ts';
import { collectionModes, moneyFields, type Order, orderLines, textField } from './order.ts';
import { isMasked, isMaskedPhone, isSamePhone, possiblePhone } from './phone.ts';
import { isHundredfold, readAmount, readDay, readWord } from './shown-values.ts';
import { type FieldPaths, type UnnamedField, unnamedFields } from './unnamed-fields.ts';

interface Comparison {
  differences: Difference[];
  equal: string[];
  notCompared: string[];
  /** Those of them that the service shows, in a form that has no single reading. */
  unread: string[];
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

/** `agrees` is undefined when that is not shown, or in a form that has no single reading. */
interface Compared {
  agrees: boolean | undefined;
  sent: string | undefined;
  shown: string | undefined;
  kind: Difference['kind'];
}

/**
 * Compares the fields of interface section 2.2, and those that it does not name at their `fieldPaths`, where the response
 * shows them: money and numbers by value, lines by SKU in any order. A field that was not sent never differs, since the
 * service may normalise and add.
 */
export function compareOrders(sent: Order, found: Order, fieldPaths: FieldPaths): Comparison {
  const comparison: Comparison = { differences: [], equal: [], notCompared: [], unread: [] };
  const note = (field: string, { agrees, sent = '', shown, kind }: Compared) => {
    if (agrees === undefined) {
      comparison.notCompared.push(field);
      if (shown !== undefined) comparison.unread.push(field);
    } else if (agrees) comparison.equal.push(field);
    else comparison.differences.push({ field, sent: shorten(sent), shown: shorten(shown ?? ''), kind });
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
  const paths = pathsOf(fieldPaths);
  for (const field of orderFields) {
    const ours = shownText(valueAt(sent, paths[field]));
    if (ours === undefined) continue;
    note(fieldPaths[field], compareValues(ours, shownText(valueAt(found, paths[field])), fieldPaths[field]));
  }
  const areRegrouped = lines.agrees === false;
  if (!areRegrouped || lines.kind === 'usual') {
    for (const [field, compared] of compareLines(sent, found, fieldPaths, areRegrouped))
      note(field, compared);
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
export function compareStored(sent: Order, found: Order, fieldPaths: FieldPaths): StoredComparison {
  const stored: StoredComparison = { equal: [], differing: [], notCompared: [] };
  const { differences, notCompared, equal } = compareOrders(sent, found, fieldPaths);
  const areMerged = holdsOnlySkus(orderLines(sent), orderLines(found));
  stored.equal.push(...equal);
  for (const { field } of differences)
    if (!isOfCustomer(field)) (field === 'items' && areMerged ? stored.equal : stored.differing).push(field);
  stored.notCompared.push(...notCompared.filter((field) => !isOfCustomer(field)));
  const shown = new Set<string>();
  for (const field of ['customer.externalCustomerId', 'customer.phone']) {
    const path = parseFieldPath(field);
    const [ours, value] = [shownText(valueAt(sent, path)), valueAt(found, path)];
    if (ours === undefined) continue;
    const isSame = field === 'customer.phone' ? isPhoneShown(ours, value) : isTextShown(ours, value);
    if (isSame === undefined) continue;
    shown.add(field);
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

const maxPhoneLength = 100;

/** Undefined for a text that is no phone, such as a code for it. */
function comparePhones(ours: string, value: Json | undefined): 'same' | 'masked' | 'other' | undefined {
  const text = shownText(value) ?? '';
  if (isSamePhone(ours, text)) return 'same';
  if (isMaskedPhone(text, ours)) return 'masked';
  const theirs = possiblePhone(text.slice(0, maxPhoneLength));
  if (theirs === undefined) return isMasked(text) ? 'other' : undefined;
  return isSamePhone(ours, theirs) ? 'same' : 'other';
}

function isPhoneShown(ours: string, value: Json | undefined): boolean | undefined {
  const compared = comparePhones(ours, value);
  return compared && compared !== 'other';
}

function isTextShown(ours: string, value: Json | undefined): boolean | undefined {
  const theirs = shownText(value);
  if (theirs === undefined) return undefined;
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

function textOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : jsonText(value);
}

const readers = {
  collectionMode: (value: Json | undefined) => readWord(value, collectionModes),
  requestedDeliveryDate: readDay,
};

function compareText(sent: Order, found: Order, field: keyof typeof readers): Compared {
  const [ours, theirs] = [member(sent, field), member(found, field)];
  const read = readers[field](theirs);
  return {
    agrees: (theirs !== undefined && theirs === ours) || (read === undefined ? undefined : read === ours),
    sent: jsonText(ours ?? null),
    shown: textOf(theirs),
    kind: 'essential',
  };
}

function compareMoney(sent: Order, found: Order, field: (typeof moneyFields)[number]): Compared {
  const [ours, theirs] = [textField(sent, field), member(found, field)];
  const kind = field === 'total' ? 'usual' : 'essential';
  return { agrees: sameMoney(ours, theirs, field), sent: ours, shown: textOf(theirs), kind };
}

function sameMoney(ours: string | undefined, theirs: Json | undefined, field: string): boolean | undefined {
  if (ours === undefined) return undefined;
  const isNotShown = theirs === undefined || theirs === null;
  if (isNotShown) return (field === 'collectionAmount' && isZeroDecimal(ours)) || undefined;
  if (theirs === ours) return true;
  const read = readAmount(theirs);
  if (read === undefined) return undefined;
  // A number may count hundredths; the decimal text of interface section 2.4 may not.
  const mayCountHundredths = typeof theirs !== 'string' && isHundredfold(read, amountOf(ours));
  return mayCountHundredths && !isZeroDecimal(ours) ? undefined : isSameAmount(read, ours);
}

function compareSkus(sent: Order, found: Order): Compared {
  const ours = orderLines(sent);
  const theirs = orderLines(found);
  return {
    agrees: Array.isArray(member(found, 'items')) ? sameSkus(ours, theirs) : undefined,
    sent: listSkus(ours),
    shown: textOf(member(found, 'items')) && listSkus(theirs),
    kind: holdsSkus(ours, theirs) ? 'usual' : 'other',
  };
}

function sameSkus(ours: Json[], theirs: Json[]): boolean | undefined {
  if (theirs.some(hidesSku)) return undefined;
  if (ours.some(carriesSku) && theirs.length > 0 && !theirs.some(carriesSku)) return undefined;
  if (ours.length !== theirs.length) return false;
  return sortedSkus(ours) === sortedSkus(theirs);
}

/** Whether every SKU is there, in any case, and no fewer lines without one: the service may add or merge lines. */
function holdsSkus(ours: Json[], theirs: Json[]): boolean {
  const known = new Set(theirs.map(foldedSku));
  const countOther = (lines: Json[]) => lines.filter((line) => foldedSku(line) === '').length;
  return ours.every((line) => known.has(foldedSku(line))) && countOther(theirs) >= countOther(ours);
}

function foldedSku(line: Json): string {
  return skuOf(line)?.toLowerCase() ?? '';
}

function listSkus(lines: Json[]): string {
  return lines.map((line) => skuOf(line) ?? 'a line without a SKU').join(', ') || 'no lines';
}

function carriesSku(line: Json): boolean {
  return member(line, 'sku') !== undefined || skuOf(line) !== undefined;
}

/** A SKU in a form that cannot be read. */
function hidesSku(line: Json): boolean {
  const sku = member(line, 'sku') ?? null;
  return sku !== null && skuOf(line) === undefined;
}

/** Of the line, or of the only product in it: a text, a number, or the code of an object. */
function skuOf(line: Json): string | undefined {
  const own = member(line, 'sku');
  if (own !== undefined && own !== null) return shownText(isJsonObject(own) ? codeOf(own) : own);
  if (!isJsonObject(line)) return undefined;
  const [product, ...others] = Object.values(line).filter((value) => member(value, 'sku') !== undefined);
  return others.length === 0 ? shownText(member(product, 'sku')) : undefined;
}

function codeOf(object: JsonObject): Json | undefined {
  return ['code', 'sku', 'value'].map((name) => member(object, name)).find((value) => value !== undefined);
}

function sortedSkus(lines: Json[]): string {
  return lines
    .map((line) => skuOf(line) ?? '')
    .sort()
    .join('\n');
}

function compareCustomers(sent: Order, found: Order): Compared {
  const ours = member(sent, 'customer');
  const theirs = member(found, 'customer');
  const [externalId, phone] = [textField(ours, 'externalCustomerId'), textField(ours, 'phone')];
  const theirId = shownText(member(theirs, 'externalCustomerId'));
  const theirPhone = member(theirs, 'phone');
  const phones = phone === undefined ? undefined : comparePhones(phone, theirPhone);
  const isSame = (externalId !== undefined && externalId === theirId) || phones === 'same';
  // The service may have matched an existing customer, and not show the external ID.
  const isOther = externalId === undefined ? phones !== undefined : theirId !== undefined;
  return {
    agrees: isSame || (isOther ? false : undefined),
    sent: externalId ?? phone,
    shown: externalId === undefined ? textOf(theirPhone) : theirId,
    kind: externalId === undefined && phones === 'masked' ? 'usual' : 'other',
  };
}

/** The item first: lines without a SKU are matched by it. */
const lineFields: readonly UnnamedField[] = ['item', 'price', 'quantity'];
const orderFields = unnamedFields.filter((field) => !lineFields.includes(field));

const segmentsByFieldPaths = new WeakMap<FieldPaths, Record<UnnamedField, FieldPath>>();

function pathsOf(fieldPaths: FieldPaths): Record<UnnamedField, FieldPath> {
  const known = segmentsByFieldPaths.get(fieldPaths);
  if (known !== undefined) return known;
  const entries = unnamedFields.map((field) => {
    const path = parseFieldPath(fieldPaths[field]);
    return [field, lineFields.includes(field) ? path.slice(2) : path];
  });
  const paths = Object.fromEntries(entries) as Record<UnnamedField, FieldPath>;
  segmentsByFieldPaths.set(fieldPaths, paths);
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
  fieldPaths: FieldPaths,
  areRegrouped: boolean,
): [field: string, Compared][] {
  const theirLines = orderLines(found);
  const showsSkus = theirLines.some(carriesSku);
  const keyOf = areRegrouped ? foldedSku : (line: Json) => skuOf(line) ?? '';
  const toCompare = (line: Json): ComparedLine => ({
    key: showsSkus ? keyOf(line) : '',
    line,
    value: undefined,
  });
  const ours = orderLines(sent).map(toCompare);
  const theirs = theirLines.map(toCompare);
  const fields: [field: string, Compared][] = [];
  for (const field of lineFields) {
    const path = pathsOf(fieldPaths)[field];
    for (const compared of ours) compared.value = lineValue(compared.line, field, path);
    if (ours.every(({ value }) => value === undefined)) continue;
    for (const compared of theirs) compared.value = lineValue(compared.line, field, path);
    const [oursNow, theirsNow] = areRegrouped ? mergeLines(ours, theirs, field) : [ours, theirs];
    const compared: Compared = {
      agrees: theirs.length === 0 ? undefined : sameLines(oursNow, theirsNow),
      sent: listValues(ours),
      shown: theirs.some(({ line }) => textOf(valueAt(line, path))) ? listValues(theirs) : undefined,
      kind: 'other',
    };
    fields.push([fieldPaths[field], compared]);
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
  if (field === 'item' && skuOf(line) !== undefined) return undefined;
  const value = valueAt(line, path);
  return field === 'item' ? shownText(value) : readAmount(value);
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
  const text = isJsonNumber(value) ? value.toString() : value;
  return typeof text === 'string' ? text.trim() || undefined : undefined;
}
