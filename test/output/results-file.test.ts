import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { formatResults } from '../../src/output/results-file.ts';

const header =
  'row,external_order_id,outcome,order_id,order_number,delivery,code,message,attempts,idempotency_key,created_by_run\n';

test('no order is a header', () => {
  expect(formatResults([])).toBe(header);
});

test('one line an order, by row, with all that is known of it', () => {
  expect(
    formatResults([
      { row: 10, externalOrderId: 'B', outcome: 'not_sent', code: 'stopped', attempts: 0 },
      {
        ...{ row: 9, externalOrderId: 'A', outcome: 'created', attempts: 2 },
        ...{ orderId: 'id-1', orderNumber: 'ORD-2026-000001', delivery: '{"status":"PENDING"}' },
        ...{ code: 'c', message: 'm', idempotencyKey: 'key-1', createdByRun: 'run-1' },
      },
    ]),
  ).toBe(
    `${header}9,A,created,id-1,ORD-2026-000001,"{""status"":""PENDING""}",c,m,2,key-1,run-1\n` +
      '10,B,not_sent,,,,stopped,,0,,\n',
  );
});

test('a spreadsheet neither runs nor damages what is in it', () => {
  const text = formatResults([
    { row: 2, externalOrderId: '0012', outcome: 'rejected', message: '=HYPERLINK("http://x")', attempts: 1 },
    { row: 3, externalOrderId: '+976', outcome: 'rejected', message: 'two\nlines, "quoted"', attempts: 1 },
  ]);
  expect(parse(text).map((cells: string[]) => [cells[1], cells[7]])).toEqual([
    ['external_order_id', 'message'],
    ["'0012", `'=HYPERLINK("http://x")`],
    ["'+976", 'two\nlines, "quoted"'],
  ]);
});

test('the results handed in stay in their order', () => {
  const results = [2, 1].map((row) => ({ row, externalOrderId: '', outcome: 'created', attempts: 1 }));
  formatResults(results);
  expect(results.map(({ row }) => row)).toEqual([2, 1]);
});
