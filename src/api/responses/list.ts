import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { hasOrderField, isErrorBody, isOrderLike } from './error-body.ts';
import { saysFailure } from './failure-signs.ts';
import { idOf, readListedOrder } from './order.ts';

interface OrderList {
  orders: Order[];
  around: JsonObject[];
}

const listNames = [
  ...['data', 'items', 'orders', 'merchantOrders', 'results', 'result', 'content', 'records', 'rows', 'list'],
  ...['docs', 'documents', 'hits', 'member', 'hydra:member', 'value', 'values', 'entries', 'objects'],
  ...['nodes', 'edges', 'elements', 'entities', 'resources', 'payload', 'response', 'body'],
];
const maxLevels = 3;

interface Place {
  list: Json | undefined;
  around: JsonObject[];
}

/**
 * The interface defines no envelope (section 4.3): a list under a usual name, or else the only list of orders. Strict
 * about an empty list, which proves that an order does not exist. `isEmptyPage`: whether a page without a list states
 * that it is empty.
 */
export function findOrderList(
  body: Json | undefined,
  isEmptyPage: (around: readonly JsonObject[]) => boolean,
): OrderList | undefined {
  if (body === null) return { orders: [], around: [] };
  if (Array.isArray(body)) return readList({ list: body, around: [] });
  if (!isJsonObject(body) || isPartial(body)) return undefined;
  const named = listsIn([body], maxLevels);
  const listWith = (isFound: (item: Json) => boolean) =>
    named.find(({ list }) => Array.isArray(list) && list.some(isFound));
  const full = listWith(isOrderItem) ?? listWith(hasId) ?? embeddedList(body);
  if (full !== undefined) return readList(full);
  const others = listsOfObjects(body);
  const [only, ...more] = others.filter(({ list }) => list.some(isOrderItem));
  if (only !== undefined) return more.length === 0 ? readList(only) : undefined;
  const unread = named.find(({ list }) => Array.isArray(list) && list.length > 0);
  if (unread !== undefined) return readList(unread);
  // Go writes an empty list as null, Spring omits it.
  const empty = named.find(({ list }) => Array.isArray(list)) ?? named.find(({ list }) => list === null);
  const isNone =
    others.length === 0 &&
    !isOrder(body) &&
    (hasEmptyOrders(body) || [body, ...withEmptyList(body)].some((page) => isEmptyPage([page])));
  if ((empty === undefined && !isNone) || saysFailure(body)) return undefined;
  return { orders: [], around: empty?.around ?? [body] };
}

/** A list without any object is not a list of orders. */
function readList({ list, around }: Place): OrderList | undefined {
  if (!Array.isArray(list)) return undefined;
  const objects = list.filter(isJsonObject);
  if (objects.length === 0 && list.length > 0) return undefined;
  return { orders: objects.map(readListedOrder), around };
}

/** Outermost first. */
function listsIn(around: JsonObject[], levels: number): Place[] {
  const [object = {}] = around;
  // The lists in an order are not lists of orders.
  if (isOrder(object) || isErrorBody(object)) return [];
  const here = listNames.map((name) => ({ list: member(object, name), around }));
  const inside = [...here, { list: member(object, '_embedded'), around }];
  const deeper = inside.flatMap(({ list }) =>
    isJsonObject(list) && levels > 1 ? listsIn([list, ...around], levels - 1) : [],
  );
  return [...here, ...deeper];
}

function isOrder(object: JsonObject): boolean {
  const isNamed = ['orderNumber', 'externalOrderId'].some((name) => textField(object, name) !== undefined);
  return isNamed || (idOf(object) !== undefined && hasOrderField(object));
}

function isOrderItem(item: Json): boolean {
  return isJsonObject(item) && isOrderLike(readListedOrder(item));
}

function hasId(item: Json): boolean {
  return isJsonObject(item) && idOf(readListedOrder(item)) !== undefined;
}

/** HAL: `_embedded` holds the list, whatever its name. */
function embeddedList(body: JsonObject): Place | undefined {
  const embedded = member(body, '_embedded');
  if (!isJsonObject(embedded)) return undefined;
  const lists = Object.values(embedded).filter((value) => Array.isArray(value));
  const [list] = lists;
  if (
    list === undefined ||
    lists.length > 1 ||
    !(list.length === 0 || list.some((item) => isOrderItem(item) || hasId(item)))
  )
    return undefined;
  return { list, around: [embedded, body] };
}

/** Lists of objects within two levels, perhaps warnings; without links. */
function listsOfObjects(body: JsonObject): { list: JsonObject[]; around: JsonObject[] }[] {
  if (isOrder(body)) return [];
  const inner = Object.values(body)
    .filter(isJsonObject)
    .filter((object) => !isOrder(object) && !isErrorBody(object));
  return [[body], ...inner.map((object) => [object, body])].flatMap((around) =>
    Object.entries(around[0] ?? {}).flatMap(([name, list]) =>
      name !== 'links' && Array.isArray(list) && list.length > 0 && list.every(isJsonObject)
        ? [{ list, around }]
        : [],
    ),
  );
}

function hasEmptyOrders(body: JsonObject): boolean {
  return Object.entries(body).some(([name, value]) => {
    return (
      /orders?(?:list|page)?$/i.test(name) && (value === null || (Array.isArray(value) && value.length === 0))
    );
  });
}

function withEmptyList(body: JsonObject): JsonObject[] {
  const isEmptyList = (value: Json) => Array.isArray(value) && value.length === 0;
  return Object.values(body)
    .filter(isJsonObject)
    .filter((object) => !isOrder(object) && !isErrorBody(object) && Object.values(object).some(isEmptyList));
}

const partialNames = ['timed_out', 'incomplete_results', 'partial'];

/** Search engines return partial results with a success status. */
function isPartial(body: JsonObject): boolean {
  const failed = member(member(body, '_shards'), 'failed');
  return (
    partialNames.some((name) => member(body, name) === true) || (isJsonNumber(failed) && `${failed}` !== '0')
  );
}
