import { type Sentence, t } from '../advice/advice.ts';
import { amountOf } from './decimal.ts';
import {
  type FieldPath,
  FieldPathError,
  formatFieldPath,
  parseFieldPath,
  readEach,
  readField,
  setField,
} from './field-path.ts';
import { copyJson, isJsonNumber, isJsonObject, type Json, jsonText, member } from './json.ts';
import { type Order, orderLines } from './order.ts';

/** Fields that the interface does not name (section 2.2), and their default paths. */
export const defaultPaths = {
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

export type UnnamedField = keyof typeof defaultPaths;

export type FieldPaths = Readonly<Record<UnnamedField, string>>;

/** What a person reads. */
export const fieldNames: Readonly<Record<UnnamedField, Sentence>> = {
  quantity: t`the quantity`,
  price: t`the price of an item`,
  item: t`the name of the product`,
  variant: t`the variant of an item`,
  name: t`the name of the customer`,
  email: t`the e-mail address`,
  'address.company': t`the company`,
  'address.street': t`the street`,
  'address.district': t`the district`,
  'address.city': t`the city`,
  'address.province': t`the province`,
  'address.postalCode': t`the postal code`,
  'address.country': t`the country`,
  note: t`the note`,
};

export const unnamedFields = Object.keys(defaultPaths) as UnnamedField[];

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
  return Object.hasOwn(defaultPaths, name);
}

/** The field whose default path this is; `items[2].quantity` is a path of the quantity too. */
export function fieldByDefaultPath([first, line, ...rest]: FieldPath): UnnamedField | undefined {
  const isNumbered = first === 'items' && typeof line === 'number';
  const path = formatFieldPath(
    [first, isNumbered ? null : line, ...rest].filter((segment) => segment !== undefined),
  );
  return unnamedFields.find((field) => defaultPaths[field] === path);
}

/** The fields whose default paths are this path or below it, such as all of a line for `items`. */
export function fieldsUnder(path: FieldPath): UnnamedField[] {
  const general = path.map((segment, index) => (index === 1 && path[0] === 'items' ? null : segment));
  return unnamedFields.filter((field) => {
    const place = parseFieldPath(defaultPaths[field]);
    return general.every((segment, index) => segment === place[index]);
  });
}

/** Where the value of a default path is sent; other paths are unchanged. */
export function sentPath(path: FieldPath, fieldPaths: FieldPaths): string {
  const field = fieldByDefaultPath(path);
  if (field === undefined) return formatFieldPath(path);
  const line = path[1];
  return formatFieldPath(parseFieldPath(fieldPaths[field]), typeof line === 'number' ? line : undefined);
}

/** Own paths replace default ones unless blank; no two may overlap. @throws FieldPathError */
export function resolvePaths(own: Readonly<Record<string, string>>): FieldPaths {
  for (const name of Object.keys(own)) {
    if (isUnnamedField(name)) continue;
    throw new FieldPathError(`"${name}" is not one of the fields ${unnamedFields.join(', ')}`);
  }
  const given = Object.entries(own).filter(([, path]) => path !== '');
  const fieldPaths: FieldPaths = { ...defaultPaths, ...Object.fromEntries(given) };
  const paths = unnamedFields.map((field) => ({ field, path: parsePathOf(field, fieldPaths[field]) }));
  for (const [index, { field, path }] of paths.entries()) {
    const named = namedPaths.find((other) => overlaps(path, other));
    if (named !== undefined) {
      throw new FieldPathError(
        t`${field} cannot be sent as ${fieldPaths[field]}: ${formatFieldPath(named)} is sent there`,
      );
    }
    const other = paths.slice(0, index).find((one) => overlaps(path, one.path))?.field;
    if (other === undefined) continue;
    const both = `${other} (${fieldPaths[other]}) and ${field} (${fieldPaths[field]})`;
    throw new FieldPathError(t`${both} would overwrite each other`);
  }
  return fieldPaths;
}

function parsePathOf(field: UnnamedField, place: string): FieldPath {
  const path = parseFieldPath(place);
  const isInLine = path[0] === 'items' && path[1] === null && path.length > 2;
  const isOfLine = defaultPaths[field].startsWith('items[]');
  if (isOfLine && (!isInLine || path.lastIndexOf(null) > 1)) {
    throw new FieldPathError(
      t`${field} belongs to each line, so it is sent as items[].NAME, not as ${place}`,
    );
  }
  if (!isOfLine && (path[0] === 'items' || path.includes(null))) {
    throw new FieldPathError(t`${field} belongs to the whole order, so it cannot be sent as ${place}`);
  }
  return path;
}

function overlaps(left: FieldPath, right: FieldPath): boolean {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  return short.every((segment, index) => segment === long[index]);
}

