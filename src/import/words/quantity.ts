import { normaliseWords, once } from './phrases.ts';
import lists from './words.json' with { type: 'json' };

const pieces = once(() => lists.pieces.join('|'));
const withUnit = once(() => new RegExp(`^(\\d[\\d.,]*)\\s?(?:${pieces()})\\.?$`, 'i'));

/** Of pieces, in lower case: `ш`, `pcs`. */
export const pieceUnits: readonly string[] = lists.pieces;

/** Of quantities and amounts, as they stand in a header: `Qty (pcs)`. */
export const units = once(
  (): ReadonlySet<string> =>
    new Set([...lists.pieces, 'un', ...lists.mnt.join('|').split('|')].map(normaliseWords)),
);

/** `2ш`, `2 pcs`, `2 ширхэг` → `2`; other text as it is. */
export function withoutUnit(text: string): string {
  return withUnit().exec(text)?.[1] ?? text;
}

const cellUnits = once(() => new Set(lists.cellUnits.join('|').split('|')));

/** Whether a text says more than a date or an amount: not the `T`, `PM` or `UTC` of a time, nor a currency. */
export function hasWords(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.some((word) => !cellUnits().has(word));
}

/** A count of pieces beside the name of goods. */
export interface FoundCount {
  count: number;
  place: 'before' | 'after';
  /** As it is written: `x`, `ш`, or `(` for a number in parentheses. */
  sign: string;
  kind: 'times' | 'unit' | 'parentheses';
}

const timesAfter = /(.|^)( ?)([x×х*✕·])( ?)(\d{1,2})$/u;
const unitAfter = once(() => new RegExp(`(?<![\\d.,])(\\d{1,3}) ?(${pieces()})\\.?$`, 'iu'));
const parentheses = once(() => new RegExp(`\\( ?([x×х*]?) ?(\\d{1,2}) ?((?:${pieces()})?)\\.? ?\\)$`, 'iu'));
const timesBefore = /^(\d{1,3})( ?)([x×х*✕])( ?)(\p{L})/u;
const unitBefore = once(() => new RegExp(`^(\\d{1,2}) ?(${pieces()})\\.? (?=\\p{L})`, 'iu'));
/** Longer than any count with its sign. */
const endLength = 24;

/** The count that a name of goods begins or ends with: `Tea x2`, `2 x Tea`, `Цай 2ш`, `Tea (2)`; no size or weight. */
function findCount(name: string): FoundCount | undefined {
  const end = name.slice(-endLength);
  const inParentheses = parentheses().exec(end);
  if (inParentheses !== null) {
    const [, times = '', count, unit = ''] = inParentheses;
    const kind = times !== '' ? 'times' : unit !== '' ? 'unit' : 'parentheses';
    return { count: Number(count), place: 'after', sign: `(${times || unit}`, kind };
  }
  const counted = unitAfter().exec(end);
  if (counted !== null && counted[0].length < name.length) {
    return { count: Number(counted[1]), place: 'after', sign: counted[2] ?? '', kind: 'unit' };
  }
  const times = timesAfter.exec(end);
  if (times !== null && isTimesAfter(end.slice(0, times.index + 1), times)) {
    return { count: Number(times[5]), place: 'after', sign: times[3] ?? '', kind: 'times' };
  }
  const first = timesBefore.exec(name);
  if (first !== null && isTimesBefore(first)) {
    return { count: Number(first[1]), place: 'before', sign: first[3] ?? '', kind: 'times' };
  }
  const unit = unitBefore().exec(name);
  return unit === null
    ? undefined
    : { count: Number(unit[1]), place: 'before', sign: unit[2] ?? '', kind: 'unit' };
}

/** Not the size in `Rug 120 x 80` or `Bolt M8 x 20`, nor the end of the word in `Max 2`. */
function isTimesAfter(
  text: string,
  [, last = '', space, sign = '', , count = '']: readonly string[],
): boolean {
  if (!/[\p{L}\p{N})\]"'»”]/u.test(last)) return false;
  if (/\p{L}/u.test(last)) return space !== '' || !isInWord(last, sign);
  if (/(?:^|[^\p{L}])[MМ]\d{1,2}$/u.test(text)) return false;
  if (/\s\d{2,3}$/.test(text) && count.length === 1) return true;
  return !/(?:^\d{1,3}|\s\d{1,20}|\d[.,]\d{1,20})$/.test(text);
}

/** `2 x Tea`, `2xTea`; `3xl` is a size. */
function isTimesBefore([, , space, sign = '', after, letter = '']: readonly string[]): boolean {
  return space !== '' || after !== '' || !isInWord(sign, letter) || /\p{Lu}/u.test(letter);
}

/** Whether two letters are of one alphabet, so that an `x` beside the other is a letter of a word. */
function isInWord(one: string, other: string): boolean {
  const isOf = (alphabet: RegExp) => alphabet.test(one) && alphabet.test(other);
  return isOf(/\p{Script=Latin}/u) || isOf(/\p{Script=Cyrillic}/u);
}

const betweenLines = /[;\n+&/|、，；]|,(?!\d)/;

/** The counts of the lines in a cell, whatever stands between them. */
export function findCounts(cell: string): FoundCount[] {
  return cell.split(betweenLines).flatMap((line) => findCount(line.trim()) ?? []);
}
