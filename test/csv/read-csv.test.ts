import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CsvFormatError,
  type Dialect,
  parseCsv,
  parseSample,
  type Row,
  readCsv,
  unwrapRow,
} from '../../src/csv/read-csv.ts';
import cases from './read-csv.json' with { type: 'json' };

const separators = { delimiter: ',', isUnquoted: false };
const cells = (text: string) => parseCsv(text).map((row) => row.cells);

/** Reads the text as a stream of chunks whose lengths repeat this list. */
async function readChunked(
  text: string,
  lengths: number[],
  { width, ...dialect }: Partial<Dialect> & { width?: number } = {},
) {
  const open = async function* () {
    let start = 0;
    for (let index = 0; start < text.length; index++) {
      const end = start + (lengths[index % lengths.length] ?? 1);
      yield text.slice(start, end);
      start = end;
    }
  };
  const rows: Row[] = [];
  const commas = { delimiter: ',', hasSeparatorLine: false, isWrapped: false, isUnquoted: false };
  for await (const batch of readCsv(open, { ...commas, ...dialect }, width)) rows.push(...batch);
  return rows;
}

describe('records', () => {
  it.each(cases.records as [string, string[][]][])('%j', async (text, expected) => {
    expect(cells(text)).toEqual(expected);
    expect((await readChunked(text, [1])).map((row) => row.cells)).toEqual(expected);
  });

  it('have the line numbers that an editor shows', () => {
    const rows = parseCsv('"a\r\nb\rc\nd"\r\ne\n"f\n"\n\ng');
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 1],
      [2, 5],
      [3, 6],
      [4, 8],
      [5, 9],
    ]);
  });

  it('are numbered without the sep= line', async () => {
    expect(await readChunked('sep=;\r\na;b\r\n', [4], { delimiter: ';', hasSeparatorLine: true })).toEqual([
      { row: 1, line: 2, cells: ['a', 'b'] },
    ]);
  });

  it('may be wrapped in one cell, with the line numbers of the file', async () => {
    const text = '"1,""a, \n""""b"""" c""\r\n"\r\n"3,4"\r\n5,6\r\n"7,""8"\r\n';
    expect(await readChunked(text, [9], { isWrapped: true })).toEqual([
      { row: 1, line: 1, cells: ['1', 'a, \n"b" c'] },
      { row: 2, line: 4, cells: ['3', '4'] },
      { row: 3, line: 5, cells: ['5', '6'] },
      { row: 4, line: 6, cells: ['7,"8'] },
    ]);
  });

  it.each([
    ['"a\nb",\n"c,\nd\n', 'has a quote that opens on line 3 and never closes'],
    ['a\r\n"b\r\nc",x\r\nd,"e,\r\nf\r\n', 'has a quote that opens on line 4 and never closes'],
    ['Ө,Ө\r"Ө\r",Ө\n1,"2\nӨ', 'has a quote that opens on line 4 and never closes'],
    ['"', 'has a quote that opens on line 1 and never closes'],
    ['a,b\n="c,d",e', 'has a quoted cell that is split at a delimiter in row 2 (line 2)'],
    ['a,b\nc, "d,e"', 'has a quoted cell that is split at a delimiter in row 2 (line 2)'],
    ['a,b,c\n5,"Tea,10\n6,"Cup",20', 'has a quoted cell that contains the rows below it in row 2 (line 2)'],
  ])('%j cannot be read', async (text, problem) => {
    expect(() => parseCsv(text)).toThrow(CsvFormatError);
    expect(() => parseCsv(text)).toThrow(problem);
    await expect(readChunked(text, [1])).rejects.toThrow(CsvFormatError);
    await expect(readChunked(text, [1])).rejects.toThrow(problem);
  });

  it.each([
    '"""Tea"", large\nand hot",1,2,3',
    'a 24" x 19",b',
    '" ""Tea"", hot\nand large",1',
    '"""a","b"""c',
  ])('%j is one valid row', (text) => {
    expect(parseCsv(text)).toHaveLength(1);
  });
});

describe('quoted cells with line breaks, below a header of four columns', () => {
  const read = (text: string, delimiter = ',') => readChunked(text, [7], { delimiter, width: 4 });
  const swallows = (row: number, column: string) =>
    `has a quoted cell that contains the rows below it in row ${row} (line ${row}), column ${column}`;

  it.each([
    ['1,"a,b,c\n2,d",e,f', swallows(1, 'B')],
    ['1,2,3,4\n1,"a,b,c\n5,6,7,8\n2,d",e,f', swallows(2, 'B')],
    ['"a,b,c,d\n",f,g,h', swallows(1, 'A')],
    ['1,b,c,"d\r\n2,b,c,d"', swallows(1, 'D')],
    // Its row is not as wide as the header.
    ['1,"a,b,c\n2,d",e', swallows(1, 'B')],
    ['1,"ring, then, wait,\n5,"Tea" x,3,4', swallows(1, 'B')],
  ])('%j contains rows', async (text, problem) => {
    await expect(read(text)).rejects.toThrow(problem);
  });

  it.each([
    '1,"a, b, c\n2, d",e,f',
    '1,"a,b\n2,d",e,f',
    '1,"a,b\nc,d\ne,f",e,f',
    '1,"a\nb\nc\nd,e,f",e,f',
    '1,"a, b, c, d\n",e',
    '1,"ring\nthen, wait",3,4',
  ])('%j is a row', async (text) => {
    expect(await read(text)).toHaveLength(1);
  });

  it('may be of two columns, where a note has as many delimiters as a row', async () => {
    expect(await readChunked('1,"a\nb,c"', [3], { width: 2 })).toHaveLength(1);
  });
});

