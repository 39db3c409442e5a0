import { isJsonObject, type Json, type JsonObject } from '../../orders/json.ts';

/** An entry of `columns` as an object, which a header alone stands for. */
export function entryOf(entry: Json): JsonObject {
  return isJsonObject(entry) ? entry : { from: entry };
}

/** The object at a path of the mapping; an empty one where something else, or nothing, stands there. */
export function objectIn(mapping: JsonObject, ...path: string[]): JsonObject {
  let found: Json | undefined = mapping;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return isJsonObject(found) ? found : {};
}

/** A list of the mapping, or the one value that stands in its place. */
export function listIn(object: JsonObject, key: string): Json[] {
  const value = object[key];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The mapping with a value at a path; a column that gets a use is no longer among those that are not read. */
export function setIn(mapping: JsonObject, path: readonly string[], value: Json): JsonObject {
  const [key = '', ...rest] = path;
  const inner = mapping[key];
  const set = rest.length === 0 ? value : setIn(isJsonObject(inner) ? inner : {}, rest, value);
  const changed: JsonObject = { ...mapping, [key]: set };
  const from = isJsonObject(value) ? value.from : value;
  const used = path[0] === 'values' ? [path[1]] : Array.isArray(from) ? from : [from];
  const isUnused = (header: Json) => used.every((name) => name !== header);
  for (const list of ['ignore', 'ignore_anyway'])
    if (changed[list] !== undefined) changed[list] = listIn(changed, list).filter(isUnused);
  return changed;
}

/** An open question as it is written in a mapping file, a text such as `? (choose) | Phone | Mobile`. */
export interface Mark {
  /** Where it stands in the mapping. */
  path: readonly string[];
  choices: readonly string[];
}

const sign = '? ';
const between = ' | ';
/** In place of a first answer, which would be taken without a thought. */
const unchosen = '(choose)';

/** `isProven`: the first choice may be taken without a thought. */
export function markOf({ choices, isProven }: { choices: readonly string[]; isProven?: boolean }): string {
  return sign + [...(isProven ? [] : [unchosen]), ...choices].join(between);
}

export function marksIn(value: Json, path: readonly string[] = []): Mark[] {
  if (isMark(value)) return [{ path, choices: choicesIn(value) }];
  if (Array.isArray(value)) return value.flatMap((item, index) => marksIn(item, [...path, `${index}`]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => marksIn(inner, [...path, key]));
}

function isMark(value: Json): value is string {
  if (typeof value !== 'string') return false;
  return value === sign.trimEnd() || value.startsWith(sign) || value.startsWith(unchosen);
}

function choicesIn(mark: string): string[] {
  const isChoice = (text: string) => text !== '' && text !== unchosen && text !== sign.trimEnd();
  return (mark.startsWith(sign) ? mark.slice(sign.length) : mark).split(between).filter(isChoice);
}
