import { writeFileSync } from 'node:fs';
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
  node,
  type Result,
  ratioResult,
  type Size,
  secondsOf,
  slopeResult,
  startBareService,
} from './row.ts';
import { workbookTable, writeWorkbook } from './workbook-data.ts';

const dryRunArgs = (file: string) => ['import', file, '--dry-run', '--no-input', '--quiet'];

async function measureDryRun(bench: Bench): Promise<Result[]> {
  const sizes = [10_000, 100_000, 1_000_000, ...(bench.isFull ? [10_000_000] : [])];
  const results: Result[] = [];
  const found: Size[] = [];
  for (const rows of sizes) {
    const { result, ...size } = await compareWithParser(bench, { rows, rowsPerOrder: 1 });
    results.push(result);
    found.push({ rows, ...size });
  }
  const severalRows = await compareWithParser(bench, { rows: 999_999, rowsPerOrder: 3 });
  return [...results, severalRows.result, ...slopeResult('dry run', found)];
}

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
  const goal = rows < 900_000 ? '-' : '<= 2.5x';
  const result = ratioResult({ what, against: 'csv-parse alone', goal }, secondsOf(pairs));
  const peak = median(pairs.map(([, other]) => other.peak));
  const details = `${result.details}, ${Math.round(peak)} MiB (goal 200)`;
  return { result: { ...result, details }, seconds: median(pairs.map(([, other]) => other.seconds)), peak };
}

async function measureMiller(bench: Bench): Promise<Result[]> {
  const row = { what: 'dry run of 1,000,000 rows', against: 'mlr --icsv --ojson cat', goal: '< 1' };
  const miller = findMiller();
  if (miller === undefined) return [{ ...row, value: 'missing', details: 'mlr is not installed' }];
  const file = join(bench.folder, 'miller.csv');
  writeOrderFile(file, { rows: 1_000_000, rowsPerOrder: 1 });
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
  return [ratioResult({ what, against: 'the same without a ledger', goal: '-' }, secondsOf(pairs))];
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
    const row = { what: `dry run of a workbook, texts ${texts}`, against: 'its CSV', goal: '-' };
    const peak = Math.round(median(pairs.map(([, other]) => other.peak)));
    const result = ratioResult(row, processor);
    results.push({ ...result, details: `${result.details}, of processor time, ${peak} MiB (goal 200)` });
  }
  return results;
}

export const dryRunRows: readonly BenchRow[] = [
  { name: 'dry-run', measure: measureDryRun },
  { name: 'ledger', measure: measureWithLedger },
  { name: 'miller', measure: measureMiller },
  { name: 'workbook', measure: measureWorkbook },
];
