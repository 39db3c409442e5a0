import { isJsonObject, type Json, type JsonObject } from '../../orders/json.ts';
import { noColumn } from './header.ts';

/** An open question of a draft, a text such as `? Phone | Mobile`. */
export interface Mark {
  /** Where it stands in the mapping. */
  path: readonly string[];
  /** What may be written in its place, the best guess first. */
  choices: readonly string[];
}

const sign = '? ';
const between = ' | ';
const maxChoices = 6;

export function markOf(choices: readonly string[]): string {
  return (sign + choices.slice(0, maxChoices).join(between)).trimEnd();
}

/** Which column is meant, or none of them. Where no column fits, `none` alone would look like a guess. */
export function columnMark(columns: readonly string[]): string {
  return markOf(columns.length === 0 ? [] : [...columns.slice(0, maxChoices - 1), noColumn]);
}

export function isMark(value: Json | undefined): value is string {
  return typeof value === 'string' && (value === sign.trimEnd() || value.startsWith(sign));
}

/** The header in a mark such as `? Source` among the columns that are not read. */
export function headerInMark(mark: string): string {
  return mark.slice(sign.length);
}

export function marksIn(value: Json, path: readonly string[] = []): Mark[] {
  if (isMark(value)) {
    const choices = headerInMark(value).split(between);
    return [{ path, choices: choices.filter((choice) => choice !== '') }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => marksIn(item, [...path, `${index}`]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => marksIn(inner, [...path, key]));
}

/** What is decided: without the marks, the fields and lines that have one, and members that held nothing else. */
export function withoutMarks(mapping: JsonObject): JsonObject {
  const { columns, lines, ...others } = mapping;
  const decided = Object.entries(isJsonObject(columns) ? columns : {}).flatMap(
    ([field, value]): [string, Json][] => {
      if (!hasMark(value)) return [[field, value]];
      // The column of the order ID is decided before its prefix is.
      const { prefix, ...others } = isJsonObject(value) ? value : {};
      return isMark(prefix) && !hasMark(others) ? [[field, others]] : [];
    },
  );
  return {
    ...(decided.length > 0 ? { columns: Object.fromEntries(decided) } : {}),
    ...(lines === undefined || hasMark(lines) ? {} : { lines }),
    ...((decidedIn(others) ?? {}) as JsonObject),
  };
}

/** As if each question were answered by its best guess; those without one stay open. */
export function withFirstChoices(mapping: JsonObject): JsonObject {
  const chosenIn = (value: Json): Json => {
    if (isMark(value)) return marksIn(value)[0]?.choices[0] ?? value;
    if (Array.isArray(value)) return value.map(chosenIn);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, chosenIn(inner)]));
  };
  return chosenIn(mapping) as JsonObject;
}

/** As if each question that offers columns were answered by none of them. */
export function withNoColumns({ columns = {}, ...mapping }: JsonObject): JsonObject {
  const declined = (value: Json) => (hasMark(value) ? noColumn : value);
  const isOfColumn = (value: Json) => !(isJsonObject(value) && isMark(value.prefix));
  const fields = Object.entries(columns as JsonObject).map(([field, value]) => [
    field,
    isOfColumn(value) ? declined(value) : value,
  ]);
  const { amount_due: due, lines } = mapping;
  return {
    ...mapping,
    columns: Object.fromEntries(fields),
    ...(due === undefined ? {} : { amount_due: declined(due) }),
    ...(isJsonObject(lines) && isMark(lines.from) ? { lines: noColumn } : {}),
  };
}

/** The columns of which a person chooses one. */
export function columnsOffered(marks: readonly Mark[]): string[] {
  return marks
    .filter(
      ({ path: [key, , member], path }) =>
        (key === 'columns' && member !== 'prefix') || key === 'amount_due' || path.join('.') === 'lines.from',
    )
    .flatMap(({ choices }) => choices.filter((choice) => choice !== noColumn));
}

function hasMark(value: Json): boolean {
  return marksIn(value).length > 0;
}

function decidedIn(value: Json): Json | undefined {
  if (isMark(value)) return undefined;
  if (!Array.isArray(value) && !isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, inner]) => [key, decidedIn(inner)] as const);
  const left = members.filter((member): member is [string, Json] => member[1] !== undefined);
  if (left.length === 0 && members.length > 0) return undefined;
  return Array.isArray(value) ? left.map(([, inner]) => inner) : Object.fromEntries(left);
}

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