describe('quotes that are text', () => {
  it.each<[string, string[][]]>([
    [
      'a,"b\n"c,d"\n',
      [
        ['a', '"b'],
        ['"c', 'd"'],
      ],
    ],
    ['"a,b",c\r\n', [['"a', 'b"', 'c']]],
    ['""\r="0012",\'=x', [['""'], ['0012', '=x']]],
    ['\uFEFF"', [['"']]],
  ])('%j', async (text, expected) => {
    const rows = await readChunked(text, [1], { isUnquoted: true });
    expect(rows.map((row) => row.cells)).toEqual(expected);
  });
});

describe('a stream', () => {
  it('is read in batches, throws the error of its source, and closes it when the reader stops', async () => {
    const steps: string[] = [];
    const source = async function* () {
      try {
        for (let row = 0; ; row++) {
          if (row === 100) throw new Error('the disk is gone');
          yield `${row},${'x'.repeat(40_000)}\n`;
        }
      } finally {
        steps.push('closed');
      }
    };
    const dialect = { delimiter: ',', hasSeparatorLine: false, isWrapped: false, isUnquoted: false };
    let rows = 0;
    for await (const batch of readCsv(source, dialect)) {
      expect(batch.length).toBeLessThan(5);
      rows += batch.length;
      if (rows > 4) break;
    }
    expect([rows < 10, steps]).toEqual([true, ['closed']]);
    const readAll = async () => {
      for await (const batch of readCsv(source, dialect)) rows += batch.length;
    };
    await expect(readAll()).rejects.toThrow('the disk is gone');
  });
});

it.each([
  ['a,b\n1,2\n', [undefined, undefined]],
  ['a,b\n1,2\r', [undefined, undefined]],
  ['a,b\r\n1,2', [undefined, 'cell']],
  ['a,b\n1,', [undefined, 'delimiter']],
  ['a,b\n1,"2"', [undefined, 'quote']],
  ['a,b\n1,""', [undefined, 'quote']],
  ['a,b\n1', [undefined, 'cell']],
  ['a', ['cell']],
])('says where a text without a line end ends: %j', async (text, ends) => {
  for (const length of [1, 1000]) {
    expect((await readChunked(text, [length])).map(({ openEnd }) => openEnd)).toEqual(ends);
  }
});

describe('a sample', () => {
  it('ends before a row that may be cut off', async () => {
    expect(await parseSample('a,b\nc,"d\n', false, separators, 9)).toEqual([['a', 'b']]);
    expect(await parseSample('a,b\nc,d\ne,fgh', false, separators, 9)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(await parseSample('a,b\nc', true, separators, 9)).toEqual([['a', 'b'], ['c']]);
    expect(await parseSample('a,b\nc,d\ne', false, separators, 1)).toEqual([['a', 'b']]);
  });
});

it.each<[string, string[] | undefined]>([
  ['1,"a, b",2', ['1', 'a, b', '2']],
  ['1,2\n', ['1', '2']],
  ['', undefined],
  ['1\n2', undefined],
  ['1,"2', undefined],
])('unwraps %j to %j', (cell, row) => {
  expect(unwrapRow(cell, ',')).toEqual(row);
});

describe('any table', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'Ө', ' ', '"', ',', ';', '\n', '\r', '=', "'", '\t') });
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });
  const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });

  it('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        async (rows, lineEnd, isQuotedThroughout) => {
          const write = (cell: string) => {
            const isAtRisk = /[",;\n\r=]/.test(cell);
            return isAtRisk || isQuotedThroughout ? `"${cell.replaceAll('"', '""')}"` : cell;
          };
          const text = rows.map((row) => row.map(write).join(',')).join(lineEnd) + lineEnd;
          expect(await parseSample(text, true, separators, 99)).toEqual(rows);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is the same in any chunks, or fails with the same problem', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'Ө', '"', ',', '\n', '\r', '=', ' ') });
    const attempt = async <Result>(read: () => Result | Promise<Result>) => {
      try {
        return await read();
      } catch (error) {
        expect(error).toBeInstanceOf(CsvFormatError);
        return (error as Error).message;
      }
    };
    await fc.assert(
      fc.asyncProperty(text, lengths, async (text, lengths) => {
        const whole = await attempt(() => parseCsv(text));
        const chunked = await attempt(() => readChunked(text, lengths));
        const rows = (read: typeof chunked) =>
          typeof read === 'string' ? read : read.map(({ openEnd: _, ...row }) => row);
        expect(rows(chunked)).toEqual(rows(whole));
      }),
      { numRuns: 200 },
    );
  });
});

describe('bounds', () => {
  it('reads 16384 columns, and no more', () => {
    expect(parseCsv(`${','.repeat(16_383)}\n`)[0]?.cells.length).toBe(16_384);
    const error = formatError(`a\n${','.repeat(16_384)}\n`);
    expect(error.message).toBe('has 16385 cells in row 2 (line 2), but at most 16384 columns are read');
    expect(String(error.fix)).toContain('--delimiter');
  });

  it('reads cells of 1 MiB, and no longer ones', () => {
    const cell = 'ө'.repeat(512 * 1024);
    expect(parseCsv(`a,${cell}`)[0]?.cells).toEqual(['a', cell]);
    const error = formatError(`a,b\n\nc,${cell}d`);
    const place = 'row 3 (line 3), column B';
    expect(error.message).toBe(`has a cell of more than 1 MiB in ${place}; a quote may not be closed there`);
  });
});

function formatError(text: string): CsvFormatError {
  try {
    parseCsv(text);
  } catch (error) {
    if (error instanceof CsvFormatError) return error;
  }
  throw new Error('it was read');
}
