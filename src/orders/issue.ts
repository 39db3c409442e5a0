import type { ErrorIssue } from '../errors.ts';
import { type Json, jsonText } from './json.ts';

export type IssueCode =
  | 'customer_missing'
  | 'phone_invalid'
  | 'phone_damaged'
  | 'phone_implausible'
  | 'items_missing'
  | 'sku_blank'
  | 'quantity_invalid'
  | 'text_invalid'
  | 'collection_mode_invalid'
  | 'collection_mode_missing'
  | 'collection_amount_not_allowed'
  | 'collection_amount_required'
  | 'decimal_invalid'
  | 'date_invalid'
  | 'date_past'
  | 'external_order_id_missing'
  | 'external_order_id_blank'
  | 'external_order_id_invalid'
  | 'nested_too_deeply'
  | 'pickup_not_deliverable';

export interface Issue {
  /** The field, such as `items[0].sku`. */
  path: string;
  code: IssueCode;
  severity: 'error' | 'warning';
  problem: string;
  fix: string;
  value?: string;
}

export function isError(issue: Issue): boolean {
  return issue.severity === 'error';
}

export function toErrorIssue(issue: Issue): ErrorIssue {
  const { path, code, problem, fix, value } = issue;
  return { path, code, message: `${problem}; ${fix}`, ...(value === undefined ? {} : { value }) };
}

export function error(path: string, code: IssueCode, problem: string, fix: string, value?: Json): Issue {
  return {
    path,
    code,
    severity: 'error',
    problem,
    fix,
    ...(value === undefined ? {} : { value: jsonText(value) }),
  };
}
