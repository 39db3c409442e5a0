import { t } from '../../../advice/advice.ts';
import { createHeader, nameOf } from '../../../import/columns/header.ts';
import type { Open } from '../../../import/mapping/draft/open.ts';
import type { ProfiledTable } from '../../../import/mapping/draft/proposal.ts';
import { mergeEqual } from '../../../import/mapping/draft/propose-values.ts';
import type { draftMapping } from '../../../import/mapping/draft/write-mapping.ts';
import { listIn, objectIn, setIn } from '../../../import/mapping/entries.ts';
import type { ShownColumn } from '../../../import/mapping/guesses.ts';
import type { FoldedProblem } from '../../../import/problem.ts';
import type { JsonObject } from '../../../orders/json.ts';
import type { Choice, Prompts } from '../../../system/prompts/prompts.ts';

export type OpenDraft = ReturnType<typeof draftMapping>;

/** How far the questions are: the answers, as a mapping, and what they are about. */
export interface Asked {
  given: JsonObject;
  /** What a person asked to decide, or to decide again, until the answers have it. */
  reopened: readonly Open[];
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

/** With a question for each value of a column. */
export function withValues(
  asked: Asked,
  header: string,
  choices: readonly string[],
  table: ProfiledTable,
): Asked {
  const index = columnsOf(table).find((column) => column.header === header)?.index ?? -1;
  const { values = [], blankOrders = 0 } = table.profiles[index] ?? {};
  const texts = values.length === 0 ? ['*'] : mergeEqual(values).map(({ text }) => text);
  return reopenValues(asked, header, choices, [...texts, ...(blankOrders > 0 ? [''] : [])]);
}

export function reopenValues(
  asked: Asked,
  header: string,
  choices: readonly string[],
  texts: readonly string[],
): Asked {
  const given = setIn(asked.given, ['values', header], {});
  const { [header]: _, ...values } = objectIn(given, 'values');
  const reopened = texts.map((text): Open => ({ kind: 'value', header, text, choices }));
  return { ...asked, given: { ...given, values }, reopened: [...asked.reopened, ...reopened] };
}
