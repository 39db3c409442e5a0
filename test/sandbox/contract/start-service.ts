import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import { openStore, type Store } from '../../../src/sandbox/store/store.ts';
import type { Database } from '../../../src/system/sqlite.ts';
import { runScript } from '../../support/program.ts';
import { openSandboxDatabase } from '../database.ts';
import { start, temporaryFile } from '../start.ts';
import type { Given } from './case-shape.ts';

/** A sandbox and its store, for state that HTTP can neither prepare nor show. */
export interface Service {
  baseUrl: string;
  apiKey: string;
  store: Store;
  database: Database;
  clock?: { now: number };
}

const platforms: Record<NonNullable<Given['deliveries']> | 'as it is', BehaviourSettings['deliveries']> = {
  'at once': { createdFor: 'every_order' },
  never: { createdFor: 'no_order' },
  'as it is': {},
};

export async function startService(
  { timeZone, deliveries }: Given = {},
  behaviour: BehaviourSettings = {},
): Promise<Service> {
  if (timeZone !== undefined) return startInTimeZone(timeZone);
  const { sandbox, store, database, clock } = await start({
    catalogue: [],
    behaviour: {
      ...behaviour,
      deliveries: { ...behaviour.deliveries, ...platforms[deliveries ?? 'as it is'] },
    },
  });
  return { baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey, store, database, clock };
}

/** A process has one time zone, so this sandbox runs in a separate process. */
async function startInTimeZone(timeZone: string): Promise<Service> {
  const file = temporaryFile();
  const child = spawn(process.execPath, [runScript, 'test/sandbox/serve-file.ts', file], {
    env: { ...process.env, TZ: timeZone },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.stdin.end();
    await exited;
  });
  const [line] = await once(child.stdout, 'data');
  const served = JSON.parse(String(line)) as { baseUrl: string; apiKey: string };
  const database = await openSandboxDatabase(file);
  onTestFinished(() => {
    database.close();
  });
  return { ...served, database, store: openStore(database) };
}
