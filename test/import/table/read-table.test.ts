import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReadingFlags, type ReadingOptions, readTable } from '../../../src/import/table/read-table.ts';
import { asText } from '../../support/advice.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { allRows, fixture, sourceOf } from '../tables.ts';

const read = async (
  path: string,
  flags: ReadingFlags = {},
  options: ReadingOptions = { forOrders: true },
) => {
  const table = await readTable(sourceOf(path), flags, options);
  return { header: table.header.cells, rows: await allRows(table) };
};
const readFixture = (name: string, flags?: ReadingFlags) => read(fixture(`import/${name}`), flags);
const header = ['externalOrderId', 'total'];
const width =
  'Check that row for a missing or extra delimiter, or a cell that needs quotes; if every row looks wrong, name the --delimiter.';

describe('readTable', () => {
  it.each(['with-bom.csv', 'crlf.csv', 'cr.csv', 'mixed-line-ends.csv'])('reads %s', async (name) => {
    const orders = [
      { row: 2, line: 2, cells: ['A-1', '100'] },
      { row: 3, line: 3, cells: ['A-2', '200'] },
      { row: 4, line: 4, cells: ['A-3', '300'], openEnd: 'cell' },
    ];
    const count = { 'with-bom.csv': 1, 'mixed-line-ends.csv': 3 }[name] ?? 2;
    expect(await readFixture(name)).toEqual({ header, rows: orders.slice(0, count) });
  });

  it('numbers rows as a spreadsheet does and lines as an editor does', async () => {
    const { header, rows } = await readFixture('quoted-newlines.csv');
    expect(header).toEqual(['externalOrderId', 'delivery\nAddress.note']);
    expect(rows).toEqual([
      { row: 2, line: 3, cells: ['A-1', 'first\r\nsecond\nthird'] },
      { row: 3, line: 6, cells: ['A-2', 'plain'] },
      { row: 5, line: 8, cells: ['A-3', 'x\ny'] },
      { row: 6, line: 10, cells: ['A-4', 'last'], openEnd: 'cell' },
    ]);
  });

  it('skips blank rows but counts them', async () => {
    const { rows } = await readFixture('blank-rows.csv');
    expect(rows).toEqual([
      { row: 3, line: 3, cells: ['A-1', '100'] },
      { row: 6, line: 6, cells: ['A-2', '200'] },
    ]);
  });

  it('ignores empty cells after the last column', async () => {
    const { rows } = await readFixture('padding-cells.csv');
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['A-1', '100'],
      ['A-2', '200'],
    ]);
  });

  it('reads quotes inside a cell as text', async () => {
    const { rows } = await readFixture('quotes-in-text.csv');
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['A-1', '24" Monitor', '"Tea" large'],
      ['A-2', 'a 6" b', ''],
    ]);
  });

  it('reads long quoted notes, and quotes behind a space as text', async () => {
    const { rows } = await readFixture('quoted-notes.csv');
    expect(rows.map(({ row, cells }) => [row, ...cells])).toEqual([
      [2, 'A-1', '24" Monitor', 'ring twice, please,\nthen wait, a bit, or call,\nor come back', 'NONE'],
      [3, 'A-2', '"Tea"', 'a "b"', 'NONE'],
      [4, 'A-3', '24" Monitor', 'Сөүлийн гудамж 12, 4 тоот\nОрц 2, код 5, 7, 9', 'NONE'],
    ]);
  });

  it.each<[string, ReadingFlags, string[]]>([
    ['unquoted-tabs.csv', {}, ['"24" Monitor', '"Tea", large, hot', 'Mug 12"']],
    ['unquoted-tabs.csv', { quote: 'none' }, ['"24" Monitor', '"Tea", large, hot', 'Mug 12"']],
    ['unquoted-inches.csv', { quote: 'none' }, ['"24 inch', 'Tea', '27" screen', 'screen 19"']],
  ])('reads quotes in %s %j as text', async (name, flags, names) => {
    const { rows } = await readFixture(name, flags);
    expect(rows.map(({ row, line, cells }) => [row, line, cells[3]])).toEqual(
      names.map((text, index) => [index + 2, index + 2, text]),
    );
  });

  it('passes on rows of another width with their own cells, unless most rows are', async () => {
    expect(await readFixture('row-too-wide.csv')).toMatchObject({
      rows: [{ row: 2 }, { row: 3, cells: ['A-2', '25'], ownCells: ['A-2', '25', '000'] }],
    });
    const { rows } = await readFixture('row-too-narrow.csv');
    expect(rows).toEqual([
      { row: 2, line: 2, cells: ['A-1', '99112233', '100'] },
      { row: 3, line: 3, cells: ['A-2', '200', ''], ownCells: ['A-2', '200'] },
    ]);
    const path = join(temporaryDirectory(), 'most.csv');
    // Footers do not count.
    writeFileSync(path, 'a,b,c\n1,2,3\n1\n1,2,3\n1,2\n2,record(s) downloaded\n# end\n');
    expect((await read(path)).rows).toHaveLength(6);
    await expect(readFixture('most-rows-too-wide.csv')).rejects.toMatchObject({
      message: expect.stringContaining(
        'has 3 cells in row 2 (line 2), but the header has 2; other widths too',
      ),
      details: { hint: width },
    });
  });

  it('reads a file that has only a header', async () => {
    expect(await readFixture('header-only.csv')).toEqual({ header, rows: [] });
  });

  it.each([{}, { delimiter: ';' }])('detects the delimiter or uses the one of the flag', async (flags) => {
    expect(await readFixture('semicolons.csv', flags)).toEqual({
      header: ['externalOrderId', 'total', 'deliveryAddress.note'],
      rows: [{ row: 2, line: 2, cells: ['A-1', '100', 'a;b, c'] }],
    });
  });

  it('removes what spreadsheets and shops add to protect cells', async () => {
    const { rows } = await readFixture('spreadsheet-protected.csv');
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['0012', '+97699112233', 'TEA-1', 'say "hi"'],
      ['=A-2', '99112233', "'quoted", "'plain"],
    ]);
  });

  it('reads letters split across two chunks', async () => {
    const path = join(temporaryDirectory(), 'long.csv');
    const note = 'Ө'.repeat(200_001);
    writeFileSync(path, `id,note\nA,x${note}\n`);
    expect((await read(path)).rows[0]?.cells).toEqual(['A', `x${note}`]);
  });

  it('reads a CRLF split across two chunks as one line end', async () => {
    const path = join(temporaryDirectory(), 'long.csv');
    const lines = Array.from(
      { length: 20 },
      (_, place) => `${place},${'x'.repeat(8189 - `${place}`.length)}`,
    );
    const text = `x${lines.join('\r\n')}\r\n`;
    // Files are read in chunks of 64 KiB.
    expect(text.charCodeAt(65_535)).toBe(13);
    writeFileSync(path, text);
    const { rows } = await read(path);
    expect(rows.map(({ row, line, cells }) => [row, line, cells[0]])).toEqual(
      lines.slice(1).map((_, index) => [index + 2, index + 2, `${index + 1}`]),
    );
  });
});

