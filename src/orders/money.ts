import { isDecimal, isZeroDecimal } from './decimal.ts';
import type { Issue } from './issue.ts';
import { isJsonNumber, type Json, jsonText, member } from './json.ts';
import { collectionModes, moneyFields, type Order } from './order.ts';

/** Money is a decimal string (interface section 2.4); with `anyFormat` it only has to be text. */
export function checkMoney(order: Order, anyFormat: boolean): Issue[] {
  return moneyFields.flatMap((path) => {
    const value = member(order, path);
    if (value === undefined) return [];
    if (typeof value === 'string' && (anyFormat || isDecimal(value))) return [];
    return [{ path, code: 'decimal_invalid', severity: 'error', value: jsonText(value), ...explain(value) }];
  });
}

/** Which amount goes with which mode: the table of interface section 2.3. */
export function checkCollection(order: Order): Issue[] {
  const mode = member(order, 'collectionMode');
  if (mode === undefined || mode === '') {
    return [
      {
        path: 'collectionMode',
        code: 'collection_mode_missing',
        severity: 'error',
        problem: 'it is missing, so the courier would not know whether to collect money',
        fix: 'set it to NONE (prepaid) or COLLECT',
      },
    ];
  }
  if (!collectionModes.some((known) => known === mode)) {
    return [
      {
        path: 'collectionMode',
        code: 'collection_mode_invalid',
        severity: 'error',
        value: jsonText(mode),
        problem: 'is not a collection mode',
        fix: 'write NONE (prepaid) or COLLECT, in capitals',
      },
    ];
  }
  return checkCollectionAmount(mode === 'COLLECT', member(order, 'collectionAmount'));
}

function checkCollectionAmount(collects: boolean, amount: Json | undefined): Issue[] {
  const isGiven = amount !== undefined;
  if (isGiven && !(typeof amount === 'string' && isDecimal(amount))) return [];
  const isZero = !isGiven || isZeroDecimal(amount);
  if (collects === !isZero) return [];
  const common = {
    path: 'collectionAmount',
    severity: 'error',
    ...(isGiven ? { value: amount } : {}),
  } as const;
  return [
    collects
      ? {
          ...common,
          code: 'collection_amount_required',
          problem: 'COLLECT needs the amount the courier collects, above zero',
          fix: 'give the amount, or set collectionMode to NONE when the order is prepaid',
        }
      : {
          ...common,
          code: 'collection_amount_not_allowed',
          problem: 'NONE means prepaid, so there is nothing to collect',
          fix: 'leave the amount out, or set collectionMode to COLLECT',
        },
  ];
}

export const moneyFormat = 'write digits, or digits, a dot and two digits: 25000 or 25000.50';

function explain(value: Json): Pick<Issue, 'problem' | 'fix'> {
  if (isJsonNumber(value)) {
    const digits = value.toString();
    return {
      problem: 'is a JSON number, and money is text',
      fix: `write it in quotes: "${isDecimal(digits) ? digits : '25000.50'}"`,
    };
  }
  if (typeof value !== 'string') {
    return { problem: 'is not an amount', fix: 'write it as text: "25000" or "25000.50"' };
  }
  return {
    problem: 'is not an amount in the format of the service',
    fix: moneyFormat,
  };
}
