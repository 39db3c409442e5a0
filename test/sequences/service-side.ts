import { request } from 'undici';
import { expect } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { admin } from '../sandbox/admin/admin-client.ts';

const collection = '/api/v1/merchant/orders';

/** Changes at the service without this program, and what the service itself has. */
export function createServiceSide(sandbox: Sandbox) {
  const service = admin(sandbox);

  /** Bypasses the gateway. */
  async function post(path: string, body: object, apiKey = sandbox.apiKey): Promise<void> {
    const response = await request(sandbox.baseUrl + collection + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    });
    const text = await response.body.text();
    expect([text, response.statusCode < 300]).toEqual([text, true]);
  }

  /** The ID of the newest order with this external order ID, from the service's own log. */
  const idOf = async (externalOrderId: string): Promise<string> => {
    const { json } = await service.get('/ledger');
    type Attempt = { route: string; subject: string; orderId?: string };
    const created = (json.attempts as Attempt[]).filter(
      ({ route, subject, orderId }) => route === 'create' && subject === externalOrderId && orderId,
    );
    return created.at(-1)?.orderId ?? '';
  };

  return {
    idOf,
    cancelElsewhere: async (externalOrderId: string) =>
      post(`/${await idOf(externalOrderId)}/cancel`, { reason: 'cancelled elsewhere' }),
    /** A colleague creates this order with another program. */
    createElsewhere: (externalOrderId: string, fields: object = {}, apiKey?: string) =>
      post(
        '',
        {
          externalOrderId,
          customer: { phone: '+976 9911-2233' },
          items: [{ sku: 'TEA-1' }],
          collectionMode: 'NONE',
          total: '1000.00',
          ...fields,
        },
        apiKey,
      ),
    async newKey(client: 'same' | 'other' | 'of_other_merchant', scopes?: string[]): Promise<string> {
      return (await service.post('/keys', { client, ...(scopes ? { scopes } : {}) })).json.apiKey;
    },
    setScopes: (apiKey: string, ...scopes: string[]) => service.put('/keys', { apiKey, scopes }),
    revoke: (apiKey: string) => service.remove('/keys', { apiKey }),
    addProduct: (sku: string, active = true) => service.patch('/catalogue', [{ sku, active }]),
    clearCatalogue: () => service.put('/catalogue', []),
    setStatus: async (externalOrderId: string, status: string) =>
      service.put(`/orders/${await idOf(externalOrderId)}/status`, { status }),
    serviceClock: (seconds: number) => service.put('/clock', { advanceSeconds: seconds }),
    reset: () => service.post('/reset'),
    /** Sets the faults of the sandbox; none removes them. */
    faults: (...rules: object[]) => service.put('/faults', { rules }),
    /** How often each order was committed, for example `A 1, B 2`. */
    async commits(): Promise<string> {
      const { json } = await service.get('/ledger?without=attempts');
      const counts = new Map<string, number>();
      for (const { externalOrderId, commits } of json.orders) {
        counts.set(externalOrderId, (counts.get(externalOrderId) ?? 0) + commits);
      }
      const entries = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
      return entries.length === 0
        ? 'none'
        : entries.map(([externalOrderId, count]) => `${externalOrderId} ${count}`).join(', ');
    },
    /** Whether every key was used for one body only. */
    async hasOneBodyPerKey(): Promise<boolean> {
      return (await service.post('/assert', { checks: ['oneBodyPerKey'] })).json.passed;
    },
  };
}
