import { isDecimal, isZeroDecimal } from './decimal.ts';
import { error, type Issue } from './issue.ts';
import { isJsonNumber, type Json, member } from './json.ts';
import { collectionModes, type Order } from './order.ts';

/** Money is a decimal string (interface section 2.4); with `anyFormat` it only has to be text. */
export function checkMoney(order: Order, path: string, anyFormat: boolean): Issue | undefined {
  const value = member(order, path);
  if (value === undefined || (typeof value === 'string' && (anyFormat || isDecimal(value)))) return undefined;
  const { problem, fix } = explain(value);
  return error(path, 'decimal_invalid', problem, fix, value);
}

/** Which amount goes with which mode: the table of interface section 2.3. */
export function checkCollection(order: Order): Issue | undefined {
  const mode = member(order, 'collectionMode');
  const path = 'collectionMode';
  if (mode === undefined || mode === '') {
    const problem = 'it is missing, so the courier would not know whether to collect money';
    return error(path, 'collection_mode_missing', problem, 'set it to NONE (prepaid) or COLLECT');
  }
  if (!collectionModes.some((known) => known === mode)) {
    const fix = 'write NONE (prepaid) or COLLECT, in capitals';
    return error(path, 'collection_mode_invalid', 'is not a collection mode', fix, mode);
  }
  return checkCollectionAmount(mode === 'COLLECT', member(order, 'collectionAmount'));
}

function checkCollectionAmount(collects: boolean, amount: Json | undefined): Issue | undefined {
  const isGiven = amount !== undefined;
  if (isGiven && !(typeof amount === 'string' && isDecimal(amount))) return undefined;
  const isZero = !isGiven || isZeroDecimal(amount);
  if (collects === !isZero) return undefined;
  const path = 'collectionAmount';
  if (collects) {
    const problem = 'COLLECT needs the amount the courier collects, above zero';
    const fix = 'give the amount, or set collectionMode to NONE when the order is prepaid';
    return error(path, 'collection_amount_required', problem, fix, amount);
  }
  const problem = 'NONE means prepaid, so there is nothing to collect';
  const fix = 'leave the amount out, or set collectionMode to COLLECT';
  return error(path, 'collection_amount_not_allowed', problem, fix, amount);
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
  return { problem: 'is not an amount in the format of the service', fix: moneyFormat };
}
