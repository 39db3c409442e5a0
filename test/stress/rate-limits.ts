/**
 * npm run rate-limits [-- nginx|haproxy 5|50|500 429|503 wait|none 1s|10s limit_conn]: runs an import against real gateways
 * that limit the rate of requests, or how many there are at a time, in real time, and prints what it reached. Exits with 1 when the goal is missed, or a gateway is
 * not installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { startForeignService } from '../support/foreign-service/service.ts';
import { type Limit, missingGateways, startGateway } from './rate-limits/gateways.ts';

const seconds = Number(process.env.RATE_LIMIT_SECONDS ?? 60);
const warmUpSeconds = 10;
const goal = { share: 0.9, throttled: 0.02 };

const kinds = [
  { gateway: 'nginx', window: 0 },
  { gateway: 'haproxy', window: 1 },
  { gateway: 'haproxy', window: 10 },
] as const;
const rates = [5, 50, 500].flatMap((perSecond) => kinds.map((kind) => ({ ...kind, perSecond })));
const atATime = { gateway: 'nginx', window: 0, perSecond: 80, atATime: 8 } as const;
const limits: Limit[] = [...rates, atATime].flatMap((kind) =>
  ([503, 429] as const).flatMap((status) =>
    [false, true].map((retryAfter) => ({ ...kind, status, retryAfter })),
  ),
);
/** Of the service behind the gateway. */
const latency = { ofRates: 10, atATime: (1000 * atATime.atATime) / atATime.perSecond };

const nameOf = ({ gateway, window, atATime }: Limit) => {
  if (atATime !== undefined) return `nginx limit_conn ${atATime}`;
  return gateway === 'nginx' ? 'nginx limit_req' : `HAProxy http_req_rate(${window}s)`;
};
const columns = [
  (limit: Limit) => nameOf(limit),
  ({ status }: Limit) => `${status}`,
  ({ retryAfter }: Limit) => (retryAfter ? '1 s' : 'none'),
  ({ perSecond }: Limit) => `${perSecond}`,
];
const rowOf = (limit: Limit, ...figures: string[]) =>
  `| ${[...columns.map((column) => column(limit)), ...figures].join(' | ')} |`;

async function measure(limit: Limit) {
  const folder = mkdtempSync(join(tmpdir(), 'rate-limits-'));
  const service = await startForeignService({
    latencyMs: limit.atATime === undefined ? latency.ofRates : latency.atATime,
  });
  const gateway = await startGateway(limit, new URL(service.baseUrl).host, folder);
  const csv = join(folder, 'orders.csv');
  const rows = Array.from(
    { length: 3000 + limit.perSecond * seconds * 1.2 },
    (_, index) => `A-${index},99112233,TEA,NONE`,
  );
  writeFileSync(csv, ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows].join('\n'));
  const child = spawn(
    process.execPath,
    ['bin/merchant-orders.js', 'import', csv, '--yes', '--json', '--quiet'],
    {
      env: {
        ...process.env,
        MERCHANT_ORDERS_CONFIG_DIR: folder,
        MERCHANT_ORDERS_BASE_URL: gateway.baseUrl,
        MERCHANT_ORDERS_API_KEY: service.apiKey,
      },
      stdio: ['ignore', 'ignore', process.env.RATE_LIMIT_VERBOSE ? 'inherit' : 'ignore'],
    },
  );
  while (service.seen.requests === 0 && child.exitCode === null) await delay(100);
  await delay(warmUpSeconds * 1000);
  const from = Date.now();
  await delay((seconds - warmUpSeconds) * 1000);
  const counts = gateway.counts(from, Date.now());
  const throttled = counts.get(limit.status) ?? 0;
  const accepted = [...counts.values()].reduce((sum, count) => sum + count, 0) - throttled;
  const hasRunOn = child.exitCode === null;
  child.kill('SIGINT');
  if (hasRunOn) await once(child, 'exit');
  await gateway.stop();
  await service.stop();
  const twice = [...service.commits().values()].filter((commits) => commits > 1).length;
  rmSync(folder, { recursive: true, force: true });
  const perSecond = accepted / (seconds - warmUpSeconds);
  const throttledShare = throttled / Math.max(1, accepted + throttled);
  const isKept =
    hasRunOn && twice === 0 && perSecond >= goal.share * limit.perSecond && throttledShare <= goal.throttled;
  const figures = [
    perSecond.toFixed(1),
    `${((100 * perSecond) / limit.perSecond).toFixed(0)} %`,
    `${(100 * throttledShare).toFixed(1)} %`,
  ];
  console.log(rowOf(limit, ...figures, isKept ? '' : hasRunOn ? 'missed' : 'the import ended early'));
  return isKept;
}

const [, , ...filters] = process.argv;
const chosen = limits.filter((limit) =>
  filters.every((filter) =>
    [
      limit.gateway,
      `${limit.perSecond}`,
      `${limit.status}`,
      `${limit.window}s`,
      limit.retryAfter ? 'wait' : 'none',
      limit.atATime === undefined ? 'limit_req' : 'limit_conn',
    ].includes(filter),
  ),
);
const missing = missingGateways(chosen);
for (const name of missing) console.log(`${name} is not installed, so its rows were not measured.`);
console.log('| limit | status | Retry-After | allowed a second | reached | share | throttled after 10 s | |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
const results: boolean[] = [];
const runnable = chosen.filter(({ gateway }) => !missing.includes(gateway));
// One at a time: imports that plan beside each other make the timers late.
for (const limit of runnable) results.push(await measure(limit));
process.exitCode = missing.length === 0 && results.every(Boolean) ? 0 : 1;
