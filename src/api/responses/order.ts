import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { hasOrderField, type Order, textField } from '../../orders/order.ts';
import { isUuid } from '../../orders/order-reference.ts';
import { parseTime, readWord } from '../../orders/shown-values.ts';
import { isErrorBody, isOrderLike } from './error-body.ts';

/** An order with the ID that the service assigned (interface section 2.1). */
export interface ServiceOrder {
  id: string;
  order: Order;
}

const maxEnvelopes = 3;
const envelopeNames = ['data', 'order', 'merchantOrder', 'result', 'payload', 'item', 'response', 'body'];
/** Members that may look like an order, but are not one that exists. */
const otherNames = new Set(['delivery', 'request', 'input', 'error', 'errors']);

/** The interface defines no envelope (sections 4.1, 4.2): bare or in usual envelopes. Undefined for an error. */
export function readOrder(body: Json | undefined): ServiceOrder | undefined {
  const order = findOrder(body, maxEnvelopes);
  const id = idOf(order);
  return order === undefined || id === undefined ? undefined : { id, order };
}

/** Unwraps an item of a list, such as the `node` of an edge. */
export function readListedOrder(item: JsonObject): Order {
  if (hasOrderField(item) || !Object.values(item).some(isJsonObject)) return item;
  const inner = member(item, 'node');
  const order = withAttributes(isJsonObject(inner) ? inner : item);
  if (isOrderLike(order)) return order;
  const nested = findOrder(order, maxEnvelopes);
  return idOf(order) !== undefined && !isOrderLike(nested) ? order : (nested ?? order);
}

function findOrder(value: Json | undefined, levels: number): JsonObject | undefined {
  if (Array.isArray(value)) return findOnlyOrder(value, levels);
  if (!isJsonObject(value)) return undefined;
  const object = withAttributes(value);
  const isNumbered = textField(object, 'orderNumber') !== undefined;
  if (isErrorBody(object) && (!isNumbered || member(object, 'success') === false)) return undefined;
  const hasId = idOf(object) !== undefined;
  const isNamed = textField(object, 'externalOrderId') !== undefined;
  if (isNumbered || (isNamed && hasId)) return object;
  // An envelope may have an id, so its content comes first.
  const inside = levels === 0 ? undefined : findNamed(object, levels - 1);
  if (isOrderLike(inside)) return inside;
  if (isNamed || (isOrderLike(object) && hasId)) return object;
  const other = inside ?? (levels === 0 ? undefined : findNumbered(object, levels - 1));
  return other ?? (hasId && !isSomethingElse(object) ? object : undefined);
}

/** An envelope, a page, a customer or an order line. */
function isSomethingElse(object: JsonObject): boolean {
  const has = (name: string) => member(object, name) !== undefined;
  const contents = [...envelopeNames, 'orders', 'results'].map((name) => member(object, name));
  if (contents.some((content) => typeof content === 'object')) return true;
  const items = member(object, 'items');
  // Lines of an order would have shown it to be an order.
  const isPage = Array.isArray(items) && (items.length > 0 || ['page', 'count', 'total'].some(has));
  return isPage || ['sku', 'phone', 'externalCustomerId'].some(has);
}

/** A list with one order. It must show an external order ID: a create may return a list of other orders. */
function findOnlyOrder(list: Json[], levels: number): JsonObject | undefined {
  const order = list.length === 1 && levels > 0 ? findOrder(list[0], levels - 1) : undefined;
  return textField(order, 'externalOrderId') === undefined ? undefined : order;
}

function findNamed(envelope: JsonObject, levels: number): JsonObject | undefined {
  const found = envelopeNames
    .map((name) => findOrder(member(envelope, name), levels))
    .filter((order) => order !== undefined);
  const orders = found.filter(isOrderLike);
  if (orders.length === 0) return found[0];
  return isOneOrder(orders) ? orders[0] : undefined;
}

/** Under any other name, only an order number shows that it is an order. */
function findNumbered(envelope: JsonObject, levels: number): JsonObject | undefined {
  const found = Object.entries(envelope)
    .filter(([name, value]) => !envelopeNames.includes(name) && !otherNames.has(name) && isJsonObject(value))
    .map(([, value]) => findOrder(value, levels))
    .filter((order) => order !== undefined)
    .filter((order) => textField(order, 'orderNumber') !== undefined);
  return isOneOrder(found) ? found[0] : undefined;
}

function isOneOrder(orders: readonly JsonObject[]): boolean {
  return new Set(orders.map(idOf)).size === 1;
}

/** JSON:API and Strapi keep the fields under `attributes`, beside an id that may be another one. */
function withAttributes(object: JsonObject): JsonObject {
  const attributes = member(object, 'attributes');
  if (!isJsonObject(attributes) || isOrderLike(object)) return object;
  const { attributes: _attributes, ...rest } = object;
  const id = textField(attributes, 'id') ?? textField(rest, 'id') ?? attributes.id ?? rest.id;
  return { ...rest, ...attributes, ...(id === undefined ? {} : { id }) };
}

const idShape = /^\P{Cc}{1,200}$/u;

/** A number keeps its digits, as text: it may be longer than those of JavaScript. */
export function idOf(order: Json | undefined): string | undefined {
  const value = member(order, 'id');
  const id = isJsonNumber(value) && /^\d+$/.test(`${value}`) ? `${value}` : value;
  return typeof id === 'string' && idShape.test(id) ? id : undefined;
}

/** Milliseconds since the epoch; undefined if the order does not show it as a time with a zone. */
export function createdAt(order: Order): number | undefined {
  return parseTime(textField(order, 'createdAt') ?? '');
}

/** True if the order shows this external order ID, or none. */
export function mayHaveExternalId(order: Order, externalOrderId: string | undefined): boolean {
  const theirs = member(order, 'externalOrderId') ?? null;
  return theirs === null || externalOrderId === undefined || theirs === externalOrderId;
}

/** UUIDs may differ in case. */
export function isSameId(one: string, other: string): boolean {
  return one === other || (isUuid(one) && one.toLowerCase() === other.toLowerCase());
}

/** The only assumption about a status: `CANCELLED` or `CANCELED`, in any case. */
export function isCancelled({ order }: ServiceOrder): boolean {
  return readWord(member(order, 'status'), ['CANCELLED', 'CANCELED']) !== undefined;
}

export function nameOf({ id, order }: ServiceOrder): string {
  return textField(order, 'orderNumber') ?? id;
}

/** For a command line: the number, or the ID if a shell would interpret the number. */
export function wordFor({ id, order }: ServiceOrder): string {
  const number = textField(order, 'orderNumber') ?? '';
  return /^\w[\w.-]*$/.test(number) ? number : id;
}
