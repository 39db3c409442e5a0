import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCsvRow } from '../../src/csv/write-csv.ts';
import { program } from '../support/program.ts';
import { inPairs, median, run } from './measure.ts';
import { writeOrderFile } from './order-data.ts';
import { findMiller } from './peers.ts';
import {
  type Bench,
  type BenchRow,
  count,
  createEnvironment,
  createOurs,
  floor,
  type Hold,
  node,
  type Result,
  ratioResult,
  type Size,
  secondsOf,
  slopeResult,
  startBareService,
} from './row.ts';
import { workbookTable, writeWorkbook } from './workbook-data.ts';

const newHeader = 'Order number,Mobile,SKU,Quantity,Address,Payment,COD amount,Delivery date';

const dryRunArgs = (file: string) => ['import', file, '--dry-run', '--no-input', '--quiet'];

async function measureDryRun(bench: Bench): Promise<Result[]> {
  const sizes = {
    quick: [100_000],
    usual: [10_000, 100_000, 1_000_000],
    full: [10_000, 100_000, 1_000_000, 10_000_000],
  }[bench.size];
  const results: Result[] = [];
  const found: Size[] = [];
  for (const rows of sizes) {
    const { results: ofSize, ...size } = await compareWithParser(bench, { rows, rowsPerOrder: 1 });
    results.push(...ofSize);
    found.push({ rows, ...size });
  }
  const severalRows = bench.size === 'quick' ? 99_999 : 999_999;
  const several = await compareWithParser(bench, { rows: severalRows, rowsPerOrder: 3 });
  return [...results, ...several.results, ...slopeResult('dry run', found)];
}

/** What a dry run of so many rows is held to; its start is a larger share of a shorter one. */
const holds = new Map<number, Record<'time' | 'user' | 'peak', Hold>>([
  [99_999, { time: { atMost: 5 }, user: { atMost: 5.6 }, peak: { atMost: 125 } }],
  [100_000, { time: { atMost: 3.6 }, user: { atMost: 4.3 }, peak: { atMost: 134 } }],
  [1_000_000, { time: { atMost: 3.1 }, user: { atMost: 4.5 }, peak: { atMost: 169 } }],
]);

async function compareWithParser(bench: Bench, data: { rows: number; rowsPerOrder: number }) {
  const { rows, rowsPerOrder } = data;
  const file = join(bench.folder, 'dry-run.csv');
  writeOrderFile(file, data);
  const ours = createOurs(bench);
  const pairs = await inPairs(
    rows > 1_000_000 ? 1 : bench.rounds,
    () => run([node, floor('parse-csv'), file], { isDetailed: true }),
    () => ours(dryRunArgs(file), { isDetailed: true }),
  );
  const what = `dry run of ${count(rows)} rows${rowsPerOrder === 1 ? '' : `, ${rowsPerOrder} an order`}`;
  const held = holds.get(rows);
  const against = 'csv-parse alone';
  const peak = median(pairs.map(([, other]) => other.peak));
  const user = pairs.map(([one, other]): [number, number] => [one.user, other.user]);
  const results: Result[] = [
    ratioResult({ what, against, hold: held?.time }, secondsOf(pairs)),
    ratioResult({ what: 'its processor time, without the system', against, hold: held?.user }, user),
    {
      what: 'its memory at the peak',
      against: '',
      figure: peak,
      unit: ' MiB',
      hold: held?.peak,
      details: '',
    },
  ];
  return { results, seconds: median(pairs.map(([, other]) => other.seconds)), peak };
}

/** The same rows below names that no profile of a shop has: the columns are read first, and a mapping is proposed. */
async function measureNewLayout(bench: Bench): Promise<Result[]> {
  const rows = bench.size === 'quick' ? 100_000 : 1_000_000;
  const [known, other] = [join(bench.folder, 'known.csv'), join(bench.folder, 'new.csv')];
  writeOrderFile(known, { rows, rowsPerOrder: 1 });
  writeOrderFile(other, { rows, rowsPerOrder: 1, header: newHeader });
  const ours = createOurs(bench);
  const mapping = join(bench.folder, 'new.map.json');
  const propose = ['import', other, '--no-input', '--quiet', '--write-map', mapping];
  const pairs = await inPairs(
    bench.rounds,
    () => ours(dryRunArgs(known)),
    async () => {
      rmSync(mapping, { force: true });
      return ours(propose);
    },
  );
  const what = `mapping proposed for a new layout of ${count(rows)} rows`;
  return [ratioResult({ what, against: 'dry run of a known layout', hold: { atMost: 2 } }, secondsOf(pairs))];
}

