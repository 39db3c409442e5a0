import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { demoPhones } from '../../src/sandbox/faults/fault-control.ts';
import { packageRoot } from '../support/cli.ts';
import { start } from './start.ts';

async function load(headers: Record<string, string> = {}) {
  const { sandbox } = await start();
  const response = await request(sandbox.baseUrl, { headers });
  return { status: response.statusCode, headers: response.headers, html: await response.body.text() };
}

// test/browser opens the page in a browser.
describe('the page', () => {
  it('is one file that needs no token, and allows its own script and style only', async () => {
    const { headers, html, status } = await load();
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(html).toBe(readFileSync(new URL('src/sandbox/http/page.html', packageRoot), 'utf8'));
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
    expect(html).not.toMatch(
      / on[a-z]+=| style=|innerHTML|insertAdjacentHTML|outerHTML|document\.write|eval\(/,
    );
  });

  it('is shown under the names of this machine only', async () => {
    const { html, status } = await load({ host: 'example.com' });
    expect([status, html]).toEqual([403, expect.not.stringContaining('<')]);
  });

  it('lists every phone for demonstrations', async () => {
    const { html } = await load();
    expect(demoPhones.filter(({ phone }) => !html.includes(`['${phone}', `))).toEqual([]);
  });
});
