import { t } from '../../../advice/advice.ts';
import { createHeader, nameOf } from '../../../import/columns/header.ts';
import type { ProfiledTable } from '../../../import/mapping/draft/proposal.ts';
import { mergeEqual } from '../../../import/mapping/draft/propose-values.ts';
import type { draftMapping } from '../../../import/mapping/draft/write-mapping.ts';
import type { ShownColumn } from '../../../import/mapping/guesses.ts';
import { listIn, markOf } from '../../../import/mapping/marks.ts';
import type { FoldedProblem } from '../../../import/problem.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../orders/json.ts';
import type { Choice, Prompts } from '../../../system/prompts/prompts.ts';

export type OpenDraft = ReturnType<typeof draftMapping>;

/** How far the questions are: the answers, as a mapping, and what they are about. */
export interface Asked {
  given: JsonObject;
  problems: readonly FoldedProblem[];
  /** The columns that may matter and are to be asked about one by one; undefined before the list of them. */
  ticked: readonly string[] | undefined;
  /** Columns that were offered for a field, and not chosen. */
  declined: readonly string[];
  /** Columns of which a person has said that they are not read: of this one, not of a list. */
  unread: readonly string[];
  /** Columns whose values are asked about one by one. */
  oneByOne?: readonly string[];
}

export interface Screen {
  prompts: Prompts;
  table: ProfiledTable;
  width: number;
}

export const back = 'back';
export const backChoice: Choice = { value: back, name: t`← back` };

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

/** The mapping with these columns among those that are not read. */
export function withIgnored(
  given: JsonObject,
  headers: readonly string[],
  list: 'ignore' | 'ignore_anyway' = 'ignore',
): JsonObject {
  if (headers.length === 0) return given;
  const { ignore: before, ...others } = given;
  const ignore = listIn(given, 'ignore').filter((header) => !headers.includes(String(header)));
  const kept = before === undefined ? others : { ...others, ignore };
  return { ...kept, [list]: [...listIn(kept, list), ...headers] };
}

export function columnsOf({ header: row, profiles }: ProfiledTable): ShownColumn[] {
  const header = createHeader(row);
  return header.cells.flatMap((cell, index) =>
    cell === '' ? [] : [{ index, header: nameOf(header, index), samples: profiles[index]?.samples ?? [] }],
  );
}

/** The mapping with an open question for each value of a column. */
export function withValues(
  given: JsonObject,
  header: string,
  choices: readonly string[],
  table: ProfiledTable,
): JsonObject {
  const index = columnsOf(table).find((column) => column.header === header)?.index ?? -1;
  const { values = [], blankOrders = 0 } = table.profiles[index] ?? {};
  const texts = values.length === 0 ? ['*'] : mergeEqual(values).map(({ text }) => text);
  const marks = [...texts, ...(blankOrders > 0 ? [''] : [])].map((text) => [text, markOf(choices)]);
  return setIn(given, ['values', header], Object.fromEntries(marks));
}
