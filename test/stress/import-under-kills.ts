import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { slowAnswers } from './import/faults.ts';
import { isZero, showPromise, tellFigures } from './import/figures.ts';
import { countKeySeen } from './import/find-key.ts';
import { judge } from './import/judge.ts';
import { afterRequests } from './import/kill.ts';
import { inventOrders, writeOrderFile } from './import/order-file.ts';
import { isOurs } from './import/results.ts';
import { placeIn, type RunningImport, startImport } from './import/run-import.ts';
import { type ServedSandbox, startSandbox } from './import/sandbox.ts';
import { checkExit, isSettled, settle } from './import/settle.ts';

/*
 * One import that continues while the service is killed with SIGKILL at random moments and started again at the same
 * address with the same database. It ends by itself, or when the same command is run again; no order is lost or exists
 * twice, and the results file equals what the service has. Kills hit requests in flight, and orders that were created
 * but not yet answered. Prints the figures and exits with 1 when one of them is wrong. The first argument is the number
 * of kills (12).
 */
const wanted = Number(process.argv[2] ?? 12);
const ordersPerKill = 250;
/** One kill in this many comes at a random time, whether or not a request is in flight. */
const everyByClock = 6;
/** The service is back after an outage by then, and an import does not end before. */
const maxMilliseconds = 1000;
/** Below the ephemeral ports: the system could give such a port to a client while the service is down. */
const port = randomInt(20_000, 30_000);

const folder = mkdtempSync(join(tmpdir(), 'import-under-kills-'));
try {
  const { keySeen, ...figures } = await tryKills();
  const areRight = tellFigures(figures, {
    kills: (figure) => figure === wanted,
    inFlight: (figure) => figure >= wanted / 3,
    unheard: (figure) => figure >= wanted / 4,
    ...{ unsettled: isZero, lost: isZero, duplicated: isZero, misreported: isZero, rekeyed: isZero },
  });
  const isSecret = tellFigures({ keySeen }, { keySeen: isZero });
  const { kills, inFlight, unheard, lost, duplicated, misreported } = figures;
  const ofService = { serviceKills: kills, inFlight, unheard, lost, duplicated, misreported };
  showPromise({ promise: 1, figures: ofService, isKept: areRight });
  showPromise({ promise: 8, figures: { keySeen }, isKept: isSecret });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tryKills() {
  const start = async () => {
    const started = await startSandbox(join(folder, 'service'), 'default', port);
    await started.setFaults(slowAnswers);
    return started;
  };
  let service = await start();
  const home = join(folder, 'import');
  mkdirSync(home);
  const place = placeIn(home, service, 'orders', ['--verbose', '--max-outage', '600']);
  const orders = inventOrders('U', wanted * ordersPerKill);
  writeOrderFile(place.file, orders);
  const running = startImport(place);
  try {
    let [kills, inFlight] = [0, 0];
    while (kills < wanted && (await isAtRandomMoment(running, service, orders.length, wanted - kills))) {
      const before = countCutOff(running);
      await service.stop();
      service = await start();
      kills += 1;
      if (countCutOff(running) > before) inFlight += 1;
    }
    const { exitCode, told } = await running.ended;
    checkExit(exitCode, told);
    const codes = [exitCode, ...(exitCode === 0 ? [] : await settle(place, service, orders))];
    const terms = { isDone: isOurs };
    const { open, struck: _, ...judged } = await judge('the import', service, orders, place.results, terms);
    const isEnded = isSettled(codes, false, open);
    if (!isEnded) console.log(`the runs ended with ${codes.join(', ')}`);
    return {
      ...{ orders: orders.length, kills, inFlight, runs: codes.length },
      ...{ unsettled: isEnded ? 0 : 1, ...judged },
      keySeen: countKeySeen('the import', home, service.apiKey),
    };
  } finally {
    running.child.kill('SIGKILL');
    await service.stop();
  }
}

/** Waits so that orders are left to create for all remaining kills; false when the import has ended. */
async function isAtRandomMoment(
  { child, ended }: RunningImport,
  service: ServedSandbox,
  expected: number,
  killsLeft: number,
): Promise<boolean> {
  const over = new AbortController();
  const { orders } = await service.info();
  const isByClock = randomInt(everyByClock) === 0;
  const moment = isByClock
    ? delay(randomInt(maxMilliseconds), undefined, { signal: over.signal }).catch(() => undefined)
    : afterRequests(service, orders + Math.floor((expected - orders) / killsLeft), over.signal);
  await Promise.race([moment, ended]);
  over.abort();
  return child.exitCode === null;
}

/** Requests so far whose connection broke before the response. */
function countCutOff(running: RunningImport): number {
  return running.told().match(/→ the connection was (?:closed|reset) \(/g)?.length ?? 0;
}
