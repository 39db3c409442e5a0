import { describe, expect, it, vi } from 'vitest';
import { type ActionSettings, sendWithFault } from './faulty-request.ts';
import { readResponse } from './raw-request.ts';

type Cut = Extract<ActionSettings, { kind: 'cut_body' }>;

const ends = ['close', 'reset', 'stall'] as const;

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
  it.each(ends)('with end %s sends exactly the given number of bytes', async (end) => {
    const { bytes, whole, connection, store } = await sendCutCreate({ end, afterBytes: 7 });
    const [head = '', body] = bytes.toString().split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(connection.ending()).toBe(end === 'stall' ? 'open' : end);
    expect(whole).toMatch(/^\{"id":".+\}$/);
    const { headers } = readResponse(bytes);
    expect(headers).toMatchObject({
      'content-length': String(Buffer.byteLength(whole)),
      'content-type': 'application/json',
    });
    expect(body).toBe('{"id":"');
    expect(store.orders.count()).toBe(1);
  });

  it.each(ends)(
    'with end %s is nothing to the others when the client resets the connection first',
    async (end) => {
      const { connection, get } = await sendWithFault('create', 'after_commit', {
        kind: 'cut_body',
        end,
        afterBytes: 7,
      });
      await connection.until((text) => text !== '');
      connection.reset();
      await connection.ended;
      expect((await get('/api/v1/merchant/orders')).status).toBe(200);
    },
  );

  it.each([0, 1, 100_000])('never sends the whole body, with afterBytes %i', async (afterBytes) => {
    const { bytes, whole } = await sendCutCreate({ afterBytes });
    const { body } = readResponse(bytes);
    expect(body.toString()).toBe(whole.slice(0, Math.min(afterBytes, whole.length - 1)));
  });
});

describe('a broken response', () => {
  it('is followed by the stored response when the key is sent again', async () => {
    const { connection, sendAgain, store } = await sendWithFault('create', 'after_commit', {
      kind: 'cut_body',
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
