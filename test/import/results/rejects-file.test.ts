import { expect, test } from 'vitest';
import { sayInEnglish } from '../../../src/advice/advice.ts';
import { delimiters, detectDialect } from '../../../src/import/read/detect.ts';
import type { RowRun } from '../../../src/import/read/table.ts';
import { createRejectsFormat } from '../../../src/import/results/files.ts';
import type { Reject } from '../../../src/import/results/order-outcome.ts';
import { headerOf } from '../tables.ts';

const reject = (row: number, cells: string[], code = '', error = '', fix = '') => ({
  row,
  cells,
  code,
  error,
  fix,
});

function formatRejects(
  header: string[],
  rows: Reject[],
  delimiter: string,
  above: RowRun[] = [],
  isUnquoted = false,
) {
  const format = createRejectsFormat(
    { header: headerOf(...header), above, delimiter, isUnquoted },
    sayInEnglish,
  );
  return [...format.head(), ...rows.map(format.row)].join('');
}

test('protects cells that a spreadsheet would run or change', () => {
  const cells = ['0012', '=1+1', '+97699112233', '9.91E+07', '-5', '@home', "'5", '99112233', "'tis"];
  const header = cells.map((_, index) => `c${index}`);
  expect(formatRejects(header, [reject(2, cells)], ',').split('\n')[1]).toBe(
    "'0012,'=1+1,'+97699112233,'9.91E+07,'-5,'@home,''5,99112233,'tis,2,,,",
  );
});

test('neutralises what the service says, and keeps the cells of the file', () => {
  const hostile = '\u001b]0;owned\u0007\u200b\n=1+1';
  const own = 'a\u200bb\u0007';
  const [, line] = formatRejects(['c'], [reject(2, [own], hostile, hostile, hostile)], ',').split(/\n(?=a)/);
  expect(line).toBe(`${own},2,"'\n=1+1","'\n=1+1","'\n=1+1"\n`);
});

test('writes no ESC and no C1 character, wherever in the file it was', () => {
  const text = 'a\u001b[31mb\u009b31mc\u0085d';
  const written = formatRejects([text], [reject(2, [text], text, text, text)], ',', [
    { cells: [text], count: 1 },
  ]);
  const kept = 'a[31mb31mcd';
  expect(written).toBe(`\uFEFF${kept}\n${kept},_row,_code,_error,_fix\n${kept},2,abcd,abcd,abcd\n`);
});

test('replaces the columns of an earlier rejects file, keeps other columns with _', () => {
  const header = ['externalOrderId', '_row', '_own', '_code', '_error', '_fix', 'total'];
  const cells = ['A', '7', 'mine', 'old', 'old', 'old', '5'];
  expect(formatRejects(header, [reject(2, cells, 'new', 'error', 'fix')], ',')).toBe(
    '\uFEFFexternalOrderId,_own,total,_row,_code,_error,_fix\nA,mine,5,2,new,error,fix\n',
  );
});

test('writes a sep= line for a delimiter that is not detected', async () => {
  const text = formatRejects(['externalOrderId', 'x.a'], [reject(2, ['A', 'a^b'])], '^');
  expect(text).toBe('\uFEFFsep=^\nexternalOrderId^x.a^_row^_code^_error^_fix\nA^"a^b"^2^^^\n');
  const dialect = await detectDialect(text.slice(1), true, {});
  expect(dialect).toMatchObject({ delimiter: '^', hasSeparatorLine: true });
  for (const delimiter of delimiters) {
    const usual = formatRejects(['externalOrderId', 'x.a'], [reject(2, ['A', 'b'])], delimiter);
    expect(usual).not.toContain('sep=');
    expect((await detectDialect(usual.slice(1), true, {})).delimiter).toBe(delimiter);
  }
});

test('writes quotes as text for an unquoted file, and no delimiter or line break in its own texts', () => {
  const header = ['externalOrderId', 'items[].name', '"note'];
  const rows = [
    reject(2, ['A', '24" Monitor', 'a "b"'], 'code', 'is "x", not\ny', 'write a, b\r\nor c'),
    reject(3, ['B', '"tea', '']),
  ];
  expect(formatRejects(header, rows, ',', [{ cells: [''], count: 1 }], true)).toBe(
    '\uFEFF\nexternalOrderId,items[].name,"note,_row,_code,_error,_fix\n' +
      'A,24" Monitor,a "b",2,code,is "x"; not y,write a; b or c\n' +
      'B,"tea,,3,,,\n',
  );
  expect(formatRejects(['a'], [reject(2, ['1'], 'x', 'a\tb; c', 'd')], '\t', [], true)).toContain(
    '1\t2\tx\ta,b; c\td\n',
  );
});
