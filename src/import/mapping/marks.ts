import { isJsonObject, type Json, type JsonObject } from '../../orders/json.ts';
import { noColumn } from '../columns/header.ts';

/** An open question of a draft, a text such as `? (choose) | Phone | Mobile`. */
export interface Mark {
  /** Where it stands in the mapping. */
  path: readonly string[];
  /** What may be written in its place, the likeliest first. */
  choices: readonly string[];
}

const sign = '? ';
const between = ' | ';
/** In place of a first answer, which would be taken without a thought. */
const unchosen = '(choose)';
const maxChoices = 6;

export function markOf(choices: readonly string[]): string {
  return sign + [unchosen, ...choices.slice(0, maxChoices)].join(between);
}

/** Whose first choice header and values prove, so that it may be taken without a thought. */
export function provenMark(choices: readonly string[]): string {
  return sign + choices.join(between);
}

/** Which column is meant, or none of them. */
export function columnMark(columns: readonly string[]): string {
  return markOf([...columns.slice(0, maxChoices - 1), noColumn]);
}

export function isMark(value: Json | undefined): value is string {
  if (typeof value !== 'string') return false;
  return value === sign.trimEnd() || value.startsWith(sign) || value.startsWith(unchosen);
}

/** What is written behind the sign: choices, or a header, which may have their separator in it. */
function textIn(mark: string): string {
  const text = mark.startsWith(sign) ? mark.slice(sign.length) : mark;
  return text.startsWith(unchosen) ? text.slice(unchosen.length + between.length) : text;
}

export function choicesIn(mark: string): string[] {
  return textIn(mark)
    .split(between)
    .filter((choice) => choice !== '' && choice !== sign.trimEnd());
}

export function marksIn(value: Json, path: readonly string[] = []): Mark[] {
  if (isMark(value)) return [{ path, choices: choicesIn(value) }];
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
      // The column is decided before its prefix, or which of several texts in a cell is meant.
      const members = Object.entries(isJsonObject(value) ? value : {});
      const others = Object.fromEntries(members.filter(([key, inner]) => !(isDetail(key) && isMark(inner))));
      return members.length === 0 || hasMark(others) ? [] : [[field, others]];
    },
  );
  return {
    ...(decided.length > 0 ? { columns: Object.fromEntries(decided) } : {}),
    ...(lines === undefined || hasMark(lines) ? {} : { lines }),
    ...((decidedIn(others) ?? {}) as JsonObject),
  };
}

/** What is asked of a column that is known. */
function isDetail(member: string | undefined): boolean {
  return member === 'prefix' || member === 'pick';
}

/** As if each question were answered by its likeliest choice; those without one stay open. */
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
  const isOfColumn = (value: Json) =>
    !(isJsonObject(value) && Object.entries(value).some(([key, inner]) => isDetail(key) && isMark(inner)));
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
        (key === 'columns' && !isDetail(member)) || key === 'amount_due' || path.join('.') === 'lines.from',
    )
    .flatMap(({ choices }) => choices.filter((choice) => choice !== noColumn));
}

/** The columns of which it is open whether they are read. */
export function openColumns(mapping: JsonObject): string[] {
  return listIn(mapping, 'ignore').filter(isMark).map(textIn);
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
