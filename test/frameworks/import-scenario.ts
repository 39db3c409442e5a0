import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createOrders, type FileOrder, writeOrderFile } from '../stress/import/order-file.ts';
import { readResults } from '../stress/import/results.ts';
import { type ImportSetup, setUpImport, startImport } from '../stress/import/run-import.ts';
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts';
import type { ImportFigures } from './checks.ts';
import { compareWithStore } from './compare.ts';
import { freePort } from './processes.ts';
import { isCancelled, runOne, type Scene } from './scenario.ts';

/** A way to the service that breaks on the way: counts its bytes and its faults. */
export type FaultyWay = Awaited<ReturnType<typeof startFaultyWay>>;

const maxRuns = 8;
/** One request to create an order, with its headers. */
const requestBytes = 550;
/** HAProxy tries to connect for three seconds before it says that nobody answers. */
const outageMilliseconds = 5000;
/** Faults come at most after this many bytes: for a connection that is kept, within its first ten orders or so. */
const maxFaultBytes = 8000;

/**
 * Imports a file through faults, kills the import with SIGKILL, and runs the same command again until it ends with 0;
 * then every order exists once, as in the file and as in the results.
 */
export async function importUnderFaults(
  scene: Scene,
  ways: readonly FaultyWay[],
  count: number,
  random: () => number,
): Promise<ImportFigures> {
  const { setup, orders } = prepareImport(scene, 'faults', count);
  const [front] = ways;
  const codes: (number | null)[] = [];
  const killAfter = (0.1 + 0.7 * random()) * count * requestBytes;
  for (const way of ways) way.setFaulty(true);
  while (codes.length < maxRuns && codes.at(-1) !== 0) {
    const running = startImport(setup);
    // A run that a fault stopped before, which is allowed, is followed by another one.
    if (!codes.includes(null)) {
      while (running.child.exitCode === null && (front?.requestBytes() ?? 0) < killAfter) await delay(5);
      running.child.kill('SIGKILL');
    }
    const { exitCode, stderr } = await running.ended;
    codes.push(exitCode);
    if (![null, 0, 7, 8].includes(exitCode))
      scene.check('an import goes on', false, `exit ${exitCode}\n${stderr}`);
  }
  for (const way of ways) way.setFaulty(false);
  scene.check('the import was killed', codes.includes(null), codes);
  scene.check('the import ends with 0', codes.at(-1) === 0, `exit codes ${codes.join(', ')}`);
  const faults = ways.reduce((sum, way) => sum + way.faults(), 0);
  scene.check('there were faults', faults > 0);
  return { ...(await compare(scene, setup, orders)), runs: codes.length, kills: 1, faults };
}

/** A file of which the service rejects two orders of three, and the import undone from its results. */
export async function checkRejectedRows(scene: Scene): Promise<void> {
  const { check, service, store } = scene;
  const folder = `${scene.folder}/rejected`;
  mkdirSync(folder);
  const [file, results] = [`${folder}/orders.csv`, `${folder}/orders.results.csv`];
  const rows = [
    'externalOrderId,customer.phone,items[].sku,collectionMode',
    'M-1,88112233,TEA-001,NONE',
    'M-2,88112234,NOPE-1,NONE',
    'M-3,88112235,TEA-001,ON_DELIVERY',
  ];
  writeFileSync(file, `${rows.join('\n')}\n`);
  const imported = await runOne(scene, ['import', file, '--no-checks', '--yes']);
  check('an import with rejected orders ends with 6', imported.exitCode === 6, imported.seen);
  const found = existsSync(results) ? readFileSync(results, 'utf8') : '';
  const [first, second, third] = found === '' ? [] : readResults(results);
  check('the order between them is created', first?.outcome === 'created', found);
  const isSku = second?.outcome === 'rejected' && second.code === 'PRODUCT_SKU_NOT_FOUND';
  check('the results have the code of the service', isSku, found);
  const words = service.words.collectionMode ?? '';
  const isNamed =
    third?.outcome === 'rejected' && words !== '' && found.replaceAll('""', '"').includes(words);
  check('the results have the words of the service', isNamed, found);

  const undone = await runOne(scene, ['cancel', '--from', results, '--reason', 'wrong file', '--yes']);
  const { orders } = await store();
  const [created, ...others] = orders.filter(({ externalOrderId }) => externalOrderId.startsWith('M-'));
  const isUndone = undone.exitCode === 0 && isCancelled(created?.status) && others.length === 0;
  check('the import is undone', isUndone, `${undone.seen}\n${JSON.stringify(orders)}`);
}

