import { describe, expect, it, vi } from 'vitest';
import { type ActionSettings, sendWithFault } from './faulty-request.ts';
import { readResponse } from './raw-request.ts';

type Cut = Extract<ActionSettings, { kind: 'cut_body' }>;

const framings = ['length', 'chunked', 'until_close'] as const;
const ends = ['close', 'reset', 'stall'] as const;
const table = framings.flatMap((framing) => ends.map((end) => [framing, end] as const));

/** What arrives of a create, and the whole body that the same key brings runLater. */
async function cutOff(action: Omit<Cut, 'kind'>) {
  const struck = await sendWithFault('create', 'after_commit', { kind: 'cut_body', ...action });
  const { connection } = struck;
  // Bytes first: a stall has no end to wait for, and a reset may come only behind them.
  if (action.end === 'stall') await connection.until((text) => text.endsWith('{"id":"'));
  else await connection.ended;
  return {
    ...struck,
    bytes: connection.bytes(),
    whole: struck.store.idempotency.find(1, 'K', -1)?.text ?? '',
  };
}

describe('cut_body', () => {
  it.each(table)(
    'with framing %s and end %s gives exactly the bytes that were asked for',
    async (framing, end) => {
      const { bytes, whole, connection, store } = await cutOff({ framing, end, afterBytes: 7 });
      const [head = '', body] = bytes.toString().split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
      expect(connection.ending()).toBe(end === 'stall' ? 'open' : end);
      expect(whole).toMatch(/^\{"id":".+\}$/);
      const length = Buffer.byteLength(whole);
      const { headers } = readResponse(bytes);
      const told = [headers['content-length'], headers['transfer-encoding'], headers.connection];
      if (framing === 'length') {
        expect(told).toEqual([String(length), undefined, undefined]);
        expect(body).toBe('{"id":"');
      } else if (framing === 'chunked') {
        expect(told).toEqual([undefined, 'chunked', undefined]);
        expect(body).toBe(`${length.toString(16)}\r\n{"id":"`);
      } else {
        expect(told).toEqual([undefined, undefined, 'close']);
        expect(body).toBe('{"id":"');
      }
      expect(headers['content-type']).toBe('application/json');
      expect(store.orders.count()).toBe(1);
    },
  );

  it.each([0, 1, 100_000])('never gives the whole body: %i bytes asked for', async (afterBytes) => {
    const { bytes, whole } = await cutOff({ afterBytes });
    const { body } = readResponse(bytes);
    expect(body.toString()).toBe(whole.slice(0, Math.min(afterBytes, whole.length - 1)));
  });

  it('misses a byte of an answer that has none', async () => {
    const otherSettings = { answers: { createBody: 'nothing' } } as const;
    const { connection } = await sendWithFault('create', 'after_commit', { kind: 'cut_body' }, otherSettings);
    await connection.ended;
    const { headers, body } = readResponse(connection.bytes());
    expect([headers['content-length'], body.toString()]).toEqual(['1', '']);
  });
});

describe('half_headers', () => {
  it.each(ends)('breaks off in the headers, end %s', async (end) => {
    const { connection, recorded } = await sendWithFault('create', 'after_commit', {
      kind: 'half_headers',
      end,
    });
    if (end === 'stall') await connection.until((text) => text.length > 0);
    else await connection.ended;
    expect(connection.text()).toMatch(/^HTTP\/1\.1 201 Created\r\n[\w-]+: /);
    expect(connection.text()).not.toContain('\r\n\r\n');
    expect(connection.ending()).toBe(end === 'stall' ? 'open' : end);
    expect(recorded()).toMatchObject([{ fault: 'half_headers', status: 201 }]);
  });
});

describe('an answer that breaks off', () => {
  it('is followed by the stored one when the key comes again', async () => {
    const { connection, again, store } = await sendWithFault('create', 'after_commit', { kind: 'garbage' });
    await connection.ended;
    // The rule applies again: the response is lost once more, and the order still exists once.
    await expect(again()).rejects.toThrow();
    await vi.waitUntil(() => store.requests.all().length === 2);
    expect(store.requests.all().map(({ status, orderId }) => [status, orderId !== null])).toEqual([
      [201, true],
      [201, false],
    ]);
    expect(store.orders.count()).toBe(1);
  });
});
