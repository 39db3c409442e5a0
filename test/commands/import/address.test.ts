import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { lost, orders, type ReceivedRequest, type Reply, startStubService } from '../../api/stub-service.ts';
import { runCli } from '../../support/cli.ts';
import { countBy, folderWith, noOrders, rowsOf } from './setup.ts';

type Respond = (request: ReceivedRequest) => Reply;

/** Imports the first orders of a file from a stub service; `respond` is called for orders only. */
async function importFrom(respond: Respond, flags: string[] = ['--limit', '40']) {
  const folder = folderWith('orders.csv');
  const service = await startStubService((request) =>
    request.path.startsWith(orders) ? respond(request) : { status: 404 },
  );
  const env = { MERCHANT_ORDERS_BASE_URL: service.baseUrl, MERCHANT_ORDERS_API_KEY: 'mk_live_1' };
  const importOn = async (configDirectory: string) => {
    const args = ['import', folder.csv, '--yes', '--json', ...flags];
    const { stdout, stderr, exitCode } = await runCli(args, { env, configDirectory });
    const lines = stderr.trimEnd().split('\n');
    const error = exitCode === 0 ? undefined : JSON.parse(lines.at(-1) ?? '').error;
    return { summary: JSON.parse(stdout || '{}'), error, exitCode, stderr };
  };
  return { ...folder, ...service, env, importOn, ...(await importOn(folder.configDirectory)) };
}

const created = ({ body }: ReceivedRequest): Reply => {
  const { externalOrderId } = JSON.parse(body);
  return {
    status: 201,
    json: { id: `id of ${externalOrderId}`, orderNumber: 'ORD-2026-000001', externalOrderId },
  };
};
const emptyList: Reply = { json: { data: [] } };
const portal: Reply = {
  headers: { 'content-type': 'text/html' },
  text: '<!doctype html><html><head><title>Guest Wi-Fi &amp; more</title></head><body>Sign in</body></html>',
};

describe('what is at the base URL, read once before the first create', () => {
  it.each<[string, Reply, string, string]>([
    [
      'a redirect',
      {
        status: 302,
        headers: { 'content-type': 'text/html', location: 'https://login.example/?next=1' },
        text: '<html><title>302 Found</title></html>',
      },
      'wrong_base_url',
      'The merchant orders API is not at this address: it redirects to login.example.',
    ],
    [
      'a web page',
      portal,
      'wrong_base_url',
      'The merchant orders API is not at this address: it is the web page "Guest Wi-Fi & more".',
    ],
    [
      'a web page without a title, as a 400',
      {
        status: 400,
        headers: { 'content-type': 'text/html' },
        text: '<p>The plain HTTP request was sent to HTTPS port</p>',
      },
      'wrong_base_url',
      'The merchant orders API is not at this address: it is a web page.',
    ],
    [
      'no response',
      lost,
      'unreachable',
      'The service did not respond as expected: the connection was closed.',
    ],
  ])('%s stops the import', async (_name, reply, code, message) => {
    const { error, exitCode, requests, summary, results } = await importFrom(() => reply);
    expect(error.outcome).toBe('not_sent');
    expect({ exitCode, code: error.code, message: error.message }).toEqual({ exitCode: 7, code, message });
    if (code === 'wrong_base_url')
      expect(error.hint).toMatch(/^Check the base URL.*\n40 orders were not sent\. Run /);
    expect(requests('POST')).toEqual([]);
    expect(summary.orders).toEqual({ ...noOrders, total: 40, not_sent: 40 });
    expect(countBy(rowsOf(results), 'outcome')).toEqual({ not_sent: 264 });
  });

  it('is not read when every order was created before', async () => {
    const shop = await importFrom((request) => (request.method === 'POST' ? created(request) : emptyList));
    const before = shop.received.length;
    const again = await shop.importOn(shop.configDirectory);
    expect([shop.exitCode, again.exitCode, again.summary.orders.already_exists]).toEqual([0, 0, 40]);
    expect(shop.received.slice(before).filter(({ path }) => path === orders)).toEqual([]);
  });

  it.each<[string, Reply]>([
    ['403', { status: 403, json: { message: 'may only write' } }],
    ['404', { status: 404, json: { message: 'no list here' } }],
    ['500', { status: 500, json: {} }],
    ['other JSON', { json: { message: 'Hello' } }],
  ])('lets the first create go alone after %s', async (_name, list) => {
    let underWay = 0;
    const together: number[] = [];
    const { exitCode, summary } = await importFrom((request) => {
      if (request.method !== 'POST') return list;
      together.push(++underWay);
      return (response: ServerResponse) => {
        setTimeout(() => {
          underWay -= 1;
          const { json } = created(request) as { json: unknown };
          response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(json));
        }, 20);
      };
    });
    expect([exitCode, summary.orders.created]).toEqual([0, 40]);
    expect(together.slice(0, 2)).toEqual([1, 1]);
    expect(Math.max(...together)).toBeGreaterThan(1);
  });

  it('ends the import with one request, when that create shows that the address is wrong', async () => {
    const { error, exitCode, requests, summary } = await importFrom(({ method }) =>
      method === 'POST' ? { status: 404, text: '404 page not found' } : { status: 500, json: {} },
    );
    expect([exitCode, error.code, requests('POST').length]).toEqual([7, 'wrong_base_url', 1]);
    expect(summary.orders).toEqual({ ...noOrders, total: 40, not_sent: 40 });
  });
});