/** Imports a file while nobody answers behind the gateway for five seconds; one run creates every order. */
export async function importThroughOutage(
  scene: Scene,
  way: FaultyWay,
  count: number,
): Promise<ImportFigures> {
  const { setup, orders } = prepareImport(scene, 'outage', count);
  const running = startImport({ ...setup, flags: [...setup.flags, '--verbose'] });
  while (running.child.exitCode === null && way.requestBytes() < 0.2 * count * requestBytes) await delay(5);
  await way.interrupt(outageMilliseconds);
  const { exitCode, stderr } = await running.ended;
  scene.check('one import ends with 0', exitCode === 0, `exit ${exitCode}\n${stderr.slice(-2000)}`);
  const faults = stderr.match(/→ 50[234]/g)?.length ?? 0;
  scene.check('the gateway answered 502, 503 or 504', faults > 0, stderr.slice(-2000));
  return { ...(await compare(scene, setup, orders)), runs: 1, kills: 0, faults };
}

function prepareImport(scene: Scene, name: string, count: number) {
  const folder = `${scene.folder}/${name}`;
  mkdirSync(folder);
  const setup = setUpImport(folder, scene, 'orders', ['--timeout', '5', '--max-outage', '60']);
  const orders = createOrders(`I-${name}`, count);
  writeOrderFile(setup.file, orders);
  return { setup, orders };
}

async function compare(scene: Scene, setup: ImportSetup, orders: readonly FileOrder[]) {
  const stored = (await scene.store()).orders.filter(({ externalOrderId }) => /^I-/.test(externalOrderId));
  const differences = compareWithStore(orders, readResults(setup.results), stored);
  for (const [name, found] of Object.entries(differences)) {
    scene.check(`no order ${name}`, found.length === 0, `${found.length}: ${found.slice(0, 3).join('; ')}`);
  }
  const { lost, duplicated, misreported } = differences;
  const figures = { lost: lost.length, duplicated: duplicated.length, misreported: misreported.length };
  return { orders: orders.length, ...figures };
}

/** `stalls`: how many connections stop in the middle of a response instead of being cut. */
export async function startFaultyWay(target: number, random: () => number, stalls: number) {
  let isFaulty = false;
  let stallsLeft = stalls;
  const faultOf = (): Fault => {
    const after = 1 + Math.floor(random() * maxFaultBytes);
    const direction = random() < 0.4 ? 'request' : 'response';
    const how = random() < 0.5 ? 'reset' : 'close';
    if (!isFaulty || random() < 0.3) return {};
    if (stallsLeft > 0 && random() < 0.1) {
      stallsLeft -= 1;
      return { stall: { direction: 'response', after } };
    }
    return { cut: { direction, after, how } };
  };
  const faults = new Map<number, Fault>();
  const remember = (connection: number) => {
    const fault = faultOf();
    faults.set(connection, fault);
    return fault;
  };
  const isReached = (connection: number, { cut, stall }: Fault) => {
    const { direction, after } = cut ?? stall ?? {};
    return direction !== undefined && (proxy.connections[connection]?.[direction] ?? 0) >= (after ?? 0);
  };
  const port = await freePort();
  let proxy = await startFaultProxy(target, remember, port);
  return {
    port,
    baseUrl: proxy.baseUrl,
    /** Faults that happened. */
    faults: () => [...faults].filter(([connection, fault]) => isReached(connection, fault)).length,
    requestBytes: () => proxy.connections.reduce((sum, { request }) => sum + request, 0),
    setFaulty: (faulty: boolean) => {
      isFaulty = faulty;
      // A gateway keeps its connections, and each keeps its fault.
      if (!faulty) proxy.closeConnections();
    },
    /** Nobody listens on the port for this time. */
    interrupt: async (milliseconds: number) => {
      proxy.close();
      await delay(milliseconds);
      proxy = await startFaultProxy(target, remember, port);
    },
    close: () => proxy.close(),
  };
}
