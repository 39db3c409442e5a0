import { advice, capitalised, type Text, t } from '../../advice/advice.ts';
import { daysBetween } from '../../import/words/dates.ts';
import { readMoney } from '../../import/words/money.ts';
import { formatAmount } from '../../orders/decimal.ts';
import { type Issue, issueOf } from '../../orders/issue.ts';
import type { Json } from '../../orders/json.ts';
import { brokenRule, isCheckedField, type Rule, rules } from '../../orders/order-rules.ts';
import { describeDay } from '../../output/times.ts';
import { readYesNo } from '../../words/yes-no.ts';

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
export function amountWarning(amount: string): Text | undefined {
  if (/^\d{1,3}(?:\.|$)/.test(amount)) return t`${formatAmount(amount)} is less than 1,000 ₮.`;
  return /^\d{8}/.test(amount) ? t`${formatAmount(amount)} is 10 million ₮ or more.` : undefined;
}

const farDays = 180;

/** A month and day in the past are taken for next year, perhaps by mistake. */
export function dateWarning(date: string, today: string): Text | undefined {
  const days = daysBetween(today, date);
  return days > farDays ? t`${describeDay(date)} is ${days} days from today.` : undefined;
}

/** What the value of one field breaks. */
export function issueOfValue(path: string, value: Json | undefined, today: string): Issue | undefined {
  const rule = isCheckedField(path) ? brokenRule(path, value, { today, allRules: true }) : undefined;
  return rule && issueOf(rule, path, value);
}

/** A whole sentence; of a warning without what to do. */
export function sentenceOf({ code, problem, fix, severity }: Issue, value: string): Text {
  const { isWhole }: Rule = rules[code];
  if (severity === 'warning')
    return capitalised(isWhole ? advice`${problem}.` : advice`${value} ${problem}.`);
  return capitalised(isWhole ? advice`${problem}; ${fix}.` : t`it ${problem}; ${fix}.`);
}
