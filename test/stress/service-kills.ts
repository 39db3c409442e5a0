import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { printFigures } from './import/figures.ts';
import { createOrder, launchSandbox, path, type ServedSandbox, startSandbox } from './import/sandbox.ts';
import { starts } from './import/sqlite-driver.ts';

/*
 * Kills the sandbox with SIGKILL under load, again and again on one database. Every order with a complete response is
 * there after the next start and replayed under its key, and no order is there twice. Prints the figures and exits with
 * 1 when one of them is wrong. The first argument is the number of kills (100).
 */
const kills = Number(process.argv[2] ?? 100);
const connections = 16;

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
printFigures({ ...figures, ...starts }, { responses: (figure) => figure > kills }, [
  'missing',
  'changed',
  'keysForgotten',
  'duplicated',
]);

async function run(): Promise<void> {
  let service = await startSandbox(folder);
  for (let kill = 0; kill < kills; kill += 1) {
    const created = await loadUntilKilled(service);
    if (kill % 5 === 0) await killWhileStarting();
    service = await startSandbox(folder);
    for (const order of created) await compare(service, order);
  }
  figures.duplicated = [...(await service.commits()).values()].filter((commits) => commits !== 1).length;
  await service.stop();
}

async function killWhileStarting(): Promise<void> {
  const child = launchSandbox(folder);
  await delay(randomInt(50, 400));
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Returns the orders with a complete response before the service was killed at a random moment. */
async function loadUntilKilled(service: ServedSandbox): Promise<CreatedOrder[]> {
  const { child } = service;
  const created: CreatedOrder[] = [];
  const agent = new Agent({ connections });
  const work = async () => {
    for (;;) {
      const order = {
        externalOrderId: `K-${randomUUID()}`,
        customer: { phone: `99${randomInt(100_000, 999_999)}` },
        collectionMode: 'COLLECT',
        collectionAmount: '25000',
      };
      const key = randomUUID();
      try {
        const { status, text, id } = await createOrder(service, key, order, agent);
        if (status !== 201) throw new Error(`a create returned ${status}: ${text}`);
        created.push({ key, order, text, id });
      } catch (error) {
        if (!child.killed) throw error;
        figures.withoutResponse += 1;
        return;
      }
    }
  };
  const working = Promise.all(Array.from({ length: connections }, work));
  await Promise.race([working, delay(randomInt(30, 250))]);
  await Promise.all([service.stop(), working]);
  await agent.destroy();
  figures.responses += created.length;
  return created;
}

async function compare(service: ServedSandbox, { key, order, text, id }: CreatedOrder): Promise<void> {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const read = await request(`${service.baseUrl}${path}/${id}`, { headers });
  const found = await read.body.text();
  if (read.statusCode !== 200) figures.missing += 1;
  else if (found !== text) figures.changed += 1;
  const again = await createOrder(service, key, order);
  if (again.status !== 201 || again.text !== text || !again.isReplay) figures.keysForgotten += 1;
}
