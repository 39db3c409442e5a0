import { normaliseWords } from './phrases.ts';
import lists from './words.json' with { type: 'json' };

const pieces = lists.pieces.join('|');
const withUnit = new RegExp(`^(\\d[\\d.,]*)\\s?(?:${pieces})\\.?$`, 'i');

/** Of quantities and amounts, as they stand in a header: `Qty (pcs)`. */
export const units: ReadonlySet<string> = new Set(
  [...lists.pieces, 'un', ...lists.mnt.join('|').split('|')].map(normaliseWords),
);

/** `2ш`, `2 pcs`, `2 ширхэг` → `2`; other text as it is. */
export function withoutUnit(text: string): string {
  return withUnit.exec(text)?.[1] ?? text;
}

const cellUnits = new Set(lists.cellUnits.join('|').split('|'));

/** Whether a text says more than a date or an amount: not the `T`, `PM` or `UTC` of a time, nor a currency. */
export function hasWords(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.some((word) => !cellUnits.has(word));
}
