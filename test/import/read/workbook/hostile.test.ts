import { randomBytes } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { readTable } from '../../../../src/import/read/read-table.ts';
import {
  partsOf,
  rowXml,
  type SheetParts,
  sheetOf,
  workbookOf,
  type ZipPart,
  zipOf,
} from '../../../support/workbook.ts';
import { allRows, bytesSource } from '../../tables.ts';

const plain = sheetOf([['id'], ['A-1']]);
const parts = partsOf({ sheets: [plain] });
const sheetPart = 'xl/worksheets/sheet1.xml';
const sheetText = `sheet "Orders", ${sheetPart}`;

/** The workbook with another part of this name. */
function withPart(name: string, change: Partial<ZipPart>): Buffer {
  return zipOf(parts.map((part) => (part.name === name ? { ...part, ...change } : part)));
}

const withSheet = (xml: string) => workbookOf({ sheets: [{ name: 'Orders', xml }] });
const rows = (xml: string) => withSheet(`<sheetData>${rowXml(1, ['id'])}${xml}</sheetData>`);
const cell = (xml: string) => rows(`<row r="2">${xml}</row>`);

async function errorOf(bytes: Uint8Array) {
  try {
    await allRows(await readTable(bytesSource(bytes), {}, { forOrders: true }));
    return 'it was read';
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: { hint: unknown } };
    expect([code, String(details.hint).length > 20]).toEqual(['file_invalid', true]);
    return message.replace('orders.xlsx ', '');
  }
}

const blanks = ' '.repeat(20 * 1024 * 1024);
const compoundFile = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
const damagedName = 'is a damaged ZIP archive';

