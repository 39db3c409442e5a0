import { type Text, t } from '../../advice/advice.ts';
import type { Context } from '../../context.ts';
import { normaliseWords, wordsOf } from '../../import/words/phrases.ts';
import { pieceUnits, readQuantity } from '../../import/words/quantity.ts';
import { formatLineSpec } from '../../orders/assignment.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { parseJson } from '../../orders/json.ts';
import { errorsIn, sentenceOf } from './answers.ts';
import { parseLine } from './draft.ts';
import lists from './typed-words.json' with { type: 'json' };

/** Specs of lines, as `--item` takes them. `usedSkus` stay SKUs whatever they look like. */
export async function askLines(
  prompts: NonNullable<Context['prompts']>,
  usedSkus: readonly string[],
): Promise<string[]> {
  const specs: string[] = [];
  for (;;) {
    const number = specs.length + 1;
    const answer = await prompts.text({
      message:
        number === 1
          ? t`Product code (SKU) of item ${number}`
          : t`Product code (SKU) of item ${number} (press Enter when there are no more)`,
      check: (text) => (text === '' && number > 1 ? undefined : problemWithTypedLine(text, usedSkus)),
    });
    if (answer === '') return specs;
    const line = readTypedLine(answer, usedSkus);
    specs.push(specOf(isWholeLine(line) ? line : { ...line, count: await askCount(prompts) }));
  }
}

/** One item again. Undefined for a blank answer, if that `mayBeBlank`. */
export async function askLine(
  prompts: NonNullable<Context['prompts']>,
  message: Text,
  usedSkus: readonly string[],
  mayBeBlank: boolean,
): Promise<{ spec: string; isWhole: boolean } | undefined> {
  const check = (text: string) =>
    text === '' && mayBeBlank ? undefined : problemWithTypedLine(text, usedSkus);
  const answer = await prompts.text({ message, check });
  if (answer === '') return undefined;
  const line = readTypedLine(answer, usedSkus);
  return { spec: specOf(line), isWhole: isWholeLine(line) };
}

async function askCount(prompts: NonNullable<Context['prompts']>): Promise<string | undefined> {
  const problem = t`Please enter a whole number of pieces, such as 2.`;
  const check = (text: string) => (readCount(text) === undefined ? problem : undefined);
  return readCount(await prompts.text({ message: t`How many?`, preset: '1', check }));
}

const unitNamed = wordsOf({ piece: [...pieceUnits], other: lists.otherUnits });
const maxDigits = 6;

/** A longer number is a code or a phone. */
export function readCount(text: string): string | undefined {
  const count = readQuantity(text);
  return count === undefined || count === '0' || count.length > maxDigits ? undefined : count;
}

/** `spec`: fields that were typed as they are. */
interface TypedLine {
  sku?: string;
  count?: string | undefined;
  spec?: string;
}

const skuAndMore = /^([^\s=,"]+)\s+(\S.*)$/u;

function readTypedLine(text: string, usedSkus: readonly string[]): TypedLine {
  if (usedSkus.includes(text)) return { sku: text };
  if (text.includes('=')) return { spec: text };
  const [, sku, more = ''] = skuAndMore.exec(text) ?? [];
  // `TEA 2` and `TEA one` may be product codes, and `SHIRT 2X` is a size.
  const count = /^\d+(?:\s?[xх])?$|^\p{L}+$/iu.test(more) ? undefined : readCount(more);
  return sku === undefined || count === undefined ? { sku: text } : { sku, count };
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
  const line = readTypedLine(text, usedSkus);
  if (!isWholeLine(line) && !usedSkus.includes(text)) {
    if (severalOrQuoted.test(text))
      return t`Please enter one item at a time, such as TEA-001 or TEA-001 x 2.`;
    if (hasUnclearCount(text))
      return t`Please write how many as a whole number after the product code, such as TEA-001 x 2.`;
  }
  return text === '' ? t`Please enter at least one item.` : problemWithSpec(specOf(line));
}

/** Whether the number of pieces need not be asked. */
function isWholeLine({ count, spec }: TypedLine): boolean {
  return spec !== undefined || count !== undefined;
}

function specOf({ sku = '', count, spec }: TypedLine): string {
  return (
    spec ?? formatLineSpec({ sku, ...(count === undefined ? {} : { quantity: parseJson(count) }) }) ?? ''
  );
}

function problemWithSpec(spec: string): Text | undefined {
  try {
    const [issue] = errorsIn({ items: [parseLine(spec)] }, 'items', '');
    return issue && sentenceOf(issue, spec);
  } catch (error) {
    if (error instanceof FieldPathError) return error.problem;
    throw error;
  }
}
