import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { formatResults, type ResultRow } from '../../../src/import/results/files.ts';

const header =
  'row,external_order_id,outcome,order_id,order_number,delivery,code,message,attempts,idempotency_key,created_by_run\n';

const format = (results: ResultRow[]) => [...formatResults(results)].join('');

test('protects cells that a spreadsheet would run or change', () => {
  const text = format([
    { row: 2, externalOrderId: '0012', outcome: 'rejected', message: '=HYPERLINK("http://x")', attempts: 1 },
    { row: 3, externalOrderId: '+976', outcome: 'rejected', message: 'two\nlines, "quoted"', attempts: 1 },
  ]);
  expect(parse(text).map((cells: string[]) => [cells[1], cells[7]])).toEqual([
    ['external_order_id', 'message'],
    ["'0012", `'=HYPERLINK("http://x")`],
    ["'+976", 'two\nlines, "quoted"'],
  ]);
});

test('writes no ESC and no C1 character of an ID of the merchant', () => {
  const externalOrderId = '\u001b=A\u009b31m\u200d';
  expect(format([{ row: 2, externalOrderId, outcome: 'created', attempts: 1 }])).toBe(
    `${header}2,'=A31m\u200d,created,,,,,,1,,\n`,
  );
});

test('neutralises every text of the service, also behind characters that are not seen', () => {
  const hostile = '\u001b[31m\u200b\r\n ＝HYPERLINK("http://x")\u009b2J\u0007';
  const row: ResultRow = { row: 2, externalOrderId: 'A', outcome: 'rejected', attempts: 1 };
  const text = format([
    { ...row, orderId: hostile, orderNumber: hostile, delivery: hostile, code: hostile, message: hostile },
    { ...row, warnings: [{ code: '|x', message: hostile }] },
  ]);
  const safe = `'\n ＝HYPERLINK("http://x")`;
  const [, first, second] = parse(text) as string[][];
  expect(first?.slice(3, 8)).toEqual([safe, safe, safe, safe, safe]);
  expect(second?.slice(6, 8)).toEqual(["'|x", safe]);
  expect(text).not.toMatch(/(?![\n])\p{Cc}|\u200b/u);
});

const warnings = [
  { code: 'phone_implausible', path: 'customer.phone', message: 'looks foreign' },
  { code: 'phone_implausible', message: 'again' },
  { code: 'date_past', message: 'is past' },
];

test.each<[string, Partial<ResultRow>, string]>([
  ['of a created order', {}, 'phone_implausible; date_past,customer.phone: looks foreign; again; is past'],
  [
    'behind a message',
    { message: 'created by run-1' },
    'phone_implausible; date_past,created by run-1; warning: customer.phone: looks foreign; warning: again; warning: is past',
  ],
  [
    'behind a code of the outcome',
    { code: 'not_compared', message: 'hidden' },
    'not_compared,hidden; warning: customer.phone: looks foreign; warning: again; warning: is past',
  ],
])('writes the warnings %s as its code and message', (_, fields, expected) => {
  const row: ResultRow = {
    row: 2,
    externalOrderId: 'A',
    outcome: 'created',
    attempts: 1,
    warnings,
    ...fields,
  };
  expect(format([row]).split('\n')[1]).toBe(`2,A,created,,,,${expected},1,,`);
});
