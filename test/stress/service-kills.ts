import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { nodeCommand, starts } from './import/sqlite-driver.ts';

/*
 * Kills the sandbox with SIGKILL under load, again and again on one database. Every order with a complete response is
 * there after the next start and replayed under its key, and no order is there twice. Prints the figures and exits with
 * 1 when one of them is wrong. The first argument is the number of kills (100).
 */
const kills = Number(process.argv[2] ?? 100);
const connections = 16;
const path = '/api/v1/merchant/orders';

interface Service {
  child: ChildProcess;
  baseUrl: string;
  apiKey: string;
  adminToken: string;
}

/** An order with a complete response. */
interface CreatedOrder {
  key: string;
  order: { externalOrderId: string };
  text: string;
  id: string;
}

const folder = mkdtempSync(join(tmpdir(), 'service-kills-'));
const figures = {
  kills,
  responses: 0,
  withoutResponse: 0,
  missing: 0,
  changed: 0,
  keysForgotten: 0,
  duplicated: 0,
};

try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const [name, figure] of Object.entries({ ...figures, ...starts }))
  console.log(`${name.padEnd(15)} ${figure}`);
const { missing, changed, keysForgotten, duplicated, responses } = figures;
process.exitCode = missing + changed + keysForgotten + duplicated === 0 && responses > kills ? 0 : 1;

async function run(): Promise<void> {
  let service = await start();
  for (let kill = 0; kill < kills; kill += 1) {
    const created = await loadUntilKilled(service);
    if (kill % 5 === 0) await killWhileStarting();
    service = await start();
    for (const order of created) await compare(service, order);
  }
  const { orders } = await ledger(service);
  figures.duplicated = orders.filter(({ commits }) => commits !== 1).length;
  service.child.kill('SIGKILL');
}

async function killWhileStarting(): Promise<void> {
  const child = launch();
  await delay(randomInt(50, 400));
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function launch(): ChildProcess {
  const [node, ...nodeFlags] = nodeCommand();
  return spawn(
    node,
    [
      ...nodeFlags,
      'bin/merchant-orders.js',
      ...['sandbox', 'start', '--port', '0', '--json', '--quiet', '--any-sku'],
      ...['--db', join(folder, 'sandbox.db')],
    ],
    { env: { ...process.env, MERCHANT_ORDERS_CONFIG_DIR: folder }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
}

async function start(): Promise<Service> {
  const child = launch();
  if (!child.stdout) throw new Error('the service has no output');
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.trimEnd().endsWith('}')) return { child, ...JSON.parse(text) };
  }
  throw new Error('the service did not start');
}

/** Returns the orders with a complete response before the service was killed at a random moment. */
async function loadUntilKilled(service: Service): Promise<CreatedOrder[]> {
  const { child } = service;
  const created: CreatedOrder[] = [];
  const agent = new Agent({ connections });
  const dead = once(child, 'exit');
  const work = async () => {
    for (;;) {
      const order = { ...createOrder(), externalOrderId: `K-${randomUUID()}` };
      const key = randomUUID();
      try {
        const { status, text } = await post(service, key, order, agent);
        if (status !== 201) throw new Error(`a create returned ${status}: ${text}`);
        created.push({ key, order, text, id: JSON.parse(text).id });
      } catch (error) {
        if (!child.killed) throw error;
        figures.withoutResponse += 1;
        return;
      }
    }
  };
  const working = Promise.all(Array.from({ length: connections }, work));
  await Promise.race([working, delay(randomInt(30, 250))]);
  child.kill('SIGKILL');
  await Promise.all([working, dead]);
  await agent.destroy();
  figures.responses += created.length;
  return created;
}

async function compare(service: Service, { key, order, text, id }: CreatedOrder): Promise<void> {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const read = await request(`${service.baseUrl}${path}/${id}`, { headers });
  const found = await read.body.text();
  if (read.statusCode !== 200) figures.missing += 1;
  else if (found !== text) figures.changed += 1;
  const again = await post(service, key, order);
  if (again.status !== 201 || again.text !== text || !again.isReplay) figures.keysForgotten += 1;
}

async function post(service: Service, key: string, order: object, dispatcher?: Dispatcher) {
  const { statusCode, headers, body } = await request(service.baseUrl + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(order),
    ...(dispatcher ? { dispatcher } : {}),
  });
  return {
    status: statusCode,
    text: await body.text(),
    isReplay: headers['idempotent-replayed'] === 'true',
  };
}

async function ledger({ baseUrl, adminToken }: Service) {
  const headers = { authorization: `Bearer ${adminToken}` };
  const { body } = await request(`${baseUrl}/_sandbox/ledger?without=attempts`, { headers });
  return (await body.json()) as { orders: { commits: number }[] };
}

function createOrder() {
  return {
    customer: { phone: `99${randomInt(100_000, 999_999)}` },
    items: [{ sku: 'TEA-001' }],
    collectionMode: 'COLLECT',
    collectionAmount: '25000',
  };
}
