import { createHash } from 'node:crypto';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from '../start.ts';

type Started = Awaited<ReturnType<typeof start>>;

async function load({ sandbox }: Started, path: string, token: string | undefined = sandbox.adminToken) {
  const headers = token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
  const response = await request(sandbox.baseUrl + path, { headers });
  return { status: response.statusCode, headers: response.headers, html: await response.body.text() };
}

const part = (started: Started, path: string) => load(started, `/_sandbox/page${path}`);

describe('the page', () => {
  it('needs no token for its shell, which allows its own script and style only', async () => {
    const { headers, html, status } = await load(await start(), '/', '');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
    const hashOf = (tag: string) => {
      const text = html.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? '';
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(html).not.toMatch(/ (?:src|href)="(?!#|data:)/);
    expect(html).toContain('SANDBOX');
  });

  it('is shown under the names of this machine only', async () => {
    const { sandbox } = await start();
    const foreign = await request(sandbox.baseUrl, { headers: { host: 'example.com' } });
    expect([foreign.statusCode, await foreign.body.text()]).toEqual([403, expect.not.stringContaining('<')]);
  });

  it.each(['/orders', '/orders/x', '/requests', '/customers', '/catalogue', '/behaviour', '/try', '/x'])(
    'needs the admin token for %s, which no key replaces, and the right Host',
    async (path) => {
      const started = await start();
      const { sandbox } = started;
      for (const token of ['', sandbox.apiKey, 'sandbox_wrong']) {
        expect((await load(started, `/_sandbox/page${path}`, token)).status).toBe(401);
      }
      const foreign = await request(`${sandbox.baseUrl}/_sandbox/page${path}`, {
        headers: { authorization: `Bearer ${sandbox.adminToken}`, host: 'example.com' },
      });
      await foreign.body.dump();
      expect(foreign.statusCode).toBe(403);
      const { headers, html } = await part(started, path);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(html).toMatch(/^<h1>/);
    },
  );

  it('shows orders, customers and requests', async () => {
    const started = await start();
    const order = anOrder({
      externalOrderId: 'UB-1',
      customer: { phone: '99112233', externalCustomerId: 'C-7' },
      collectionMode: 'COLLECT',
      collectionAmount: '25000.50',
    });
    const { json } = await started.create(order, { headers: { 'idempotency-key': 'K-1' } });
    await started.cancel(json.id, 'too late');
    const list = (await part(started, '/orders')).html;
    for (const text of [json.orderNumber, 'UB-1', 'CANCELLED', '99112233', '25000.50']) {
      expect(list).toContain(text);
    }
    const one = (await part(started, `/orders/${json.id}`)).html;
    for (const text of ['+97699112233', 'C-7', 'too late', '&quot;25000.50&quot;'])
      expect(one).toContain(text);
    expect(one.match(/#\/requests\/\d/g)).toEqual(['#/requests/2', '#/requests/1']);
    const requests = (await part(started, '/requests')).html;
    for (const text of ['K-1', `POST ${orders}`, '201', `POST ${orders}/${json.id}/cancel<`])
      expect(requests).toContain(text);
    const first = (await part(started, '/requests/1')).html;
    expect(first).toContain('&quot;externalCustomerId&quot;: &quot;C-7&quot;');
    expect((await part(started, '/customers')).html).toContain('C-7');
    expect((await part(started, '/catalogue')).html).toContain('Green tea');
    expect((await part(started, '/try')).html).toContain(`Bearer ${started.sandbox.apiKey}`);
    expect((await part(started, '/requests/99')).status).toBe(404);
  });

  it('has commands that work with the catalogue', async () => {
    const sku = async (catalogue: { sku: string; active: boolean }[]) => {
      const { html } = await part(await start({ catalogue }), '/try');
      return html.match(/&quot;sku&quot;:&quot;(.*?)&quot;/)?.[1];
    };
    expect(
      await sku([
        { sku: 'A', active: false },
        { sku: "'; rm -rf '", active: true },
        { sku: 'B-1', active: true },
      ]),
    ).toBe('B-1');
    expect(await sku([])).toBe('TEA-001');
  });

  it('shows what differs from the default behaviour first', async () => {
    const started = await start({ behaviour: { name: 'mine', keys: { repeated: 'ignored' } } });
    const { html } = await part(started, '/behaviour');
    expect(html).toContain('Behaviour: mine');
    expect(html.indexOf('keys.repeated')).toBeLessThan(html.indexOf('scopes.read'));
  });

  it('is paged, whatever the query', async () => {
    const started = await start();
    await Promise.all(Array.from({ length: 120 }, () => started.create(anOrder())));
    const rows = async (query: string) =>
      (await part(started, `/orders${query}`)).html.match(/>ORD-2026-\d+</g)?.length ?? 0;
    expect(await Promise.all(['', '?page=2', '?page=3', '?page=4', '?page=x', '?page=-1'].map(rows))).toEqual(
      [50, 50, 20, 0, 50, 50],
    );
    expect((await part(started, '/orders?page=2')).html).toContain('51 to 100 of 120');
    expect((await part(started, '/orders')).html).toContain('<h1>Orders <span class="calm">120</span></h1>');
  });

  it('escapes every text from outside, and shows hidden characters', async () => {
    const started = await start({ catalogue: [{ sku: '<b>SKU', name: '"><i>name', active: true }] });
    const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202e"\'';
    const { json } = await started.create(
      anOrder({
        externalOrderId: hostile,
        customer: { phone: hostile, externalCustomerId: hostile },
        items: [{ name: hostile }],
        [hostile]: hostile,
      }),
    );
    await started.get(`${orders}?status=<script>`);
    await started.cancel(json.id, hostile);
    const paths = ['/orders', `/orders/${json.id}`, '/requests', '/requests/1', '/customers', '/catalogue'];
    for (const path of paths) {
      const { html } = await part(started, path);
      expect(html).not.toMatch(/<(?:script|img|b|i)\b/);
      expect(html).not.toContain('\u202e');
    }
    expect((await part(started, '/orders')).html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect((await part(started, `/orders/${json.id}`)).html).toContain('\\u{202e}');
  });
});
