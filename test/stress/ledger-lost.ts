import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { addFigures, printFigures, reportPromise } from './import/figures.ts';
import { countKeyLeaks } from './import/find-key.ts';
import {
  deleteAfterwards,
  deleteHalfway,
  importAtOnce,
  type LedgerScene,
  noLedgerFigures,
} from './import/ledger-scene.ts';
import { createOrders, writeOrderFile } from './import/order-file.ts';
import { setUpImport } from './import/run-import.ts';
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

const hasFaults = true;
const scenes: [name: string, play: (scene: LedgerScene) => Promise<void>][] = [
  ['ledger deleted afterwards', deleteAfterwards],
  ['ledger deleted halfway', deleteHalfway],
  ['two with one ledger', (scene) => importAtOnce(scene, 2, { isShared: true, hasFaults })],
  ['four with a ledger each', (scene) => importAtOnce(scene, 4, { isShared: false, hasFaults })],
];
const fullScenes: typeof scenes = [
  ['four with one ledger', (scene) => importAtOnce(scene, 4, { isShared: true, hasFaults })],
  ['two with a ledger each', (scene) => importAtOnce(scene, 2, { isShared: false, hasFaults })],
];
/** Without faults and with flagged replays, no run may claim an order that another created. */
const faultFreeScenes: typeof scenes = [
  [
    'four with one ledger, no faults',
    (scene) => importAtOnce(scene, 4, { isShared: true, hasFaults: false }),
  ],
  [
    'four with a ledger each, no faults',
    (scene) => importAtOnce(scene, 4, { isShared: false, hasFaults: false }),
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'ledger-lost-'));
const figures = noLedgerFigures();
try {
  const queue = behaviours.values();
  const work = async () => {
    for (const behaviour of queue) await testBehaviour(behaviour);
  };
  await Promise.all([work(), work()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const { keyLeaks, ...others } = figures;
const areRight = printFigures(
  others,
  {
    faulted: (figure) => figure > figures.orders / 20,
  },
  ['unsettled', 'lost', 'duplicated', 'misreported', 'keyChanged', 'claimedTwice'],
);
const isSecret = printFigures({ keyLeaks }, {}, ['keyLeaks']);
const { scenes: played, runs, lost, duplicated, misreported } = figures;
reportPromise({
  promise: 9,
  figures: { scenes: played, runs, lost, duplicated, misreported },
  isKept: areRight,
});
reportPromise({ promise: 8, figures: { runs, keyLeaks }, isKept: isSecret });

async function testBehaviour(behaviour: string): Promise<void> {
  const service = await startSandbox(join(folder, behaviour), behaviour);
  try {
    const played = [
      ...scenes,
      ...(isFull ? fullScenes : []),
      ...(behaviour === 'default' ? faultFreeScenes : []),
    ];
    for (const [index, [name, play]] of played.entries()) {
      const home = join(folder, `${behaviour}-${index}`);
      mkdirSync(home);
      const orders = createOrders(`S${index}`, count);
      writeOrderFile(setUpImport(home, service).file, orders);
      await service.reset();
      await service.setFaults({});
      const counts = noLedgerFigures();
      const scene = `${behaviour}, ${name}`;
      const flags = index % 2 === 0 ? ['--verbose'] : [];
      await play({ name: scene, service, orders, folder: home, flags, figures: counts });
      const keyLeaks = countKeyLeaks(scene, home, service.apiKey);
      addFigures(figures, { ...counts, scenes: 1, orders: count, keyLeaks });
    }
  } finally {
    await service.stop();
  }
}
