import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import type { SandboxEnv } from './context.ts';
import page from './page.html';

function hashOf(tag: 'script' | 'style'): string {
  const text = page.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? '';
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Allow only the page's own style and script, and requests to the sandbox. */
const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf('script')}`,
    `style-src ${hashOf('style')}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Contains no data, which its script loads from the admin API with the token. */
export function addPage(app: Hono<SandboxEnv>): void {
  app.get('/', (context) => context.html(page, 200, headers));
}
