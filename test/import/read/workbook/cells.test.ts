import { describe, expect, test } from 'vitest';
import { readTable } from '../../../../src/import/read/read-table.ts';
import { partsOf, rowXml, type WorkbookParts, workbookOf, zipOf } from '../../../support/workbook.ts';
import { allRows, bytesSource } from '../../tables.ts';

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

  test.each<[format: string | number, value: string, text: string]>([
    ['00000000', '1234567', '01234567'],
    ['00000', '1234567', '1234567'],
    ['00000', '12.5', '12.5'],
    ['00000;-00000', '12', '00012'],
    ['0;yyyy', '12', '12'],
    ['0', '12.5', '12.5'],
    ['0.00', '12.5', '12.5'],
    ['#,##0.00', '1234.5', '1234.5'],
    ['"A-"0000', '12', 'A-0012'],
    ['000\\-000', '12345', '12345'],
    ['+000 00000000', '97699112207', '97699112207'],
    ['0 "ш"', '2', '2'],
    ['0%', '0.05', '0.05'],
    ['[$$-409]#,##0.00', '45', '$ 45'],
    ['#,##0.00\\ "USD"', '45', 'USD 45'],
    ['#,##0\\ [$₮-450]', '45000', '45000'],
    ['_-* #,##0.00\\ "₽"_-', '45', '₽ 45'],
    ['#,##0 "шт"', '2', '2'],
    ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', '99112207', '99112207'],
    ['[Red]0.00;[Blue]-0.00', '3', '3'],
    ['General', '7', '7'],
    ['0.00E+00', '12345', '12345'],
  ])('in the format %s, %s is read as %s', async (format, value, text) => {
    expect(await cellsOf(number(value, 1), { formats: [format] })).toEqual([text]);
  });

  test.each<[format: string | number, value: string, text: string]>([
    [14, '46351', '2026-11-25'],
    [22, '46351.5', '2026-11-25 12:00:00'],
    [22, '46351', '2026-11-25 00:00:00'],
    [30, '46351', '2026-11-25'],
    ['yyyy-mm-dd', '46351.75', '2026-11-25'],
    ['[$-409]d mmm yyyy;@', '46351', '2026-11-25'],
    ['yyyy"оны" m"-р сар" d', '46351', '2026-11-25'],
    ['dd/mm/yyyy hh:mm AM/PM', '46351.44374999999', '2026-11-25 10:39:00'],
    ['mmm', '46351', '2026-11-25'],
    ['yyyy-mm-dd', '1', '1900-01-01'],
    ['yyyy-mm-dd', '59', '1900-02-28'],
    ['yyyy-mm-dd', '60', '1900-02-29'],
    ['yyyy-mm-dd', '61', '1900-03-01'],
    ['yyyy-mm-dd', '0', '1900-01-00'],
    ['yyyy-mm-dd', '2958465', '9999-12-31'],
    ['yyyy-mm-dd', '2958466', '########'],
    ['yyyy-mm-dd', '-1', '########'],
    ['yyyy-mm-dd hh:mm:ss', '46351.999999999', '2026-11-26 00:00:00'],
    [20, '46351.5', '12:00:00'],
    ['mm:ss.0', '0.0005787037', '00:00:50'],
    ['[h]:mm', '1.5', '36:00:00'],
    ['h:mm AM/PM', '0.75', '18:00:00'],
  ])('as a date in the format %s, %s is read as %s', async (format, value, text) => {
    expect(await cellsOf(number(value, 1), { formats: [format] })).toEqual([text]);
  });

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

  test.each([
    ['<c r="A2" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>', ['inline']],
    ['<c r="A2" t="str"><f>A1&amp;B1</f><v>_x0041_b</v></c>', ['Ab']],
    ['<c r="A2" t="str"><f>A1</f><v></v></c><c r="B2" t="b"><v>1</v></c>', ['', 'TRUE']],
    ['<c r="A2"><f>B1*2</f><v>12</v></c>', ['12']],
    ['<c r="A2"><f>B1*2</f></c>', ['#FORMULA!']],
    ['<c r="A2"><f t="shared" si="0"/><v/></c>', ['#FORMULA!']],
    ['<c r="A2" t="e"><v>#N/A</v></c>', ['#N/A']],
    ['<c r="A2" t="e"><f>1/0</f><v>#DIV/0!</v></c>', ['#DIV/0!']],
    ['<c r="A2" t="e"><v>#NEW!</v></c>', ['#UNKNOWN!']],
    ['<c r="A2" t="b"><v>0</v></c>', ['FALSE']],
    ['<c r="A2" t="d"><v>2026-11-25T00:00:00</v></c>', ['2026-11-25T00:00:00']],
    ['<c><v>1</v></c><c><v>2</v></c><c r="D2"><v>4</v></c>', ['1', '2', '', '4']],
    ['<c t="inlineStr"><is><t>\'0012</t></is></c>', ['0012']],
    ['<c><is><t>x</t></is><v>1</v></c><c t="inlineStr"><is><t>y</t></is></c>', ['1', 'y']],
    ['<c r="B2" s="3"/><c r="C2" t="s"/><c r="D2"><v>1</v></c>', ['', '', '', '1']],
  ])('%s is read as %j', async (xml, texts) => {
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
