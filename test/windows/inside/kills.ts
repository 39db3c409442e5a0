import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Job, readJob, start, startSandbox, writeOrders, writeResult } from './program.ts';

export interface KillsJob extends Job {
  orders: number;
  kills: number;
}

export type Kills = Record<'orders' | 'killed' | 'exitCode' | 'lost' | 'doubled' | 'misreported', number>;

/** An import is killed in its middle, and run again until it ends by itself; then the service is asked what it has. */
const job = readJob<KillsJob>();
const sandbox = await startSandbox(job);
writeOrders(join(job.folder, 'many.csv'), job.orders);
const env = { MERCHANT_ORDERS_BASE_URL: sandbox.baseUrl, MERCHANT_ORDERS_API_KEY: sandbox.apiKey };
let killed = 0;
for (let kill = 1; kill <= job.kills; kill += 1) {
  const { child, ended } = start(job, ['import', 'many.csv', '--yes'], { env });
  const wanted = (job.orders * kill) / (job.kills + 1);
  while ((await sandbox.info()).orders < wanted && child.exitCode === null) await delay(1);
  execFileSync('taskkill', ['/f', '/pid', `${child.pid}`], { stdio: 'ignore' });
  const { stdout } = await ended;
  if (stdout === '') killed += 1;
}
const { exitCode } = await start(job, ['import', 'many.csv', '--yes'], { env }).ended;
const commits = await sandbox.commits();
sandbox.stop();
const results = readFileSync(join(job.folder, 'many.results.csv'), 'utf8').trimEnd().split('\n').slice(1);
const areThere = results.filter((line) => /^\d+,W-\d+,(?:created|already_exists),/.test(line));
writeResult(job, {
  orders: job.orders,
  killed,
  exitCode: exitCode ?? -1,
  lost: job.orders - new Set(commits.map(({ externalOrderId }) => externalOrderId)).size,
  doubled: commits.filter((each) => each.commits > 1).length,
  misreported: job.orders - areThere.length,
} satisfies Kills);
