import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { addFigures, isZero, showPromise, tellFigures } from './import/figures.ts';
import { kinds, playRound, type RoundFigures } from './import/kill-round.ts';
import { countDuplicates } from './import/random-keys.ts';
import { startSandbox } from './import/sandbox.ts';

/*
 * Imports that are killed with SIGKILL at random moments while the service loses responses, resets connections, fails
 * and commits late; sometimes the ledger is deleted, sometimes two imports run at once. Then they run to the end. No
 * order is lost or exists twice, and the results file equals what the service has. The API key is in no output, no file
 * and not in the process list. Prints the figures and exits with 1 when one of them is wrong. The first argument is the
 * number of kills (60). As a control, a client with a new random key for each attempt meets the same faults and creates
 * duplicates; with a fixed key it does not.
 */
const wanted = Number(process.argv[2] ?? 60);
const behaviours = [
  ...['default', 'hoarder', 'stripe-like', 'ietf-draft', 'second-chance'],
  ...['laravel', 'forgetful', 'rails'],
];
/** They reject without a code, so an order that may have been created stays open for ten minutes. */
const withoutCodes = ['laravel', 'forgetful', 'rails'];
const mostKillsPerRound = wanted > 200 ? 8 : 4;
/** Rounds at a time: while one waits, another uses the machine. */
const workers = 4;
/** Duration of an import without kills, in milliseconds. */
const duration = 2000;

const folder = mkdtempSync(join(tmpdir(), 'import-kills-'));
const figures: Record<'rounds' | 'openThoughTold' | keyof RoundFigures, number> = {
  ...{ rounds: 0, orders: 0, kills: 0, beforeRequests: 0, whileCreating: 0, afterwards: 0, endedBefore: 0 },
  ...{ ledgersDeleted: 0, atOnce: 0, temporaryFiles: 0, unheard: 0, struck: 0, lastRuns: 0, unsettled: 0 },
  ...{ open: 0, openThoughTold: 0, lost: 0, duplicated: 0, misreported: 0, rekeyed: 0, keySeen: 0 },
};
let control = { areRight: false, randomKeysDuplicated: 0 };
try {
  const queue = behaviours.entries();
  const work = async () => {
    for (const [place, behaviour] of queue) await tryBehaviour(place, behaviour);
  };
  await Promise.all(Array.from({ length: workers }, work));
  control = await tryControl();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const isFairShare = (figure: number) => figure >= figures.kills / 4;
const isSome = (figure: number) => figure >= figures.kills / 50;
const { keySeen, ...others } = figures;
const areRight = tellFigures(others, {
  kills: (figure) => figure >= wanted,
  ...{ beforeRequests: isSome, whileCreating: isFairShare, afterwards: isSome, unheard: isSome },
  ...{ ledgersDeleted: isSome, atOnce: isSome, unsettled: isZero, openThoughTold: isZero },
  ...{ lost: isZero, duplicated: isZero, misreported: isZero, rekeyed: isZero },
});
const isSecret = tellFigures({ keySeen }, { keySeen: isZero });
const { kills, lost, duplicated, misreported } = figures;
const { randomKeysDuplicated } = control;
showPromise({
  promise: 1,
  figures: { kills, lost, duplicated, misreported, randomKeysDuplicated },
  isKept: areRight && control.areRight,
});
showPromise({ promise: 8, figures: { kills, keySeen }, isKept: isSecret });

async function tryBehaviour(place: number, behaviour: string): Promise<void> {
  const service = await startSandbox(join(folder, behaviour), behaviour);
  try {
    let left =
      Math.ceil((wanted * (place + 1)) / behaviours.length) - Math.ceil((wanted * place) / behaviours.length);
    for (let round = 0; left > 0; round += 1) {
      const kind = kinds[(place + round) % kinds.length] ?? 'nothing';
      const kills = Math.min(left, mostKillsPerRound);
      const flags = (place + round) % 3 === 0 ? ['--verbose'] : [];
      const played = await playRound(service, join(folder, `${behaviour}-${round}`), {
        kills,
        kind,
        duration,
        flags,
      });
      left -= played.kills;
      const openThoughTold = withoutCodes.includes(behaviour) ? 0 : played.open;
      addFigures(figures, { ...played, rounds: 1, openThoughTold });
    }
  } finally {
    await service.stop();
  }
}

async function tryControl(): Promise<typeof control> {
  const service = await startSandbox(join(folder, 'control'), 'default');
  try {
    const random = await countDuplicates(service, () => randomUUID());
    const kept = await countDuplicates(service, (note) => note);
    const figures = {
      randomKeysDuplicated: random.duplicated,
      keptKeysDuplicated: kept.duplicated,
      controlsLost: random.lost + kept.lost,
    };
    const areRight = tellFigures(figures, {
      randomKeysDuplicated: (figure) => figure > 0,
      ...{ keptKeysDuplicated: isZero, controlsLost: isZero },
    });
    return { areRight, randomKeysDuplicated: random.duplicated };
  } finally {
    await service.stop();
  }
}