describe('a hostile workbook', () => {
  it.each<[what: string, bytes: () => Buffer, message: string]>([
    [
      'blanks that compress well',
      () => withSheet(blanks),
      `unpacks to more than 200 times its size in ${sheetPart}, which no sheet with orders does.`,
    ],
    [
      'a size that is stated too small',
      () => withPart(sheetPart, { content: blanks, statedSize: 1000 }),
      `${damagedName} (too many bytes in the stream. expected 1000. got at least `,
    ],
    [
      'a size that is stated too large',
      () => withPart(sheetPart, { statedSize: 600 * 1024 * 1024 }),
      `unpacks to 600 MiB in ${sheetPart}, but at most 512 MiB are read.`,
    ],
    [
      'shared strings of 200 MiB',
      () => withPart('xl/sharedStrings.xml', { statedSize: 200 * 1024 * 1024 }),
      'unpacks to 200 MiB in xl/sharedStrings.xml, but at most 128 MiB are read.',
    ],
    [
      'a text of 3 MiB',
      () => cell(`<c r="A2" t="inlineStr"><is><t>${'a'.repeat(3e6)}</t></is></c>`),
      `has a text of more than 1 MiB inside (${sheetText}).`,
    ],
    [
      'a comment of 3 MiB with tags in it',
      () => rows(`<!--${'<a>'.repeat(1e6)}-->`),
      `has a text of more than 1 MiB inside (${sheetText}).`,
    ],
    [
      'a cell with 40,000 characters',
      () => cell(`<c r="B2" t="inlineStr"><is>${'<t>abcdefghij</t>'.repeat(4000)}</is></c>`),
      'has a text of more than 32,767 characters in B2 of sheet "Orders".',
    ],
    [
      'a formula with a text of 300,000 characters',
      () => cell(`<c r="A2" t="str"><v>${'a'.repeat(300_000)}</v></c>`),
      'has a text of more than 32,767 characters in A2 of sheet "Orders".',
    ],
    [
      'an entity',
      () =>
        withPart(sheetPart, {
          content:
            '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet><sheetData>&b;</sheetData></worksheet>',
        }),
      `has a document type declaration, which no workbook may have (${sheetText}).`,
    ],
    [
      'an unknown entity',
      () => cell('<c r="A2" t="str"><v>&b;</v></c>'),
      `has damaged XML inside (${sheetText}).`,
    ],
    [
      'deep XML',
      () => rows('<a>'.repeat(100) + '</a>'.repeat(100)),
      `is nested more than 64 levels deep (${sheetText}).`,
    ],
    [
      'XML that ends early',
      () => withPart(sheetPart, { content: '<worksheet><sheetData><row r="1">' }),
      `has damaged XML inside (${sheetText}).`,
    ],
    [
      'bytes that are no text',
      () => withPart(sheetPart, { content: Buffer.from([0x3c, 0xff, 0x41]) }),
      `has XML inside that is not UTF-8 (${sheetText}).`,
    ],
    [
      '10,000 sheets',
      () =>
        workbookOf({
          sheets: Array.from({ length: 10_000 }, (_, index): SheetParts => ({ name: `S${index}`, xml: '' })),
        }),
      'has 10006 files inside, but at most 1000 are read; it may have very many sheets.',
    ],
    [
      '1,001 names of one sheet',
      () =>
        withPart('xl/workbook.xml', {
          content: `<workbook xmlns:r="r"><sheets>${'<sheet name="a" r:id="rId1"/>'.repeat(1001)}</sheets></workbook>`,
        }),
      'has more than 1000 sheets.',
    ],
    [
      'no sheet where it should be',
      () => zipOf(parts.filter(({ name }) => name !== sheetPart)),
      `has no ${sheetPart} inside, which it refers to.`,
    ],
    [
      'a part twice',
      () => zipOf([...parts, { name: sheetPart.toUpperCase(), content: '' }]),
      'has two files of the same name inside: XL/WORKSHEETS/SHEET1.XML.',
    ],
    [
      'a name that leads outside',
      () => zipOf([...parts, { name: '../../.bashrc', content: 'x' }]),
      `${damagedName} (invalid relative path: ../../.bashrc); it may have been cut off.`,
    ],
    [
      'an absolute name',
      () => zipOf([...parts, { name: '/etc/passwd', content: 'x' }]),
      `${damagedName} (absolute path: /etc/passwd); it may have been cut off.`,
    ],
    [
      'half of its bytes',
      () => zipOf(parts).subarray(0, 2000),
      `${damagedName} (End of central directory record signature not found. `,
    ],
    ['more entries than there are', () => zipOf(parts, { statedCount: 20 }), damagedName],
    [
      'a wrong checksum',
      () => withPart(sheetPart, { statedChecksum: 1 }),
      `${damagedName} (wrong checksum of ${sheetPart})`,
    ],
    [
      'an encrypted part',
      () => withPart(sheetPart, { flags: 0x801 }),
      `is encrypted or packed in an unusual way (${sheetPart}).`,
    ],
    [
      'a part packed otherwise',
      () => withPart(sheetPart, { method: 12 }),
      `is encrypted or packed in an unusual way (${sheetPart}).`,
    ],
    [
      'a zip in a zip',
      () => zipOf([{ name: 'orders.xlsx', content: zipOf(parts) }]),
      'is not an Excel workbook (xlsx).',
    ],
    [
      'no list of sheets',
      () => zipOf([{ name: 'xl/styles.xml', content: '' }]),
      'is not an Excel workbook (xlsx).',
    ],
    [
      'cells at the end of too many rows',
      () =>
        rows(
          Array.from(
            { length: 7000 },
            (_, row) => `<row r="${row + 2}"><c r="XFD${row + 2}"><v>${row}</v></c></row>`,
          ).join(''),
        ),
      'has more than 100,000,000 cells in sheet "Orders".',
    ],
    [
      'a column that no spreadsheet has',
      () => cell('<c r="XFE2"><v>1</v></c>'),
      'has cells out of order, or too many, in row 2 of sheet "Orders".',
    ],
    [
      'a row that no spreadsheet has',
      () => rows('<row r="1048577"/>'),
      'has rows out of order, or too many, after row 1 of sheet "Orders".',
    ],
    [
      'rows out of order',
      () => rows('<row r="3"/><row r="2"/>'),
      'has rows out of order, or too many, after row 3 of sheet "Orders".',
    ],
    [
      'cells out of order',
      () => cell('<c r="B2"/><c r="A2"/>'),
      'has cells out of order, or too many, in row 2 of sheet "Orders".',
    ],
    [
      'a name of 500,000 characters',
      () =>
        workbookOf({ sheets: [{ name: 'a'.repeat(500_000), xml: '<sheetData><row r="0"/></sheetData>' }] }),
      `has rows out of order, or too many, after row 0 of sheet "${'a'.repeat(255)}".`,
    ],
    [
      'a number that is none',
      () => cell('<c r="A2"><v>0x10</v></c>'),
      'has no number where one should be, in A2 of sheet "Orders".',
    ],
    [
      'a shared text that is not there',
      () => cell('<c r="A2" t="s"><v>7</v></c>'),
      'refers to a text that it does not have, in A2 of sheet "Orders".',
    ],
    [
      'merged cells that are none',
      () => withSheet(`${plain.xml}<mergeCells><mergeCell ref="A1:"/></mergeCells>`),
      'has merged cells that cannot be read in sheet "Orders".',
    ],
    [
      'a password',
      () =>
        Buffer.concat([
          compoundFile,
          randomBytes(600),
          Buffer.from('EncryptedPackage', 'utf16le'),
          randomBytes(600),
        ]),
      'is an Excel workbook with a password, not CSV or an Excel workbook (xlsx).',
    ],
    [
      'the old format',
      () => Buffer.concat([compoundFile, Buffer.alloc(600)]),
      'is an old Excel workbook (xls), not CSV or an Excel workbook (xlsx).',
    ],
    [
      'the OpenDocument format',
      () =>
        zipOf([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 }]),
      'is an OpenDocument spreadsheet (ods), not CSV or an Excel workbook (xlsx).',
    ],
    ['the binary format', () => withRelation('xl/workbook.bin'), 'is a binary Excel workbook (xlsb).'],
    ['the format of Word', () => withRelation('word/document.xml'), 'is not an Excel workbook (xlsx).'],
    [
      'the format of Numbers',
      () => zipOf([{ name: 'Index/Document.iwa', content: 'x' }]),
      'is a Numbers spreadsheet, not CSV or an Excel workbook (xlsx).',
    ],
  ])('with %s is refused', async (_, bytes, message) => {
    const found = await errorOf(bytes());
    expect(found.slice(0, message.length)).toBe(message);
  });
});

function withRelation(main: string): Buffer {
  const relation = `<Relationship Id="a" Type="x/officeDocument" Target="${main}"/>`;
  return zipOf([
    { name: '_rels/.rels', content: `<Relationships>${relation}</Relationships>` },
    { name: main, content: '' },
  ]);
}

test('macros are not looked at', async () => {
  const bytes = workbookOf({
    sheets: [plain],
    more: [{ name: 'xl/vbaProject.bin', content: randomBytes(99) }],
  });
  expect(await errorOf(bytes)).toBe('it was read');
});

test('a sheet of empty rows with styles, and a cell in its last corner, cost little', async () => {
  const empty = Array.from(
    { length: 50_000 },
    (_, row) => `<row r="${row + 2}" s="1"><c r="A${row + 2}" s="1"/></row>`,
  );
  const last = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
  expect(await errorOf(rows(empty.join('') + last))).toBe('it was read');
});

test('a stop is noticed before there is a row', async () => {
  const stopping = AbortSignal.abort();
  const reading = readTable(bytesSource(zipOf(parts)), {}, { forOrders: true, stopping });
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});
