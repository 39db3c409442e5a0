import { type Text, t } from '../advice/advice.ts';
import { isJsonObject, type Json, type JsonObject, member } from './json.ts';

/** Segments from an order to a field: a member, the index of a line, or null for the line that a row carries. */
export type FieldPath = readonly (string | number | null)[];

const partShape = /^([^.[\]]+)((?:\[\d*\])*)$/;
export const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const maxSegments = 16;
const maxIndex = 999;
/** Empty lines that appear because a later index was set. */
const maxPadding = 10_000;
const maxShown = 80;

/** An invalid path, or one that leads through a value without fields. */
export class FieldPathError extends Error {
  readonly problem: Text;
  /** What to do, unless it is to choose another path. */
  readonly fix: Text | undefined;

  constructor(problem: Text, fix?: Text) {
    super(String(problem));
    this.problem = problem;
    this.fix = fix;
  }
}

/** Reads `customer.phone`, `items[].sku` (the line of a row) or `items[0].sku`. @throws FieldPathError */
export function parseFieldPath(text: string): FieldPath {
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
  const path = text.split('.', maxSegments + 1).flatMap((part) => {
    const [, name, indexes = ''] = partShape.exec(part) ?? [];
    if (name === undefined || name.trim() === '') throw new FieldPathError(t`"${shown}" is not a field path`);
    if (unsafeNames.has(name)) throw new FieldPathError(t`"${name}" cannot be part of a field path`);
    return [
      name,
      ...Array.from(indexes.matchAll(/\[(\d*)\]/g), ([, index = '']) => parseIndex(index, shown)),
    ];
  });
  if (path.length > maxSegments) throw new FieldPathError(t`"${shown}" has more than ${maxSegments} steps`);
  return path;
}

/** Creates objects and lines on the way; `line` is the index for a null segment. @throws FieldPathError */
export function setField(order: JsonObject, path: FieldPath, value: Json, line = 0): void {
  let container: Json = order;
  for (const [index, raw] of path.entries()) {
    const segment = raw ?? line;
    const next = path[index + 1];
    const isLast = index === path.length - 1;
    const found: Json | undefined = readSegment(container, segment, path);
    const made: Json = typeof next === 'string' ? {} : [];
    const child: Json = isLast ? value : found === undefined ? made : found;
    if (typeof raw === 'number' && Array.isArray(container))
      countPadding(order, raw - container.length, path);
    if (isLast || found === undefined) writeSegment(container, segment, child);
    container = child;
  }
}

const paddingOf = new WeakMap<JsonObject, number>();

function countPadding(order: JsonObject, added: number, path: FieldPath): void {
  if (added <= 0) return;
  const padding = (paddingOf.get(order) ?? 0) + added;
  if (padding > maxPadding) {
    const problem = t`"${formatFieldPath(path)}" leaves more than ${maxPadding} lines of the order empty`;
    throw new FieldPathError(problem, t`number the lines from 0, without gaps`);
  }
  paddingOf.set(order, padding);
}

/** Undefined when there is no such field. @throws FieldPathError when the path leads through a value without fields */
export function readField(order: JsonObject, path: FieldPath, line = 0): Json | undefined {
  let found: Json | undefined = order;
  for (const segment of path) {
    if (found === undefined) return undefined;
    found = readSegment(found, segment ?? line, path);
  }
  return found;
}

/** Also removes objects that become empty. @throws FieldPathError as `readField` */
export function removeField(order: JsonObject, path: readonly string[]): void {
  const parentPath = path.slice(0, -1);
  const parent = readField(order, parentPath);
  const name = path.at(-1);
  if (name === undefined || !isJsonObject(parent)) return;
  delete parent[name];
  if (parentPath.length > 0 && Object.keys(parent).length === 0) removeField(order, parentPath);
}

/** One value per line for a path through lines; undefined for a missing field. */
export function readEach(value: Json | undefined, path: FieldPath): (Json | undefined)[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return [value];
  if (segment === null) return Array.isArray(value) ? value.flatMap((line) => readEach(line, rest)) : [];
  if (typeof segment === 'string') return readEach(member(value, segment), rest);
  return readEach(Array.isArray(value) ? value[segment] : undefined, rest);
}

export function formatFieldPath(path: FieldPath, line?: number): string {
  return path
    .map((segment, index) => {
      if (typeof segment === 'string') return index === 0 ? segment : `.${segment}`;
      return `[${segment ?? line ?? ''}]`;
    })
    .join('');
}

function parseIndex(index: string, path: string): number | null {
  if (index === '') return null;
  if (index.length > 3) throw new FieldPathError(t`"${path}" goes beyond line ${maxIndex}`);
  return Number(index);
}

function readSegment(container: Json, segment: string | number, path: FieldPath): Json | undefined {
  if (typeof segment === 'number' && Array.isArray(container)) return container[segment];
  if (typeof segment === 'string' && isJsonObject(container)) {
    return Object.hasOwn(container, segment) ? container[segment] : undefined;
  }
  throw new FieldPathError(t`"${formatFieldPath(path)}" leads through a value that has no fields`);
}

function writeSegment(container: Json, segment: string | number, value: Json): void {
  if (Array.isArray(container)) {
    while (container.length < (segment as number)) container.push({});
    container[segment as number] = value;
  } else {
    (container as JsonObject)[segment as string] = value;
  }
}
