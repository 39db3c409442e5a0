import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecordSplitter, RecordError } from '../../../src/import/table/split-records.ts';

const split = (text: string, delimiter = ',') => createRecordSplitter(delimiter).push(text, true);
const cells = (text: string, delimiter = ',') => split(text, delimiter).map((record) => record.cells);

/** The same text in pieces of these lengths. */
function splitInPieces(text: string, lengths: readonly number[]) {
  const splitter = createRecordSplitter(',');
  const records = [];
  let start = 0;
  for (let turn = 0; start < text.length; turn++) {
    const end = start + (lengths[turn % lengths.length] ?? 1);
    records.push(...splitter.push(text.slice(start, end), false));
    start = end;
  }
  return [...records, ...splitter.push('', true)];
}

describe('records', () => {
  it.each<[string, string[][]]>([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a\rb\n\nc', [['a'], ['b'], [''], ['c']]],
    ['a,\n', [['a', '']]],
    ['', []],
    ['"a,b","c\nd"', [['a,b', 'c\nd']]],
    ['"say ""hi""",""', [['say "hi"', '']]],
    ['""""', [['"']]],
    ['="0012",="a,b"\n', [['="0012"', '="a,b"']]],
    ['="say ""x""",1', [['="say ""x"""', '1']]],
    ['=A1,"x"', [['=A1', 'x']]],
    ['"x",', [['x', '']]],
  ])('%j', (text, expected) => {
    expect(cells(text)).toEqual(expected);
  });

  it('begin on the lines that an editor shows', () => {
    expect(split('"a\r\nb\rc\nd"\r\ne\n"f\n"\n\ng').map(({ line }) => line)).toEqual([1, 5, 6, 8, 9]);
  });

  it.each([
    ['a\n"b\n\n"c"', 'cannot be read as CSV at line 4: a quote stands where none can'],
    ['a\n"b" ,c', 'cannot be read as CSV at line 2: a quote stands where none can'],
    ['a,b"c', 'cannot be read as CSV at line 1: a quote stands where none can'],
    ['="a"b', 'cannot be read as CSV at line 1: a quote stands where none can'],
    ['"a\nb",\n"c,\nd\n', 'has a quote that opens on line 3 and never closes'],
    ['"', 'has a quote that opens on line 1 and never closes'],
    ['="a', 'has a quote that opens on line 1 and never closes'],
  ])('%j is refused', (text, problem) => {
    expect(() => split(text)).toThrow(RecordError);
    expect(() => split(text)).toThrow(problem);
    expect(() => splitInPieces(text, [1])).toThrow(problem);
  });
});

const cell = fc.string({ unit: fc.constantFrom('a', 'Ө', ' ', '"', ',', ';', '\n', '\r', '=', "'", '\t') });

describe('any table', () => {
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

  it('reads as csv-parse reads it, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(
        table,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.boolean(),
        (rows, lineEnd, pieces, isQuotedThroughout) => {
          const write = (cell: string) => {
            const isAtRisk = /[",;\n\r=]/.test(cell);
            return isAtRisk || isQuotedThroughout ? `"${cell.replaceAll('"', '""')}"` : cell;
          };
          const text = rows.map((row) => row.map(write).join(',')).join(lineEnd) + lineEnd;
          const known: string[][] = parse(text, {
            record_delimiter: ['\r\n', '\n', '\r'],
            relax_column_count: true,
            skip_empty_lines: false,
          });
          expect(cells(text)).toEqual(known);
          expect(splitInPieces(text, pieces)).toEqual(split(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('that is no CSV for csv-parse is none here', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n') }), (text) => {
        const attempt = <Result>(read: () => Result) => {
          try {
            return read();
          } catch {
            return 'refused';
          }
        };
        const known = attempt(() => parse(text, { relax_column_count: true, record_delimiter: ['\n'] }));
        expect(attempt(() => cells(text))).toEqual(known);
      }),
      { numRuns: 5000 },
    );
  });
});
