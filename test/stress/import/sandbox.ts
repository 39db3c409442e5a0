import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Dispatcher, request } from 'undici';
import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { nodeCommand } from './sqlite-driver.ts';

export type ServedSandbox = Awaited<ReturnType<typeof startSandbox>>;

const databaseName = 'sandbox.db';

/** The name of a behaviour in the package, or the path of one for the tests. */
function behaviourFlag(behaviour: string): string {
  const path = `test/support/behaviours/${behaviour}.json`;
  return existsSync(path) ? path : behaviour;
}

/** A process of `sandbox start`, with its database in the folder, which is created when it does not exist. */
export function launchSandbox(folder: string, behaviour = 'default', port = 0): ChildProcess {
  mkdirSync(folder, { recursive: true });
  const flags = [
    ...['--port', String(port), '--json', '--quiet'],
    ...['--behaviour', behaviourFlag(behaviour), '--db', join(folder, databaseName)],
  ];
  const [node, ...nodeFlags] = nodeCommand();
  return spawn(node, [...nodeFlags, 'bin/merchant-orders.js', 'sandbox', 'start', ...flags], {
    env: { ...process.env, MERCHANT_ORDERS_CONFIG_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The same, once it serves. */
export async function startSandbox(folder: string, behaviour = 'default', port = 0) {
  const child = launchSandbox(folder, behaviour, port);
  const { baseUrl, apiKey, adminToken } = await readStartOutput(child);
  const admin = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) => {
    const response = await request(`${baseUrl}/_sandbox/${path}`, {
      method,
      // A connection that stayed open could be closed by the sandbox just when it is used again.
      reset: true,
      headers: { authorization: `Bearer ${adminToken}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.statusCode !== 200) throw new Error(`${path}: ${await response.body.text()}`);
    return (await response.body.json()) as unknown;
  };
  return {
    child,
    behaviour,
    baseUrl,
    apiKey,
    databasePath: join(folder, databaseName),
    setFaults: (faults: FaultSettings) => admin('PUT', 'faults', { demoPhones: false, ...faults }),
    addProduct: (sku: string) => admin('PATCH', 'catalogue', [{ sku }]),
    reset: () => admin('POST', 'reset'),
    info: async () => (await admin('GET', 'info')) as { requests: number; orders: number },
    /** How often each order was committed, by its externalOrderId. */
    commits: async () => {
      const { orders } = (await admin('GET', 'ledger?without=attempts')) as {
        orders: { externalOrderId: string | null; commits: number }[];
      };
      return new Map(orders.map(({ externalOrderId, commits }) => [externalOrderId, commits]));
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function readStartOutput(
  child: ChildProcess,
): Promise<Record<'baseUrl' | 'apiKey' | 'adminToken', string>> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.trimEnd().endsWith('}')) return JSON.parse(text);
  }
  throw new Error('the sandbox did not start');
}

export const path = '/api/v1/merchant/orders';

/** Creates an order of one product and no collection, without a second attempt. */
export async function createOrder(
  { baseUrl, apiKey }: Pick<ServedSandbox, 'baseUrl' | 'apiKey'>,
  key: string,
  fields: object,
  dispatcher?: Dispatcher,
) {
  const { statusCode, headers, body } = await request(baseUrl + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({
      customer: { phone: '88112233' },
      items: [{ sku: 'TEA-001' }],
      collectionMode: 'NONE',
      ...fields,
    }),
    ...(dispatcher ? { dispatcher } : {}),
  });
  const text = await body.text();
  const id = statusCode === 201 ? (JSON.parse(text) as { id: string }).id : '';
  return { status: statusCode, text, id, isReplay: headers['idempotent-replayed'] === 'true' };
}
