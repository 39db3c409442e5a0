import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type PlainOptions, startPlainService } from '../support/plain-service.ts';
import { addFigures, noFigures, printFigures, reportPromise } from './import/figures.ts';
import { killAfter, untilQuiet } from './import/kill-plain.ts';
import { createOrders, writeOrderFile } from './import/order-file.ts';
import { isThere, readResults } from './import/results.ts';
import { type ImportSetup, setUpImport, startImport } from './import/run-import.ts';
import { starts } from './import/sqlite-driver.ts';

/*
 * Imports into services that lose one response in ten, each killed with SIGKILL three times before its last run. A service
 * that knows neither idempotency keys nor external order IDs then has orders twice, which no client can prevent: the last
 * run names every one of them, and no other. One such service ignores the filter of the list, and is walked once. A
 * service with keys has none twice, and nothing is said. Prints the figures and exits with 1 when one of them is wrong.
 * Six rounds, and twenty of the first service with `--full`.
 */
const isFull = process.argv.includes('--full');
const kills = 3;
const orderCount = 150;
const lossRate = 0.1;
const services: Record<string, { rounds: number; options: PlainOptions; mayDouble: boolean }> = {
  'neither keys nor IDs': { rounds: isFull ? 20 : 3, options: {}, mayDouble: true },
  'nor a filter': { rounds: isFull ? 10 : 2, options: { ignoresFilter: true }, mayDouble: true },
  keys: { rounds: isFull ? 5 : 1, options: { knowsKeys: true }, mayDouble: false },
};

const folder = mkdtempSync(join(tmpdir(), 'doubles-said-'));
const none = noFigures(
  'rounds',
  'orders',
  'kills',
  'double',
  'said',
  'notSaid',
  'saidWrongly',
  'wrongCancel',
  'wrongExit',
  'lost',
  'lists',
);
let isKept = true;
const total = { ...none };
try {
  for (const [name, { rounds, options, mayDouble }] of Object.entries(services)) {
    console.log(name);
    const figures = { ...none };
    for (let round = 0; round < rounds; round += 1)
      addFigures(figures, await runRound(join(folder, `${name}-${round}`), options));
    addFigures(total, figures);
    const areRight = printFigures(
      figures,
      {
        // Without them, a client that says nothing would be right too.
        double: (figure) => (mayDouble ? figure >= rounds : figure === 0),
      },
      ['notSaid', 'saidWrongly', 'wrongCancel', 'wrongExit', 'lost'],
    );
    isKept &&= areRight;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printFigures({ ...starts }, {});
const { double, said, notSaid, saidWrongly } = total;
reportPromise({ promise: 10, figures: { double, said, notSaid, saidWrongly }, isKept });

async function runRound(home: string, options: PlainOptions): Promise<typeof none> {
  mkdirSync(home);
  const losesResponse = () => Math.random() < lossRate;
  const service = await startPlainService({ latencyMs: 25, losesResponse, ...options });
  const setup = setUpImport(home, service);
  writeOrderFile(setup.file, createOrders('D', orderCount));
  try {
    let killed = 0;
    for (let start = 0; start < kills; start += 1) {
      if (!(await killAfter(setup, service.seen, 10 + Math.floor(Math.random() * 40)))) break;
      killed += 1;
      await untilQuiet(service.seen);
    }
    const { exitCode } = await startImport(setup).ended;
    const commits = service.commits();
    const double = new Set([...commits].filter(([, count]) => count > 1).map(([id]) => id));
    const rows = readResults(setup.results);
    const said = new Map(
      rows.filter(({ code }) => code === 'twice').map((row) => [row.external_order_id, row]),
    );
    const numbersOf = (id: string) =>
      service.orders
        .filter(({ externalOrderId }) => externalOrderId === id)
        .map(({ orderNumber }) => String(orderNumber));
    const isSaid = (id: string) => numbersOf(id).every((number) => said.get(id)?.message.includes(number));
    const cancelled = cancelledBy(setup);
    const younger = [...double].flatMap((id) => numbersOf(id).slice(1));
    return {
      rounds: 1,
      orders: orderCount,
      kills: killed,
      double: double.size,
      said: said.size,
      notSaid: [...double].filter((id) => !isSaid(id)).length,
      saidWrongly: [...said.keys()].filter((id) => !double.has(id)).length,
      wrongCancel:
        younger.filter((number) => !cancelled.has(number)).length +
        Math.max(0, cancelled.size - younger.length),
      wrongExit: exitCode === (double.size > 0 ? 6 : 0) ? 0 : 1,
      lost: orderCount - rows.filter(isThere).filter((row) => commits.has(row.external_order_id)).length,
      lists: service.seen.lists,
    };
  } finally {
    await service.stop();
  }
}

/** The orders in the printed commands of the last run. */
function cancelledBy({ file }: ImportSetup): Set<string> {
  const output = readFileSync(join(file, '..', 'left-behind', 'output.txt'), 'utf8');
  const last = output.slice(output.lastIndexOf('"run":'));
  const hint = /\{"error":.*\}/.exec(last)?.[0];
  const command =
    hint === undefined ? '' : String((JSON.parse(hint) as { error: { hint?: string } }).error.hint);
  return new Set(/ cancel (.*?) --reason/.exec(command)?.[1]?.split(' '));
}
