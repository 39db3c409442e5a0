import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { latestCommitMilliseconds, mixedFaults } from './faults.ts';
import { addFigures } from './figures.ts';
import { judge, type Terms } from './judge.ts';
import type { FileOrder } from './order-file.ts';
import { readResults } from './results.ts';
import { deleteLedger, type ImportPlace, placeIn, startImport } from './run-import.ts';
import type { ServedSandbox } from './sandbox.ts';
import { isSettled, runImport, settle } from './settle.ts';

/** One file of orders, and the service that it is sent to. */
export interface LedgerScene {
  name: string;
  service: ServedSandbox;
  orders: readonly FileOrder[];
  folder: string;
  /** Of the imports. */
  flags: readonly string[];
  figures: LedgerFigures;
}

export type LedgerFigures = ReturnType<typeof noFigures>;

export function noFigures() {
  return {
    ...{ scenes: 0, orders: 0, runs: 0, struck: 0, unsettled: 0, inOtherRun: 0 },
    ...{ lost: 0, duplicated: 0, misreported: 0, rekeyed: 0, claimedTwice: 0, keySeen: 0 },
  };
}

/** Deleted after the import, which is then done again. */
export async function deleteAfterwards(scene: LedgerScene): Promise<void> {
  const place = placeOf(scene, randomUUID());
  for (const deletes of [false, true]) {
    if (deletes) deleteLedger(place);
    await strike(scene);
    await bringToEnd(scene, place);
  }
}

/** Deleted when a run was killed that had created about half of the orders. */
export async function deleteHalfway(scene: LedgerScene): Promise<void> {
  const { service, orders } = scene;
  const place = placeOf(scene, randomUUID());
  await strike(scene);
  const { child, ended } = startImport(place);
  while (child.exitCode === null && (await service.info()).orders < orders.length / 2) await delay(5);
  child.kill('SIGKILL');
  await ended;
  deleteLedger(place);
  await bringToEnd(scene, place);
}

/**
 * So many imports of the one file side by side, `sharing` one ledger or not. What each says at its end must be so
 * already, and after it was run again all must be there. Without faults no two say that they created an order.
 */
export async function importAtOnce(
  scene: LedgerScene,
  count: number,
  { sharing, isStruck }: { sharing: boolean; isStruck: boolean },
): Promise<void> {
  const { figures, folder } = scene;
  const together = randomUUID();
  const places = Array.from({ length: count }, (_, side) => {
    const place = placeOf(scene, `${together}-${side}`);
    return sharing ? { ...place, configDirectory: join(folder, `${together}.config`) } : place;
  });
  if (isStruck) await strike(scene);
  await Promise.all(places.map(runImport));
  figures.runs += count;
  if (isStruck) await delay(latestCommitMilliseconds);
  else {
    const claims = claimedTwice(places);
    figures.claimedTwice += claims;
    if (claims > 0) console.log(`${scene.name}: claimed twice: ${claims}`);
  }
  for (const place of places) await hold(scene, place, { mayBeOpen: true });
  for (const place of places) await bringToEnd(scene, place);
}

function placeOf({ folder, service, flags }: LedgerScene, name: string): ImportPlace {
  return placeIn(folder, service, name, flags);
}

async function strike({ service }: LedgerScene): Promise<void> {
  await service.setFaults(mixedFaults(randomUUID(), service.behaviour === 'stripe-like'));
}

async function bringToEnd(scene: LedgerScene, place: ImportPlace): Promise<void> {
  const { name, service, orders, figures } = scene;
  const codes = await settle(place, service, orders);
  await delay(latestCommitMilliseconds);
  const isEnded = isSettled(codes, false, 0);
  if (!isEnded) console.log(`${name}: the last runs ended with ${codes.join(', ')}`);
  addFigures(figures, { runs: codes.length, unsettled: isEnded ? 0 : 1 });
  await hold(scene, place, {});
}

async function hold(scene: LedgerScene, place: ImportPlace, terms: Terms): Promise<void> {
  const { name, service, orders, figures } = scene;
  const {
    open: _,
    unheard: __,
    struck,
    ...judged
  } = await judge(name, service, orders, place.results, terms);
  const inOtherRun = readResults(place.results).filter(({ code }) => code === 'in_other_run').length;
  addFigures(figures, { ...judged, inOtherRun });
  figures.struck = struck;
}

/** Orders that more than one results file claims to have created. */
function claimedTwice(places: readonly ImportPlace[]): number {
  const created = places
    .flatMap(({ results }) => readResults(results))
    .filter(({ outcome }) => outcome === 'created')
    .map((result) => result.external_order_id);
  return created.length - new Set(created).size;
}