async function measureMiller(bench: Bench): Promise<Result[]> {
  const rows = bench.size === 'quick' ? 100_000 : 1_000_000;
  const miller = findMiller();
  const row = {
    what: `dry run of ${count(rows)} rows`,
    against: 'mlr --icsv --ojson cat',
    hold: { atMost: bench.size === 'quick' ? 1.5 : 1 },
  };
  if (miller === undefined) return [{ ...row, figure: Number.NaN, details: 'mlr is not installed' }];
  const file = join(bench.folder, 'miller.csv');
  writeOrderFile(file, { rows, rowsPerOrder: 1 });
  const ours = createOurs(bench);
  const pairs = await inPairs(
    bench.rounds,
    () => run([miller, '--icsv', '--ojson', 'cat', file]),
    () => ours(dryRunArgs(file)),
  );
  return [ratioResult(row, secondsOf(pairs))];
}

/** The orders of a file are compared with those of earlier imports; a fifth of these were imported before. */
async function measureWithLedger(bench: Bench): Promise<Result[]> {
  const [earlier, file] = [join(bench.folder, 'earlier.csv'), join(bench.folder, 'with-ledger.csv')];
  writeOrderFile(earlier, { rows: 40_000, rowsPerOrder: 1 });
  writeOrderFile(file, { rows: 200_000, rowsPerOrder: 1 });
  const service = await startBareService(0);
  const env = createEnvironment(bench, 'ledger', service.baseUrl);
  const withLedger = (args: string[]) => run([node, program, ...args], { env });
  await withLedger(['import', earlier, '--yes', '--no-input', '--quiet']);
  await service.stop();
  const ours = createOurs(bench);
  const pairs = await inPairs(
    bench.rounds,
    () => ours(dryRunArgs(file)),
    () => withLedger(dryRunArgs(file)),
  );
  const what = 'dry run of 200,000 rows, 40,000 in the ledger';
  return [ratioResult({ what, against: 'the same without a ledger' }, secondsOf(pairs))];
}

/** 100,000 orders with 20 columns: as a workbook, with its texts shared and in the cells, against the CSV. */
async function measureWorkbook(bench: Bench): Promise<Result[]> {
  const csv = join(bench.folder, 'table.csv');
  const table = workbookTable(100_000);
  writeFileSync(csv, table.map((cells) => `${formatCsvRow(cells.map(String))}\n`).join(''));
  const ours = createOurs(bench);
  const results: Result[] = [];
  for (const texts of ['shared', 'in the cells'] as const) {
    const workbook = join(bench.folder, 'table.xlsx');
    writeWorkbook(workbook, table, texts);
    const pairs = await inPairs(
      bench.rounds,
      () => ours(dryRunArgs(csv), { isDetailed: true }),
      () => ours(dryRunArgs(workbook), { isDetailed: true }),
    );
    const processor = pairs.map(([one, other]): [number, number] => [one.processor, other.processor]);
    const row = { what: `dry run of a workbook, texts ${texts}`, against: 'its CSV' };
    const peak = Math.round(median(pairs.map(([, other]) => other.peak)));
    const result = ratioResult(row, processor);
    results.push({ ...result, details: `${result.details}, of processor time, ${peak} MiB` });
  }
  return results;
}

export const dryRunRows: readonly BenchRow[] = [
  { name: 'dry-run', isQuick: true, measure: measureDryRun },
  { name: 'new-layout', isQuick: true, measure: measureNewLayout },
  { name: 'ledger', measure: measureWithLedger },
  { name: 'miller', isQuick: true, measure: measureMiller },
  { name: 'workbook', measure: measureWorkbook },
];
