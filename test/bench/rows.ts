import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { program } from '../support/program.ts';
import { inPairs, median, type Run, type RunOptions, run, startService } from './measure.ts';
import { writeOrderBodies, writeOrderFile } from './order-data.ts';
import { findMiller, installNewman } from './peers.ts';

export interface Bench {
  /** A directory for files, which is removed at the end. */
  folder: string;
  rounds: number;
  /** Also the sizes that take half an hour. */
  isFull: boolean;
}

export interface Result {
  what: string;
  against: string;
  /** What is held against the goal. */
  value: string;
  goal: string;
  /** The times and sizes behind it. */
  details: string;
}

interface BenchRow {
  name: string;
  measure(bench: Bench): Promise<Result[]>;
}

const node = process.execPath;
const floor = (name: string) => fileURLToPath(new URL(`floors/${name}.mjs`, import.meta.url));
const startBareService = (latencyMs: number, listed = 0) =>
  startService([node, floor('bare-service'), String(latencyMs), String(listed)]);

/** Runs our program with a configuration directory of its own, against a service if there is one. */
function createOurs(bench: Bench, baseUrl?: string) {
  let runs = 0;
  return (args: readonly string[], options: RunOptions = {}): Promise<Run> => {
    runs += 1;
    const directory = join(bench.folder, `configuration-${process.pid}-${baseUrl?.slice(-5) ?? ''}-${runs}`);
    mkdirSync(directory, { mode: 0o700 });
    const service = baseUrl === undefined ? {} : { MERCHANT_ORDERS_BASE_URL: baseUrl };
    const env = { ...service, MERCHANT_ORDERS_CONFIG_DIR: directory, MERCHANT_ORDERS_API_KEY: 'bench' };
    return run([node, program, ...args], { ...options, env });
  };
}

const times = (seconds: readonly number[]) => `${median(seconds).toFixed(3)} s`;
const ratioOf = (pairs: readonly [number, number][]) => median(pairs.map(([one, other]) => other / one));

async function measureStart(bench: Bench): Promise<Result[]> {
  const ours = createOurs(bench);
  const bare = () => run([node, '-e', '0']);
  const starts: [string, () => Promise<Run>][] = [
    ['--version', () => ours(['--version'])],
    ['--help', () => ours(['--help'])],
    ['a usage error', () => runFailing(() => ours(['--nope']))],
  ];
  const results: Result[] = [];
  for (const [what, start] of starts) {
    await start();
    const pairs = await inPairs(Math.max(bench.rounds, 15), bare, start);
    results.push(ratioResult(what, 'bare node -e 0', '<= 1.25', pairs));
  }
  return results;
}

/** A usage error ends with another exit code, and takes as long. */
async function runFailing(work: () => Promise<Run>): Promise<Run> {
  const started = performance.now();
  try {
    return await work();
  } catch {
    const seconds = (performance.now() - started) / 1000;
    return { seconds, firstOutput: seconds, processor: 0, peak: 0, stdout: '' };
  }
}

function ratioResult(what: string, against: string, goal: string, pairs: readonly [Run, Run][]): Result {
  const seconds = pairs.map(([one, other]): [number, number] => [one.seconds, other.seconds]);
  return {
    what,
    against,
    value: `${ratioOf(seconds).toFixed(2)}x`,
    goal,
    details: `${times(seconds.map(([one]) => one))} and ${times(seconds.map(([, other]) => other))}, ${pairs.length} pairs`,
  };
}

async function measureGet(bench: Bench): Promise<Result[]> {
  const service = await startBareService(0);
  const ours = createOurs(bench, service.baseUrl);
  const get = () => ours(['get', '01a20150-9549-7d1b-a9d7-000000000001', '--json']);
  await get();
  const pairs = await inPairs(Math.max(bench.rounds, 15), () => run([node, '-e', '0']), get);
  await service.stop();
  return [ratioResult('get of one order', 'bare node -e 0', '<= 2.5', pairs)];
}

