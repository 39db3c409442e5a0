import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { hasInterfaceField, hasOrderField, type Order, textField } from '../../orders/order.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { isErrorBody, isOrderLike } from './error-body.ts';
import { saysFailure } from './failure-signs.ts';
import { idOf, readListedOrder } from './order.ts';

/**
 * `empty`: an empty array, which proves that no order matches; `nothing`: null, an empty object or text in its place, which
 * proves nothing; `unstated`: no list at all, so only a count of 0 shows that it is empty.
 */
export interface OrderList {
  form: 'orders' | 'empty' | 'nothing' | 'unstated';
  orders: Order[];
  /** The objects that it is in, innermost first. */
  around: JsonObject[];
}

interface Place {
  name: string;
  value: Json;
  around: JsonObject[];
  level: number;
  list: Listed | undefined;
}

/** `hasOrders`: at least one has a field that only orders have. */
interface Listed {
  orders: Order[];
  hasOrders: boolean;
}

type ListPlace = Place & { list: Listed };

const maxLevels = 4;
/** A search may return partial results with a success status. */
const partialNames = ['timed_out', 'incomplete_results', 'partial'];
const orderListName = /orders?(?:list|page)?$|захиалг/i;
/** The only other names where nothing is an empty list: anywhere else it is a fact about the page. */
const usualName =
  /^(?:d|data|items|results?|content|records|rows|list|docs|values?|entries|payload|response|body)$/i;

/**
 * The interface defines no envelope (section 4.3): a list is an array of objects with an ID and a field of an order, whatever
 * its name, at most four levels deep, or groups of them. Undefined when there is none but other objects, when several could be it, and for words
 * of failure beside no orders.
 */
export function findOrderList(body: Json): OrderList | undefined {
  const isPartial = partialNames.some((name) => member(body, name) === true);
  if (isPartial || (isJsonObject(body) && isOrder(body))) return undefined;
  const places = placesIn(createPlace('', body, [], 0));
  const lists = places.filter((place): place is ListPlace => place.list !== undefined);
  const emptyArrays = places.filter(({ value }) => Array.isArray(value) && value.length === 0);
  const isOtherList = places.some(hasOtherObjects);
  const namedEmpty = emptyArrays.find(({ name }) => orderListName.test(name));
  const isOtherNamed = places.some((place) => isListName(place.name) && hasOtherObjects(place));
  const usualEmpty = isOtherNamed ? undefined : emptyArrays.find(({ name }) => isListName(name));
  const strong = lists.filter(({ list }) => list.hasOrders);
  // Beside an empty list, other things have IDs and a status, too.
  const weak = usualEmpty === undefined ? lists : lists.filter(({ name }) => isListName(name));
  const full = strong.length > 0 ? strong : namedEmpty === undefined ? weak : [];
  if (full.length > 0) {
    const found = onlyOf(full);
    return found && { form: 'orders', orders: found.list.orders, around: found.around };
  }
  if (saysFailure(body)) return undefined;
  const empty = namedEmpty ?? usualEmpty ?? (isOtherList ? undefined : emptyArrays[0]);
  if (empty !== undefined) return { form: 'empty', orders: [], around: empty.around };
  if (isOtherList) return undefined;
  const nothing = places.find(isNothing);
  const around = nothing?.around ?? (isJsonObject(body) ? [body] : []);
  return { form: nothing === undefined ? 'unstated' : 'nothing', orders: [], around };
}

/** A success response with nothing where one order should be, such as `{"data":null}`. */
export function holdsNothing({ status, body, text }: ServiceResponse): boolean {
  if (status === 204 || text.trim() === '') return status < 300;
  return status < 300 && body !== undefined && ['empty', 'nothing'].includes(findOrderList(body)?.form ?? '');
}

function isListName(name: string): boolean {
  return name === '' || usualName.test(name) || orderListName.test(name);
}

/** The outermost of several, or the one that is named as a list of orders. */
function onlyOf(lists: readonly ListPlace[]): ListPlace | undefined {
  const level = lists.reduce((least, place) => Math.min(least, place.level), maxLevels);
  const outermost = lists.filter((place) => place.level === level);
  const [only, ...more] = outermost;
  if (more.length === 0) return only;
  const named = outermost.filter(({ name, list }) => !list.hasOrders && orderListName.test(name));
  return named.length === 1 ? named[0] : undefined;
}

