import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { anOrder, start } from '../start.ts';
import { type ActionSettings, sendWithFault, singleRule } from './faulty-request.ts';
import { openConnection, readResponse } from './raw-request.ts';

const decompress = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

async function sendCreate(action: ActionSettings) {
  const sent = await sendWithFault('create', 'after_commit', action);
  await sent.connection.ended;
  const response = readResponse(sent.connection.bytes());
  return { ...sent, ...response, whole: sent.store.idempotency.find(1, 'K', -1)?.text ?? '' };
}

describe('slow_drip', () => {
  it('sends the whole response in at least the time of its pieces', async () => {
    const startedAt = performance.now();
    const { status, headers, body, whole } = await sendCreate({ kind: 'slow_drip', bytes: 50, everyMs: 20 });
    const pieces = Math.ceil(whole.length / 50);
    expect([status, body.toString(), headers['content-length']]).toEqual([201, whole, String(whole.length)]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(pieces * 19);
  });

  it('begins with a piece of the given size', async () => {
    const action = { kind: 'slow_drip', bytes: 3, everyMs: 600_000 } as const;
    const { connection, store } = await sendWithFault('create', 'after_commit', action);
    await connection.until((text) => text.endsWith('{"i'));
    expect([connection.ending(), store.orders.count()]).toEqual(['open', 1]);
  });
});

describe('huge_body', () => {
  it.each([1, 1000, 200_000])('is the response and %i spaces', async (bytes) => {
    const { headers, body, whole } = await sendCreate({ kind: 'huge_body', bytes });
    expect(body.toString() === whole + ' '.repeat(bytes)).toBe(true);
    expect(headers['content-length']).toBe(String(whole.length + bytes));
  });
});

describe('compressed', () => {
  it.each(['gzip', 'deflate', 'br'] as const)(
    '%s contains the response and its padding',
    async (encoding) => {
      const { headers, body, whole } = await sendCreate({ kind: 'compressed', encoding, padding: 1_000_000 });
      expect([headers['content-encoding'], headers['content-length']]).toEqual([encoding, undefined]);
      expect(body.length).toBeLessThan(10_000);
      expect(decompress[encoding](body).toString() === whole + ' '.repeat(1_000_000)).toBe(true);
    },
  );
});

describe('hostile_text', () => {
  it.each([
    ['escape', '\u001b[2J'],
    ['bidi', '\u202e'],
    ['formula', '=HYPERLINK("http://127.0.0.1/","x")'],
    ['proto', '__proto__'],
  ] as const)('%s is added to every text but those that a client goes by', async (kind, part) => {
    const faults = singleRule('after_commit', { kind: 'hostile_text', text: kind });
    const { create, store } = await start({ behaviour: { faults } });
    const fields = { total: '1.10', note: 'at the door', tags: ['a', { deep: 'b' }], weight: 1 };
    const headers = { 'idempotency-key': 'K' };
    const body = JSON.stringify(anOrder(fields)).replace('"weight":1', '"weight":1.10');
    const { status, text, json } = await create(body, { headers });
    const { note, tags, currency, delivery, createdAt, ...kept } = JSON.parse(
      store.idempotency.find(1, 'K', -1)?.text ?? '',
    );
    expect([status, json.delivery.id]).toEqual([201, delivery.id]);
    expect(json).toMatchObject(kept);
    for (const [plain, hostile] of [
      [note, json.note],
      [tags[0], json.tags[0]],
      [tags[1].deep, json.tags[1].deep],
      [currency, json.currency],
    ]) {
      expect(hostile).toContain(plain);
      expect(hostile).toContain(part);
    }
    expect(text).toContain('"weight":1.10');
    expect(Object.hasOwn(json, '__proto__')).toBe(kind === 'proto');
  });

  it.each(['html', 'plain_text', 'json_text', 'mislabelled', 'empty'] as const)(
    'applies to an error body that is %s',
    async (error) => {
      const faults = singleRule('after_commit', { kind: 'hostile_text' });
      const { sandbox, store } = await start({ behaviour: { answers: { error }, faults } });
      const connection = await openConnection(sandbox.baseUrl);
      const headers = { Connection: 'close' };
      connection.send('GET', '/api/v1/merchant/orders/none', { key: sandbox.apiKey, headers });
      await connection.ended;
      const { status, body } = readResponse(connection.bytes());
      expect(status).toBe(404);
      expect(body.includes('\\u001b[2J') || body.includes('\u001b[2J')).toBe(error !== 'empty');
      expect(store.requests.all()).toMatchObject([{ status: 404, fault: 'hostile_text' }]);
    },
  );

  it('adds no body to a response without one', async () => {
    const otherSettings = { answers: { cancelStatus: 204 } } as const;
    const { connection } = await sendWithFault(
      'cancel',
      'after_commit',
      { kind: 'hostile_text' },
      otherSettings,
    );
    await connection.ended;
    expect(readResponse(connection.bytes())).toMatchObject({ status: 204, body: Buffer.alloc(0) });
  });
});
