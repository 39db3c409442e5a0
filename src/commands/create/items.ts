import type { Context } from '../../context.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { errorsIn, sentenceOf } from './answers.ts';
import { parseLine } from './draft.ts';

export async function askLines(
  prompts: NonNullable<Context['prompts']>,
  asksQuantity: boolean,
): Promise<string[]> {
  const specs: string[] = [];
  for (;;) {
    const number = specs.length + 1;
    const answer = await prompts.text({
      message: `Product code (SKU) of item ${number}${number === 1 ? '' : ' (press Enter when there are no more)'}`,
      check: (text) => (text === '' && number > 1 ? undefined : problemWithTypedLine(text)),
    });
    if (answer === '') return specs;
    const { spec, isWhole } = readLine(answer);
    const quantity = isWhole || !asksQuantity ? undefined : await askQuantity(prompts);
    specs.push(quantity === undefined ? spec : withQuantity(spec, quantity));
  }
}

function askQuantity(prompts: NonNullable<Context['prompts']>): Promise<string> {
  return prompts.text({
    message: 'How many?',
    preset: '1',
    check: (text) => (/^[1-9]\d{0,5}$/.test(text) ? undefined : 'Please enter a whole number, such as 2.'),
  });
}

const withCount = /^([^\s=,"]+)\s+[x×х*]\s*([1-9]\d{0,5})$/iu;
const unclearCount = /\s[x×х*](?:[\s\d]|$)/iu;
const severalOrQuoted = /^[^=]*[,;"]/;

/** `isWhole`: the text includes the quantity. */
function readLine(text: string): { spec: string; isWhole: boolean } {
  const [, sku, count] = withCount.exec(text) ?? [];
  if (sku !== undefined && count !== undefined) return { spec: withQuantity(sku, count), isWhole: true };
  return { spec: text, isWhole: text.includes('=') };
}

/** Several items or an unclear quantity would become one strange SKU. */
function problemWithTypedLine(text: string): string | undefined {
  const { spec, isWhole } = readLine(text);
  if (!isWhole && severalOrQuoted.test(text))
    return 'Please enter one item at a time, such as TEA-001 or TEA-001 x 2.';
  if (!isWhole && unclearCount.test(text))
    return 'Please write how many as a whole number after the product code, such as TEA-001 x 2.';
  return problemWithLine(spec);
}

function withQuantity(sku: string, quantity: string): string {
  return `sku=${sku},quantity:=${quantity}`;
}

function problemWithLine(spec: string): string | undefined {
  if (spec === '') return 'Please enter at least one item.';
  try {
    const [issue] = errorsIn({ items: [parseLine(spec)] }, 'items', '');
    return issue && sentenceOf(issue, spec);
  } catch (error) {
    if (error instanceof FieldPathError) return error.message;
    throw error;
  }
}