describe('in the middle of an import', () => {
  it('a sign-in page stops it, and the orders that were sent to it are unknown', async () => {
    let count = 0;
    const shop = await importFrom((request) => {
      if (++count > 30) return portal;
      return request.method === 'POST' ? created(request) : emptyList;
    }, []);
    const { error, exitCode, received, results } = shop;
    expect([exitCode, error.code]).toEqual([8, 'outcome_unknown']);
    expect(error.message).toContain(
      'The import was stopped: The merchant orders API does not seem to be at this address: the service sent 20 responses in a row without an order or a list of orders (the last one is the web page "Guest Wi-Fi & more").',
    );
    // Fewer than one request for each order: those in flight, and the lookups that end the import.
    expect(received.length).toBeLessThan(264);
    const rows = rowsOf(results);
    const outcomes = countBy(rows, 'outcome');
    expect(outcomes.created).toBe(29);
    expect((outcomes.created ?? 0) + (outcomes.unknown ?? 0) + (outcomes.not_sent ?? 0)).toBe(264);
    const [unknown] = rows.filter(({ outcome }) => outcome === 'unknown');
    expect(unknown?.message).toContain(
      'The last response was: status 200 with the web page "Guest Wi-Fi & more".',
    );
  });

  it('a redirect stops it, and the order that was sent to it is unknown until it is looked up', async () => {
    let isMoved = true;
    const stored = new Set<string>();
    const shop = await importFrom(
      (request) => {
        if (request.method === 'GET') {
          const named = [...stored].filter((id) => id === request.query.externalOrderId);
          return { json: { data: named.map((externalOrderId) => ({ id: 'S-1', externalOrderId })) } };
        }
        const { externalOrderId } = JSON.parse(request.body);
        if (externalOrderId !== 'UB-10003') return created(request);
        return isMoved
          ? { status: 302, headers: { location: 'https://new.example/orders' } }
          : { status: 500 };
      },
      ['--limit', '10', '--concurrency', '1'],
    );
    const elsewhere = 'The merchant orders API is not at this address: it redirects to new.example.';
    expect([shop.exitCode, shop.error.code]).toEqual([8, 'outcome_unknown']);
    expect(shop.error.message).toBe(
      `It is not known whether 1 order was created: UB-10003. The import was stopped: ${elsewhere}`,
    );
    expect(shop.error.hint).toMatch(
      /^Check the base URL; run: merchant-orders login\nRun the same command again/,
    );
    const [moved] = rowsOf(shop.results).filter(({ outcome }) => outcome === 'unknown');
    expect(moved).toMatchObject({ external_order_id: 'UB-10003', code: 'outcome_unknown' });
    expect(moved?.message).toContain(elsewhere);
    const { created: before, unknown, not_sent } = shop.summary.orders;
    expect([before + unknown + not_sent, unknown]).toEqual([10, 1]);
    isMoved = false;
    stored.add('UB-10003');
    const again = await shop.importOn(shop.configDirectory);
    expect([again.exitCode, again.summary.orders.created, again.summary.orders.already_exists]).toEqual([
      0,
      10 - before,
      before,
    ]);
  });
});

describe("a colleague's machine", () => {
  it('finds the orders of an hour ago to exist, and its undo cancels none', async () => {
    const stored = new Map<string, { id: string; createdAt: string; externalOrderId: string }>();
    // Replays the stored order for a known key, without a header that says so.
    const shop = await importFrom((request) => {
      const [, id = ''] = /\/([^/]+)$/.exec(request.path.slice(orders.length)) ?? [];
      if (request.method === 'GET' && id !== '') {
        return { json: [...stored.values()].find((order) => order.id === decodeURIComponent(id)) };
      }
      if (request.method === 'GET') return { json: { data: [...stored.values()] } };
      const key = String(request.headers['idempotency-key']);
      const { externalOrderId } = JSON.parse(request.body);
      const order = stored.get(key) ?? {
        id: `id of ${externalOrderId}`,
        createdAt: new Date().toISOString(),
        externalOrderId,
      };
      stored.set(key, order);
      return { status: 201, json: order };
    });
    expect([shop.exitCode, shop.summary.orders.created]).toEqual([0, 40]);
    for (const order of stored.values()) order.createdAt = new Date(Date.now() - 3_600_000).toISOString();
    const { configDirectory } = folderWith('orders.csv');
    const second = await shop.importOn(configDirectory);
    expect([second.exitCode, second.summary.orders.already_exists]).toEqual([0, 40]);
    const undo = ['cancel', '--from', shop.results, '--reason', 'wrong file', '--yes'];
    const { stderr } = await runCli(undo, { env: shop.env, configDirectory });
    expect(stderr).toMatch(/none|no order/i);
    expect(shop.requests('POST').filter(({ path }) => path.endsWith('/cancel'))).toEqual([]);
  });
});
