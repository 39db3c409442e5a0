import { expect, test } from 'vitest';
import { formatAmount } from '../../src/output/order-preview.ts';

test.each([
  ['0', '0 ₮'],
  ['999', '999 ₮'],
  ['1000', '1,000 ₮'],
  ['25000.50', '25,000.50 ₮'],
  ['123456.00', '123,456.00 ₮'],
  ['12345678901234567890123.45', '12,345,678,901,234,567,890,123.45 ₮'],
  ['', ''],
  ['1,000', '1,000'],
  ['-5', '-5'],
  ['1e5', '1e5'],
])('%j reads %j', (decimal, text) => {
  expect(formatAmount(decimal)).toBe(text);
});
