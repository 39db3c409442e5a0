import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Pool } from 'undici';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { fillWithOrders, spreads } from './fill-with-orders.ts';
import { listQueries, type Query } from './list-queries.ts';

interface Measured {
  query: Query;
  total: number;
  /** Milliseconds. */
  median: number;
  worst: number;
}

const [, , spreadText, roundsText = '20'] = process.argv;
const spread = spreads.find((name) => name === spreadText) ?? 'year';
const rounds = Number(roundsText);
const goal = 50;
const slowestShown = 8;

async function serve(file: string) {
  const database = await openDatabase(file);
  const options = { anySku: true, now: Date.now, randomUuid: randomUUID };
  const { baseUrl, apiKey, stop } = await startSandbox({ database, ...options });
  const pool = new Pool(baseUrl, { connections: 1 });
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    async list(query: Query): Promise<string> {
      const path = `/api/v1/merchant/orders?${new URLSearchParams({ pageSize: '100', ...query })}`;
      const { body } = await pool.request({ method: 'GET', path, headers });
      return body.text();
    },
    async stop() {
      await pool.close();
      await stop();
    },
  };
}

async function measure(list: (query: Query) => Promise<string>, query: Query): Promise<Measured> {
  const times: number[] = [];
  let text = '';
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    text = await list(query);
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  const { total } = JSON.parse(text) as { total: number };
  return { query, total, median: times[Math.floor(rounds / 2)] ?? 0, worst: times.at(-1) ?? 0 };
}

function row({ query, total, median, worst }: Measured): string {
  const numbers = [median.toFixed(1), worst.toFixed(1), String(total)].map((text) => text.padStart(9));
  return `${numbers.join('')}  ${decodeURIComponent(new URLSearchParams(query).toString()) || 'no filter'}`;
}

async function measureAll(file: string): Promise<void> {
  const service = await serve(file);
  for (let warm = 0; warm < 50; warm += 1) await service.list({});
  const all: Measured[] = [];
  for (const query of listQueries(spread)) all.push(await measure(service.list, query));
  await service.stop();
  const slowest = all.toSorted((one, other) => other.worst - one.worst).slice(0, slowestShown);
  const over = all.filter(({ worst }) => worst >= goal).length;
  const title = `${spread}: ${all.length} queries, ${over} of them ${goal} ms or more; the slowest:`;
  const head = ['median', 'worst', 'total'].map((text) => text.padStart(9)).join('');
  const singles = all.filter(({ query }) => Object.keys(query).length <= 1);
  const lines = [title, head, ...slowest.map(row), 'each filter alone:', ...singles.map(row)];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'list-a-million-'));
try {
  const file = join(folder, 'sandbox.db');
  await (await serve(file)).stop();
  const database = await openDatabase(file);
  fillWithOrders(database, spread);
  database.close();
  await measureAll(file);
} finally {
  rmSync(folder, { recursive: true });
}
