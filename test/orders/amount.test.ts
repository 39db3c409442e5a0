import { expect, test } from 'vitest';
import { formatAmount } from '../../src/orders/decimal.ts';
import cases from './amount.json' with { type: 'json' };

test.each([
  ...(cases.formatted as [string, string][]),
  [`5.${'0'.repeat(100_000)}1`, `5.${'0'.repeat(100_000)}1 ₮`],
])('formats %j as %j', (decimal, text) => {
  expect(formatAmount(decimal)).toBe(text);
});
