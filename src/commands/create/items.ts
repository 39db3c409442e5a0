import { type Text, t } from '../../advice/advice.ts';
import type { Context } from '../../context.ts';
import { pieceUnits, readQuantity } from '../../import/words/quantity.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { type Json, type JsonObject, parseJson } from '../../orders/json.ts';
import { normaliseWords, wordsOf } from '../../words/phrases.ts';
import { parseLine } from './draft.ts';
import { issueOfValue, sentenceOf } from './typed-values.ts';
import lists from './typed-words.json' with { type: 'json' };

/** `usedSkus` stay SKUs whatever they look like. */
export async function askLines(
  prompts: NonNullable<Context['prompts']>,
  usedSkus: readonly string[],
): Promise<JsonObject[]> {
  const lines: JsonObject[] = [];
  for (;;) {
    const number = lines.length + 1;
    const message =
      number === 1
        ? t`Product code (SKU) of item ${number}`
        : t`Product code (SKU) of item ${number} (press Enter when there are no more)`;
    const typed = await askLine(prompts, message, usedSkus, number > 1);
    if (typed === undefined) return lines;
    lines.push(typed.isWhole ? typed.line : { ...typed.line, quantity: await askCount(prompts) });
  }
}

/** One item. Undefined for a blank answer, if that `mayBeBlank`. */
export async function askLine(
  prompts: NonNullable<Context['prompts']>,
  message: Text,
  usedSkus: readonly string[],
  mayBeBlank: boolean,
): Promise<TypedLine | undefined> {
  const check = (text: string) =>
    text === '' && mayBeBlank ? undefined : problemWithTypedLine(text, usedSkus);
  const answer = await prompts.text({ message, check });
  return answer === '' ? undefined : readTypedLine(answer, usedSkus);
}

async function askCount(prompts: NonNullable<Context['prompts']>): Promise<Json> {
  const problem = t`Please enter a whole number of pieces, such as 2.`;
  const check = (text: string) => (readCount(text) === undefined ? problem : undefined);
  const typed = await prompts.text({ message: t`How many?`, preset: '1', check });
  return parseJson(readCount(typed) as string);
}

const unitNamed = wordsOf({ piece: [...pieceUnits], other: lists.otherUnits });
const maxDigits = 6;

/** A longer number is a code or a phone. */
export function readCount(text: string): string | undefined {
  const count = readQuantity(text);
  return count === undefined || count === '0' || count.length > maxDigits ? undefined : count;
}

interface TypedLine {
  line: JsonObject;
  /** The number of pieces need not be asked. */
  isWhole: boolean;
}

const skuAndMore = /^([^\s=,"]+)\s+(\S.*)$/u;

/** @throws FieldPathError */
function readTypedLine(text: string, usedSkus: readonly string[]): TypedLine {
  if (text.includes('=') && !usedSkus.includes(text)) return { line: parseLine(text), isWhole: true };
  const [, sku, more = ''] = (!usedSkus.includes(text) && skuAndMore.exec(text)) || [];
  // `TEA 2` and `TEA one` may be product codes, and `SHIRT 2X` is a size.
  const count = /^\d+(?:\s?[xх])?$|^\p{L}+$/iu.test(more) ? undefined : readCount(more);
  if (sku === undefined || count === undefined) return { line: { sku: text }, isWhole: false };
  return { line: { sku, quantity: parseJson(count) }, isWhole: true };
}

const severalOrQuoted = /[,;"]/;
const unclearTimes = /\s[x×х*](?:[\s\d]|$)|\s\d+[x×х*]$/iu;
const numberWithUnit = /(?:^|\s)\d[\d.,]*\s?(\p{L}+)\.?(?=\s|$)/gu;

function hasUnclearCount(text: string): boolean {
  const units = [...text.matchAll(numberWithUnit)].map(([, unit = '']) => unitNamed(normaliseWords(unit)));
  // A code may be `5L`.
  return unclearTimes.test(text) || units.includes('piece') || (/\s/.test(text) && units.includes('other'));
}

/** Several items or an unclear quantity would become one strange SKU. */
function problemWithTypedLine(text: string, usedSkus: readonly string[]): Text | undefined {
  if (text === '') return t`Please enter at least one item.`;
  try {
    const { line, isWhole } = readTypedLine(text, usedSkus);
    if (!isWhole && !usedSkus.includes(text)) {
      if (severalOrQuoted.test(text))
        return t`Please enter one item at a time, such as TEA-001 or TEA-001 x 2.`;
      if (hasUnclearCount(text))
        return t`Please write how many as a whole number after the product code, such as TEA-001 x 2.`;
    }
    const issue =
      issueOfValue('items[]', line, '') ??
      issueOfValue('items[].sku', line.sku, '') ??
      issueOfValue('items[].quantity', line.quantity, '');
    return issue && sentenceOf(issue, text);
  } catch (error) {
    if (error instanceof FieldPathError) return error.problem;
    throw error;
  }
}
