import { join } from 'node:path';
import { request } from 'undici';
import { inPairs, median, run } from './measure.ts';
import { writeOrderBodies, writeOrderFile } from './order-data.ts';
import { installNewman } from './peers.ts';
import {
  type Bench,
  type BenchRow,
  count,
  createOurs,
  floor,
  node,
  type Result,
  rateResult,
  type Size,
  seconds,
  slopeResult,
  startBareService,
} from './row.ts';

let imports = 0;

function importArgs({ folder }: Bench, file: string, concurrency: string): string[] {
  imports += 1;
  const results = join(folder, `import-${imports}.results.csv`);
  const options = ['--yes', '--no-input', '--quiet', '--results', results, '--concurrency', concurrency];
  return ['import', file, ...options];
}

/** Posts each line of a file, 32 at a time, and does nothing else. */
const requestLoop = (baseUrl: string, bodies: string) =>
  run([node, floor('request-loop'), baseUrl, '32', bodies], { isDetailed: true });

async function measureImport(bench: Bench): Promise<Result[]> {
  const file = join(bench.folder, 'import.csv');
  const bodies = join(bench.folder, 'bodies.ndjson');
  const service = await startBareService(0);
  const ours = createOurs(bench, service.baseUrl);
  const results: Result[] = [];
  const found: Size[] = [];
  const sizes = { quick: [5000], usual: [5000, 40_000], full: [5000, 40_000, 1_000_000] }[bench.size];
  for (const orders of sizes) {
    writeOrderFile(file, { rows: orders, rowsPerOrder: 1 });
    writeOrderBodies(bodies, orders);
    const pairs = await inPairs(
      orders > 100_000 ? 1 : bench.rounds,
      () => requestLoop(service.baseUrl, bodies),
      () => ours(importArgs(bench, file, '32'), { isDetailed: true }),
    );
    const ofOurs = pairs.map(([, other]) => other);
    const peak = median(ofOurs.map((each) => each.peak));
    found.push({ rows: orders, seconds: median(ofOurs.map((each) => each.seconds)), peak });
    const what = `import of ${count(orders)} orders`;
    const hold = { atLeast: orders === 5000 ? 0.26 : 0.23 };
    results.push(rateResult({ what, against: 'a loop of undici requests', hold, orders }, pairs));
  }
  await service.stop();
  return [...results, ...slopeResult('import', found)];
}

/** What an import cannot do without, in a program that does nothing else: between the loop of requests and ours. */
async function measureLeast(bench: Bench): Promise<Result[]> {
  const orders = bench.size === 'quick' ? 5000 : 40_000;
  const file = join(bench.folder, 'least.csv');
  const bodies = join(bench.folder, 'least.ndjson');
  writeOrderFile(file, { rows: orders, rowsPerOrder: 1 });
  writeOrderBodies(bodies, orders);
  const service = await startBareService(0);
  const ours = createOurs(bench, service.baseUrl);
  const least = () => {
    imports += 1;
    const database = join(bench.folder, `least-${imports}.db`);
    return run([node, floor('least-import'), service.baseUrl, '32', file, database], { isDetailed: true });
  };
  const belowLoop = await inPairs(bench.rounds, () => requestLoop(service.baseUrl, bodies), least);
  const aboveOurs = await inPairs(bench.rounds, least, () =>
    ours(importArgs(bench, file, '32'), { isDetailed: true }),
  );
  await service.stop();
  const what = 'the least that an import does';
  const hold = { atLeast: bench.size === 'quick' ? 0.4 : 0.5 };
  return [
    rateResult({ what, against: 'a loop of undici requests', orders }, belowLoop),
    rateResult({ what: `import of ${count(orders)} orders`, against: what, hold, orders }, aboveOurs),
  ];
}

async function measureNewman(bench: Bench): Promise<Result[]> {
  const orders = 1000;
  const newman = installNewman(bench.folder);
  const file = join(bench.folder, 'thousand.csv');
  writeOrderFile(file, { rows: orders, rowsPerOrder: 1 });
  const service = await startBareService(0);
  const ours = createOurs(bench, service.baseUrl);
  const pairs = await inPairs(
    bench.size === 'quick' ? 1 : bench.rounds,
    () => run(newman(service.baseUrl, file)),
    () => ours(importArgs(bench, file, '32')),
  );
  const bodies = join(bench.folder, 'thousand.ndjson');
  writeOrderBodies(bodies, orders);
  const loop = await requestLoop(service.baseUrl, bodies);
  await service.stop();
  const faster = median(pairs.map(([one, other]) => one.seconds / other.seconds));
  const times = (side: 0 | 1) => seconds(pairs.map((pair) => pair[side].seconds));
  return [
    {
      what: `import of ${count(orders)} orders`,
      against: 'newman, how many times faster',
      figure: faster,
      unit: 'x',
      hold: { atLeast: 9 },
      details: `${times(0)} and ${times(1)}, ${pairs.length} rounds; a loop of undici requests takes ${seconds([loop.seconds])}`,
    },
  ];
}

