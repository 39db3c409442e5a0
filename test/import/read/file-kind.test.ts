import { expect, test } from 'vitest';
import { detectFileKind } from '../../../src/import/read/detect.ts';

const zip = (inside: string) => `PK\x03\x04\x14\0\0\0${inside}`;

test.each([
  [zip('[Content_Types].xml'), 'an Excel workbook (xlsx)'],
  [zip('xl/workbook.xml'), 'an Excel workbook (xlsx)'],
  [zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'an OpenDocument spreadsheet (ods)'],
  [zip('orders.csv'), 'a ZIP archive'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an old Excel workbook (xls)'],
  ['\x1f\x8b\x08\0', 'a gzip archive'],
  ['%PDF-1.7', 'a PDF'],
  [zip('Index/Document.iwa'), 'a Numbers spreadsheet'],
  ['7z\xbc\xaf\x27\x1c\0\x04', 'a 7z archive'],
  ['Rar!\x1a\x07\x01\0', 'a RAR archive'],
  ['\x89PNG\r\n\x1a\n', 'a picture'],
  ['\xff\xd8\xff\xe0', 'a picture'],
  ['SQLite format 3\0', 'a database'],
  ['{\\rtf1\\ansi', 'a text document (rtf)'],
  ['MIME-Version: 1.0\r\n', 'a web page in one file (mht)'],
  ['<div><table>', 'a web page'],
  ['<html><table>', 'a web page'],
  ['\r\n <!DOCTYPE html>', 'a web page'],
  ['<table border=1>', 'a web page'],
  ['\xff\xfe<\0h\0t\0m\0l\0', 'a web page'],
  ['<?xml version="1.0"?><Workbook>', 'XML'],
  ['\xef\xbb\xbf{"orders": []}', 'JSON'],
  ['[{"id": 1}]', 'JSON'],
  ['[\n]', 'JSON'],
])('%j is %s', (start, kind) => {
  expect(String(detectFileKind(Buffer.from(start, 'latin1'))?.kind)).toBe(kind);
});

test.each(['', 'id,total', '"id";"total"', '[id],total', '{id},total', '<none>,id', '#1013,x', 'PK,id'])(
  '%j may be CSV',
  (start) => {
    expect(detectFileKind(Buffer.from(start, 'latin1'))).toBeUndefined();
  },
);

test('suggests how to get a CSV file', () => {
  expect(String(detectFileKind(Buffer.from(zip('xl/')))?.fix)).toContain('"CSV UTF-8 (comma delimited)"');
  expect(String(detectFileKind(Buffer.from('{"a":1}'))?.fix)).toContain('create --file');
});
