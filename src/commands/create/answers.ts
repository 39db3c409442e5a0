import { advice, capitalised, type Text, t } from '../../advice/advice.ts';
import { daysBetween } from '../../import/words/dates.ts';
import { readMoney } from '../../import/words/money.ts';
import { readYesNo } from '../../import/words/yes-no.ts';
import { setField } from '../../orders/field-path.ts';
import type { Issue, IssueCode } from '../../orders/issue.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import { findIssues } from '../../orders/order-schemas.ts';
import { formatAmount } from '../../output/amount.ts';
import { describeDay } from '../../output/times.ts';

/** `25,000`, `₮25 000`, `25к`, `25 мянган төгрөг` or `1.5 сая` → a decimal string. */
export function readAmount(text: string): string | { problem: Text } {
  const problem = t`That is not an amount. Write it as 25000, 25,000, 25k or 25 мянга.`;
  return readMoney(text) ?? { problem };
}

/** `0`, `үгүй` or `авахгүй`, at a question about what the courier collects. */
export function saysNothingCollected(text: string): boolean {
  const amount = readAmount(text);
  return readYesNo(text, 'collect') === false || (typeof amount === 'string' && !/[1-9]/.test(amount));
}

/** Spoken, 25 is often 25,000; and a zero too many is typed easily. */
export function doubtAboutAmount(amount: string): Text | undefined {
  if (/^\d{1,3}(?:\.|$)/.test(amount)) return t`${formatAmount(amount)} is less than 1,000 ₮.`;
  return /^\d{8}/.test(amount) ? t`${formatAmount(amount)} is 10 million ₮ or more.` : undefined;
}

const farDays = 180;

/** A month and day in the past are taken for next year, perhaps by mistake. */
export function doubtAboutDate(date: string, today: string): Text | undefined {
  const days = daysBetween(today, date);
  return days > farDays ? t`${describeDay(date)} is ${days} days from today.` : undefined;
}

export function errorOf(path: string[], value: string, today: string): Text | undefined {
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

/** A whole sentence; a doubt, without what to do, of a warning. */
export function sentenceOf({ code, problem, fix, severity }: Issue, value: string): Text {
  const isWhole = wholeSentences.has(code);
  if (severity === 'warning')
    return capitalised(isWhole ? advice`${problem}.` : advice`${value} ${problem}.`);
  return capitalised(isWhole ? advice`${problem}; ${fix}.` : t`it ${problem}; ${fix}.`);
}
