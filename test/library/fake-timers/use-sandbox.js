import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';

const rule = (phone, when, action) => ({
  match: { route: 'create', customerPhone: phone },
  when,
  do: action,
});

/** A wait for each way in which the sandbox waits. */
export const behaviour = {
  faults: {
    latencyMs: 5,
    rules: [
      rule('99000001', 'before_commit', { kind: 'wait', seconds: 0.01 }),
      rule('99000002', 'before_commit', { kind: 'late_commit', seconds: 0.01 }),
      rule('99000004', 'after_commit', { kind: 'cut_body' }),
    ],
  },
};

/** fetch, and a client that needs no queueMicrotask. */
export const clients = { fetch: sendByFetch, http: sendByHttp };

async function sendByFetch(url, options) {
  // biome-ignore lint/style/noRestrictedGlobals: as the suite of a user does
  const response = await fetch(url, options);
  return { status: response.status, text: await response.text() };
}

function sendByHttp(url, { method, headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: keepAlive }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode, text })).on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });

export async function useSandbox(sandbox, send) {
  const { baseUrl, apiKey } = sandbox;
  const api = (path, { method = 'GET', key = apiKey, idempotencyKey = '', body } = {}) =>
    send(`${baseUrl}/api/v1/merchant/orders${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
    });
  const create = (externalOrderId, phone = '99112233', options = {}) => {
    const order = {
      externalOrderId,
      customer: { phone },
      items: [{ sku: 'TEA-001' }],
      collectionMode: 'NONE',
    };
    const body = JSON.stringify({ ...order, ...options.more });
    return api('', { method: 'POST', idempotencyKey: externalOrderId + phone, body, ...options });
  };
  assert.equal((await send(`${baseUrl}/health`, {})).status, 200);
  assert.equal((await send(`${baseUrl}/openapi.json`, {})).status, 200);
  assert.equal((await send(`${baseUrl}/`, {})).status, 200);
  const created = await create('A');
  assert.equal(created.status, 201);
  assert.equal((await create('A')).status, 201);
  assert.equal((await create('A', '99112234')).status, 409);
  const { id } = JSON.parse(created.text);
  assert.equal((await api(`/${id}`)).status, 200);
  assert.equal(JSON.parse((await api('')).text).data.length, 1);
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await create('B', '99112233', { key: 'sandbox_other' })).status, 401);
    assert.equal(
      (await create(`B${count}`, '99112233', { more: { note: 'x'.repeat(300_000) } })).status,
      201,
    );
    assert.equal((await create('B', '99112233', { more: { note: 'x'.repeat(1_200_000) } })).status, 413);
  }
  assert.equal((await api(`/${id}/cancel`, { method: 'POST', body: '{"reason":"test"}' })).status, 200);
  assert.equal((await create('C', '99000001')).status, 201);
  assert.equal((await create('D', '99000002')).status, 504);
  await assert.rejects(create('F', '99000004'));
  const together = await Promise.all(['I', 'J', 'K'].map((name) => create(name)));
  assert.deepEqual(
    together.map(({ status }) => status),
    [201, 201, 201],
  );
  sandbox.reset();
  assert.deepEqual(JSON.parse((await api('')).text).data, []);
}
