import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inPairs, median, run, startService } from './measure.ts';
import { installPeer } from './peers.ts';
import {
  type Bench,
  type BenchRow,
  createOurs,
  floor,
  node,
  type Result,
  rateResult,
  startBareService,
} from './row.ts';

async function measureList(bench: Bench): Promise<Result[]> {
  const orders = 100_000;
  const service = await startBareService(0, orders);
  const ours = createOurs(bench, service.baseUrl);
  const pairs = await inPairs(
    bench.rounds,
    () => run([node, floor('request-loop'), service.baseUrl, '1', 'pages'], { isDetailed: true }),
    () => ours(['list', '--all', '--page-size', '100', '--format', 'ndjson'], { isDetailed: true }),
  );
  await service.stop();
  const first = median(pairs.map(([, other]) => other.firstOutput));
  const row = {
    what: 'list --all of 100,000 orders',
    against: "the service's own page rate",
    hold: { atLeast: 0.55 },
  };
  const also = `, first row after ${first.toFixed(2)} s`;
  return [rateResult({ ...row, orders, also }, pairs)];
}

const support = (path: string) => fileURLToPath(new URL(`../support/${path}`, import.meta.url));

/** Creates on disk, and on the same route without a database, each in a process of its own. */
async function measureSandbox(bench: Bench): Promise<Result[]> {
  const orders = 6000;
  const autocannon = installPeer(bench.folder, 'autocannon', '8.0.0');
  const serve = (file: string) =>
    startService([node, support('run-script.js'), 'test/bench/sandbox-service.ts', file]);
  let lastNumber = 0;
  const services = { without: await serve('nothing'), onDisk: await serve(join(bench.folder, 'sandbox.db')) };
  const measure = async ({ baseUrl, processor }: typeof services.without) => {
    lastNumber += orders;
    const before = processor();
    const load = [node, floor('create-load'), autocannon, baseUrl, String(orders), String(lastNumber)];
    const { stdout } = await run(load);
    return { perSecond: Number(stdout), perProcessorSecond: orders / (processor() - before) };
  };
  const [without, onDisk] = [() => measure(services.without), () => measure(services.onDisk)];
  await without();
  await onDisk();
  const pairs = await inPairs(bench.rounds, without, onDisk);
  await Promise.all(Object.values(services).map((service) => service.stop()));
  const rate = (side: 0 | 1) => median(pairs.map((pair) => pair[side].perSecond)).toFixed(0);
  // Autocannon needs more processor time for a request than the route without a database does.
  const ratio = median(pairs.map(([floors, ours]) => ours.perProcessorSecond / floors.perProcessorSecond));
  return [
    {
      what: 'creates of the sandbox on disk',
      against: 'the same route without a database',
      figure: ratio,
      hold: { atLeast: 0.4 },
      details: `of creates per second of processor time; ${rate(0)} and ${rate(1)} per second from autocannon, ${pairs.length} rounds`,
    },
  ];
}

export const serviceRows: readonly BenchRow[] = [
  { name: 'list', isQuick: true, measure: measureList },
  { name: 'sandbox', isQuick: true, measure: measureSandbox },
];
