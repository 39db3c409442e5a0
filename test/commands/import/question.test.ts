import { expect, test } from 'vitest';
import { formatQuestion } from '../../../src/commands/import/confirm.ts';
import { textOf } from '../../support/advice.ts';

const none = { shop: undefined, invalid: 0, ignored: [], warnings: [] };
const unsent = { orders: 335, collecting: 120, toCollect: '4120000' };
const warning = (count: number) => ({ code: 'date_past', count, rows: [] });

test.each<[Partial<typeof unsent>, Parameters<typeof formatQuestion>[1], boolean, string]>([
  [
    {},
    { ...none, shop: 'Shopify orders export', warnings: [warning(1), warning(1)] },
    true,
    '335 orders as a Shopify orders export, collect 4,120,000 ₮ from 120 of them, 2 warnings',
  ],
  [{}, { ...none, shop: 'Shopify orders export' }, false, '335 orders, collect 4,120,000 ₮ from 120 of them'],
  [{ collecting: 335 }, none, false, '335 orders, collect 4,120,000 ₮ from all of them'],
  [{ collecting: 0 }, { ...none, warnings: [warning(1)] }, false, '335 orders, 1 warning'],
  [{ collecting: 0 }, { ...none, invalid: 3 }, false, '335 orders, skip 3 with errors'],
  [{ orders: 1, collecting: 1 }, none, false, '1 order, collect 4,120,000 ₮'],
  [
    { collecting: 0 },
    { ...none, ignored: ['A: x', 'B: y'] },
    false,
    '335 orders, ignoring A: x, ignoring B: y',
  ],
  [
    { collecting: 0 },
    { ...none, ignored: ['A: x', 'B: y', 'C: z', 'D: w'] },
    false,
    '335 orders, ignoring A: x, ignoring B: y, ignoring 2 more columns that matter',
  ],
])('%j, %j, recognised: %s', (fields, preview, isRecognised, question) => {
  expect(textOf(formatQuestion({ ...unsent, ...fields }, preview, isRecognised))).toBe(question);
});
