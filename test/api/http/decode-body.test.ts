import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/api/http/attempt-result.ts';
import { decodeBody } from '../../../src/api/http/transport.ts';
import { callOnce, goodJson } from '../calls.ts';
import { type Reply, startWithClient } from '../stub-service.ts';

const plain = Buffer.from('{"note":"Өдөр 🐎"}');
const maxBytes = 1000;

describe('a body', () => {
  it.each<[string | undefined, Uint8Array]>([
    [undefined, plain],
    ['', plain],
    ['identity', plain],
    ['gzip', gzipSync(plain)],
    ['X-GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['deflate, gzip', gzipSync(deflateSync(plain))],
    [' gzip , identity', gzipSync(plain)],
    ['gzip', Buffer.concat([gzipSync(plain.subarray(0, 5)), gzipSync(plain.subarray(5))])],
  ])('is decoded from %s', async (coding, bytes) => {
    expect(await decodeBody(bytes, coding, maxBytes)).toBe(String(plain));
  });

  it('is decoded without its byte order mark, and invalid bytes are replaced', async () => {
    expect(await decodeBody(Buffer.from('\uFEFF{}'), undefined, maxBytes)).toBe('{}');
    expect(await decodeBody(gzipSync('\uFEFF{}'), 'gzip', maxBytes)).toBe('{}');
    expect(await decodeBody(Buffer.from([0x7b, 0xff, 0x7d]), undefined, maxBytes)).toBe('{\uFFFD}');
  });

  const damaged = gzipSync(plain);
  damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 1;

  it.each<[string, string, Uint8Array, string]>([
    ['truncated', 'gzip', gzipSync(plain).subarray(0, 20), 'the response is damaged (gzip)'],
    ['corrupted', 'gzip', damaged, 'the response is damaged (gzip)'],
    ['with the wrong coding', 'br', plain, 'the response is damaged (br)'],
    ['empty', 'gzip', new Uint8Array(), 'the response is damaged (gzip)'],
    ['in an unknown coding', 'compress', plain, 'the response has an unknown content coding (compress)'],
    ['one byte too long', 'gzip', gzipSync(Buffer.alloc(maxBytes + 1)), 'the response was too large'],
    [
      'too long after decoding twice',
      'br, gzip',
      gzipSync(brotliCompressSync(Buffer.alloc(1e6))),
      'the response was too large',
    ],
  ])('fails: %s', async (_name, coding, bytes, message) => {
    await expect(decodeBody(bytes, coding, maxBytes)).rejects.toThrow(message);
  });

  it('may be exactly as long as the limit', async () => {
    expect((await decodeBody(gzipSync(Buffer.alloc(maxBytes, 'x')), 'gzip', maxBytes)).length).toBe(maxBytes);
  });
});

describe('a compressed response that was not requested', () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  const compressed = (bytes: Buffer, status = 200): Reply => {
    return (response) => response.writeHead(status, { 'content-encoding': 'gzip' }).end(bytes);
  };

  it.each(operations)('to a %s is decoded, errors included', async (operation) => {
    const good = compressed(gzipSync(JSON.stringify(goodJson)));
    expect(await callOnce((await startWithClient(() => good)).client, operation)).toMatchObject({
      outcome: 'succeeded',
      attempts: 1,
    });
    const rejection = compressed(gzipSync('{"code":"PRODUCT_SKU_INACTIVE"}'), 422);
    expect(await callOnce((await startWithClient(() => rejection)).client, operation)).toMatchObject({
      outcome: 'rejected',
      attempts: 1,
    });
  });

  it.each(operations)(
    'that is a decompression bomb leaves the outcome of a %s unknown',
    async (operation) => {
      const { client } = await startWithClient(() => compressed(bomb));
      expect(await callOnce(client, operation)).toMatchObject({
        outcome: 'unknown',
        attemptResult: { reason: 'the response was too large' },
      });
    },
  );
});
