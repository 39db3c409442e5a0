import { normaliseWords, once, splitWords, wordsOf } from '../../words/phrases.ts';
import type { DecimalMark } from '../choices.ts';
import counts from './count-words.json' with { type: 'json' };
import lists from './words.json' with { type: 'json' };

const pieces = once(() => lists.pieces.join('|'));

/** Of pieces, in lower case: `ш`, `pcs`. */
export const pieceUnits: readonly string[] = lists.pieces;

/** Of quantities and amounts, as they stand in a header: `Qty (pcs)`. */
export const units = once(
  (): ReadonlySet<string> =>
    new Set([...lists.pieces, 'un', ...lists.mnt.join('|').split('|')].map(normaliseWords)),
);

const wholeShape = /^(0|[1-9]\d*)(?:([.,])(0+))?$/;
const countShape = /^[\p{L}\p{M}\d\s×*]{1,24}\.?$/u;
const isTimes = (word: string) => /^[xх]$/u.test(word);
const isPiece = wordsOf({ piece: lists.pieces });
const countNamed = once(() =>
  wordsOf(Object.fromEntries(counts.counts.map((names, index) => [String(index + 1), [names]]))),
);

/**
 * A whole number: `2`, `2.0`, `2.000`, `2ш`, `x2` or `хоёр` → `2`, and `0`. Three zeros behind a comma may be thousands unless
 * `decimal` says that this mark is that of decimals. Boxes and kilograms are no count of pieces.
 */
export function readQuantity(text: string, decimal?: DecimalMark): string | undefined {
  const [, whole, mark, zeros = ''] = wholeShape.exec(text) ?? [];
  if (whole !== undefined) {
    return mark === ',' && zeros.length === 3 && decimal !== 'comma' ? undefined : whole;
  }
  if (!countShape.test(text)) return undefined;
  const [count = '', unit, ...others] = splitWords(text).filter((word) => !isTimes(word));
  if (others.length > 0 || (unit !== undefined && isPiece(unit) === undefined)) return undefined;
  return /^[1-9]\d*$/.test(count) ? count : countNamed()(count);
}

/** Whether it says more than one piece, or how many cannot be read. */
export function isNotOne(text: string): boolean {
  return readQuantity(text) !== '1';
}

const cellUnits = once(() => new Set(lists.cellUnits.join('|').split('|')));

/** Whether a text says more than a date or an amount: not the `T`, `PM` or `UTC` of a time, nor a currency. */
export function hasWords(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.some((word) => !cellUnits().has(word));
}

/** A count of pieces beside the name of goods. */
interface FoundCount {
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

const betweenLines = /[;\n+&/|、，；[\]]|,(?!\d)/;
/** Behind a count: `Tea x2 = 60000`, `Tea x2 (60,000₮)`. */
const amountBehind = /\s?(?:=|\()\s?\d[\d.,]{2,15}\s?₮?\)?$/u;
/** `Tea (qty: 2)` */
const countLabel = /\(\s?qty:?\s?(?=\d{1,2}\s?\)$)/iu;

/** The counts of the lines in a cell, whatever stands between or behind them. */
export function findCounts(cell: string): FoundCount[] {
  const bare = (line: string) => line.trim().replace(amountBehind, '').replace(countLabel, '(');
  return cell.split(betweenLines).flatMap((line) => findCount(bare(line)) ?? []);
}
