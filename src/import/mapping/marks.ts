import { isJsonObject, type Json } from '../../orders/json.ts';

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
