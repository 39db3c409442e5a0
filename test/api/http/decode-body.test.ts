import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/api/http/body.ts';
import { decodeBody } from '../../../src/api/http/decode-response.ts';
import { createResponseMemory } from '../../../src/api/http/response-reader.ts';
import { callOnce } from '../calls.ts';
import { type Reply, startWithClient } from '../stub-service.ts';

const plain = Buffer.from('{"note":"Өдөр 🐎"}');
const maxBytes = 1000;
const decode = async (
  bytes: Uint8Array,
  coding: string | undefined,
  signal = new AbortController().signal,
) => {
  const share = createResponseMemory(maxBytes).open();
  return decodeText(await decodeBody(bytes, coding, { maxBytes, share, signal: () => signal }));
};

describe('a body', () => {
  it.each<[string | undefined, Uint8Array]>([
    [undefined, plain],
    ['', plain],
    ['identity', plain],
    ['gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['deflate, gzip', gzipSync(deflateSync(plain))],
    [' gzip , identity', gzipSync(plain)],
    ['gzip', Buffer.concat([gzipSync(plain.subarray(0, 5)), gzipSync(plain.subarray(5))])],
  ])('is decoded from %s', async (coding, bytes) => {
    expect(await decode(bytes, coding)).toBe(String(plain));
  });

  it('is decoded without its byte order mark, and as windows-1251 if it is not UTF-8', async () => {
    expect(await decode(Buffer.from('\uFEFF{}'), undefined)).toBe('{}');
    expect(await decode(gzipSync('\uFEFF{}'), 'gzip')).toBe('{}');
    expect(await decode(Buffer.from([0x7b, 0xff, 0x7d]), undefined)).toBe('{я}');
  });

  const damaged = gzipSync(plain);
  damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 1;

  it.each<[string, string, Uint8Array, string]>([
    ['truncated', 'gzip', gzipSync(plain).subarray(0, 20), 'the response is damaged (gzip)'],
    ['corrupted', 'gzip', damaged, 'the response is damaged (gzip)'],
    ['with the wrong coding', 'br', plain, 'the response is damaged (br)'],
    ['empty', 'gzip', new Uint8Array(), 'the response is damaged (gzip)'],
    [
      'in more than two codings',
      'gzip, gzip, gzip',
      gzipSync(gzipSync(gzipSync(plain))),
      'the response has too many content codings',
    ],
    ['in an unknown coding', 'compress', plain, 'the response has an unknown content coding (compress)'],
    ['one byte too long', 'gzip', gzipSync(Buffer.alloc(maxBytes + 1)), 'the response was too large'],
    [
      'too long after decoding twice',
      'br, gzip',
      gzipSync(brotliCompressSync(Buffer.alloc(1e6))),
      'the response was too large',
    ],
  ])('fails: %s', async (_name, coding, bytes, message) => {
    await expect(decode(bytes, coding)).rejects.toThrow(message);
  });

  it('may be exactly as long as the limit', async () => {
    expect((await decode(gzipSync(Buffer.alloc(maxBytes, 'x')), 'gzip')).length).toBe(maxBytes);
  });
});

describe('a compressed response that was not requested', () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  const compressed = (bytes: Buffer, status = 200): Reply => {
    return (response) => response.writeHead(status, { 'content-encoding': 'gzip' }).end(bytes);
  };

  it.each([
    ['create', 'unknown'],
    ['get', 'unreadable'],
    ['list', 'unreadable'],
    ['cancel', 'unknown'],
  ] as const)('that is a decompression bomb leaves a %s %s', async (operation, outcome) => {
    const { client } = await startWithClient(() => compressed(bomb));
    expect(await callOnce(client, operation)).toMatchObject({
      outcome,
      attemptResult: { reason: 'the response was too large' },
    });
  });

  it('is decoded no longer than the deadline, however many parts it has', async () => {
    const parts = Buffer.concat(Array(52_000).fill(gzipSync('')));
    const ended = new AbortController();
    setImmediate(() => ended.abort(new Error('no response in time')));
    await expect(decode(parts, 'gzip', ended.signal)).rejects.toThrow('no response in time');
  });
});

describe('the text of a body', () => {
  const cyrillic = 'утас буруу';
  const in1251 = Buffer.from(
    [...cyrillic].map((letter) => (letter === ' ' ? 0x20 : letter.charCodeAt(0) - 0x350)),
  );
  it.each<[string, Uint8Array, string, string]>([
    ['UTF-8', Buffer.from(cyrillic), 'application/json', cyrillic],
    [
      'UTF-8 under the charset of the server',
      Buffer.from(cyrillic),
      'text/html; charset=ISO-8859-1',
      cyrillic,
    ],
    ['a stated charset', in1251, 'text/plain; charset="windows-1251"', cyrillic],
    ['none stated', in1251, 'text/plain', cyrillic],
    ['a wrong one stated', in1251, 'text/plain; charset=utf-8', cyrillic],
    ['a charset that does not exist', Buffer.from('я'), 'text/plain; charset=klingon', 'я'],
    ['UTF-16 without a mark', Buffer.from(cyrillic, 'utf16le'), 'text/plain; charset=utf-16le', cyrillic],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${cyrillic}`, 'utf16le'), 'application/json', cyrillic],
    [
      'cut in a character',
      Buffer.from(cyrillic).subarray(0, -1),
      'text/plain',
      `${cyrillic.slice(0, -1)}\ufffd`,
    ],
    [
      'a form that states its own',
      Buffer.concat([Buffer.from('<meta charset=gbk>'), Buffer.from([0xb5, 0xe7])]),
      '',
      '<meta charset=gbk>电',
    ],
  ])('%s', (_name, bytes, contentType, expected) => {
    expect(decodeText(bytes, contentType)).toBe(expected);
  });
});
