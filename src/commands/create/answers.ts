import { readMoney } from '../../import/words/money.ts';
import { setField } from '../../orders/field-path.ts';
import type { Issue, IssueCode } from '../../orders/issue.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import { findIssues } from '../../orders/order-schemas.ts';

const tugrik = /(?:₮|MNT|төг(?:рөг)?\.?)$/iu;
const thousands = /^\d{1,3}(?:([,.' \u00a0\u202f])\d{3})(?:\1\d{3})*$/;

/** `25,000`, `25000₮` or `25 000 төг` → a decimal string. */
export function parseTypedAmount(text: string): string | undefined {
  const bare = text.trim().replace(tugrik, '').trimEnd();
  // Tugrik have no small coins, so three digits after a separator are thousands.
  return thousands.test(bare) ? bare.replace(/\D/g, '') : (readMoney(bare) ?? readMoney(bare, 'dot'));
}

const amountProblem = { problem: 'That is not an amount. Write it as 25000 or 25,000.' };

export function readAmount(text: string): string | { problem: string } {
  return parseTypedAmount(text) ?? amountProblem;
}

export function readCollected(text: string): string | { problem: string } {
  const amount = readAmount(text);
  if (typeof amount !== 'string' || /[1-9]/.test(amount)) return amount;
  return { problem: 'Please enter an amount above zero.' };
}

export function errorOf(path: string[], value: string, today: string): string | undefined {
  const issue = issuesOf(path, value, today).find(({ severity }) => severity === 'error');
  return issue && sentenceOf(issue, value);
}

export function issuesOf(path: string[], value: string, today: string): Issue[] {
  const probe: JsonObject = { collectionMode: 'COLLECT', collectionAmount: '1' };
  setField(probe, path, value);
  return findIssues(probe, { today, allRules: true }).filter((issue) =>
    issue.path.startsWith(path.join('.')),
  );
}

export function errorsIn(order: Order, path: string, today: string): Issue[] {
  return findIssues(order, { today, allRules: true }).filter(
    (issue) => issue.severity === 'error' && issue.path.startsWith(path),
  );
}

/** Their problems are whole sentences; all others say something of the field. */
const wholeSentences: ReadonlySet<IssueCode> = new Set<IssueCode>([
  'customer_missing',
  'phone_damaged',
  'items_missing',
  'collection_mode_missing',
  'collection_amount_required',
  'collection_amount_not_allowed',
]);

export function sentenceOf({ code, problem, fix, severity }: Issue, value: string): string {
  const subject = severity === 'error' ? 'it ' : `${value} `;
  const text = wholeSentences.has(code) ? problem : subject + problem;
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return severity === 'error' ? `${sentence}; ${fix}.` : `${sentence}.`;
}
