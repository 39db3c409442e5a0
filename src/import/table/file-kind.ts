export interface FileKind {
  kind: string;
  fix: string;
}

const saveAsCsv =
  'Open it in the spreadsheet program, choose Save As, "CSV UTF-8 (comma delimited)", and import that file.';
const exportAgain = 'Export the orders again, as CSV.';
const unpack = 'Unpack it and import the CSV file in it.';

const zipKinds: [inside: string, FileKind][] = [
  ['application/vnd.oasis.opendocument', { kind: 'an OpenDocument spreadsheet (ods)', fix: saveAsCsv }],
  ['[Content_Types].xml', { kind: 'an Excel workbook (xlsx)', fix: saveAsCsv }],
  ['xl/', { kind: 'an Excel workbook (xlsx)', fix: saveAsCsv }],
  ['Index/', { kind: 'a Numbers spreadsheet', fix: saveAsCsv }],
  ['_rels/', { kind: 'an Excel workbook (xlsx)', fix: saveAsCsv }],
  ['', { kind: 'a ZIP archive', fix: unpack }],
];

const starts: [bytes: string, FileKind][] = [
  ['\xd0\xcf\x11\xe0', { kind: 'an old Excel workbook (xls)', fix: saveAsCsv }],
  ['\x1f\x8b', { kind: 'a gzip archive', fix: unpack }],
  ['7z\xbc\xaf\x27\x1c', { kind: 'a 7z archive', fix: unpack }],
  ['Rar!\x1a\x07', { kind: 'a RAR archive', fix: unpack }],
  ['\x89PNG', { kind: 'a picture', fix: exportAgain }],
  ['\xff\xd8\xff', { kind: 'a picture', fix: exportAgain }],
  ['GIF8', { kind: 'a picture', fix: exportAgain }],
  ['SQLite format 3\0', { kind: 'a database', fix: exportAgain }],
  ['{\\rtf', { kind: 'a text document (rtf)', fix: exportAgain }],
  ['MIME-Version:', { kind: 'a web page in one file (mht)', fix: saveAsCsv }],
  ['%PDF', { kind: 'a PDF', fix: exportAgain }],
];

const markup: [shape: RegExp, FileKind][] = [
  [/^<\?xml/i, { kind: 'XML', fix: saveAsCsv }],
  [
    /^<(?:html|!doctype|table|body|head|meta|style|div|center|font|script|!--)/i,
    { kind: 'a web page', fix: saveAsCsv },
  ],
  [
    /^(?:\{\s*["}]|\[\s*[[{"\]])/,
    { kind: 'JSON', fix: 'Export the orders as CSV; one order as JSON goes through: create --file' },
  ],
];

/** Recognises by its first bytes a file that is not CSV; undefined for a file that may be. */
export function detectFileKind(head: Uint8Array): FileKind | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096)).toString('latin1');
  if (bytes.startsWith('PK\x03\x04')) return zipKinds.find(([inside]) => bytes.includes(inside))?.[1];
  const known = starts.find(([start]) => bytes.startsWith(start));
  if (known !== undefined) return known[1];
  const text = bytes
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart();
  return markup.find(([shape]) => shape.test(text))?.[1];
}
