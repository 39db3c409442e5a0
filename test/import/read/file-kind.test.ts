import { expect, test } from 'vitest';
import { detectFileKind } from '../../../src/import/read/detect.ts';
import cases from './file-kind.json' with { type: 'json' };

const zip = (inside: string) => `PK\x03\x04\x14\0\0\0${inside}`;

test.each(cases.kinds as [string, string][])('%j is %s', (start, kind) => {
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
