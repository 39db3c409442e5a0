import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Issue, isError, toErrorIssue } from '../../src/orders/issue.ts';
import { parseJson, writeJson } from '../../src/orders/json.ts';
import type { Order } from '../../src/orders/order.ts';
import { type CheckOptions, isOrdinary } from '../../src/orders/order-rules.ts';
import { findIssues } from '../../src/orders/order-schemas.ts';
import { asText, textOf } from '../support/advice.ts';
import { generatedOrders, today } from './generated-orders.ts';
import { readFixture, readOrders } from './read-fixture.ts';

interface ContractCase {
  name: string;
  order: string;
  options?: Partial<CheckOptions>;
  expected: Pick<Issue, 'path' | 'code' | 'severity'>[];
}

const cases: ContractCase[] = JSON.parse(readFixture('contract/order-checks.json'));

function check(order: string, options: Partial<CheckOptions> = {}): Issue[] {
  const all = { today, allRules: true, ...options };
  return findIssues(parseJson(order) as Order, all);
}

describe('an ordinary order', () => {
  it('has no problem', () => {
    let ordinary = 0;
    const property = fc.property(generatedOrders, fc.boolean(), (order, allRules) => {
      const before = writeJson(order);
      const issues = findIssues(order, { today, allRules });
      expect(writeJson(order)).toBe(before);
      if (!isOrdinary(order, { today, allRules })) return;
      ordinary += 1;
      expect(issues).toEqual([]);
    });
    fc.assert(property, { seed: 37, numRuns: 2000 });
    expect(ordinary).toBeGreaterThan(200);
  });

  it('is each of fixtures/orders.csv', () => {
    const orders = readOrders('orders.csv');
    expect(orders.length).toBeGreaterThan(200);
    expect(orders.filter((order) => !isOrdinary(order, { today, allRules: true }))).toEqual([]);
  });
});

describe('findIssues', () => {
  it.each(cases)('$name', ({ order, options, expected }) => {
    const found = check(order, options).map(({ path, code, severity }) => ({ path, code, severity }));
    expect(found).toEqual(expected);
  });

  it.each([true, false])('rejects orders that could not be read back (all rules: %s)', (allRules) => {
    const nested = (levels: number) => {
      const order = { externalOrderId: 'A', meta: parseJson('['.repeat(levels) + ']'.repeat(levels)) };
      const issues = findIssues(order, { today, allRules });
      return issues.filter(({ code }) => code === 'nested_too_deeply');
    };
    expect(nested(479)).toEqual([]);
    expect(nested(480)).toMatchObject([
      { path: 'meta', severity: 'error', problem: asText('makes the order more than 480 levels deep') },
    ]);
  });

  it('has a case for every code', () => {
    const codes = new Set(cases.flatMap(({ expected }) => expected.map(({ code }) => code)));
    expect([...codes].sort()).toEqual([
      'collection_amount_not_allowed',
      'collection_amount_required',
      'collection_mode_invalid',
      'collection_mode_missing',
      'customer_missing',
      'date_invalid',
      'date_past',
      'decimal_invalid',
      'external_order_id_blank',
      'external_order_id_missing',
      'items_missing',
      'phone_damaged',
      'phone_implausible',
      'phone_invalid',
      'quantity_invalid',
      'sku_blank',
      'text_invalid',
    ]);
  });
});

describe('an issue', () => {
  const rest = '"externalOrderId":"A-1","customer":{"phone":"99112233"},"items":[{"sku":"TEA-001"}]';
  const fixOf = (member: string, path: string) =>
    check(`{${rest},"collectionMode":"NONE",${member}}`).find((issue) => issue.path === path);

  it.each([
    ['"total":25000', 'total', '25000', '"25000"'],
    ['"total":25000.50', 'total', '25000.50', '"25000.50"'],
    ['"total":12345678901234567890', 'total', '12345678901234567890', '"12345678901234567890"'],
    ['"total":true', 'total', 'true', '"25000"'],
    ['"total":"25,000"', 'total', '25,000', '25000'],
    ['"collectionAmount":"5000"', 'collectionAmount', '5000', 'COLLECT'],
    ['"requestedDeliveryDate":"2030-04-31"', 'requestedDeliveryDate', '2030-04-31', 'YYYY-MM-DD'],
    ['"items":[{"sku":1001}]', 'items[0].sku', '1001', '"1001"'],
  ])('%s: has the given value and what to write', (member, path, value, fix) => {
    const issue = fixOf(member, path);
    expect(issue?.value).toBe(value);
    expect(textOf(issue?.fix)).toContain(fix);
  });
});

describe('the customer', () => {
  it.each([
    ['{"phone":null}', ['customer customer_missing']],
    [
      '{"phone":" ","externalCustomerId":null}',
      ['customer customer_missing', 'customer.externalCustomerId text_invalid'],
    ],
    [
      '{"phone":"","externalCustomerId":7}',
      ['customer.phone phone_invalid', 'customer.externalCustomerId text_invalid'],
    ],
    ['7', ['customer customer_missing']],
  ])('%s: is checked as a whole, then by its fields', (customer, expected) => {
    const order = `{"externalOrderId":"A-1","customer":${customer},"items":[{"sku":"TEA-001"}],"collectionMode":"NONE"}`;
    expect(check(order).map(({ path, code }) => `${path} ${code}`)).toEqual(expected);
  });
});

describe('the quantity of a line', () => {
  const codes = (quantity: string) => {
    const rest = '"externalOrderId":"A-1","customer":{"phone":"99112233"},"collectionMode":"NONE"';
    return check(`{${rest},"items":[{"sku":"TEA-001"},{"quantity":${quantity}}]}`).map(({ path, code }) => {
      return `${path} ${code}`;
    });
  };

  it.each(['1', '12', '"3"', '2.0', '"2.00"', '"two"', '"2 kg"', '""', 'null', 'true', '{"value":0}'])(
    'may be %s',
    (quantity) => {
      expect(codes(quantity)).toEqual([]);
    },
  );

  it.each(['0', '-1', '1.5', '1e1', '"0"', '"-1"', '"1.5"', '"1,5"', '".5"', '"+2"', '"02"', '" 2 "'])(
    'may not be %s',
    (quantity) => {
      expect(codes(quantity)).toEqual(['items[1].quantity quantity_invalid']);
    },
  );
});

describe('isError', () => {
  const order = (phone: string) =>
    `{"externalOrderId":"A-1","customer":{"phone":"${phone}"},"items":[{"sku":"TEA-001"}],"collectionMode":"NONE"}`;

  it.each([
    ['99112233', false],
    ['+1 212 555 1212', false],
    ['12345', true],
    ['none', true],
  ])('for an order with the phone %s: %s', (phone, expected) => {
    expect(check(order(phone)).some(isError)).toBe(expected);
  });
});

describe('toErrorIssue', () => {
  const issue = {
    path: 'total',
    code: 'decimal_invalid',
    severity: 'error',
    problem: 'is bad',
    fix: 'fix it',
  };

  it.each([
    [{}, { path: 'total', code: 'decimal_invalid', message: 'is bad; fix it' }],
    [{ value: '1e5' }, { path: 'total', code: 'decimal_invalid', message: 'is bad; fix it', value: '1e5' }],
  ])('with %j', (more, expected) => {
    expect(toErrorIssue({ ...issue, ...more } as Issue)).toStrictEqual(expected);
  });
});