describe('files saved by other programs', () => {
  const orders = (name: string, flags?: ReadingFlags) => readFixture(`exports/${name}`, flags);
  const cells = async (name: string, flags?: ReadingFlags) =>
    (await orders(name, flags)).rows.map(({ cells }) => cells);
  const two = [
    ['A-1', 'Улаанбаатар', '1'],
    ['A-2', 'Дархан', '2'],
  ];

  it.each<[string, ReadingFlags]>([
    ['utf-16le-tabs-excel-unicode-text.csv', {}],
    ['utf-16be-mark.csv', {}],
    ['utf-16le-no-mark.csv', {}],
    ['windows-1251-sep-line.csv', { encoding: 'windows-1251' }],
    ['wrapped-rows.csv', {}],
    ['header-and-rows-wrapped.csv', {}],
    ['ends-with-control-z.csv', {}],
    ['titles-of-one-cell.csv', { headerRow: 3 }],
    ['title-lines.csv', { headerRow: 3 }],
    ['bars.csv', {}],
    ['sep-line.csv', {}],
    ['mark-against-flag.csv', { encoding: 'windows-1251' }],
  ])('reads %s %j', async (name, flags) => {
    expect(await cells(name, flags)).toEqual(two);
  });

  it('does not number the sep= line as a row', async () => {
    const { rows } = await orders('sep-line.csv');
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [2, 3],
      [3, 4],
    ]);
  });

  it('keeps the rows above the header', async () => {
    const path = fixture('import/exports/title-lines.csv');
    const { header, above } = await readTable(sourceOf(path), { headerRow: 3 });
    expect([header.row, above.map(({ cells }) => cells)]).toEqual([
      3,
      [['Orders of May, 2026', '', ''], ['']],
    ]);
    await expect(readTable(sourceOf(path), { headerRow: 9 })).rejects.toThrow(`${path} has no row 9.`);
  });

  it('reports wrapped rows', async () => {
    const table = await readTable(sourceOf(fixture('import/exports/wrapped-rows.csv')), {});
    expect([table.isWrapped, table.delimiter]).toEqual([true, ',']);
  });

  it('reads formula cells with and without quotes around them', async () => {
    expect(await cells('formula-cells.csv')).toEqual([
      ['0012', 'a, b', ''],
      ['0013', 'say "hi"', '007'],
    ]);
  });

  it('reads an export with a blank first line, blank rows and footers', async () => {
    const { header, rows } = await orders('blank-first-line-and-footers.csv');
    expect(header.slice(0, 2)).toEqual(['Sales Record Number', 'Order Number']);
    expect(rows.map(({ row, line, cells }) => [row, line, cells[1]])).toEqual([
      [4, 4, '11-00001-00001'],
      [5, 5, '11-00001-00001'],
      [7, 7, '11-00001-00002'],
      [10, 10, 'record(s) downloaded'],
      [11, 11, ''],
    ]);
  });

  it('ignores blank rows at the end and empty columns', async () => {
    expect(await cells('blank-tail.csv')).toEqual([['A-1', '1', '', '']]);
  });
});

