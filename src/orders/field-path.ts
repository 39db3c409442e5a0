import { isJsonObject, type Json, type JsonObject } from './json.ts';
/** Steps from an order to a field: a member, a line by its place, or (null) the line that a row carries. */
export type FieldPath = readonly (string | number | null)[];

const partShape = /^([^.[\]]+)((?:\[\d*\])*)$/;
/** What may be no part of a path: it would reach the objects that all objects share. */
export const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const highestPlace = 999;

/** A path that cannot be read, or that runs into a value already there; the message says which and why. */
export class FieldPathError extends Error {}

/**
 * Reads `customer.phone`, `items[].sku` (the line that a row carries) or `items[0].sku` (a fixed line).
 * @throws FieldPathError
 */
export function parseFieldPath(text: string): FieldPath {
  return text.split('.').flatMap((part) => {
    const [, name, places = ''] = partShape.exec(part) ?? [];
    if (name === undefined || name.trim() === '') throw new FieldPathError(`"${text}" is not a field path`);
    if (unsafeNames.has(name)) throw new FieldPathError(`"${name}" cannot be part of a field path`);
    return [name, ...Array.from(places.matchAll(/\[(\d*)\]/g), ([, place = '']) => parsePlace(place, text))];
  });
}

/**
 * Puts a value where the path leads, making the objects and lines on the way.
 * `line` is the place of the line that a null step stands for.
 * @throws FieldPathError when the way is blocked by a value of another kind
 */
export function setField(order: JsonObject, path: FieldPath, value: Json, line = 0): void {
  let container: Json = order;
  for (const [index, raw] of path.entries()) {
    const step = raw ?? line;
    const next = path[index + 1];
    const isLast = index === path.length - 1;
    const found: Json | undefined = readStep(container, step, path);
    const made: Json = typeof next === 'string' ? {} : [];
    const child: Json = isLast ? value : found === undefined ? made : found;
    if (isLast || found === undefined) writeStep(container, step, child);
    container = child;
  }
}

/**
 * The value where the path leads, undefined when there is none.
 * @throws FieldPathError when the way is blocked by a value of another kind
 */
export function readField(order: JsonObject, path: FieldPath, line = 0): Json | undefined {
  let found: Json | undefined = order;
  for (const step of path) {
    if (found === undefined) return undefined;
    found = readStep(found, step ?? line, path);
  }
  return found;
}

/** The path as an order's field is written: `items[0].sku`. */
export function formatFieldPath(path: FieldPath, line?: number): string {
  return path
    .map((step, index) => {
      if (typeof step === 'string') return index === 0 ? step : `.${step}`;
      return `[${step ?? line ?? ''}]`;
    })
    .join('');
}

function parsePlace(place: string, path: string): number | null {
  if (place === '') return null;
  if (place.length > 3) throw new FieldPathError(`"${path}" goes beyond line ${highestPlace}`);
  return Number(place);
}

function readStep(container: Json, step: string | number, path: FieldPath): Json | undefined {
  if (typeof step === 'number' && Array.isArray(container)) return container[step];
  if (typeof step === 'string' && isJsonObject(container)) {
    return Object.hasOwn(container, step) ? container[step] : undefined;
  }
  throw new FieldPathError(`"${formatFieldPath(path)}" leads through a value that has no fields`);
}

function writeStep(container: Json, step: string | number, value: Json): void {
  if (Array.isArray(container)) {
    while (container.length < (step as number)) container.push({});
    container[step as number] = value;
  } else {
    (container as JsonObject)[step as string] = value;
  }
}

export type FieldSetter = (order: JsonObject, value: Json, line: number) => void;

/**
 * What setField does with this path, for a path that is set in many orders: the usual ways are laid out beforehand.
 * @throws FieldPathError, when it is called, as setField does
 */
export function createFieldSetter(path: FieldPath): FieldSetter {
  const [first, second, third] = path;
  const slowly: FieldSetter = (order, value, line) => setField(order, path, value, line);
  if (typeof first !== 'string' || unusual.has(first)) return slowly;
  if (path.length === 1) {
    return (order, value) => {
      order[first] = value;
    };
  }
  if (path.length === 2 && typeof second === 'string' && !unusual.has(second)) {
    return (order, value, line) => {
      const inner = order[first];
      if (inner === undefined) order[first] = { [second]: value };
      else if (isJsonObject(inner)) inner[second] = value;
      else slowly(order, value, line);
    };
  }
  if (path.length === 3 && second === null && typeof third === 'string' && !unusual.has(third)) {
    return (order, value, line) => {
      const list = order[first];
      const inner = Array.isArray(list) ? list[line] : undefined;
      if (isJsonObject(inner)) inner[third] = value;
      else slowly(order, value, line);
    };
  }
  return slowly;
}

/** Names that every object has already: what is found under them need not be its own. */
const unusual: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));
