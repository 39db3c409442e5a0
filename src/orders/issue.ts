import { joinTexts, type Text } from '../advice/advice.ts';
import type { ErrorIssue } from '../errors.ts';
import { type Json, jsonText } from './json.ts';
import { type IssueCode, type Rule, type RuleName, rules } from './order-rules.ts';

export interface Issue {
  path: string;
  code: IssueCode;
  severity: 'error' | 'warning';
  problem: Text;
  fix: Text;
  value?: string;
}

/** `value` is undefined when the field is missing. */
export function issueOf(name: RuleName, path: string, value: Json | undefined): Issue {
  const { code = name, problem, fix, isWarning, hidesValue }: Rule = rules[name];
  const word = (wording: Rule['fix']) => (typeof wording === 'function' ? wording(value as Json) : wording);
  return {
    path,
    code: code as IssueCode,
    severity: isWarning ? 'warning' : 'error',
    problem: word(problem),
    fix: word(fix),
    ...(value === undefined || hidesValue ? {} : { value: jsonText(value) }),
  };
}

export function isError(issue: Issue): boolean {
  return issue.severity === 'error';
}

export function toErrorIssue(issue: Issue): ErrorIssue {
  const { path, code, problem, fix, value } = issue;
  return { path, code, message: joinTexts([problem, fix], '; '), ...(value === undefined ? {} : { value }) };
}
