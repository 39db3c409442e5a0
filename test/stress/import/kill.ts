import { randomInt } from 'node:crypto';
import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ImportPlace, startImport } from './run-import.ts';
import type { ServedSandbox } from './sandbox.ts';
import { checkExit } from './settle.ts';

/** When the kills came: before any request, while orders were being created, after all were created. */
export interface Killed {
  kills: number;
  beforeRequests: number;
  whileCreating: number;
  afterwards: number;
}

interface Scene {
  place: ImportPlace;
  service: ServedSandbox;
  /** Orders that the service will have. */
  expected: number;
  /** Duration of an import without kills, in milliseconds. */
  duration: number;
}

/** Resolves at a random moment: after a time, after a number of requests, or after a change of a file. */
function randomMoment({ place, service, expected, duration }: Scene, signal: AbortSignal): Promise<void> {
  const drawn = randomInt(8);
  if (drawn < 2) return delay(randomInt(duration), undefined, { signal });
  if (drawn < 6) return afterRequests(service, expected, signal);
  return afterFileEvents(dirname(place.file), randomInt(1, 12), signal);
}

/** Resolves after a random number of requests, at most as many as orders are missing. */
export async function afterRequests(
  service: ServedSandbox,
  expected: number,
  signal: AbortSignal,
): Promise<void> {
  const { requests, orders } = await service.info();
  const wanted = requests + randomInt(1, Math.max(2, expected - orders));
  while (!signal.aborted && (await service.info()).requests < wanted) await delay(2);
}

async function afterFileEvents(folder: string, count: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    let seen = 0;
    const watcher = watch(folder, { signal }, () => {
      seen += 1;
      if (seen < count) return;
      watcher.close();
      resolve();
    });
    watcher.on('close', resolve);
  });
}

/** Starts `atOnce` imports of one file, and kills each at a random moment of its own. */
export async function killImports(scene: Scene, atOnce: number): Promise<Killed> {
  const { service, expected } = scene;
  const before = await service.info();
  const killed = await Promise.all(Array.from({ length: atOnce }, () => killImport(scene)));
  const kills = killed.filter((isKilled) => isKilled).length;
  const after = await service.info();
  const isBefore = after.requests === before.requests && after.orders < expected;
  const isAfterwards = after.orders >= expected;
  return {
    kills,
    beforeRequests: isBefore ? kills : 0,
    whileCreating: isBefore || isAfterwards ? 0 : kills,
    afterwards: isAfterwards ? kills : 0,
  };
}

/** False when it ended before it was killed. */
async function killImport(scene: Scene): Promise<boolean> {
  const { child, ended } = startImport(scene.place);
  const over = new AbortController();
  const moment = randomMoment(scene, over.signal).catch(() => undefined);
  await Promise.race([moment, ended]);
  over.abort();
  child.kill('SIGKILL');
  const { exitCode, told } = await ended;
  if (child.signalCode === 'SIGKILL') return true;
  checkExit(exitCode, told);
  return false;
}
