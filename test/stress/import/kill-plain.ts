import { setTimeout as delay } from 'node:timers/promises';
import type { startPlainService } from '../../support/plain-service.ts';
import { type ImportSetup, startImport } from './run-import.ts';

type Seen = Awaited<ReturnType<typeof startPlainService>>['seen'];

/** Kills an import after this many requests of it. Returns false when it ended before. */
export async function killAfter(setup: ImportSetup, seen: Seen, requests: number): Promise<boolean> {
  const until = seen.creates + seen.lists + requests;
  const { child, ended } = startImport(setup);
  const isOver = { is: false };
  const over = ended.then(() => {
    isOver.is = true;
  });
  while (!isOver.is && seen.creates + seen.lists < until) await Promise.race([over, delay(1)]);
  child.kill('SIGKILL');
  await over;
  return child.signalCode === 'SIGKILL';
}

/** What had left when the run was killed is processed. */
export async function untilQuiet(seen: Seen): Promise<void> {
  for (let quiet = 0; quiet < 20; quiet = seen.underWay === 0 ? quiet + 1 : 0) await delay(10);
}