describe('invalid files', () => {
  const quotes = 'Fix the quotes there, or export the file again.';
  const orUnquoted = 'If quotes are ordinary text in this file, add --map FILE with "quote": "none".';
  const unquoted =
    'If quotes are ordinary text in this file, add --map FILE with "quote": "none", which --write-map FILE writes: every row is then as wide as the header. Otherwise fix the quotes there.';
  it.each([
    ['quote-never-closed.csv', 'has a quote that opens on line 4 and never closes', quotes],
    [
      'formula-cell-with-comma.csv',
      'has a quoted cell that is split at a delimiter in row 3 (line 3), column B',
      quotes,
    ],
    [
      'quote-around-rows.csv',
      'has a quoted cell that contains the rows below it in row 3 (line 4), column B',
      `${quotes} ${orUnquoted}`,
    ],
    [
      'quote-closes-in-next-row.csv',
      'has a quoted cell that contains the rows below it in row 2 (line 2), column B',
      unquoted,
    ],
    [
      'unquoted-inches.csv',
      'has a quoted cell that contains the rows below it in row 2 (line 2), column D',
      unquoted,
    ],
    ['unquoted-never-closed.csv', 'has a quote that opens on line 2 and never closes', unquoted],
    [
      'windows-1251.csv',
      'is not UTF-8 text',
      'Save it as "CSV UTF-8" and run the same command again, or add the flag that reads this line correctly:\n' +
        '  --encoding windows-1251  reads  A-1,Улаанбаатар\n' +
        '  --encoding windows-1252  reads  A-1,Óëààíáààòàð',
    ],
    ['exports/utf-32.csv', 'is UTF-32 text', 'Save it as "CSV UTF-8".'],
    ['empty.csv', 'is empty', 'Export it again with a header line.'],
  ])('%s %s', async (name, problem, hint) => {
    const path = fixture(`import/${name}`);
    await expect(read(path)).rejects.toMatchObject({
      name: 'CliError',
      code: 'file_invalid',
      message: `${path} ${problem}.`,
      details: { hint: asText(hint), outcome: 'not_sent' },
    });
  });

  it.each([
    ['a missing file', 'none.csv', 'it does not exist'],
    ['a folder', '', 'it is a folder'],
  ])('rejects %s', async (_, name, reason) => {
    const path = join(temporaryDirectory(), name);
    await expect(read(path)).rejects.toMatchObject({
      code: 'file_not_readable',
      message: `${path} cannot be read: ${reason}.`,
    });
  });

  it('does not speak of mappings where a command has none', async () => {
    const path = fixture('import/unquoted-inches.csv');
    await expect(read(path, {}, {})).rejects.toMatchObject({ details: { hint: quotes } });
  });

  it.each([
    ['row-too-wide.csv', 'has 3 cells in row 3 (line 4), but the header has 2'],
    ['row-too-narrow.csv', 'has 2 cells in row 3 (line 3), but the header has 3'],
  ])('%s %s, when its rows are not orders', async (name, problem) => {
    const path = fixture(`import/${name}`);
    await expect(read(path, {}, {})).rejects.toMatchObject({
      code: 'file_invalid',
      message: `${path} ${problem}.`,
      details: { hint: width, outcome: 'not_sent' },
    });
  });

  it('reports all rows of the wrong width in one message', async () => {
    const path = join(temporaryDirectory(), 'ragged.csv');
    writeFileSync(path, `a,b\n1\n${'1,2\n1,2,3\n'.repeat(9)}`);
    await expect(read(path)).rejects.toThrow(
      'has 1 cell in row 2 (line 2), but the header has 2; other widths too in 9 more rows: 4, 6, 8, 10, 12, 14, ...',
    );
  });

  it('rejects a line longer than any order', async () => {
    const path = join(temporaryDirectory(), 'long.csv');
    writeFileSync(path, `a,b\n${'x'.repeat(11_000_000)}`);
    await expect(read(path)).rejects.toThrow(
      'has a record on line 2 that is longer than any order; a quote may not be closed there.',
    );
  });

  it('rejects text that is not in the encoding of the flag', async () => {
    const path = fixture('import/windows-1251.csv');
    await expect(read(path, { encoding: 'euc-jp' })).rejects.toMatchObject({
      code: 'file_invalid',
      message: `${path} is not euc-jp text.`,
      details: { hint: 'Name another --encoding, or save it as "CSV UTF-8".', outcome: 'not_sent' },
    });
  });

  it('rejects binary files', async () => {
    const path = join(temporaryDirectory(), 'bytes.csv');
    writeFileSync(path, Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 0]));
    await expect(read(path)).rejects.toThrow('is not text.');
    writeFileSync(path, `id,total\n${'A-1,100\n'.repeat(99)}A\0,100\n`);
    await expect(read(path)).rejects.toThrow('is not text.');
    writeFileSync(path, Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le').subarray(0, -1));
    await expect(read(path)).rejects.toMatchObject({
      message: `${path} is not utf-16le text to its end.`,
      details: { hint: 'It may have been cut off. Save it as "CSV UTF-8".' },
    });
  });

  it('rejects a file of blank rows', async () => {
    const path = join(temporaryDirectory(), 'blank.csv');
    writeFileSync(path, '\n\n , \n');
    await expect(read(path)).rejects.toThrow('has nothing in it.');
  });

  it('reports the line of a quote that contains more than any order', async () => {
    const path = join(temporaryDirectory(), 'huge.csv');
    writeFileSync(path, `id,note\nA,"x\ny"\nB,"${'order after order\n'.repeat(700_000)}`);
    await expect(read(path)).rejects.toMatchObject({
      code: 'file_invalid',
      message: `${path} has a record on line 4 that is longer than any order; a quote may not be closed there.`,
    });
  });
});
