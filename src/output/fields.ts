import { t } from '../advice/advice.ts';
import { cleanCell } from '../clean-text.ts';
import { CliError } from '../errors.ts';
import { amountOf } from '../orders/decimal.ts';
import { isJsonObject, type Json, type JsonObject, jsonText, member } from '../orders/json.ts';
import { defaultPaths, type FieldPaths, type UnnamedField } from '../orders/unnamed-fields.ts';

export interface Field {
  path: string;
  text: string;
}

const indexSegment = /^\[(\d+)\]/;
const nameSegment = /^[^.[]+/;

export function flattenFields(record: JsonObject): Field[] {
  return flatten(record, '');
}

/** Any text of these fields. Case and forms of a letter, such as й in two characters, do not matter. */
export function textFilter(
  search: string,
  isSearched: (path: string) => boolean = () => true,
): (order: JsonObject) => boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase();
  const wanted = fold(search);
  return (order) =>
    flattenFields(order).some(({ path, text }) => isSearched(path) && fold(text).includes(wanted));
}

/** Empty for a column that the record lacks. Lines of an order are as a person reads them, other objects and arrays JSON. */
export function pickCells(
  record: JsonObject,
  columns: readonly string[],
  fieldPaths: FieldPaths = defaultPaths,
): string[] {
  return columns.map((path) => {
    const value = valueAt(record, path) ?? null;
    if (!lines.test(path) || typeof value !== 'object') return cellText(value);
    return joined([value].flat().map((line) => lineText(line, fieldPaths)));
  });
}

const lines = /^items(?:\[\d+\])?$/;

/** `2 × TEA-001 Black tea`; of a line without its quantity, `? ×` and what else it shows: `? × TEA-001 (pcs: 2)`. */
export function lineText(line: Json, fieldPaths: FieldPaths): string {
  if (!isJsonObject(line)) return cellText(line);
  const { rest, take, takeField } = takeFields(line, fieldPaths);
  const [quantity, item, variant] = [takeField('quantity'), takeField('item'), takeField('variant')];
  const what = joined([take('sku'), item, variant], ' ');
  takeField('price');
  const others = joined(rest.map(({ path, text }) => text && `${path}: ${text}`));
  const isWhole = others === '' || (quantity !== undefined && what !== '');
  return joined(
    [`${quantity === undefined ? '?' : amountOf(quantity)} ×`, what, isWhole ? '' : `(${others})`],
    ' ',
  );
}

/** Of an order, or of one of its lines. */
export function takeFields(
  record: JsonObject,
  fieldPaths: FieldPaths,
): {
  rest: Field[];
  /** Returns the text of a field and removes it from `rest`. */
  take(path: string): string | undefined;
  takeField(field: UnnamedField): string | undefined;
} {
  const rest = flattenFields(record);
  const take = (path: string) => {
    const index = rest.findIndex((field) => field.path === path && field.text !== '');
    return index < 0 ? undefined : rest.splice(index, 1)[0]?.text;
  };
  const takeField = (field: UnnamedField) => take(fieldPaths[field].replace(/^items\[\]\./, ''));
  return { rest, take, takeField };
}

export function joined(texts: readonly (string | undefined)[], separator = ', '): string {
  return texts.filter((text) => text !== undefined && text !== '').join(separator);
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
