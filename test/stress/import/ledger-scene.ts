import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compareResults, type Expectations } from './compare-results.ts';
import { latestCommitMilliseconds, mixedFaults } from './faults.ts';
import { addFigures, noFigures } from './figures.ts';
import type { FileOrder } from './order-file.ts';
import { readResults } from './results.ts';
import { deleteLedger, type ImportSetup, setUpImport, startImport } from './run-import.ts';
import type { ServedSandbox } from './sandbox.ts';
import { isSettled, runImport, settle } from './settle.ts';

/** A file of orders, and the service to which it is sent. */
export interface LedgerScene {
  name: string;
  service: ServedSandbox;
  orders: readonly FileOrder[];
  folder: string;
  /** Flags of the imports. */
  flags: readonly string[];
  figures: LedgerFigures;
}

export type LedgerFigures = ReturnType<typeof noLedgerFigures>;

export const noLedgerFigures = () =>
  noFigures(
    'scenes',
    'orders',
    'runs',
    'faulted',
    'unsettled',
    'inOtherRun',
    'lost',
    'duplicated',
    'misreported',
    'keyChanged',
    'claimedTwice',
    'keyLeaks',
  );

/** Deletes the ledger after an import, and imports again. */
export async function deleteAfterwards(scene: LedgerScene): Promise<void> {
  const setup = setUp(scene, randomUUID());
  for (const isDeleted of [false, true]) {
    if (isDeleted) deleteLedger(setup);
    await setRandomFaults(scene);
    await finish(scene, setup);
  }
}

/** Kills a run that created about half of the orders, and deletes the ledger. */
export async function deleteHalfway(scene: LedgerScene): Promise<void> {
  const { service, orders } = scene;
  const setup = setUp(scene, randomUUID());
  await setRandomFaults(scene);
  const { child, ended } = startImport(setup);
  while (child.exitCode === null && (await service.info()).orders < orders.length / 2) await delay(5);
  child.kill('SIGKILL');
  await ended;
  deleteLedger(setup);
  await finish(scene, setup);
}

/**
 * Runs several imports of one file side by side, with one ledger (`isShared`) or with one each. The results of each must
 * be correct at its end, and all orders must exist after another run. Without faults, no two claim the same order.
 */
export async function importAtOnce(
  scene: LedgerScene,
  count: number,
  { isShared, hasFaults }: { isShared: boolean; hasFaults: boolean },
): Promise<void> {
  const { figures, folder } = scene;
  const group = randomUUID();
  const setups = Array.from({ length: count }, (_, side) => {
    const setup = setUp(scene, `${group}-${side}`);
    return isShared ? { ...setup, configDirectory: join(folder, `${group}.config`) } : setup;
  });
  if (hasFaults) await setRandomFaults(scene);
  await Promise.all(setups.map(runImport));
  figures.runs += count;
  if (hasFaults) await delay(latestCommitMilliseconds);
  else {
    const claims = claimedTwice(setups);
    figures.claimedTwice += claims;
    if (claims > 0) console.log(`${scene.name}: claimed twice: ${claims}`);
  }
  for (const setup of setups) await compare(scene, setup, { mayBeOpen: true });
  for (const setup of setups) await finish(scene, setup);
}

function setUp({ folder, service, flags }: LedgerScene, name: string): ImportSetup {
  return setUpImport(folder, service, name, flags);
}

async function setRandomFaults({ service }: LedgerScene): Promise<void> {
  await service.setFaults(mixedFaults(randomUUID(), service.behaviour === 'stripe-like'));
}

async function finish(scene: LedgerScene, setup: ImportSetup): Promise<void> {
  const { name, service, orders, figures } = scene;
  const codes = await settle(setup, service, orders);
  await delay(latestCommitMilliseconds);
  const isEnded = isSettled(codes, false, 0);
  if (!isEnded) console.log(`${name}: the last runs ended with ${codes.join(', ')}`);
  addFigures(figures, { runs: codes.length, unsettled: isEnded ? 0 : 1 });
  await compare(scene, setup, {});
}

async function compare(scene: LedgerScene, setup: ImportSetup, expectations: Expectations): Promise<void> {
  const { name, service, orders, figures } = scene;
  const {
    open: _,
    repeated: __,
    faulted,
    ...differences
  } = await compareResults(name, service, orders, setup.results, expectations);
  const inOtherRun = readResults(setup.results).filter(({ code }) => code === 'in_other_run').length;
  addFigures(figures, { ...differences, inOtherRun });
  figures.faulted = faulted;
}

/** Orders that more than one results file claims to have created. */
function claimedTwice(setups: readonly ImportSetup[]): number {
  const created = setups
    .flatMap(({ results }) => readResults(results))
    .filter(({ outcome }) => outcome === 'created')
    .map((result) => result.external_order_id);
  return created.length - new Set(created).size;
}
