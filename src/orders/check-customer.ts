import type { Issue } from './issue.ts';
import { type Json, jsonText, member } from './json.ts';
import type { Order } from './order.ts';
import { isPhoneLike, isPlausiblePhone, isScientificNotation, rangeBeforeRounding } from './phone.ts';

const path = 'customer.phone';
const exampleFix = 'write the number in digits: 99112233 or +976 9911 2233';

/** A phone or an external customer id tells who the customer is (interface section 4.1). */
export function checkCustomer(order: Order): Issue[] {
  const customer = member(order, 'customer');
  const phone = member(customer, 'phone');
  const externalId = member(customer, 'externalCustomerId');
  if (isBlank(phone) && isBlank(externalId)) {
    return [
      {
        path: 'customer',
        code: 'customer_missing',
        severity: 'error',
        problem: 'nothing says who the customer is',
        fix: 'give customer.phone or customer.externalCustomerId',
      },
    ];
  }
  return phone === undefined ? [] : checkPhone(phone);
}

function checkPhone(phone: Json): Issue[] {
  const value = jsonText(phone);
  if (typeof phone === 'string' && isScientificNotation(phone.trim())) {
    return [
      {
        path,
        code: 'phone_damaged',
        severity: 'error',
        value,
        problem: `a spreadsheet replaced this number${describeRange(phone.trim())}`,
        fix: 'take it from the original export, or import that column into the spreadsheet as text',
      },
    ];
  }
  if (typeof phone !== 'string' || !isPhoneLike(phone)) {
    const problem = typeof phone === 'string' ? 'is not a phone number' : 'is not text';
    return [{ path, code: 'phone_invalid', severity: 'error', value, problem, fix: exampleFix }];
  }
  if (isPlausiblePhone(phone)) return [];
  return [
    {
      path,
      code: 'phone_implausible',
      severity: 'warning',
      value,
      problem: 'does not look like a phone number of Mongolia',
      fix: 'check it; it is sent as it is',
    },
  ];
}

function describeRange(text: string): string {
  const range = rangeBeforeRounding(text);
  if (range === undefined) return '';
  const group = (digits: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `; its last digits are gone (it was between ${group(range.from)} and ${group(range.to)})`;
}

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
