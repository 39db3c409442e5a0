import { cleanCell, shorten } from '../../../clean-text.ts';
import { decimalMarks } from '../../../import/choices.ts';
import { readMoney } from '../../../import/columns/money.ts';
import type { ColumnGuess } from '../../../import/propose/proposal.ts';
import { formatAmount } from '../../../output/amount.ts';
import { measureColumns } from '../../../output/table.ts';
import { wrapText } from '../../../output/wrapped-text.ts';
import type { Choice } from '../../../system/prompts/prompts.ts';

export type ShownColumn = Pick<ColumnGuess, 'name' | 'samples'> & { reasons?: readonly string[] };

const maxNameLength = 24;
const maxTextLength = 40;
/** The mark that the prompt puts before a choice, and a free column. */
const markWidth = 3;

/** Without decimals first, as prices in ₮ have none. */
export function readingChoices(text: string): Choice[] {
  const found = decimalMarks.flatMap((mark) => {
    const amount = readMoney(text, mark);
    return amount === undefined ? [] : [{ value: mark, name: formatAmount(amount), amount }];
  });
  return found
    .toSorted((left, right) => Number(left.amount.includes('.')) - Number(right.amount.includes('.')))
    .map(({ value, name }) => ({ value, name }));
}

export function columnChoices(columns: readonly ShownColumn[], width: number): Choice[] {
  const names = columns.map(({ name }) => shorten(cleanCell(name), maxNameLength));
  const widths = names.map(widthOf);
  const widest = Math.max(0, ...widths);
  return columns.map((column, index) => {
    const name = names[index] ?? '';
    const samples = listSamples(column);
    const [reason] = column.reasons ?? [];
    return {
      value: `column:${column.name}`,
      name: fitText(`${name}${' '.repeat(widest - (widths[index] ?? 0))}  ${samples}`.trimEnd(), width),
      short: name,
      ...(reason === undefined ? {} : { description: cleanCell(reason) }),
    };
  });
}

export function listSamples({ samples }: ShownColumn): string {
  return samples.map((text) => shorten(cleanCell(text), maxTextLength)).join(', ');
}

export function fitChoices(choices: readonly Choice[], width: number): Choice[] {
  return choices.map(({ description, ...choice }) => ({
    ...choice,
    name: fitText(choice.name, width),
    ...(description === undefined ? {} : { description: wrapBriefly(description, width).join('\n') }),
  }));
}

const maxLines = 5;

export function wrapBriefly(text: string, width: number): string[] {
  const lines = text.split('\n').flatMap((line) => wrapText(line, width - 1));
  return lines.length > maxLines ? [...lines.slice(0, maxLines - 1), '…'] : lines;
}

/** A choice that wraps is drawn wrong. */
function fitText(text: string, width: number): string {
  const room = width - markWidth;
  if (widthOf(text) <= room) return text;
  const cut = shorten(text, room - 1);
  return widthOf(cut) <= room ? cut : shorten(text, Math.floor(room / 2) - 1);
}

function widthOf(text: string): number {
  return measureColumns([[text]])[0] ?? 0;
}

export function shown(text: string): string {
  return shorten(cleanCell(text), maxTextLength);
}