/** Errors, links, echoes of the request, and counts by another property. */
const otherName =
  /^(?:hydra:search|_?links?|filters?|quer(?:y|ies)|params|criteria|search_?criteria|request|included|facets?|aggregations?|sort|order_?by|columns|fields|cols|schema|warnings?|errors?|messages?|notices?|exceptions?)$/i;

/** This value and those in it that may be a list, breadth first. */
function placesIn(body: Place): Place[] {
  const places = [body];
  // The array grows while it is read.
  for (const place of places) for (const within of inside(place)) places.push(within);
  return places;
}

function inside(place: Place): Place[] {
  const { name, value, around, level, list: listed } = place;
  if (level === maxLevels || listed !== undefined) return [];
  const child = (name: string, value: Json, around: JsonObject[]) =>
    createPlace(name, value, around, level + 1);
  if (Array.isArray(value)) {
    const [only, total] = value;
    // A list and its total.
    if (value.length === 2 && Array.isArray(only) && isJsonNumber(total))
      return [child(name, only, [{ total }, ...around])];
    // The single result of an aggregation.
    const isWrapper = isJsonObject(only) && Object.values(only).every((item) => typeof item === 'object');
    return value.length === 1 && isWrapper ? [child(name, only, around)] : [];
  }
  if (!isJsonObject(value) || isOrder(value) || isErrorBody(value)) return [];
  const within = [value, ...around];
  const list = listOfMembers(name, value);
  if (list !== undefined) return [child(name, list, within)];
  return Object.entries(value)
    .filter(([key]) => !otherName.test(key))
    .map(([key, item]) => child(key, item, within));
}

/** Objects by number or key, as PHP writes a filtered array; lists by day or status; or the only `order` of `orders`, as XML becomes JSON. */
function listOfMembers(name: string, object: JsonObject): Json[] | undefined {
  const entries = Object.entries(object);
  const areKeyed =
    entries.length > 0 && entries.every(([key, value]) => /\d/.test(key) && isJsonObject(value));
  if (areKeyed) return entries.map(([, value]) => value);
  const areGroups =
    isListName(name) &&
    entries.every(([key, value]) => Array.isArray(value) && (name !== '' || /\d/.test(key)));
  const grouped = areGroups ? entries.flatMap(([, value]) => value as Json[]) : [];
  if (entries.length > 1 && grouped.length > 0 && grouped.every(isListed)) return grouped;
  const single = entries.find(([key]) => `${key}s`.toLowerCase() === name.toLowerCase())?.[1];
  return isJsonObject(single) ? [single] : undefined;
}

function createPlace(name: string, value: Json, around: JsonObject[], level: number): Place {
  return { name, value, around, level, list: readItems(value, around) };
}

function readItems(value: Json, around: readonly JsonObject[]): Listed | undefined {
  const orders = Array.isArray(value) ? value.filter(isJsonObject).map(readListedOrder) : [];
  const hasOrders = orders.some(isOrderLike);
  // Objects in an object with an ID are parts of it.
  const haveIds = idOf(around[0]) === undefined && orders.some(isListed);
  return hasOrders || haveIds ? { orders, hasOrders } : undefined;
}

function isListed(item: Json): boolean {
  return isOrderLike(item) || (idOf(item) !== undefined && hasInterfaceField(item));
}

function hasOtherObjects(place: Place): boolean {
  return Array.isArray(place.value) && place.value.some(isJsonObject) && inside(place).length === 0;
}

function isNothing({ name, value, level }: Place): boolean {
  const isEmpty = value === null || value === '' || (isJsonObject(value) && Object.keys(value).length === 0);
  return isEmpty && (level === 0 || usualName.test(name) || orderListName.test(name));
}

export function isOrder(object: JsonObject): boolean {
  const isNamed = ['orderNumber', 'externalOrderId'].some((name) => textField(object, name) !== undefined);
  return isNamed || (idOf(object) !== undefined && hasOrderField(object));
}