async function measureImport(bench: Bench): Promise<Result[]> {
  const orders = 100_000;
  const file = join(bench.folder, 'import.csv');
  const bodies = join(bench.folder, 'bodies.ndjson');
  writeOrderFile(file, { rows: orders, rowsPerOrder: 1 });
  writeOrderBodies(bodies, orders);
  const service = await startBareService(0);
  const ours = createOurs(bench, service.baseUrl);
  const loop = () => run([node, floor('request-loop'), service.baseUrl, '32', bodies], { isDetailed: true });
  const imported = () => ours(importArgs(bench, file, '32'), { isDetailed: true });
  const pairs = await inPairs(bench.rounds, loop, imported);
  await service.stop();
  const rates = pairs.map(([one, other]): [number, number] => [orders / one.seconds, orders / other.seconds]);
  const rate = (side: 0 | 1) => Math.round(median(rates.map((pair) => pair[side])));
  const peak = Math.round(median(pairs.map(([, other]) => other.peak)));
  return [
    {
      what: 'import of 100,000 orders',
      against: 'a loop of undici requests',
      value: ratioOf(rates).toFixed(2),
      goal: '>= 0.45',
      details: `${rate(0)} and ${rate(1)} orders per second, ${peak} MiB, ${pairs.length} pairs`,
    },
  ];
}

let imports = 0;

function importArgs({ folder }: Bench, file: string, concurrency: string): string[] {
  imports += 1;
  const results = join(folder, `import-${imports}.results.csv`);
  return [
    'import',
    file,
    '--yes',
    '--no-input',
    '--quiet',
    '--results',
    results,
    '--concurrency',
    concurrency,
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
    bench.rounds,
    () => run(newman(service.baseUrl, file)),
    () => ours(importArgs(bench, file, '32')),
  );
  await service.stop();
  const faster = median(pairs.map(([one, other]) => one.seconds / other.seconds));
  const seconds = (side: 0 | 1) => times(pairs.map((pair) => pair[side].seconds));
  return [
    {
      what: 'import of 1,000 orders',
      against: 'newman',
      value: `${faster.toFixed(0)}x`,
      goal: '>= 100x',
      details: `${seconds(0)} and ${seconds(1)}, ${pairs.length} pairs`,
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
  const file = join(bench.folder, 'latency.csv');
  const fixed = { orders: 6000, latencyMs: 100 };
  writeOrderFile(file, { rows: fixed.orders, rowsPerOrder: 1 });
  const service = await startBareService(fixed.latencyMs);
  const ours = createOurs(bench, service.baseUrl);
  const shares: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const { seconds } = await ours(importArgs(bench, file, '32'));
    shares.push(fixed.orders / seconds / (32 / 0.1));
  }
  await service.stop();

  const automatic = { orders: 1500, latencyMs: 400 };
  writeOrderFile(file, { rows: automatic.orders, rowsPerOrder: 1 });
  const slow = await startBareService(automatic.latencyMs);
  const oursSlow = createOurs(bench, slow.baseUrl);
  const ideal = idealRamp(automatic.orders, 0.4);
  const seconds: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    seconds.push((await oursSlow(importArgs(bench, file, 'auto'))).seconds);
  }
  await slow.stop();
  return [
    {
      what: 'import at 100 ms, --concurrency 32',
      against: '32 / 0.1 s',
      value: median(shares).toFixed(2),
      goal: '>= 0.97',
      details: `${fixed.orders} orders, start of the process included, ${bench.rounds} runs`,
    },
    {
      what: 'import of 1,500 orders at 400 ms, auto',
      against: 'the ideal ramp',
      value: `${(median(seconds) / ideal).toFixed(2)}x`,
      goal: '<= 1.3x',
      details: `${ideal.toFixed(1)} s and ${times(seconds)}, ${bench.rounds} runs`,
    },
  ];
}

