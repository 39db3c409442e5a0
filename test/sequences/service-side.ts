import { request } from 'undici';
import { expect } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { admin } from '../sandbox/admin/admin-client.ts';

const collection = '/api/v1/merchant/orders';

/** What happens at the service without this program, and what the service itself knows. */
export function createServiceSide(sandbox: Sandbox) {
  const service = admin(sandbox);

  /** Directly to the service, not through the gateway. */
  async function post(path: string, body: object): Promise<void> {
    const answer = await request(sandbox.baseUrl + collection + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandbox.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    expect([text, answer.statusCode < 300]).toEqual([text, true]);
  }

  /** The ID of the newest order with that external order ID, whatever the service shows. */
  const idOf = async (ownId: string): Promise<string> => {
    const { json } = await service.get('/ledger');
    type Attempt = { route: string; subject: string; orderId?: string };
    const created = (json.attempts as Attempt[]).filter(
      ({ route, subject, orderId }) => route === 'create' && subject === ownId && orderId,
    );
    return created.at(-1)?.orderId ?? '';
  };

  return {
    idOf,
    cancelElsewhere: async (ownId: string) =>
      post(`/${await idOf(ownId)}/cancel`, { reason: 'somebody else' }),
    /** A colleague creates this order with another program. */
    colleague: (ownId: string, fields: object = {}) =>
      post('', {
        ...{ externalOrderId: ownId, customer: { phone: '+976 9911-2233' }, items: [{ sku: 'TEA-1' }] },
        ...{ collectionMode: 'NONE', total: '1000.00', ...fields },
      }),
    async newKey(client: 'same' | 'other' | 'of_other_merchant', scopes?: string[]): Promise<string> {
      return (await service.post('/keys', { client, ...(scopes ? { scopes } : {}) })).json.apiKey;
    },
    setScopes: (apiKey: string, ...scopes: string[]) => service.put('/keys', { apiKey, scopes }),
    revoke: (apiKey: string) => service.remove('/keys', { apiKey }),
    sells: (sku: string, active = true) => service.patch('/catalogue', [{ sku, active }]),
    sellsNothing: () => service.put('/catalogue', []),
    move: async (ownId: string, status: string) =>
      service.put(`/orders/${await idOf(ownId)}/status`, { status }),
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
      const told = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
      return told.length === 0 ? 'none' : told.map(([ownId, count]) => `${ownId} ${count}`).join(', ');
    },
    /** Whether every key was used for one body only. */
    async hasOneBodyPerKey(): Promise<boolean> {
      return (await service.post('/assert', { checks: ['oneBodyPerKey'] })).json.passed;
    },
  };
}
