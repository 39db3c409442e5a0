import { randomInt } from 'node:crypto';
import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ImportSetup, startImport } from './run-import.ts';
import type { ServedSandbox } from './sandbox.ts';
import { checkExit } from './settle.ts';

/** Kills before any request, while orders were being created, and after all were created. */
export interface KillCounts {
  kills: number;
  beforeRequests: number;
  whileCreating: number;
  afterwards: number;
}

interface Scene {
  setup: ImportSetup;
  service: ServedSandbox;
  /** Orders that the service will have. */
  expected: number;
  /** Duration of an import without kills, in milliseconds. */
  duration: number;
}

/** Resolves at a random moment: after a time, after a number of requests, or after a change of a file. */
function randomMoment({ setup, service, expected, duration }: Scene, signal: AbortSignal): Promise<void> {
  const choice = randomInt(8);
  if (choice < 2) return delay(randomInt(duration), undefined, { signal });
  if (choice < 6) return afterRequests(service, expected, signal);
  return afterFileEvents(dirname(setup.file), randomInt(1, 12), signal);
}

/** Resolves after a random number of requests, at most half as many as orders are missing: the rest is then on its way. */
export async function afterRequests(
  service: ServedSandbox,
  expected: number,
  signal: AbortSignal,
): Promise<void> {
  const { requests, orders } = await service.info();
  const wanted = requests + randomInt(1, Math.max(2, Math.ceil((expected - orders) / 2)));
  while (!signal.aborted && (await service.info()).requests < wanted) await delay(2);
}

async function afterFileEvents(folder: string, count: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    let events = 0;
    const watcher = watch(folder, { signal }, () => {
      events += 1;
      if (events < count) return;
      watcher.close();
      resolve();
    });
    watcher.on('close', resolve);
  });
}

/** Starts `atOnce` imports of one file, and kills each at its own random moment. */
export async function killImports(scene: Scene, atOnce: number): Promise<KillCounts> {
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

/** Returns false when the import ended before it was killed. */
async function killImport(scene: Scene): Promise<boolean> {
  const { child, ended } = startImport(scene.setup);
  const waiting = new AbortController();
  const moment = randomMoment(scene, waiting.signal).catch(() => undefined);
  await Promise.race([moment, ended]);
  waiting.abort();
  child.kill('SIGKILL');
  const { exitCode, stderr } = await ended;
  if (child.signalCode === 'SIGKILL') return true;
  checkExit(exitCode, stderr);
  return false;
}
