import { t } from '../advice/advice.ts';
import { cleanCell } from '../clean-text.ts';
import { CliError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject, jsonText, member } from '../orders/json.ts';

export interface Field {
  path: string;
  text: string;
}

const indexSegment = /^\[(\d+)\]/;
const nameSegment = /^[^.[]+/;

export function flattenFields(record: JsonObject): Field[] {
  return flatten(record, '');
}

/** Empty for a column that the record lacks; objects and arrays are JSON. */
export function pickCells(record: JsonObject, columns: string[]): string[] {
  return columns.map((path) => cellText(valueAt(record, path) ?? null));
}

const every = 'all';

/** Undefined for the default columns. */
export function chosenColumns(
  columns: readonly string[] | undefined,
  records: readonly JsonObject[],
): string[] | undefined {
  if (!columns?.includes(every)) return columns && [...columns];
  return [...new Set(records.flatMap((record) => flattenFields(record).map(({ path }) => path)))];
}

/** Columns that are valid although these orders lack them (interface sections 2.1, 2.2 and 4.3). */
const statedColumns = [
  'id',
  'orderNumber',
  'externalOrderId',
  'status',
  'customer.phone',
  'customer.externalCustomerId',
  'items',
  'collectionMode',
  'collectionAmount',
  'total',
  'requestedDeliveryDate',
  'createdAt',
  'delivery',
  'delivery.status',
];
const maxListed = 40;

/** Whether these names are valid for any order. */
export function areStatedColumns(columns: readonly string[] = []): boolean {
  return columns.every((path) => path === every || statedColumns.includes(path));
}

/** Error: `usage`, for a name that none of these orders has. */
export function checkOrderColumns(
  columns: readonly string[] | undefined,
  orders: readonly JsonObject[],
): void {
  if (columns === undefined) return;
  const isKnown = (path: string) =>
    path === every ||
    statedColumns.includes(path) ||
    orders.some((order) => valueAt(order, path) !== undefined);
  const unknown = columns.find((path) => !isKnown(path));
  if (unknown === undefined) return;
  const paths = orders.flatMap((order) => flattenFields(order).map(({ path }) => path));
  const names = [...new Set([...statedColumns, ...paths])];
  const listed = names.slice(0, maxListed).join(', ');
  throw new CliError('usage', t`Orders have no field "${unknown}".`, {
    hint:
      names.length > maxListed
        ? t`The fields for --columns are: ${listed}, ..., or all.`
        : t`The fields for --columns are: ${listed}, or all.`,
  });
}

function flatten(value: Json, path: string): Field[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => flatten(item, `${path}[${index}]`));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => {
      // Cleaned before it is joined: an unfinished escape sequence would remove what follows it in the path.
      const name = cleanCell(key);
      return flatten(item, path === '' ? name : `${path}.${name}`);
    });
  }
  return path === '' ? [] : [{ path, text: cellText(value) }];
}

function cellText(value: Json): string {
  return value === null ? '' : jsonText(value);
}

function valueAt(value: Json | undefined, path: string): Json | undefined {
  if (path === '' || value === undefined) return value;
  const [segment = '', index] = (Array.isArray(value) ? indexSegment : nameSegment).exec(path) ?? [];
  const rest = path.slice(segment.length).replace(/^\./, '');
  if (Array.isArray(value)) return valueAt(value[Number(index)], rest);
  // A key may contain a dot: `meta["a.b"]` is shown as `meta.a.b`.
  return member(value, path) ?? valueAt(member(value, segment), rest);
}
