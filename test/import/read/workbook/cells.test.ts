import { describe, expect, test } from 'vitest';
import { readTable } from '../../../../src/import/read/read-table.ts';
import { partsOf, rowXml, type WorkbookParts, workbookOf, zipOf } from '../../../support/workbook.ts';
import { allRows, bytesSource } from '../../tables.ts';
import cases from './cells.json' with { type: 'json' };

/** The texts of the cells of row 2, given as XML, below a header in row 1. */
async function cellsOf(xml: string, workbook: Partial<WorkbookParts> = {}): Promise<string[]> {
  const header = rowXml(1, ['a', 'b', 'c', 'd']);
  const sheet = { name: 'Orders', xml: `<sheetData>${header}<row r="2">${xml}</row></sheetData>` };
  const source = bytesSource(workbookOf({ ...workbook, sheets: [sheet] }));
  const rows = await allRows(await readTable(source, {}, { forOrders: true }));
  return rows.flatMap(({ cells }) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1));
}

const number = (value: string, style = 0) => `<c r="A2" s="${style}"><v>${value}</v></c>`;

describe('a number', () => {
  test.each([
    ['97699112207', '97699112207'],
    ['9.7699112207E10', '97699112207'],
    ['45000.5', '45000.5'],
    ['19.989999999999998', '19.99'],
    ['0.30000000000000004', '0.3'],
    ['0.1', '0.1'],
    // Not 12345, whatever the decimal mark of the text.
    ['12.345', '12.3450'],
    ['0.125', '0.1250'],
    ['12.3456', '12.3456'],
    ['-12', '-12'],
    ['1E-7', '0.0000001'],
    ['999999999999999', '999999999999999'],
    ['1234567890123456', '1.23456789012346E+15'],
    ['1.2345678901234501E+20', '1.23456789012345E+20'],
    [' 7 ', '7'],
    ['+7', '7'],
  ])('%s is read as %s', async (value, text) => {
    expect(await cellsOf(number(value))).toEqual([text]);
  });

  test.each(cases.numbers as [format: string | number, value: string, text: string][])(
    'in the format %s, %s is read as %s',
    async (format, value, text) => {
      expect(await cellsOf(number(value, 1), { formats: [format] })).toEqual([text]);
    },
  );

  test.each(cases.dates as [format: string | number, value: string, text: string][])(
    'as a date in the format %s, %s is read as %s',
    async (format, value, text) => {
      expect(await cellsOf(number(value, 1), { formats: [format] })).toEqual([text]);
    },
  );

  test('is a date from 1904 where the workbook says so', async () => {
    const formats = ['yyyy-mm-dd'];
    expect(await cellsOf(number('44889', 1), { formats, is1904: true })).toEqual(['2026-11-25']);
    expect(await cellsOf(number('0', 1), { formats, is1904: true })).toEqual(['1904-01-01']);
  });
});

describe('a text', () => {
  const strings = [
    '<si><t>Өргөө</t></si>',
    '<si><r><rPr><b/></rPr><t>two </t></r><r><t xml:space="preserve">runs </t></r></si>',
    '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>',
    '<si><t xml:space="preserve"> first_x000D_\nsecond </t></si>',
    '<si><t>_x005F_x0041_</t></si>',
    '<si/>',
    '<si><t>a &amp; b&#10;<![CDATA[<c>]]></t></si>',
  ].join('');

  test.each([
    [0, 'Өргөө'],
    [1, 'two runs'],
    [2, '東京'],
    [3, 'first\r\nsecond'],
    [4, '_x0041_'],
    [6, 'a & b\n<c>'],
  ])('shared as number %i is %j', async (index, text) => {
    expect(await cellsOf(`<c r="A2" t="s"><v>${index}</v></c>`, { strings })).toEqual([text]);
  });

  test.each(cases.texts as [string, string[]][])('%s is read as %j', async (xml, texts) => {
    expect(await cellsOf(xml)).toEqual(texts);
  });
});

test('namespace prefixes and other encodings do not matter', async () => {
  const xml =
    '<?xml version="1.0"?><x:worksheet xmlns:x="urn:x"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>Өг</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>';
  const content = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml, 'utf16le')]);
  const all = partsOf({ sheets: [{ name: 'Orders', xml: '' }] }).map((part) =>
    part.name === 'xl/worksheets/sheet1.xml' ? { ...part, content } : part,
  );
  const { header } = await readTable(bytesSource(zipOf(all)), {}, { forOrders: true });
  expect(header.cells).toEqual(['Өг']);
});

test('the names of parts may have backslashes and other letters', async () => {
  const all = partsOf({ sheets: [{ name: 'Orders', xml: `<sheetData>${rowXml(1, ['id'])}</sheetData>` }] });
  const parts = all.map((part) => ({
    ...part,
    content: String(part.content).replace('worksheets/sheet1.xml', 'Worksheets\\Sheet1.xml'),
  }));
  const { header } = await readTable(bytesSource(zipOf(parts)), {}, { forOrders: true });
  expect(header.cells).toEqual(['id']);
});
