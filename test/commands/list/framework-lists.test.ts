import { describe, expect, it } from 'vitest';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { frameworkEnvelopes, listService } from '../../api/list-services.ts';
import {
  connectTo,
  orders as ordersPath,
  type ReceivedRequest,
  type Reply,
  startStubService,
} from '../../api/stub-service.ts';
import { runCli } from '../../support/cli.ts';

const count = 25;
const orderAt = (index: number) => ({
  id: `5f0c1e6a-0000-4000-8000-${String(index).padStart(12, '0')}`,
  orderNumber: `ORD-2026-${String(index).padStart(6, '0')}`,
  externalOrderId: `UB-${index}`,
  status: 'CONFIRMED',
  total: '26700.0',
});
const stored = Array.from({ length: count }, (_, index) => orderAt(index));
const ids = stored.map(({ id }) => id);

interface Service {
  envelope: string;
  filters?: boolean;
  /** What is listed of each order. */
  shown?: (order: (typeof stored)[number]) => object;
}

/** A service with pages of at most 20 orders, which reads one order as it is. */
function serve({ envelope, filters = true, shown = (order) => order }: Service) {
  const base = envelope.startsWith('Spring') ? 0 : 1;
  return (request: ReceivedRequest): Reply => {
    const { path, query } = request;
    if (path !== ordersPath) return { json: stored.find(({ id }) => path.endsWith(id)) };
    const wanted = filters ? query.externalOrderId : undefined;
    const found = stored.filter(({ externalOrderId }) => wanted === undefined || externalOrderId === wanted);
    const orders = found.map(shown);
    return listService({ envelope, base, orders, count: orders.length, maxSize: 20 })(request);
  };
}

async function start(service: Service) {
  const { baseUrl, env } = await startStubService(serve(service));
  return {
    run: async (...args: string[]) => {
      const { stdout, stderr, exitCode } = await runCli([...args, '--json'], { env });
      return { json: stdout === '' ? undefined : JSON.parse(stdout), stderr, exitCode };
    },
    finder: createOrderFinder(connectTo(baseUrl)),
  };
}

/** Their bodies state no total, or one that says nothing about the whole list. */
const withoutTotal = new Set([
  ...['Go, nil slice under data', 'Go, nil slice alone', 'elements, paging', 'code, message, data'],
  ...['error null', 'message, orders', 'JSend', 'response.values', 'Stripe', 'links as a list', 'Bitbucket'],
]);
/** Their own type and links are part of what the service sent for an order. */
const additions: Record<string, object> = { 'JSON:API resources': { type: 'orders' } };

describe.each(Object.keys(frameworkEnvelopes))('a list of %s', (envelope) => {
  const added = additions[envelope] ?? {};
  const total = withoutTotal.has(envelope) ? null : count;

  it('is listed, by page and as a whole, and each order is what the service sent', async () => {
    const { run } = await start({ envelope });
    const first = await run('list');
    expect(first).toMatchObject({ json: { total }, exitCode: 0 });
    expect(first.json.orders).toEqual(stored.slice(0, 20).map((order) => ({ ...order, ...added })));
    const all = await run('list', '--all');
    expect(all).toMatchObject({ stderr: '', exitCode: 0 });
    expect(all.json.orders.map(({ id }: { id: string }) => id)).toEqual(ids);
    const none = await run('list', '--external-order-id', 'UB-999', '--all');
    expect(none).toMatchObject({ json: { orders: [] }, stderr: 'No orders.\n', exitCode: 0 });
  });
});
