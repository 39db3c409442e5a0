import { describe, expect, it } from 'vitest';
import { mapHeader } from '../../../src/import/map/map-header.ts';
import { createOrderBuilder } from '../../../src/import/orders/build-order.ts';
import { parseAssignment } from '../../../src/orders/assignment.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { headerOf, rowsOf } from '../tables.ts';

function build(header: string, rows: string[], constants: string[] = []) {
  const { problems, ...mapping } = mapHeader(headerOf(...header.split('|')), {});
  expect(problems).toEqual([]);
  const build = createOrderBuilder(mapping, { constants: constants.map(parseAssignment), allRules: true });
  return build({ externalOrderId: 'A', rows: rowsOf(...rows.map((row) => row.split('|'))) });
}

const json = (...args: Parameters<typeof build>) => {
  const { order, problems } = build(...args);
  expect(problems).toEqual([]);
  return writeOrderBody(order);
};

describe('rows → order', () => {
  it.each<[string, string, string[], string]>([
    [
      'one line per row',
      'externalOrderId|customer.phone|items[].sku|items[].weight:number',
      ['A|9911|X|2', 'A||Y|1.10', '||Z|'],
      '{"externalOrderId":"A","customer":{"phone":"9911"},"items":[{"sku":"X","weight":2},{"sku":"Y","weight":1.10},{"sku":"Z"}]}',
    ],
    ['blank cells are left out', 'externalOrderId|total|items[].sku', ['A||'], '{"externalOrderId":"A"}'],
    [
      'a row without a line cell adds no line',
      'externalOrderId|total|items[].sku',
      ['A||X', 'A|5|', 'A|5|Y'],
      '{"externalOrderId":"A","items":[{"sku":"X"},{"sku":"Y"}],"total":"5"}',
    ],
    [
      'equal cells',
      'externalOrderId|total|items[].sku',
      ['A|5|X', 'A||Y', 'A|5|Z'],
      '{"externalOrderId":"A","items":[{"sku":"X"},{"sku":"Y"},{"sku":"Z"}],"total":"5"}',
    ],
    [
      'fixed lines',
      'externalOrderId|items[0].sku|items[1].sku',
      ['A|X|Y'],
      '{"externalOrderId":"A","items":[{"sku":"X"},{"sku":"Y"}]}',
    ],
    [
      'a fixed line beside the line of the row',
      'externalOrderId|items[0].note|items[].sku',
      ['A|n|X', 'A|n|Y'],
      '{"externalOrderId":"A","items":[{"sku":"X","note":"n"},{"sku":"Y"}]}',
    ],
    [
      'types',
      'externalOrderId|gift:boolean|meta:json|weight:number',
      ['A|TRUE|{"a":[1.0]}|12345678901234567890'],
      '{"externalOrderId":"A","gift":true,"meta":{"a":[1.0]},"weight":12345678901234567890}',
    ],
    ['columns that are not sent', 'Tags|externalOrderId|_row', ['vip|A|7'], '{"externalOrderId":"A"}'],
    [
      'text stays text',
      'externalOrderId|x.a|x.b|x.c',
      ['A|1|true|null'],
      '{"externalOrderId":"A","x":{"a":"1","b":"true","c":"null"}}',
    ],
  ])('%s', (_, header, rows, order) => {
    expect(json(header, rows)).toBe(order);
  });

  it('records the row of each line', () => {
    const { lineRows } = build('externalOrderId|items[].sku|total', ['A|X|', 'A||5', 'A|Y|']);
    expect(lineRows.map(({ row }) => row)).toEqual([2, 4]);
  });
});