async function measureDryRun(bench: Bench): Promise<Result[]> {
  const ours = createOurs(bench);
  const sizes = [10_000, 100_000, 1_000_000, ...(bench.isFull ? [10_000_000] : [])];
  const results: Result[] = [];
  const found: { rows: number; seconds: number; peak: number }[] = [];
  for (const rowsPerOrder of [1, 3]) {
    for (const rows of rowsPerOrder === 1 ? sizes : [999_999]) {
      const file = join(bench.folder, 'dry-run.csv');
      writeOrderFile(file, { rows, rowsPerOrder });
      const parse = () => run([node, floor('parse-csv'), file], { isDetailed: true });
      const args = ['import', file, '--dry-run', '--no-input', '--quiet'];
      const rounds = rows > 1_000_000 ? 1 : bench.rounds;
      const pairs = await inPairs(rounds, parse, () => ours(args, { isDetailed: true }));
      const seconds = pairs.map(([one, other]): [number, number] => [one.seconds, other.seconds]);
      const ofOurs = median(seconds.map(([, other]) => other));
      const peak = Math.round(median(pairs.map(([, other]) => other.peak)));
      if (rowsPerOrder === 1) found.push({ rows, seconds: ofOurs, peak });
      results.push({
        what: `dry run of ${rows.toLocaleString('en')} rows${rowsPerOrder === 1 ? '' : `, ${rowsPerOrder} an order`}`,
        against: 'csv-parse alone',
        value: `${ratioOf(seconds).toFixed(2)}x`,
        goal: rows < 900_000 ? '-' : '<= 2.5x',
        details: `${times(seconds.map(([one]) => one))} and ${times(seconds.map(([, other]) => other))}, ${peak} MiB (goal 200), ${rounds} pairs`,
      });
    }
  }
  const [first, last] = [found[1], found.at(-1)];
  if (first !== undefined && last !== undefined) {
    const slope = Math.log(last.seconds / first.seconds) / Math.log(last.rows / first.rows);
    const details = `time grows with the ${slope.toFixed(2)}th power of the rows, memory by ${(last.peak / first.peak).toFixed(2)}x`;
    const what = `dry run, ${first.rows.toLocaleString('en')} to ${last.rows.toLocaleString('en')} rows`;
    results.push({ what, against: 'a straight line', value: slope.toFixed(2), goal: '1.00', details });
  }
  return results;
}

async function measureMiller(bench: Bench): Promise<Result[]> {
  const miller = findMiller();
  const what = 'dry run of 1,000,000 rows';
  if (miller === undefined) {
    return [{ what, against: 'Miller', value: 'missing', goal: 'faster', details: 'mlr is not installed' }];
  }
  const file = join(bench.folder, 'miller.csv');
  writeOrderFile(file, { rows: 1_000_000, rowsPerOrder: 1 });
  const ours = createOurs(bench);
  const pairs = await inPairs(
    bench.rounds,
    () => run([miller, '--icsv', '--ojson', 'cat', file]),
    () => ours(['import', file, '--dry-run', '--no-input', '--quiet']),
  );
  return [ratioResult(what, 'mlr --icsv --ojson cat', '< 1', pairs)];
}

async function measureList(bench: Bench): Promise<Result[]> {
  const listed = 100_000;
  const service = await startBareService(0, listed);
  const ours = createOurs(bench, service.baseUrl);
  const pairs = await inPairs(
    bench.rounds,
    () => run([node, floor('request-loop'), service.baseUrl, '1', 'pages']),
    () => ours(['list', '--all', '--page-size', '100', '--format', 'ndjson'], { isDetailed: true }),
  );
  await service.stop();
  const rates = pairs.map(([one, other]): [number, number] => [listed / one.seconds, listed / other.seconds]);
  const rate = (side: 0 | 1) => Math.round(median(rates.map((pair) => pair[side])));
  const first = median(pairs.map(([, other]) => other.firstOutput));
  const peak = Math.round(median(pairs.map(([, other]) => other.peak)));
  return [
    {
      what: 'list --all of 100,000 orders',
      against: "the service's own page rate",
      value: ratioOf(rates).toFixed(2),
      goal: '>= 0.9',
      details: `${rate(0)} and ${rate(1)} orders per second, first row after ${first.toFixed(2)} s, ${peak} MiB, ${pairs.length} pairs`,
    },
  ];
}

export const rows: readonly BenchRow[] = [
  { name: 'start', measure: measureStart },
  { name: 'get', measure: measureGet },
  { name: 'import', measure: measureImport },
  { name: 'newman', measure: measureNewman },
  { name: 'latency', measure: measureLatency },
  { name: 'dry-run', measure: measureDryRun },
  { name: 'miller', measure: measureMiller },
  { name: 'list', measure: measureList },
];
