import { readMoney } from '../../import/columns/money.ts';
import { checkOrder } from '../../orders/check-order.ts';
import { FieldPathError, setField } from '../../orders/field-path.ts';
import type { Issue } from '../../orders/issue.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import { parseLine } from './draft.ts';

const tugrik = /(?:₮|MNT|төг(?:рөг)?\.?)$/iu;
const thousands = /^\d{1,3}(?:([,.' \u00a0\u202f])\d{3})(?:\1\d{3})*$/;

/** An amount as people type it (`25,000`, `25000₮`, `25 000 төг`) → a decimal string. Undefined when it is none. */
export function parseTypedAmount(text: string): string | undefined {
  const bare = text.trim().replace(tugrik, '').trimEnd();
  // Tugrik have no small coins, so that three digits after a sign are thousands.
  return thousands.test(bare) ? bare.replace(/\D/g, '') : (readMoney(bare) ?? readMoney(bare, 'dot'));
}

const amountProblem = { problem: 'That is not an amount. Write it as 25000 or 25,000.' };

/** An amount, or what is wrong with the text. */
export function readAmount(text: string): string | { problem: string } {
  return parseTypedAmount(text) ?? amountProblem;
}

export function readCollected(text: string): string | { problem: string } {
  const amount = readAmount(text);
  if (typeof amount !== 'string' || /[1-9]/.test(amount)) return amount;
  return { problem: 'Please enter an amount above zero.' };
}

const withCount = /^([^\s=,"]+)\s+[x×х*]\s*([1-9]\d{0,5})$/iu;
const unclearCount = /\s[x×х*](?:[\s\d]|$)/iu;
const severalOrQuoted = /^[^=]*[,;"]/;

/** `TEA-001 x 2`, or fields as `--item` takes them, say how many; a SKU alone does not. */
export function readLine(text: string): { spec: string; isWhole: boolean } {
  const [, sku, count] = withCount.exec(text) ?? [];
  if (sku !== undefined && count !== undefined) return { spec: withQuantity(sku, count), isWhole: true };
  return { spec: text, isWhole: text.includes('=') };
}

/** What is wrong with the text of an item as typed; several items, or an unclear count, would become one odd SKU. */
export function problemWithTypedLine(text: string): string | undefined {
  const { spec, isWhole } = readLine(text);
  if (!isWhole && severalOrQuoted.test(text))
    return 'Please enter one item at a time, such as TEA-001 or TEA-001 x 2.';
  if (!isWhole && unclearCount.test(text))
    return 'Please write how many as a whole number after the product code, such as TEA-001 x 2.';
  return problemWithLine(spec);
}

export function withQuantity(sku: string, quantity: string): string {
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

/** What is wrong with this field alone. */
export function errorOf(path: string[], value: string, today: string): string | undefined {
  const issue = issuesOf(path, value, today).find(({ severity }) => severity === 'error');
  return issue && sentenceOf(issue, value);
}

export function issuesOf(path: string[], value: string, today: string): Issue[] {
  const probe: JsonObject = { collectionMode: 'COLLECT', collectionAmount: '1' };
  setField(probe, path, value);
  return checkOrder(probe, { today, allRules: true }).filter((issue) =>
    issue.path.startsWith(path.join('.')),
  );
}

function errorsIn(order: Order, path: string, today: string): Issue[] {
  return checkOrder(order, { today, allRules: true }).filter(
    (issue) => issue.severity === 'error' && issue.path.startsWith(path),
  );
}

export function sentenceOf({ problem, fix, severity }: Issue, value: string): string {
  const text = problem.replace(/^(?=is |does )/, severity === 'error' ? 'it ' : `${value} `);
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return severity === 'error' ? `${sentence}; ${fix}.` : `${sentence}.`;
}
