import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { compareResults } from './compare-results.ts';
import { latestCommitMilliseconds, mixedFaults } from './faults.ts';
import { addFigures } from './figures.ts';
import { countKeyLeaks } from './find-key.ts';
import { killImports } from './kill.ts';
import { createOrders, writeOrderFile } from './order-file.ts';
import { isOurs } from './results.ts';
import { deleteLedger, setUpImport } from './run-import.ts';
import type { ServedSandbox } from './sandbox.ts';
import { isSettled, settle } from './settle.ts';

/** What else happens to the imports of a round. */
export const kinds = ['nothing', 'ledger deleted', 'nothing', 'two at once'] as const;

interface Round {
  kills: number;
  kind: (typeof kinds)[number];
  duration: number;
  /** Flags of its imports. */
  flags: readonly string[];
}

export type RoundFigures = Awaited<ReturnType<typeof runRound>>;

/**
 * Imports one file with several kills, then to the end, compares the results with what the service has, and searches all
 * files for the API key. `duration`: of an import without kills, in milliseconds.
 */
export async function runRound(
  service: ServedSandbox,
  folder: string,
  { kills, kind, duration, flags }: Round,
) {
  mkdirSync(folder, { recursive: true });
  const setup = setUpImport(folder, service, 'orders', flags);
  const orders = createOrders(`K-${randomUUID().slice(0, 8)}`, 300, 3);
  const expected = orders.filter(({ isRejected }) => !isRejected).length;
  writeOrderFile(setup.file, orders);
  await service.reset();
  await service.setFaults(mixedFaults(randomUUID(), service.behaviour === 'stripe-like'));

  const figures = {
    orders: orders.length,
    kills: 0,
    beforeRequests: 0,
    whileCreating: 0,
    afterwards: 0,
    endedBefore: 0,
    ledgersDeleted: 0,
    atOnce: 0,
    lastRuns: 0,
    unsettled: 0,
    temporaryFiles: 0,
    repeated: 0,
    faulted: 0,
    lost: 0,
    duplicated: 0,
    misreported: 0,
    keyChanged: 0,
    open: 0,
    keyLeaks: 0,
  };
  for (let start = 0; figures.kills < kills; start += 1) {
    if (start > 10 * kills) throw new Error('imports end before they are killed');
    const isOdd = start % 2 === 1;
    if (isOdd && kind === 'ledger deleted') {
      deleteLedger(setup);
      figures.ledgersDeleted += 1;
    }
    const atOnce = isOdd && kind === 'two at once' ? 2 : 1;
    const killed = await killImports({ setup, service, expected, duration }, atOnce);
    addFigures(figures, { ...killed, endedBefore: atOnce - killed.kills, atOnce: atOnce - 1 });
  }
  const codes = await settle(setup, service, orders);
  // All late commits have happened by then.
  await delay(latestCommitMilliseconds);
  const scene = `${service.behaviour}, ${kind}`;
  // With its ledger, an import knows which run created each order.
  const expectations = kind === 'ledger deleted' ? {} : { isDone: isOurs };
  const { repeated, ...differences } = await compareResults(
    scene,
    service,
    orders,
    setup.results,
    expectations,
  );
  const isEnded = isSettled(codes, true, differences.open);
  if (!isEnded) console.log(`${scene}: the last runs ended with ${codes.join(', ')}`);
  addFigures(figures, {
    ...differences,
    lastRuns: codes.length,
    unsettled: isEnded ? 0 : 1,
    repeated: kind === 'nothing' ? repeated : 0,
    keyLeaks: countKeyLeaks(scene, folder, service.apiKey),
    temporaryFiles: readdirSync(folder).filter((name) => name.endsWith('.tmp')).length,
  });
  return figures;
}
