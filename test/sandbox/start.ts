import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Product } from '../../src/sandbox/store/products.ts';
import { openStore } from '../../src/sandbox/store/store.ts';
import { createInterruption, runCli } from '../support/cli.ts';
import { openSandboxDatabase } from './database.ts';

export const orders = '/api/v1/merchant/orders';

export const products: Product[] = [
  { sku: 'TEA', name: 'Green tea', active: true },
  { sku: 'OLD', active: false },
];

/** A valid order with a new external order ID. */
export function anOrder(fields: Record<string, unknown> = {}) {
  return {
    externalOrderId: randomUUID(),
    customer: { phone: '99112233' },
    items: [{ sku: 'TEA' }],
    collectionMode: 'NONE',
    ...fields,
  };
}

export interface RequestParts {
  key?: string | null;
  headers?: Record<string, string>;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
}

interface SandboxResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a response has any shape
  json: any;
}

export async function send(
  baseUrl: string,
  method: 'GET' | 'POST' | 'OPTIONS' | 'DELETE',
  path: string,
  { key, headers = {}, body }: RequestParts = {},
): Promise<SandboxResponse> {
  const response = await request(baseUrl + path, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'sandbox.db');
}

/** A sandbox with a new database or the given file, stopped after the test. */
export async function start({
  file = ':memory:',
  ...options
}: Partial<SandboxOptions> & { file?: string } = {}) {
  const database = await openSandboxDatabase(file);
  const clock = { now: Date.parse('2026-11-25T08:00:00.000Z') };
  const sandbox = await startSandbox({
    database,
    catalogue: products,
    now: () => clock.now,
    randomUuid: randomUUID,
    ...options,
  });
  onTestFinished(() => sandbox.stop());
  const store = openStore(database);
  const withKey = (parts: RequestParts) => ({ key: sandbox.apiKey, ...parts });
  return {
    sandbox,
    database,
    store,
    clock,
    get: (path: string, parts: RequestParts = {}) => send(sandbox.baseUrl, 'GET', path, withKey(parts)),
    post: (path: string, parts: RequestParts = {}) => send(sandbox.baseUrl, 'POST', path, withKey(parts)),
    create(order: unknown, { headers, ...parts }: RequestParts = {}) {
      const all = { 'idempotency-key': randomUUID(), ...headers };
      return send(sandbox.baseUrl, 'POST', orders, withKey({ ...parts, headers: all, body: order }));
    },
    cancel: (id: string, reason = 'changed my mind') =>
      send(sandbox.baseUrl, 'POST', `${orders}/${id}/cancel`, withKey({ body: { reason } })),
    countCustomers: () =>
      (database.prepare('SELECT COUNT(*) AS number FROM customers').get() as { number: number }).number,
    /** A key of a new client, by default of a new merchant. */
    addKey(merchantId = store.accounts.addMerchant()) {
      const key = `sandbox_${randomUUID()}`;
      store.accounts.addKey(store.accounts.addClient(merchantId), 'orders:read orders:write', key);
      store.products.replace(merchantId, products);
      return key;
    },
  };
}

/** Runs `sandbox start` and stops it as soon as it has started. */
export async function startAndStop(...flags: string[]) {
  const interruption = createInterruption();
  interruption.send('SIGINT');
  const args = ['sandbox', 'start', '--port', '0', '--db', ':memory:', '--json', ...flags];
  const { stdout, stderr, exitCode } = await runCli(args, { interruption });
  return { facts: stdout === '' ? undefined : JSON.parse(stdout), stderr, exitCode };
}
