import { describe, expect, it, vi } from 'vitest';
import { type ActionSettings, sendWithFault } from './faulty-request.ts';
import { readResponse } from './raw-request.ts';

type Cut = Extract<ActionSettings, { kind: 'cut_body' }>;

const framings = ['length', 'chunked', 'until_close'] as const;
const ends = ['close', 'reset', 'stall'] as const;
const table = framings.flatMap((framing) => ends.map((end) => [framing, end] as const));

/** The received bytes of a create, and the whole body that is stored under its key. */
async function sendCutCreate(action: Omit<Cut, 'kind'>) {
  const sent = await sendWithFault('create', 'after_commit', { kind: 'cut_body', ...action });
  const { connection } = sent;
  // A stalled connection does not end.
  if (action.end === 'stall') await connection.until((text) => text.endsWith('{"id":"'));
  else await connection.ended;
  return {
    ...sent,
    bytes: connection.bytes(),
    whole: sent.store.idempotency.find(1, 'K', -1)?.text ?? '',
  };
}

describe('cut_body', () => {
  it.each(table)(
    'with framing %s and end %s sends exactly the given number of bytes',
    async (framing, end) => {
      const { bytes, whole, connection, store } = await sendCutCreate({ framing, end, afterBytes: 7 });
      const [head = '', body] = bytes.toString().split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
      expect(connection.ending()).toBe(end === 'stall' ? 'open' : end);
      expect(whole).toMatch(/^\{"id":".+\}$/);
      const length = Buffer.byteLength(whole);
      const { headers } = readResponse(bytes);
      const framingHeaders = [headers['content-length'], headers['transfer-encoding'], headers.connection];
      if (framing === 'length') {
        expect(framingHeaders).toEqual([String(length), undefined, undefined]);
        expect(body).toBe('{"id":"');
      } else if (framing === 'chunked') {
        expect(framingHeaders).toEqual([undefined, 'chunked', undefined]);
        expect(body).toBe(`${length.toString(16)}\r\n{"id":"`);
      } else {
        expect(framingHeaders).toEqual([undefined, undefined, 'close']);
        expect(body).toBe('{"id":"');
      }
      expect(headers['content-type']).toBe('application/json');
      expect(store.orders.count()).toBe(1);
    },
  );

  it.each([0, 1, 100_000])('never sends the whole body, with afterBytes %i', async (afterBytes) => {
    const { bytes, whole } = await sendCutCreate({ afterBytes });
    const { body } = readResponse(bytes);
    expect(body.toString()).toBe(whole.slice(0, Math.min(afterBytes, whole.length - 1)));
  });

  it('announces a byte that is missing when the response has no body', async () => {
    const otherSettings = { answers: { createBody: 'nothing' } } as const;
    const { connection } = await sendWithFault('create', 'after_commit', { kind: 'cut_body' }, otherSettings);
    await connection.ended;
    const { headers, body } = readResponse(connection.bytes());
    expect([headers['content-length'], body.toString()]).toEqual(['1', '']);
  });
});

describe('half_headers', () => {
  it.each(ends)('cuts off the headers, with end %s', async (end) => {
    const { connection, loggedRequests } = await sendWithFault('create', 'after_commit', {
      kind: 'half_headers',
      end,
    });
    if (end === 'stall') await connection.until((text) => text.length > 0);
    else await connection.ended;
    expect(connection.text()).toMatch(/^HTTP\/1\.1 201 Created\r\n[\w-]+: /);
    expect(connection.text()).not.toContain('\r\n\r\n');
    expect(connection.ending()).toBe(end === 'stall' ? 'open' : end);
    expect(loggedRequests()).toMatchObject([{ fault: 'half_headers', status: 201 }]);
  });
});

describe('a broken response', () => {
  it('is followed by the stored response when the key is sent again', async () => {
    const { connection, sendAgain, store } = await sendWithFault('create', 'after_commit', {
      kind: 'garbage',
    });
    await connection.ended;
    // The rule applies again: the response is lost once more, and the order still exists once.
    await expect(sendAgain()).rejects.toThrow();
    await vi.waitUntil(() => store.requests.all().length === 2);
    expect(store.requests.all().map(({ status, orderId }) => [status, orderId !== null])).toEqual([
      [201, true],
      [201, false],
    ]);
    expect(store.orders.count()).toBe(1);
  });
});
