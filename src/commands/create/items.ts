import { type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { pieceUnits, readQuantity } from '../../import/words/quantity.ts';
import { formatLineSpec, parseCountedSku } from '../../orders/assignment.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { isJsonNumber, type Json, type JsonObject, parseJson, writeJson } from '../../orders/json.ts';
import { normaliseWords, wordsOf } from '../../words/phrases.ts';
import { parseLine } from './draft.ts';
import { issueOfValue, sentenceOf } from './typed-values.ts';
import lists from './typed-words.json' with { type: 'json' };

type AskingPrompts = NonNullable<Context['prompts']>;

/** `before`: what was typed already. `usedSkus` stay SKUs whatever they look like. */
export async function askLines(
  prompts: AskingPrompts,
  usedSkus: readonly string[],
  before: readonly JsonObject[],
): Promise<JsonObject[]> {
  const lines: JsonObject[] = [];
  for (const line of before) {
    const options = { number: lines.length + 1, mayBeLeftOut: true, usedSkus };
    const kept = await askLineAgain(prompts, line, options);
    if (kept !== undefined) lines.push(kept);
  }
  for (;;) {
    const number = lines.length + 1;
    const message =
      number === 1
        ? t`Product code (SKU) of item ${number}`
        : t`Product code (SKU) of item ${number} (press Enter when there are no more)`;
    const check = (text: string) =>
      text === '' && number > 1 ? undefined : problemWithTypedLine(text, usedSkus);
    const answer = await prompts.text({ message, check });
    if (answer === '') return lines;
    const typed = readTypedLine(answer, usedSkus);
    lines.push(typed.isWhole ? typed.line : { ...typed.line, quantity: await askCount(prompts) });
  }
}

interface LineAgain {
  number: number;
  mayBeLeftOut: boolean;
  usedSkus: readonly string[];
}

/** Enter keeps the item, and a product code alone replaces that of it. Undefined when it is left out. */
export async function askLineAgain(
  prompts: AskingPrompts,
  line: JsonObject,
  { number, mayBeLeftOut, usedSkus }: LineAgain,
): Promise<JsonObject | undefined> {
  const message = mayBeLeftOut
    ? t`Product code (SKU) of item ${number} (- leaves this item out)`
    : t`Product code (SKU) of item ${number}`;
  const preset = cleanCell(textOfLine(line));
  const isSettled = (text: string) => text === preset || (text === '-' && mayBeLeftOut);
  const check = (text: string) => (isSettled(text) ? undefined : problemWithTypedLine(text, usedSkus));
  const answer = await prompts.text({ message, preset, check });
  if (isSettled(answer)) return answer === preset ? line : undefined;
  const typed = readTypedLine(answer, usedSkus);
  return typed.isWhole ? typed.line : { ...line, ...typed.line };
}

/** `TEA-001`, `TEA-001 x 2` or `sku=TEA-001,name=tea`. */
function textOfLine(line: JsonObject): string {
  const { sku, quantity, ...others } = line;
  const isCounted = isJsonNumber(quantity) && Object.keys(others).length === 0;
  const text = isCounted ? `${sku} x ${quantity}` : '';
  return parseCountedSku(text) === undefined ? (formatLineSpec(line) ?? writeJson(line)) : text;
}

async function askCount(prompts: AskingPrompts): Promise<Json> {
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
