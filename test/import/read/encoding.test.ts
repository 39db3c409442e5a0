import { expect, test } from 'vitest';
import { parseEncoding } from '../../../src/flags.ts';
import { decodeText, detectEncoding } from '../../../src/import/read/detect.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);

test.each([
  ['a UTF-8 BOM', bytes('\uFEFFid'), undefined, 'utf-8'],
  ['a UTF-16LE BOM', bytes('\uFEFFid', 'utf16le'), undefined, 'utf-16le'],
  ['a UTF-16BE BOM', bytes('\uFEFFid', 'utf16le').swap16(), undefined, 'utf-16be'],
  ['a BOM that contradicts the flag', bytes('\uFEFFid'), 'windows-1251', 'utf-8'],
  ['the flag', bytes('id'), 'windows-1251', 'windows-1251'],
  [
    'a letter equal to the first byte of a BOM',
    Buffer.from([0xff, 0xf5, 0x3b]),
    'windows-1251',
    'windows-1251',
  ],
  ['zero bytes at odd offsets', bytes('id,Өргөө', 'utf16le'), undefined, 'utf-16le'],
  ['zero bytes at even offsets', bytes('id,Өргөө', 'utf16le').swap16(), undefined, 'utf-16be'],
  ['a letter with its zero byte at an even offset', bytes('id,total,Ā𐀀', 'utf16le'), undefined, 'utf-16le'],
  ['zero bytes at odd and even offsets', Buffer.from([105, 0, 0, 100]), undefined, undefined],
  ['zero bytes among Cyrillic letters', bytes('Захиалгын дугаар,Утас', 'utf16le'), undefined, 'utf-16le'],
  ['a single zero byte', bytes(`${'id,total,'.repeat(9)}\0`), undefined, undefined],
  ['no zero bytes', bytes('id'), undefined, 'utf-8'],
  ['an empty file', bytes(''), undefined, 'utf-8'],
])('detects the encoding from %s', (_, head, given, encoding) => {
  expect(detectEncoding(head, given)).toBe(encoding);
});

test.each([
  ['cp1251', 'windows-1251'],
  ['UTF-8', 'utf-8'],
  ['latin1', 'windows-1252'],
])('%s is the encoding %s', (label, name) => {
  expect(parseEncoding(label)).toBe(name);
});

async function decode(chunks: Uint8Array[], encoding = 'utf-8') {
  const given = async function* () {
    yield* chunks;
  };
  let text = '';
  for await (const piece of decodeText(given(), encoding)) text += piece;
  return text;
}

test.each(['shift_jis', 'euc-jp', 'windows-1253'])('reports bytes that are not %s text', async (encoding) => {
  const undefinedIn = { shift_jis: 0xfd, 'euc-jp': 0xff, 'windows-1253': 0xff }[encoding] as number;
  const error = await decode([Buffer.from([0x41, undefinedIn])], encoding).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'Error', message: `not ${encoding}`, encoding });
});

test('shows the line that is not UTF-8 in the encodings that it may have', async () => {
  const good = bytes('id,note\n');
  const bad = Buffer.concat([
    bytes(`A-1,${'x'.repeat(99)}`),
    Buffer.from([0xd3, 0xeb, 0xe0]),
    bytes('\nB-1,'),
  ]);
  await expect(decode([good, bad])).rejects.toMatchObject({
    encoding: 'utf-8',
    samples: [
      { encoding: 'windows-1251', text: `${'x'.repeat(20)}Ула` },
      { encoding: 'windows-1252', text: `${'x'.repeat(20)}Óëà` },
    ],
  });
  await expect(decode([bytes('Ө').subarray(0, 1)])).rejects.toMatchObject({ encoding: 'utf-8' });
});
