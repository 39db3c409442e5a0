import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { commandLinesWithKey } from './find-key.ts';
import type { ServedSandbox } from './sandbox.ts';

/** One file that is imported again and again, and the paths around it. */
export interface ImportPlace {
  service: Pick<ServedSandbox, 'baseUrl' | 'apiKey'>;
  file: string;
  results: string;
  /** Holds the ledger. */
  configDirectory: string;
  /** Take precedence over the flags of all imports. */
  flags: readonly string[];
}

export type RunningImport = ReturnType<typeof startImport>;

export function placeIn(
  folder: string,
  service: ImportPlace['service'],
  name = 'orders',
  flags: readonly string[] = [],
): ImportPlace {
  return {
    ...{ service, flags },
    file: join(folder, 'orders.csv'),
    results: join(folder, `${name}.results.csv`),
    configDirectory: join(folder, `${name}.config`),
  };
}

/** A run that takes longer hangs. */
const maxMilliseconds = 1_200_000;
const betweenLooksMilliseconds = 200;

/**
 * The real program. `ended` has its exit code, null when a signal ended it, and its stderr; `told` returns its output so
 * far. Its output, its temporary files, and every command line that showed the API key stay below the folder of the file.
 */
export function startImport({ service, file, results, configDirectory, flags }: ImportPlace) {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('MERCHANT_ORDERS_'));
  const rejects = results.replace('.results.', '.rejects.');
  const usual = ['--yes', '--json', '--max-outage', '30', '--results', results, '--rejects', rejects];
  const leftBehind = join(dirname(file), 'left-behind');
  mkdirSync(leftBehind, { recursive: true });
  const child = spawn(process.execPath, ['bin/merchant-orders.js', 'import', file, ...usual, ...flags], {
    env: {
      ...Object.fromEntries(env),
      TMPDIR: leftBehind,
      MERCHANT_ORDERS_CONFIG_DIR: configDirectory,
      MERCHANT_ORDERS_BASE_URL: service.baseUrl,
      MERCHANT_ORDERS_API_KEY: service.apiKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += String(chunk);
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  const shown = new Set<string>();
  const looking = setInterval(() => {
    for (const line of commandLinesWithKey(service.apiKey)) shown.add(line);
  }, betweenLooksMilliseconds);
  const hanging = setTimeout(() => child.kill('SIGKILL'), maxMilliseconds);
  const ended = new Promise<{ exitCode: number | null; told: string }>((resolve) => {
    child.on('close', (exitCode) => {
      clearTimeout(hanging);
      clearInterval(looking);
      appendFileSync(join(leftBehind, 'said.txt'), [printed, told, ...shown].join('\n'));
      resolve({ exitCode, told });
    });
  });
  return { child, ended, told: () => told };
}

/** The rest of the configuration stays. */
export function deleteLedger({ configDirectory }: ImportPlace): void {
  for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'runs']) {
    rmSync(join(configDirectory, name), { recursive: true, force: true });
  }
}
