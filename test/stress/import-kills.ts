import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { addFigures, noFigures, printFigures, reportPromise } from './import/figures.ts';
import { kinds, type RoundFigures, runRound } from './import/kill-round.ts';
import { startSandbox } from './import/sandbox.ts';
import { starts } from './import/sqlite-driver.ts';

/*
 * Imports that are killed with SIGKILL at random moments while the service loses responses, resets connections, fails
 * and commits late; sometimes the ledger is deleted, and sometimes two imports run at once. Then they run to the end. No
 * order is lost or exists twice, and the results file equals what the service has. The API key is in no output, no file
 * and not in the process list. Prints the figures and exits with 1 when one of them is wrong. The first argument is the
 * number of kills (60).
 */
const wanted = Number(process.argv[2] ?? 60);
const behaviours = [
  'default',
  'hoarder',
  'stripe-like',
  'ietf-draft',
  'second-chance',
  'laravel',
  'forgetful',
  'rails',
];
/** They reject without a code, so that an order that may exist stays open for ten minutes. */
const withoutCodes = ['laravel', 'forgetful', 'rails'];
const maxKillsPerRound = wanted > 200 ? 8 : 4;
/** Rounds at a time, so that one uses the machine while another waits. */
const workers = 4;
/** Duration of an import without kills, in milliseconds. */
const duration = 2000;

const folder = mkdtempSync(join(tmpdir(), 'import-kills-'));
const figures: Record<'rounds' | 'openDespiteCode' | keyof RoundFigures, number> = noFigures(
  'rounds',
  'orders',
  'kills',
  'beforeRequests',
  'whileCreating',
  'afterwards',
  'endedBefore',
  'ledgersDeleted',
  'atOnce',
  'temporaryFiles',
  'repeated',
  'faulted',
  'lastRuns',
  'unsettled',
  'open',
  'openDespiteCode',
  'lost',
  'duplicated',
  'misreported',
  'keyChanged',
  'keyLeaks',
);
try {
  const queue = behaviours.entries();
  const work = async () => {
    for (const [index, behaviour] of queue) await testBehaviour(index, behaviour);
  };
  await Promise.all(Array.from({ length: workers }, work));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const isQuarter = (figure: number) => figure >= figures.kills / 4;
const isEnough = (figure: number) => figure >= figures.kills / 50;
const { keyLeaks, ...others } = figures;
const areRight = printFigures(
  { ...others, ...starts },
  {
    kills: (figure) => figure >= wanted,
    beforeRequests: isEnough,
    whileCreating: isQuarter,
    afterwards: isEnough,
    repeated: isEnough,
    ledgersDeleted: isEnough,
    atOnce: isEnough,
  },
  ['unsettled', 'openDespiteCode', 'lost', 'duplicated', 'misreported', 'keyChanged'],
);
const isSecret = printFigures({ keyLeaks }, {}, ['keyLeaks']);
const { kills, ledgersDeleted, atOnce, lost, duplicated, misreported } = figures;
const differences = { lost, duplicated, misreported };
reportPromise({ promise: 1, figures: { kills, ...differences }, isKept: areRight });
reportPromise({ promise: 9, figures: { ledgersDeleted, atOnce, ...differences }, isKept: areRight });
reportPromise({ promise: 8, figures: { kills, keyLeaks }, isKept: isSecret });

async function testBehaviour(index: number, behaviour: string): Promise<void> {
  const service = await startSandbox(join(folder, behaviour), behaviour);
  try {
    let left =
      Math.ceil((wanted * (index + 1)) / behaviours.length) - Math.ceil((wanted * index) / behaviours.length);
    for (let round = 0; left > 0; round += 1) {
      const kind = kinds[(index + round) % kinds.length] ?? 'nothing';
      const kills = Math.min(left, maxKillsPerRound);
      const flags = (index + round) % 3 === 0 ? ['--verbose'] : [];
      const played = await runRound(service, join(folder, `${behaviour}-${round}`), {
        kills,
        kind,
        duration,
        flags,
      });
      left -= played.kills;
      const openDespiteCode = withoutCodes.includes(behaviour) ? 0 : played.open;
      addFigures(figures, { ...played, rounds: 1, openDespiteCode });
    }
  } finally {
    await service.stop();
  }
}
