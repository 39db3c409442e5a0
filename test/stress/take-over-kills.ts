import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { openDatabase } from '../../src/system/sqlite.ts';
import { startPlainService } from '../support/plain-service.ts';
import { addFigures, noFigures, printFigures, reportPromise } from './import/figures.ts';
import { killAfter, untilQuiet } from './import/kill-plain.ts';
import { createOrders, writeOrderFile } from './import/order-file.ts';
import { isOurs, readResults } from './import/results.ts';
import { type ImportSetup, setUpImport } from './import/run-import.ts';
import { runImport } from './import/settle.ts';
import { starts } from './import/sqlite-driver.ts';

/*
 * Imports that are killed with SIGKILL into a service that knows neither idempotency keys nor external order IDs, and
 * that loses no response: each kill leaves orders that exist and that the ledger does not know to exist. The runs that
 * take them over are killed too, and the last one ends. No order exists twice, and the results file equals what the
 * service has. A request that was under way when its run was killed is processed before the next run begins; one that
 * arrived after the lookup would be a second order, which no client can prevent. Every other service ignores the filter
 * of the list. Prints the figures and exits with 1 when one of them is wrong. The first argument is the number of kills.
 */
const wanted = Number(process.argv[2] ?? 24);
const killsPerRound = 4;
const orderCount = 150;

const folder = mkdtempSync(join(tmpdir(), 'take-over-kills-'));
const figures = noFigures(
  'rounds',
  'orders',
  'kills',
  'killedTakeOvers',
  'unrecorded',
  'lookups',
  'unsettled',
  'lost',
  'duplicated',
  'misreported',
);
try {
  while (figures.kills < wanted) {
    const round = figures.rounds;
    addFigures(figures, await runRound(join(folder, `${round}`), round % 2 === 1));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const isKept = printFigures(
  { ...figures, ...starts },
  {
    // Without them, a client that sends again without a lookup would create none twice either.
    unrecorded: (figure) => figure >= wanted,
    killedTakeOvers: (figure) => figure >= wanted / 4,
  },
  ['unsettled', 'lost', 'duplicated', 'misreported'],
);
const { kills, killedTakeOvers, unrecorded, lost, duplicated, misreported } = figures;
const reported = { killsWithoutKeys: kills, killedTakeOvers, unrecorded, lost, duplicated, misreported };
reportPromise({ promise: 1, figures: reported, isKept });

async function runRound(home: string, ignoresFilter: boolean): Promise<typeof figures> {
  mkdirSync(home);
  const service = await startPlainService({ latencyMs: 25, ignoresFilter });
  const setup = setUpImport(home, service);
  const orders = createOrders('T', orderCount);
  writeOrderFile(setup.file, orders);
  const counts = { kills: 0, killedTakeOvers: 0, unrecorded: 0 };
  try {
    for (let start = 0; start < killsPerRound; start += 1) {
      const open = await countUnrecorded(setup, service.commits());
      // After the first requests of a run: those that look up what another one left open, or soon after them.
      if (!(await killAfter(setup, service.seen, 4 + Math.floor(Math.random() * 24)))) break;
      counts.kills += 1;
      if (open > 0) counts.killedTakeOvers += 1;
      await untilQuiet(service.seen);
      counts.unrecorded += await countUnrecorded(setup, service.commits());
    }
    const exitCode = await runImport(setup);
    const commits = service.commits();
    const ids = new Map(service.orders.map(({ externalOrderId, id }) => [externalOrderId, id]));
    const results = readResults(setup.results);
    const right = results.filter((row) => isOurs(row) && ids.get(row.external_order_id) === row.order_id);
    return {
      ...counts,
      rounds: 1,
      orders: orderCount,
      lookups: service.seen.lists,
      unsettled: exitCode === 0 ? 0 : 1,
      lost: orderCount - commits.size,
      duplicated: service.orders.length - commits.size,
      misreported: orderCount - right.length,
    };
  } finally {
    await service.stop();
  }
}

/** The orders that exist, and of which the ledger does not know that they do. */
async function countUnrecorded(
  { configDirectory }: ImportSetup,
  commits: ReadonlyMap<string, number>,
): Promise<number> {
  const path = join(configDirectory, 'ledger.db');
  if (!existsSync(path)) return 0;
  const database = await openDatabase(path);
  try {
    const rows = database
      .prepare("SELECT external_order_id AS id FROM orders WHERE state IN ('intent', 'unknown')")
      .all() as { id: string }[];
    return rows.filter(({ id }) => commits.has(id)).length;
  } finally {
    database.close();
  }
}
