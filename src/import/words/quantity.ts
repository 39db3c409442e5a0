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
  /** The text with `%` for the name and `#` for the number: `% (x#)`. */
  form: string;
  /** `bare`: a number without a sign, as in `Tea - 2`. */
  kind: 'times' | 'unit' | 'parentheses' | 'bare';
  /** It may be a size, belong to the name, or be that of a pack: `Shirt (42)`, `7 herbs tea`, `Eggs (30ш)`. */
  isDoubtful: boolean;
}

const signs = 'x×х*✕·';
const countBehind = once(
  () =>
    new RegExp(
      `( ?[-:,([]|) ?([${signs}]?) ?(?<!\\d[.,]?)(\\d{1,3})(?:\\.0{1,3})? ?((?:${pieces()})\\.?|[${signs}]|) ?([)\\]]?)$`,
      'iu',
    ),
);
const countBefore = once(
  () =>
    new RegExp(`^(\\d{1,3})(?:\\.0{1,3})?( ?)((?:${pieces()})\\.?(?= )|[${signs}]|)( ?)([^\\d\\s])`, 'iu'),
);
/** What stands between a name and its count. */
const openings: Readonly<Record<string, string>> = {
  '(': ' (',
  '[': ' [',
  ':': ': ',
  ',': ', ',
  '-': ' - ',
};
const closings: Readonly<Record<string, string>> = { '(': ')', '[': ']' };
/** Longer than any count with its sign. */
const endLength = 24;

/** The count that a name of goods ends with: `Tea x2`, `Цай - 2ш`, `Tea (2)`; no size or weight. */
function countAtEnd(name: string): FoundCount | undefined {
  const end = name.slice(-endLength);
  const [all = end, opened = '', sign = '', count = '', behind = '', closing = ''] =
    countBehind().exec(end) ?? [];
  const before = end.slice(0, end.length - all.length);
  const open = opened.trim();
  const isAlone = before === '' && /^\d/.test(all);
  if (count === '' || isAlone || closing !== (closings[open] ?? '')) return undefined;
  const isSignBehind = behind !== '' && signs.includes(behind.toLowerCase());
  const isUnit = behind !== '' && !isSignBehind;
  const hasSpace = all.startsWith(' ');
  const isTimes =
    sign === ''
      ? isSignBehind && open === '('
      : open !== '' || (isUnit && hasSpace) || isTimesAfter(before, sign, count, hasSpace);
  const isBare = !isTimes && !isUnit;
  if (isBare && (behind !== '' || open === '' || open === ',')) return undefined;
  const space = all.includes(` ${count}`) ? ' ' : '';
  const lead = open === '' ? (isTimes ? ` ${sign} ` : space) : openings[open] + (isTimes ? sign : '');
  const kind = isTimes ? 'times' : isUnit ? 'unit' : open === '(' ? 'parentheses' : 'bare';
  const isDoubtful = isBare || (!isTimes && closing !== '');
  return {
    count: Number(count),
    form: `%${lead}#${behind}${closing}`.toLowerCase(),
    // So many may be a size, and `X` the name of a phone.
    kind: (isDoubtful && count.length > 2) || (open === '' && isCapital(sign)) ? 'bare' : kind,
    isDoubtful,
  };
}

/** The count that a name of goods begins with: `2 x Tea`, `2 ш Цай`, `2 Tea`; `3xl` is a size. */
function countAtStart(name: string): FoundCount | undefined {
  const [, count = '', space = '', written = '', after = '', letter = ''] = countBefore().exec(name) ?? [];
  const sign = written.toLowerCase();
  if (count === '' || `${space}${sign}` === '') return undefined;
  const isTimes = sign !== '' && signs.includes(sign);
  const isWord = isTimes && after === '' && isInWord(sign, letter);
  if (isWord && space === '' && !/\p{Lu}/u.test(letter)) return undefined;
  // The `х` of `2 хувцас` begins a word.
  const isDoubtful = sign === '' || (isWord && space !== '');
  return {
    count: Number(count),
    form: isDoubtful ? '# %' : isTimes ? `# ${sign} %` : `#${sign} %`,
    kind: isTimes && !isCapital(written) ? 'times' : isTimes || sign === '' ? 'bare' : 'unit',
    isDoubtful,
  };
}

const isCapital = (sign: string) => /\p{Lu}/u.test(sign);

/** The counts that a name of goods may have, the likeliest first. */
export function countsOf(name: string): FoundCount[] {
  return [countAtEnd(name), countAtStart(name)].filter((count) => count !== undefined).sort(bySign);
}

/** The surest sign first, and the longest form of it, which takes most of a text for the count. */
export function bySign(left: FoundCount, right: FoundCount): number {
  const rank = ({ isDoubtful, kind }: FoundCount) => (isDoubtful ? 2 : Number(kind === 'unit'));
  const lengthOf = ({ form }: FoundCount) => form.replaceAll(' ', '').length;
  return rank(left) - rank(right) || lengthOf(right) - lengthOf(left) || right.form.localeCompare(left.form);
}

/** Not the size in `Rug 120 x 80` or `Bolt M8 x 20`, nor the end of the word in `Max 2`. */
function isTimesAfter(text: string, sign: string, count: string, hasSpace: boolean): boolean {
  const last = text.at(-1) ?? '';
  if (!/[\p{L}\p{N})\]"'»”]/u.test(last)) return false;
  if (/\p{L}/u.test(last)) return hasSpace || !isInWord(last, sign);
  if (/(?:^|[^\p{L}])[MМ]\d{1,2}$/u.test(text)) return false;
  if (/\s\d{2,3}$/.test(text) && count.length === 1) return true;
  return !/(?:^\d{1,3}|\s\d{1,20}|\d[.,]\d{1,20})$/.test(text);
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
  return cell
    .split(betweenLines)
    .flatMap((line) => countsOf(bare(line)).filter(({ kind }) => kind !== 'bare'));
}
