import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { compareResults } from './import/compare-results.ts';
import { delayResponses } from './import/faults.ts';
import { printFigures, reportPromise } from './import/figures.ts';
import { countKeyLeaks } from './import/find-key.ts';
import { afterRequests } from './import/kill.ts';
import { createOrders, writeOrderFile } from './import/order-file.ts';
import { isOurs } from './import/results.ts';
import { type RunningImport, setUpImport, startImport } from './import/run-import.ts';
import { type ServedSandbox, startSandbox } from './import/sandbox.ts';
import { checkExit, isSettled, settle } from './import/settle.ts';

/*
 * One import that continues while the service is killed with SIGKILL at random moments and started again at the same
 * address with the same database. It ends by itself, or when the same command is run again; no order is lost or exists
 * twice, and the results file equals what the service has. Kills hit requests in flight, and orders that were created
 * before their response was sent. Prints the figures and exits with 1 when one of them is wrong. The first argument is
 * the number of kills (12).
 */
const wanted = Number(process.argv[2] ?? 12);
const ordersPerKill = 250;
/** One kill in this many comes at a random time, even when no request is in flight. */
const timedKillInterval = 6;
/** Long enough for the service to come back, and shorter than any import. */
const maxMilliseconds = 1000;
/** Below the ephemeral ports: the system could give such a port to a client while the service is down. */
const port = randomInt(20_000, 30_000);

const folder = mkdtempSync(join(tmpdir(), 'import-under-kills-'));
try {
  const { keyLeaks, ...figures } = await killService();
  const areRight = printFigures(
    figures,
    {
      kills: (figure) => figure === wanted,
      inFlight: (figure) => figure >= wanted / 3,
      repeated: (figure) => figure >= wanted / 4,
    },
    ['unsettled', 'lost', 'duplicated', 'misreported', 'keyChanged'],
  );
  const isSecret = printFigures({ keyLeaks }, {}, ['keyLeaks']);
  const { kills, inFlight, repeated, lost, duplicated, misreported } = figures;
  const reported = { serviceKills: kills, inFlight, repeated, lost, duplicated, misreported };
  reportPromise({ promise: 1, figures: reported, isKept: areRight });
  reportPromise({ promise: 8, figures: { keyLeaks }, isKept: isSecret });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function killService() {
  const start = async () => {
    const started = await startSandbox(join(folder, 'service'), 'default', port);
    await started.setFaults(delayResponses);
    return started;
  };
  let service = await start();
  const home = join(folder, 'import');
  mkdirSync(home);
  const setup = setUpImport(home, service, 'orders', ['--verbose', '--max-outage', '600']);
  const orders = createOrders('U', wanted * ordersPerKill);
  writeOrderFile(setup.file, orders);
  const running = startImport(setup);
  try {
    let [kills, inFlight] = [0, 0];
    while (kills < wanted && (await waitForRandomMoment(running, service, orders.length, wanted - kills))) {
      const before = countCutOff(running);
      await service.stop();
      service = await start();
      kills += 1;
      if (countCutOff(running) > before) inFlight += 1;
    }
    const { exitCode, stderr } = await running.ended;
    checkExit(exitCode, stderr);
    const codes = [exitCode, ...(exitCode === 0 ? [] : await settle(setup, service, orders))];
    const expectations = { isDone: isOurs };
    const {
      open,
      faulted: _,
      ...differences
    } = await compareResults('the import', service, orders, setup.results, expectations);
    const isEnded = isSettled(codes, false, open);
    if (!isEnded) console.log(`the runs ended with ${codes.join(', ')}`);
    return {
      orders: orders.length,
      kills,
      inFlight,
      runs: codes.length,
      unsettled: isEnded ? 0 : 1,
      ...differences,
      keyLeaks: countKeyLeaks('the import', home, service.apiKey),
    };
  } finally {
    running.child.kill('SIGKILL');
    await service.stop();
  }
}

/** Leaves orders to create for all remaining kills. Returns false when the import has ended. */
async function waitForRandomMoment(
  { child, ended }: RunningImport,
  service: ServedSandbox,
  expected: number,
  killsLeft: number,
): Promise<boolean> {
  const waiting = new AbortController();
  const { orders } = await service.info();
  const isTimed = randomInt(timedKillInterval) === 0;
  const moment = isTimed
    ? delay(randomInt(maxMilliseconds), undefined, { signal: waiting.signal }).catch(() => undefined)
    : afterRequests(service, orders + Math.floor((expected - orders) / killsLeft), waiting.signal);
  await Promise.race([moment, ended]);
  waiting.abort();
  return child.exitCode === null;
}

/** Requests so far whose connection broke before the response. */
function countCutOff(running: RunningImport): number {
  return running.stderr().match(/→ the connection was (?:closed|reset) \(/g)?.length ?? 0;
}