/** Doubling each round trip from one request to 64 at once: the seconds that this many orders take at least. */
export function idealRamp(orders: number, latencySeconds: number): number {
  let [left, atOnce, trips] = [orders, 1, 0];
  while (left > 0) {
    left -= atOnce;
    trips += 1;
    atOnce = Math.min(64, atOnce * 2);
  }
  return trips * latencySeconds;
}

async function measureLatency(bench: Bench): Promise<Result[]> {
  const results: Result[] = [];
  // The start is a smaller share of the larger one.
  const sizes = { quick: [2000], usual: [2000, 6000], full: [2000, 20_000] }[bench.size];
  for (const orders of sizes) results.push(await measureFixed(bench, orders));
  return [...results, await measureAutomatic(bench, 1500)];
}

async function measureFixed(bench: Bench, orders: number): Promise<Result> {
  const file = join(bench.folder, 'latency.csv');
  const bodies = join(bench.folder, 'latency.ndjson');
  writeOrderFile(file, { rows: orders, rowsPerOrder: 1 });
  writeOrderBodies(bodies, orders);
  const service = await startBareService(100);
  const ours = createOurs(bench, service.baseUrl);
  const pairs = await inPairs(
    bench.size === 'quick' ? 1 : bench.rounds,
    () => requestLoop(service.baseUrl, bodies),
    () => ours(importArgs(bench, file, '32'), { isDetailed: true }),
  );
  await service.stop();
  const times = (side: 0 | 1) => pairs.map((pair) => pair[side].seconds);
  const share = (side: 0 | 1) => orders / median(times(side)) / (32 / 0.1);
  return {
    what: `import of ${count(orders)} orders at 100 ms, --concurrency 32`,
    against: '32 / 0.1 s',
    figure: share(1),
    hold: { atLeast: orders === 2000 ? 0.83 : 0.94 },
    details: `in ${seconds(times(1))}, start of the process included, ${pairs.length} rounds; a loop of undici requests reaches ${share(0).toFixed(2)}`,
  };
}

async function measureAutomatic(bench: Bench, orders: number): Promise<Result> {
  const file = join(bench.folder, 'automatic.csv');
  writeOrderFile(file, { rows: orders, rowsPerOrder: 1 });
  const service = await startBareService(400);
  const ours = createOurs(bench, service.baseUrl);
  const times: number[] = [];
  const rounds = bench.size === 'quick' ? 1 : bench.rounds;
  for (let round = 0; round < rounds; round += 1) {
    times.push((await ours(importArgs(bench, file, 'auto'))).seconds);
  }
  await service.stop();
  const ideal = idealRamp(orders, 0.4);
  return {
    what: `import of ${count(orders)} orders at 400 ms, auto`,
    against: 'the ideal ramp',
    figure: median(times) / ideal,
    unit: 'x',
    hold: { atMost: 1.3 },
    details: `${ideal.toFixed(1)} s and ${seconds(times)}, ${rounds} runs`,
  };
}

/** What an import asks of a service, its start and end included. */
async function measureRequests(bench: Bench): Promise<Result[]> {
  const orders = 1000;
  const file = join(bench.folder, 'requests.csv');
  writeOrderFile(file, { rows: orders, rowsPerOrder: 1 });
  const service = await startBareService(0);
  await createOurs(bench, service.baseUrl)(importArgs(bench, file, '32'));
  const { body } = await request(`${service.baseUrl}/requests`);
  const { requests } = (await body.json()) as { requests: number };
  await service.stop();
  const details = `${requests} requests for ${count(orders)} orders`;
  return [
    { what: 'requests per order', against: '', figure: requests / orders, hold: { atMost: 1 }, details },
  ];
}

export const importRows: readonly BenchRow[] = [
  { name: 'import', isQuick: true, measure: measureImport },
  { name: 'least', isQuick: true, measure: measureLeast },
  { name: 'requests', isQuick: true, measure: measureRequests },
  { name: 'newman', isQuick: true, measure: measureNewman },
  { name: 'latency', isQuick: true, measure: measureLatency },
];
