import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { ServedSandbox } from './sandbox.ts';

/** One file that is imported again and again, and where everything about it is. */
export interface ImportPlace {
  service: Pick<ServedSandbox, 'baseUrl' | 'apiKey'>;
  file: string;
  results: string;
  /** The ledger is in it. */
  configDirectory: string;
}

export type RunningImport = ReturnType<typeof startImport>;

export function placeIn(folder: string, service: ServedSandbox, name = 'orders'): ImportPlace {
  return {
    service,
    file: join(folder, 'orders.csv'),
    results: join(folder, `${name}.results.csv`),
    configDirectory: join(folder, `${name}.config`),
  };
}

/** No run may take longer: it hangs. */
const mostMilliseconds = 1_200_000;

/** The real program; `ended` has its exit code, null when a signal ended it, and what it said on stderr. */
export function startImport({ service, file, results, configDirectory }: ImportPlace) {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('MERCHANT_ORDERS_'));
  const rejects = results.replace('.results.', '.rejects.');
  const flags = ['--yes', '--json', '--max-outage', '30', '--results', results, '--rejects', rejects];
  const child = spawn(process.execPath, ['bin/merchant-orders.js', 'import', file, ...flags], {
    env: {
      ...Object.fromEntries(env),
      MERCHANT_ORDERS_CONFIG_DIR: configDirectory,
      MERCHANT_ORDERS_BASE_URL: service.baseUrl,
      MERCHANT_ORDERS_API_KEY: service.apiKey,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += String(chunk);
  });
  const hanging = setTimeout(() => child.kill('SIGKILL'), mostMilliseconds);
  const ended = new Promise<{ exitCode: number | null; told: string }>((resolve) => {
    child.on('close', (exitCode) => {
      clearTimeout(hanging);
      resolve({ exitCode, told });
    });
  });
  return { child, ended };
}

/** As somebody might who tidies up; the rest of the configuration stays. */
export function deleteLedger({ configDirectory }: ImportPlace): void {
  for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'runs']) {
    rmSync(join(configDirectory, name), { recursive: true, force: true });
  }
}
