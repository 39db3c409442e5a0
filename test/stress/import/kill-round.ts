import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { latestCommitMilliseconds, mixedFaults } from './faults.ts';
import { addFigures } from './figures.ts';
import { countKeySeen } from './find-key.ts';
import { judge } from './judge.ts';
import { killImports } from './kill.ts';
import { inventOrders, writeOrderFile } from './order-file.ts';
import { isOurs } from './results.ts';
import { deleteLedger, placeIn } from './run-import.ts';
import type { ServedSandbox } from './sandbox.ts';
import { isSettled, settle } from './settle.ts';

/** What else happens to the imports of a round now and then. */
export const kinds = ['nothing', 'ledger deleted', 'nothing', 'two at once'] as const;

interface Round {
  kills: number;
  kind: (typeof kinds)[number];
  duration: number;
  /** The kills of its imports. */
  flags: readonly string[];
}

export type RoundFigures = Awaited<ReturnType<typeof playRound>>;

/**
 * One file that is imported and killed several times, then imported to the end, and compared with what the service has.
 * All that the imports left behind is searched for the API key. `duration`: of an import without kills, in milliseconds.
 */
export async function playRound(
  service: ServedSandbox,
  folder: string,
  { kills, kind, duration, flags }: Round,
) {
  mkdirSync(folder, { recursive: true });
  const place = placeIn(folder, service, 'orders', flags);
  const orders = inventOrders(`K-${randomUUID().slice(0, 8)}`, 300, 3);
  const expected = orders.filter(({ isRefused }) => !isRefused).length;
  writeOrderFile(place.file, orders);
  await service.reset();
  await service.setFaults(mixedFaults(randomUUID(), service.behaviour === 'stripe-like'));

  const figures = {
    ...{ orders: orders.length, kills: 0, beforeRequests: 0, whileCreating: 0, afterwards: 0 },
    ...{ endedBefore: 0, ledgersDeleted: 0, atOnce: 0 },
    ...{ lastRuns: 0, unsettled: 0, temporaryFiles: 0, unheard: 0, struck: 0 },
    ...{ lost: 0, duplicated: 0, misreported: 0, rekeyed: 0, open: 0, keySeen: 0 },
  };
  for (let start = 0; figures.kills < kills; start += 1) {
    if (start > 10 * kills) throw new Error('imports end before they are killed');
    const isOdd = start % 2 === 1;
    if (isOdd && kind === 'ledger deleted') {
      deleteLedger(place);
      figures.ledgersDeleted += 1;
    }
    const atOnce = isOdd && kind === 'two at once' ? 2 : 1;
    const killed = await killImports({ place, service, expected, duration }, atOnce);
    addFigures(figures, { ...killed, endedBefore: atOnce - killed.kills, atOnce: atOnce - 1 });
  }
  const codes = await settle(place, service, orders);
  // All late commits have happened by then.
  await delay(latestCommitMilliseconds);
  const scene = `${service.behaviour}, ${kind}`;
  // With its ledger, an import knows which run created each order.
  const terms = kind === 'ledger deleted' ? {} : { isDone: isOurs };
  const { unheard, ...judged } = await judge(scene, service, orders, place.results, terms);
  const isEnded = isSettled(codes, true, judged.open);
  if (!isEnded) console.log(`${scene}: the last runs ended with ${codes.join(', ')}`);
  addFigures(figures, {
    ...judged,
    lastRuns: codes.length,
    unsettled: isEnded ? 0 : 1,
    unheard: kind === 'nothing' ? unheard : 0,
    keySeen: countKeySeen(scene, folder, service.apiKey),
    temporaryFiles: readdirSync(folder).filter((name) => name.endsWith('.tmp')).length,
  });
  return figures;
}
