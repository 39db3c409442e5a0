import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
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

/** One item again. Undefined for a blank answer, if that `mayBeBlank`. */
export async function askLine(
  prompts: NonNullable<Context['prompts']>,
  message: string,
  mayBeBlank: boolean,
): Promise<{ spec: string; isWhole: boolean } | undefined> {
  const check = (text: string) => (text === '' && mayBeBlank ? undefined : problemWithTypedLine(text));
  const answer = await prompts.text({ message, check });
  return answer === '' ? undefined : readLine(answer);
}

/** `Used before: TEA-001, COF-001`, as many as fit. */
export function formatUsedSkus(skus: readonly string[], width: number): string {
  const label = 'Used before: ';
  let text = skus[0] ?? '';
  for (const sku of skus.slice(1)) {
    if (label.length + text.length + sku.length + 2 >= width) break;
    text += `, ${sku}`;
  }
  return label + text;
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

const maxLists = 20;
const maxSkus = 20;
const maxSkuLength = 64;

/** Of orders created on this machine with this profile and service, newest first. */
export async function readUsedSkus(
  { skus }: Pick<Context, 'skus'>,
  connection: Connection,
): Promise<string[]> {
  try {
    return (await skus.read()).used.find(isListOf(connection))?.skus ?? [];
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

/** The order exists, so a failure to write the list is not an error. */
export async function rememberSkus(
  { skus }: Pick<Context, 'skus'>,
  connection: Connection,
  order: Order,
): Promise<void> {
  const { profile, baseUrl: service } = connection;
  const used = orderLines(order).flatMap((line) => textField(line, 'sku') ?? []);
  const isShown = (sku: string) => sku !== '' && sku.length <= maxSkuLength && cleanCell(sku) === sku;
  const fresh = used.filter(isShown);
  // The embedded sandbox has a new address each time.
  if (fresh.length === 0 || profile === undefined) return;
  const isOfService = isListOf(connection);
  try {
    await skus.update(({ used: lists }) => {
      const before = lists.find(isOfService);
      const all = [...new Set([...fresh, ...(before?.skus ?? [])])];
      const list = { ...before, profile, service, skus: all.slice(0, maxSkus) };
      return { used: [list, ...lists.filter((other) => !isOfService(other))].slice(0, maxLists) };
    });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
  }
}

function isListOf({ profile, baseUrl }: Connection) {
  return (list: { profile: string; service: string }) => list.profile === profile && list.service === baseUrl;
}
