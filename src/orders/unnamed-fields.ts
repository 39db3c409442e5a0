import { t } from '../advice/advice.ts';
import {
  type FieldPath,
  FieldPathError,
  formatFieldPath,
  parseFieldPath,
  readEach,
  readField,
  setField,
} from './field-path.ts';
import { copyJson, isJsonObject, type Json, jsonText, member } from './json.ts';
import { type Order, orderLines } from './order.ts';

/** Fields that the interface does not name (section 2.2), and their default places. */
export const defaultPlaces = {
  quantity: 'items[].quantity',
  price: 'items[].unitPrice',
  item: 'items[].name',
  variant: 'items[].variant',
  name: 'customer.name',
  email: 'customer.email',
  'address.company': 'deliveryAddress.company',
  'address.street': 'deliveryAddress.street',
  'address.district': 'deliveryAddress.district',
  'address.city': 'deliveryAddress.city',
  'address.province': 'deliveryAddress.province',
  'address.postalCode': 'deliveryAddress.postalCode',
  'address.country': 'deliveryAddress.country',
  note: 'deliveryAddress.note',
} as const;

export type UnnamedField = keyof typeof defaultPlaces;

export type FieldPlaces = Readonly<Record<UnnamedField, string>>;

export const unnamedFields = Object.keys(defaultPlaces) as UnnamedField[];

const namedPaths: readonly FieldPath[] = [
  ['externalOrderId'],
  ['customer', 'phone'],
  ['customer', 'externalCustomerId'],
  ['items', null, 'sku'],
  ['collectionMode'],
  ['collectionAmount'],
  ['total'],
  ['requestedDeliveryDate'],
];

function isUnnamedField(name: string): name is UnnamedField {
  return Object.hasOwn(defaultPlaces, name);
}

/** The field whose default place this is; `items[2].quantity` is a place of the quantity too. */
export function fieldByDefaultPlace([first, line, ...rest]: FieldPath): UnnamedField | undefined {
  const isNumbered = first === 'items' && typeof line === 'number';
  const path = formatFieldPath(
    [first, isNumbered ? null : line, ...rest].filter((segment) => segment !== undefined),
  );
  return unnamedFields.find((field) => defaultPlaces[field] === path);
}

/** Where the value of a default place is sent; other paths are unchanged. */
export function sentPath(path: FieldPath, places: FieldPlaces): string {
  const field = fieldByDefaultPlace(path);
  if (field === undefined) return formatFieldPath(path);
  const line = path[1];
  return formatFieldPath(parseFieldPath(places[field]), typeof line === 'number' ? line : undefined);
}

/** Own places replace default ones unless blank; no two may overlap. @throws FieldPathError */
export function resolvePlaces(own: Readonly<Record<string, string>>): FieldPlaces {
  for (const name of Object.keys(own)) {
    if (isUnnamedField(name)) continue;
    throw new FieldPathError(`"${name}" is not one of the fields ${unnamedFields.join(', ')}`);
  }
  const given = Object.entries(own).filter(([, path]) => path !== '');
  const places: FieldPlaces = { ...defaultPlaces, ...Object.fromEntries(given) };
  const paths = unnamedFields.map((field) => ({ field, path: parsePlace(field, places[field]) }));
  for (const [index, { field, path }] of paths.entries()) {
    const named = namedPaths.find((other) => overlaps(path, other));
    if (named !== undefined) {
      throw new FieldPathError(
        `${field} cannot be sent as ${places[field]}: ${formatFieldPath(named)} is sent there`,
      );
    }
    const other = paths.slice(0, index).find((one) => overlaps(path, one.path))?.field;
    if (other === undefined) continue;
    const both = `${other} (${places[other]}) and ${field} (${places[field]})`;
    throw new FieldPathError(`${both} would overwrite each other`);
  }
  return places;
}

function parsePlace(field: UnnamedField, place: string): FieldPath {
  const path = parseFieldPath(place);
  const isInLine = path[0] === 'items' && path[1] === null && path.length > 2;
  const isOfLine = defaultPlaces[field].startsWith('items[]');
  if (isOfLine && (!isInLine || path.lastIndexOf(null) > 1)) {
    throw new FieldPathError(`${field} belongs to each line, so it is sent as items[].NAME, not as ${place}`);
  }
  if (!isOfLine && (path[0] === 'items' || path.includes(null))) {
    throw new FieldPathError(`${field} belongs to the whole order, so it cannot be sent as ${place}`);
  }
  return path;
}

function overlaps(left: FieldPath, right: FieldPath): boolean {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return short.every((segment, index) => segment === long[index]);
}

/** Moves the values of an order from the default places to these. @throws FieldPathError when another value is there */
export function createFieldMover(places: FieldPlaces): (order: Order) => Order {
  const moves = unnamedFields
    .filter((field) => places[field] !== defaultPlaces[field])
    .map((field) => ({ from: parseFieldPath(defaultPlaces[field]), to: parseFieldPath(places[field]) }));
  if (moves.length === 0) return (order) => order;
  return (order) => {
    const moved = copyJson(order) as Order;
    const taken = moves.flatMap(({ from, to }) => take(moved, from).map((one) => ({ ...one, to })));
    for (const { to, line, value } of taken) {
      const other = readField(moved, to, line);
      if (other !== undefined && jsonText(other) !== jsonText(value)) {
        throw new FieldPathError(t`"${formatFieldPath(to, line)}" has another value already`);
      }
      setField(moved, to, value, line);
    }
    for (const { root } of taken) {
      const emptied = member(moved, root);
      if (isJsonObject(emptied) && Object.keys(emptied).length === 0) delete moved[root];
    }
    return moved;
  };
}

function take(order: Order, path: FieldPath): { root: string; line: number; value: Json }[] {
  const [root, name] = [path[0], path.at(-1)] as [string, string];
  const owners = path.includes(null) ? orderLines(order) : [member(order, root)];
  return owners.flatMap((owner, line) => {
    const value = member(owner, name);
    if (value === undefined || !isJsonObject(owner)) return [];
    delete owner[name];
    return [{ root, line, value }];
  });
}

export function createFieldWatch(fields: readonly UnnamedField[], places: FieldPlaces) {
  const carried = new Set<UnnamedField>();
  const awaited = new Map(fields.map((field) => [field, parseFieldPath(places[field])]));
  return {
    add: (order: Order): void => {
      for (const [field, path] of awaited) {
        if (readEach(order, path).every((value) => value === undefined)) continue;
        carried.add(field);
        awaited.delete(field);
      }
    },
    carried: (): UnnamedField[] => unnamedFields.filter((field) => carried.has(field)),
  };
}

const methodFields = ['fulfillmentType', 'deliveryMethod', 'shippingMethod', 'deliveryType'] as const;

export function deliveryMethodsOf(order: Order): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];
  const add = (container: Json, place: string) => {
    if (!isJsonObject(container)) return;
    for (const field of methodFields) {
      const text = member(container, field);
      if (typeof text === 'string') found.push({ path: place + field, text });
    }
  };
  add(order, '');
  for (const name of Object.keys(order)) {
    const value = order[name] as Json;
    if (!Array.isArray(value)) add(value, `${name}.`);
    else for (const [index, item] of value.entries()) add(item, `${name}[${index}].`);
  }
  return found;
}
