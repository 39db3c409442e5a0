import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { addFigures, isZero, showPromise, tellFigures } from './import/figures.ts';
import { countKeySeen } from './import/find-key.ts';
import {
  deleteAfterwards,
  deleteHalfway,
  importAtOnce,
  type LedgerScene,
  noFigures,
} from './import/ledger-scene.ts';
import { inventOrders, writeOrderFile } from './import/order-file.ts';
import { placeIn } from './import/run-import.ts';
import { startSandbox } from './import/sandbox.ts';

/*
 * The ledger is deleted after an import and in the middle of one; two and four imports of one file run at once, with one
 * ledger or with one each. No order exists twice, and each results file equals what the service has. The API key is in
 * no output, no file and not in the process list. Prints the figures and exits with 1 when one of them is wrong. With
 * `--full` there are more orders and services.
 */
const isFull = process.argv.includes('--full');
const behaviours = isFull
  ? ['default', 'forgetful', 'hoarder', 'rails', 'laravel', 'ietf-draft', 'second-chance', 'stripe-like']
  : ['default', 'forgetful'];
/** A service without pages lists at most a thousand. */
const count = isFull ? 900 : 150;

const isStruck = true;
const scenes: [name: string, play: (scene: LedgerScene) => Promise<void>][] = [
  ['ledger deleted afterwards', deleteAfterwards],
  ['ledger deleted halfway', deleteHalfway],
  ['two with one ledger', (scene) => importAtOnce(scene, 2, { sharing: true, isStruck })],
  ['four with a ledger each', (scene) => importAtOnce(scene, 4, { sharing: false, isStruck })],
];
const moreScenes: typeof scenes = [
  ['four with one ledger', (scene) => importAtOnce(scene, 4, { sharing: true, isStruck })],
  ['two with a ledger each', (scene) => importAtOnce(scene, 2, { sharing: false, isStruck })],
];
/** Where nothing fails and replays are flagged, no run may claim an order that another created. */
const undisturbed: typeof scenes = [
  ['four with one ledger, no faults', (scene) => importAtOnce(scene, 4, { sharing: true, isStruck: false })],
  [
    'four with a ledger each, no faults',
    (scene) => importAtOnce(scene, 4, { sharing: false, isStruck: false }),
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'ledger-lost-'));
const figures = noFigures();
try {
  const queue = behaviours.values();
  const work = async () => {
    for (const behaviour of queue) await tryBehaviour(behaviour);
  };
  await Promise.all([work(), work()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const { keySeen, ...others } = figures;
const areRight = tellFigures(others, {
  struck: (figure) => figure > figures.orders / 20,
  ...{ unsettled: isZero, lost: isZero, duplicated: isZero, misreported: isZero, rekeyed: isZero },
  claimedTwice: isZero,
});
const isSecret = tellFigures({ keySeen }, { keySeen: isZero });
const { scenes: played, runs, lost, duplicated, misreported } = figures;
showPromise({
  promise: 9,
  figures: { scenes: played, runs, lost, duplicated, misreported },
  isKept: areRight,
});
showPromise({ promise: 8, figures: { runs, keySeen }, isKept: isSecret });

async function tryBehaviour(behaviour: string): Promise<void> {
  const service = await startSandbox(join(folder, behaviour), behaviour);
  try {
    const played = [
      ...scenes,
      ...(isFull ? moreScenes : []),
      ...(behaviour === 'default' ? undisturbed : []),
    ];
    for (const [place, [name, play]] of played.entries()) {
      const home = join(folder, `${behaviour}-${place}`);
      mkdirSync(home);
      const orders = inventOrders(`S${place}`, count);
      writeOrderFile(placeIn(home, service).file, orders);
      await service.reset();
      await service.setFaults({});
      const seen = noFigures();
      const scene = `${behaviour}, ${name}`;
      const flags = place % 2 === 0 ? ['--verbose'] : [];
      await play({ name: scene, service, orders, folder: home, flags, figures: seen });
      const keySeen = countKeySeen(scene, home, service.apiKey);
      addFigures(figures, { ...seen, scenes: 1, orders: count, keySeen });
    }
  } finally {
    await service.stop();
  }
}
