import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Pool } from 'undici';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openSandboxDatabase } from '../sandbox/database.ts';
import { startWithoutDatabase } from './without-database.ts';

/*
 * Creates per second of the sandbox on disk, compared with the same route without a database: two services in separate
 * processes, loaded in turns by this one. Prints each round and the ratio of the medians.
 */
const path = '/api/v1/merchant/orders';
const connections = 32;
const rounds = 5;
const orders = 6000;
let lastNumber = 1_000_000;

if (process.argv[2] === 'serve') await serve(process.argv[3] ?? '');
else await compare();

async function serve(file: string): Promise<void> {
  const sandbox =
    file === 'nothing'
      ? await startWithoutDatabase()
      : await startSandbox({
          database: await openSandboxDatabase(file),
          catalogue: [{ sku: 'TEA-001', active: true }],
          now: Date.now,
          randomUuid: randomUUID,
        });
  process.stdout.write(JSON.stringify({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey }));
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.once('disconnect', () => process.exit());
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const services = {
    'on disk': await start(join(folder, 'sandbox.db')),
    'no database': await start('nothing'),
  };
  const rates: Record<string, Rate[]> = { 'on disk': [], 'no database': [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, service] of Object.entries(services)) {
      const rate = await measure(service);
      // The first round warms up.
      if (round > 0) rates[name]?.push(rate);
    }
  }
  for (const unit of ['perSecond', 'perProcessorSecond'] as const) {
    const [onDisk = 0, without = 1] = Object.entries(rates).map(([name, all]) => {
      const sorted = all.map((rate) => rate[unit]).sort((left, right) => left - right);
      console.log(`${unit} ${name.padEnd(12)} ${sorted.map((rate) => Math.round(rate)).join(' ')}`);
      return sorted[Math.floor(sorted.length / 2)] ?? 0;
    });
    console.log(`${unit} ratio ${(onDisk / without).toFixed(2)} (goal 0.40)`);
  }
  for (const { child } of Object.values(services)) child.kill();
  rmSync(folder, { recursive: true });
}

/** Creates per second, and per second of processor time, which other processes do not disturb. */
interface Rate {
  perSecond: number;
  perProcessorSecond: number;
}

async function measure(service: Service): Promise<Rate> {
  const before = await processorSeconds(service);
  const perSecond = await load(service);
  return { perSecond, perProcessorSecond: orders / ((await processorSeconds(service)) - before) };
}

async function processorSeconds({ child }: Service): Promise<number> {
  child.send('cpuUsage');
  const [{ user, system }] = await once(child, 'message');
  return (user + system) / 1_000_000;
}

type Service = Awaited<ReturnType<typeof start>>;

async function start(file: string) {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'serve', file], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('the service has no output');
  const [line] = await once(child.stdout, 'data');
  return { child, ...(JSON.parse(String(line)) as { baseUrl: string; apiKey: string }) };
}

/** Creates per second, with consecutive external order IDs as in a shop. */
async function load({ baseUrl, apiKey }: Service): Promise<number> {
  const pool = new Pool(baseUrl, { connections });
  let remaining = orders;
  const started = performance.now();
  const work = async () => {
    while (remaining > 0) {
      remaining -= 1;
      lastNumber += 1;
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({
          customer: { phone: `99${String(100_000 + Math.floor(remaining % 5000)).slice(0, 6)}` },
          items: [{ sku: 'TEA-001', quantity: 2 }],
          externalOrderId: `UB-${lastNumber}`,
          collectionMode: 'COLLECT',
          collectionAmount: '25000',
          total: '25000.00',
          requestedDeliveryDate: '2026-11-25',
        }),
      });
      await body.dump();
      if (statusCode !== 201) throw new Error(`a create returned ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return orders / seconds;
}
