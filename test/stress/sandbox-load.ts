import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Agent, request } from 'undici';
import { printFigures } from './import/figures.ts';
import { createOrder, path, type ServedSandbox, startSandbox } from './import/sandbox.ts';

/*
 * The served sandbox with 200 connections that create, read and list orders without a pause, for 5 seconds, or for 20
 * with `--full`; then two processes on one database that get the same orders at once. Every request is successful, every
 * order that was acknowledged is there, and none is there twice. Prints the figures and exits with 1 when one of them is
 * wrong.
 */
const seconds = process.argv.includes('--full') ? 20 : 5;
const connections = 200;
const sharedOrders = 2000;

const folder = mkdtempSync(join(tmpdir(), 'sandbox-load-'));
try {
  await load();
  await loadTwice();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function load(): Promise<void> {
  const service = await startSandbox(join(folder, 'one'), 'default');
  const figures = { connections, requests: 0, perSecond: 0, errors: 0, p50: 0, p99: 0, longest: 0, lost: 0 };
  const agent = new Agent({ connections });
  const times: number[] = [];
  let created = 0;
  const end = performance.now() + seconds * 1000;
  const send = async (work: () => Promise<boolean>) => {
    const started = performance.now();
    if (!(await work().catch(() => false))) figures.errors += 1;
    times.push(performance.now() - started);
  };
  const work = async () => {
    while (performance.now() < end) {
      const externalOrderId = randomUUID();
      let id = '';
      await send(async () => {
        id = (await createOrder(service, randomUUID(), { externalOrderId }, agent)).id;
        if (id !== '') created += 1;
        return id !== '';
      });
      await send(async () => (await read(service, `/${id}`, agent)) === 200);
      await send(async () => (await read(service, '?pageSize=5', agent)) === 200);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  await agent.close();
  times.sort((left, right) => left - right);
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  const commits = await service.commits();
  Object.assign(figures, {
    requests: times.length,
    perSecond: Math.round(times.length / seconds),
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    lost: Math.abs(created - commits.size),
  });
  await service.stop();
  console.log(`${seconds} s, times in milliseconds`);
  printFigures(figures, { requests: (count) => count > connections }, ['errors', 'lost']);
}

/** Each order is sent to both processes at once, each time under a key of its own: one of them rejects it. */
async function loadTwice(): Promise<void> {
  const shared = join(folder, 'shared');
  const services = [await startSandbox(shared, 'default'), await startSandbox(shared, 'default')];
  const figures = {
    orders: sharedOrders,
    processes: 2,
    created: 0,
    rejected: 0,
    otherResponses: 0,
    twice: 0,
  };
  const numbers = new Set<string>();
  let started = 0;
  const work = async () => {
    while (started < sharedOrders) {
      const externalOrderId = `B-${started}`;
      started += 1;
      for (const { status, text } of await Promise.all(
        services.map((service) => createOrder(service, randomUUID(), { externalOrderId })),
      )) {
        if (status === 201) numbers.add(JSON.parse(text).orderNumber);
        if (status === 201) figures.created += 1;
        else if (status === 409) figures.rejected += 1;
        else figures.otherResponses += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 20 }, work));
  const commits = await services[0]?.commits();
  figures.twice =
    [...(commits?.values() ?? [])].filter((count) => count !== 1).length + figures.created - numbers.size;
  await Promise.all(services.map((service) => service.stop()));
  console.log('two processes on one database');
  printFigures(
    figures,
    {
      created: (count) => count === sharedOrders && commits?.size === sharedOrders,
      rejected: (count) => count === sharedOrders,
    },
    ['otherResponses', 'twice'],
  );
}

async function read({ baseUrl, apiKey }: ServedSandbox, rest: string, dispatcher: Agent): Promise<number> {
  const { statusCode, body } = await request(baseUrl + path + rest, {
    headers: { authorization: `Bearer ${apiKey}` },
    dispatcher,
  });
  await body.dump();
  return statusCode;
}