/** Moves the values of an order from the default paths to these. @throws FieldPathError when another value is there */
export function createFieldMover(fieldPaths: FieldPaths): (order: Order) => Order {
  const moves = unnamedFields
    .filter((field) => fieldPaths[field] !== defaultPaths[field])
    .map((field) => ({ from: parseFieldPath(defaultPaths[field]), to: parseFieldPath(fieldPaths[field]) }));
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

/** Without these an order is not what the shop meant: how many pieces, and where to. */
export function isNeeded(field: UnnamedField): boolean {
  return field === 'quantity' || field.startsWith('address.');
}

/** Finds which fields the orders of a file carry with a value that would show that the service takes them. */
export function createFieldWatch(fields: readonly UnnamedField[], fieldPaths: FieldPaths) {
  const awaited = new Map(fields.map((field) => [field, parseFieldPath(fieldPaths[field])]));
  const found = new Set<UnnamedField>();
  return {
    add: ({ order }: { order: Order }): void => {
      for (const [field, path] of awaited) {
        if (valuesOf(order, field, path).length === 0) continue;
        found.add(field);
        awaited.delete(field);
      }
    },
    found: (): UnnamedField[] => unnamedFields.filter((field) => found.has(field)),
  };
}

/** Those that the order carries with a value that is no default: any but a quantity of 1. */
export function tellingFields(
  order: Order,
  fields: readonly UnnamedField[],
  fieldPaths: FieldPaths,
): UnnamedField[] {
  return fields.filter((field) => valuesOf(order, field, parseFieldPath(fieldPaths[field])).length > 0);
}

function valuesOf(order: Order, field: UnnamedField, path: FieldPath): string[] {
  const texts = readEach(order, path).flatMap((value) => textOf(value) ?? []);
  return field === 'quantity' ? texts.filter((text) => text !== '1') : texts;
}

/**
 * Those of which a value that is no default came back, equal or normalised: at the place where it was sent or, when it is
 * a text, anywhere else among the fields of the order.
 */
function shownFields(
  sent: Order,
  found: Order,
  fields: readonly UnnamedField[],
  fieldPaths: FieldPaths,
): UnnamedField[] {
  let elsewhere: Set<string> | undefined;
  return fields.filter((field) => {
    const path = parseFieldPath(fieldPaths[field]);
    const ours = valuesOf(sent, field, path);
    const theirs = new Set(valuesOf(found, field, path));
    if (ours.some((value) => theirs.has(value))) return true;
    elsewhere ??= new Set(merchantFields(found).map(({ text }) => text));
    return ours.some((value) => isDistinctive(value) && elsewhere?.has(value));
  });
}

/** Numbers, and texts such as `UB`, may be there for another reason. */
function isDistinctive(text: string): boolean {
  return text.length >= 3 && /\p{L}/u.test(text);
}

/** The same for all spellings of one value; undefined for a blank one, and for one that is no text or number. */
function textOf(value: Json | undefined): string | undefined {
  if (isJsonNumber(value)) return amountOf(value.toString());
  if (typeof value !== 'string') return undefined;
  const folded = value.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  return folded === '' ? undefined : amountOf(folded);
}

interface MerchantField {
  /** With `[]` for a place in a list. */
  path: string;
  /** The same for all spellings of one value. */
  text: string;
  /** As it is shown. */
  shown: string;
}

const ofPlatform: ReadonlySet<string> = new Set(['courier', 'branch', 'delivery']);
const maxFields = 2000;

/** The texts and numbers of an order, without those that belong to the platform. */
export function merchantFields(order: Order): MerchantField[] {
  const fields: MerchantField[] = [];
  const pending: { path: string; value: Json }[] = [{ path: '', value: order }];
  for (let next = pending.pop(); next !== undefined && fields.length < maxFields; next = pending.pop()) {
    const { path, value } = next;
    const text = textOf(value);
    if (text !== undefined) fields.push({ path, text, shown: jsonText(value) });
    else if (Array.isArray(value)) {
      for (const item of value) pending.push({ path: `${path}[]`, value: item });
    } else if (isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value)) {
        if (ofPlatform.has(name)) continue;
        pending.push({ path: path === '' ? name : `${path}.${name}`, value: inner });
      }
    }
  }
  return fields;
}

/** Whether a field could be sent there: in a line or not, as at its default path. */
export function isOfSameKind(field: UnnamedField, path: string): boolean {
  const isOfLine = (place: string) => place.startsWith('items[].');
  return isOfLine(defaultPaths[field]) === isOfLine(path) && path.lastIndexOf('[]') <= 'items'.length;
}

export type FieldProof = ReturnType<typeof createFieldProof>;

/** What the responses of a run show about fields whose paths are not known yet. */
export function createFieldProof(fields: readonly UnnamedField[], fieldPaths: FieldPaths) {
  const open = new Set(fields);
  const shown = new Set<UnnamedField>();
  const sentWith = new Set<UnnamedField>();
  /** Those that this order carries with a value that is no default, and that no order has shown. */
  const openIn = (sent: Order) => tellingFields(sent, [...open], fieldPaths);
  return {
    fieldPaths,
    add: (sent: Order, found: Order) => {
      const carried = openIn(sent);
      for (const field of carried) sentWith.add(field);
      for (const field of shownFields(sent, found, carried, fieldPaths)) {
        open.delete(field);
        shown.add(field);
      }
    },
    openIn,
    /** A person has seen them. */
    accept: (fields: readonly UnnamedField[]) => {
      for (const field of fields) open.delete(field);
    },
    /** Those that an order was sent with: shown by one, or by none. */
    result: () => ({
      shown: [...shown],
      notShown: [...sentWith].filter((field) => open.has(field)),
    }),
  };
}

const methodFields = ['fulfillmentType', 'deliveryMethod', 'shippingMethod', 'deliveryType'] as const;

export function isMethodPath(path: FieldPath): boolean {
  return methodFields.some((field) => field === path.at(-1));
}

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
