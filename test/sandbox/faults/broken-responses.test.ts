import { describe, expect, it, vi } from 'vitest';
import { sendWithFault } from './faulty-request.ts';
import { readResponse } from './raw-request.ts';

/** The received bytes of a create, and the whole body that is stored under its key. */
async function sendCutCreate(afterBytes: number) {
  const sent = await sendWithFault('create', 'after_commit', { kind: 'cut_body', afterBytes });
  const { connection } = sent;
  await connection.ended;
  return {
    ...sent,
    bytes: connection.bytes(),
    whole: sent.store.idempotency.find(1, 'K', -1)?.text ?? '',
  };
}

describe('cut_body', () => {
  it('is nothing to the others when the client resets the connection first', async () => {
    const action = { kind: 'cut_body', afterBytes: 7 } as const;
    const { connection, get } = await sendWithFault('create', 'after_commit', action);
    await connection.until((text) => text !== '');
    connection.reset();
    await connection.ended;
    expect((await get('/api/v1/merchant/orders')).status).toBe(200);
  });

  it.each([0, 1, 100_000])('never sends the whole body, with afterBytes %i', async (afterBytes) => {
    const { bytes, whole } = await sendCutCreate(afterBytes);
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