describe('--set', () => {
  it('sets fields of orders and of lines', () => {
    const constants = ['collectionMode=NONE', 'items[].warehouse=UB', 'meta.n:=1.10', 'tags:=["a"]'];
    expect(json('externalOrderId|items[].sku', ['A|X', 'A|Y'], constants)).toBe(
      '{"externalOrderId":"A","items":[{"sku":"X","warehouse":"UB"},{"sku":"Y","warehouse":"UB"}],"collectionMode":"NONE","meta":{"n":1.10},"tags":["a"]}',
    );
  });

  it('overrides cells', () => {
    expect(json('externalOrderId|total', ['A|5'], ['total=6'])).toBe('{"externalOrderId":"A","total":"6"}');
  });

  it('adds no lines', () => {
    expect(json('externalOrderId|items[].sku', ['A|'], ['items[].x=1'])).toBe('{"externalOrderId":"A"}');
  });

  it('copies the value for each order', () => {
    const constants = [parseAssignment('meta:={"list":[{"n":1}]}')];
    const mapping = mapHeader(headerOf('externalOrderId', 'items[].sku'), {});
    const build = createOrderBuilder(mapping, { constants, allRules: true });
    const [first, second] = ['A', 'B'].map((externalOrderId) => {
      return build({ externalOrderId, rows: rowsOf([externalOrderId, 'X']) }).order;
    });
    (first as { meta: { list: object[] } }).meta.list.push({});
    expect(writeOrderBody(second ?? {})).toBe(
      '{"externalOrderId":"B","items":[{"sku":"X"}],"meta":{"list":[{"n":1}]}}',
    );
  });

  it('reports a path that leads through text', () => {
    expect(build('externalOrderId|customer.phone', ['A|9911'], ['customer.phone.x=1']).problems).toEqual([
      {
        about: 'order',
        severity: 'error',
        code: 'path_conflict',
        externalOrderId: 'A',
        row: 2,
        line: 2,
        path: 'customer.phone.x',
        problem: '"customer.phone.x" leads through a value that has no fields',
        fix: 'a column and --set contradict each other; leave one of them out',
      },
    ]);
  });
});

describe('problems', () => {
  const common = { about: 'order', severity: 'error', externalOrderId: 'A' };

  it('reports rows of one order that differ', () => {
    const { order, problems } = build('externalOrderId|total|items[].sku', ['A|5|X', 'A|6|Y', 'A|7|Z']);
    const conflict = (row: number, value: string) => ({
      ...common,
      code: 'field_conflict',
      row,
      line: row,
      column: 'B',
      header: 'total',
      path: 'total',
      value,
      problem: 'differs from row 2 of the same order, which has "5"',
      cause: 'other row',
      fix: 'make them agree, or give one of the rows another order ID',
    });
    expect(problems).toEqual([conflict(3, '6'), conflict(4, '7')]);
    expect(order.total).toBe('5');
  });

  it('reports columns that differ for the same line', () => {
    expect(build('externalOrderId|items[].sku|items[0].sku', ['A|X|Y']).problems).toMatchObject([
      {
        code: 'field_conflict',
        column: 'C',
        path: 'items[0].sku',
        value: 'Y',
        problem: 'differs from the value of another column for the same line, "X"',
      },
    ]);
    expect(build('externalOrderId|items[].sku|items[0].sku', ['A|X|X']).problems).toEqual([]);
  });

  it.each([
    ['items[].weight:number', 'two', 'items[0].weight', 'is not a number'],
    ['gift:boolean', 'yes', 'gift', 'is not a boolean'],
    ['meta:json', '{', 'meta', 'is not JSON, or nested too deeply'],
  ])('reports a cell that is not of its type: %s', (header, value, path, problem) => {
    expect(build(`externalOrderId|${header}`, [`A|${value}`]).problems).toEqual([
      {
        ...common,
        code: 'cell_type_invalid',
        row: 2,
        line: 2,
        column: 'B',
        header,
        path,
        value,
        problem,
        fix: 'fix the cell, or remove the type from the header',
      },
    ]);
  });

  it('reports columns whose paths contradict each other', () => {
    expect(build('externalOrderId|x[0]|x.name', ['A|1|2']).problems).toEqual([
      {
        ...common,
        code: 'path_conflict',
        row: 2,
        line: 2,
        column: 'C',
        header: 'x.name',
        path: 'x.name',
        value: '2',
        problem: '"x.name" leads through a value that has no fields',
        fix: 'two columns contradict each other; remove one of them',
      },
    ]);
  });
});
