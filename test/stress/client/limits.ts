import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { startForeignService } from '../../support/foreign-service/service.ts';
import type { PromiseResult } from './connect.ts';

const warmUpSeconds = 30;
const measuredSeconds = 30;

interface Limits {
  perSecond: number;
  burst: number;
  concurrency: number;
  latencyMs: number;
}

/** Promise 7: hidden limits, which the program finds in real time. */
export async function measureLimits(): Promise<PromiseResult[]> {
  return Promise.all([
    measureOne('50 a second', 50, { perSecond: 50, burst: 20, concurrency: 1000, latencyMs: 30 }),
    measureOne('8 at a time', 80, { perSecond: 1e9, burst: 1e9, concurrency: 8, latencyMs: 100 }),
  ]);
}

async function measureOne(name: string, allowed: number, limits: Limits): Promise<PromiseResult> {
  const { perSecond, burst, concurrency, latencyMs } = limits;
  let [tokens, filledAt] = [burst, performance.now()];
  const counts = { accepted: 0, throttled: 0 };
  const service = await startForeignService({
    latencyMs,
    intervene: ({ underWay }) => {
      const now = performance.now();
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (underWay > concurrency || tokens < 1) {
        counts.throttled += 1;
        return { before: (response) => response.writeHead(429, { 'retry-after': '1' }).end() };
      }
      tokens -= 1;
      counts.accepted += 1;
      return undefined;
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  const csv = join(folder, 'orders.csv');
  const rows = Array.from({ length: 20_000 }, (_, index) => `A-${index},99112233,TEA,NONE`);
  writeFileSync(csv, ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows].join('\n'));
  const child = spawn(
    process.execPath,
    ['bin/merchant-orders.js', 'import', csv, '--yes', '--json', '--quiet'],
    {
      env: {
        ...process.env,
        MERCHANT_ORDERS_CONFIG_DIR: folder,
        MERCHANT_ORDERS_BASE_URL: service.baseUrl,
        MERCHANT_ORDERS_API_KEY: service.apiKey,
      },
      stdio: 'ignore',
    },
  );
  await delay(warmUpSeconds * 1000);
  const before = { ...counts };
  await delay(measuredSeconds * 1000);
  const accepted = counts.accepted - before.accepted;
  const throttled = counts.throttled - before.throttled;
  child.kill('SIGINT');
  await once(child, 'exit');
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
  const share = accepted / measuredSeconds / allowed;
  const throttledShare = throttled / (accepted + throttled);
  return {
    number: 7,
    promise: `a hidden limit of ${name}: at least 90 % of it, at most 2 % throttled`,
    figures: {
      perSecond: (accepted / measuredSeconds).toFixed(1),
      share: share.toFixed(3),
      throttledShare: throttledShare.toFixed(4),
    },
    isKept: share >= 0.9 && throttledShare <= 0.02,
  };
}
