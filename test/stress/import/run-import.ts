import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { commandLinesWithKey } from './find-key.ts';
import type { ServedSandbox } from './sandbox.ts';
import { nodeCommand } from './sqlite-driver.ts';

/** A file that is imported several times, and its paths. */
export interface ImportSetup {
  service: Pick<ServedSandbox, 'baseUrl' | 'apiKey'>;
  file: string;
  results: string;
  /** Holds the ledger. */
  configDirectory: string;
  /** Take precedence over the flags of all imports. */
  flags: readonly string[];
}

export type RunningImport = ReturnType<typeof startImport>;

export function setUpImport(
  folder: string,
  service: ImportSetup['service'],
  name = 'orders',
  flags: readonly string[] = [],
): ImportSetup {
  return {
    service,
    flags,
    file: join(folder, 'orders.csv'),
    results: join(folder, `${name}.results.csv`),
    configDirectory: join(folder, `${name}.config`),
  };
}

/** A run that takes longer is stuck. */
const maxMilliseconds = 1_200_000;
const checkMilliseconds = 200;

/**
 * The real program. `ended` has its exit code, null after a signal, and its stderr; `stderr` returns the stderr so
 * far. Its output, its temporary files, and every command line with the API key stay below the folder of the file.
 */
export function startImport({ service, file, results, configDirectory, flags }: ImportSetup) {
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('MERCHANT_ORDERS_'));
  const rejects = results.replace('.results.', '.rejects.');
  const usual = ['--yes', '--json', '--max-outage', '30', '--results', results, '--rejects', rejects];
  const leftBehind = join(dirname(file), 'left-behind');
  mkdirSync(leftBehind, { recursive: true });
  const [node, ...nodeFlags] = nodeCommand();
  const args = [...nodeFlags, 'bin/merchant-orders.js', 'import', file, ...usual, ...flags];
  const child = spawn(node, args, {
    env: {
      ...Object.fromEntries(env),
      TMPDIR: leftBehind,
      MERCHANT_ORDERS_CONFIG_DIR: configDirectory,
      MERCHANT_ORDERS_BASE_URL: service.baseUrl,
      MERCHANT_ORDERS_API_KEY: service.apiKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  const commandLines = new Set<string>();
  const checking = setInterval(() => {
    for (const line of commandLinesWithKey(service.apiKey)) commandLines.add(line);
  }, checkMilliseconds);
  const timeout = setTimeout(() => child.kill('SIGKILL'), maxMilliseconds);
  const ended = new Promise<{ exitCode: number | null; stderr: string }>((resolve) => {
    child.on('close', (exitCode) => {
      clearTimeout(timeout);
      clearInterval(checking);
      appendFileSync(join(leftBehind, 'output.txt'), [stdout, stderr, ...commandLines].join('\n'));
      resolve({ exitCode, stderr });
    });
  });
  return { child, ended, stderr: () => stderr };
}

/** Leaves the rest of the configuration. */
export function deleteLedger({ configDirectory }: ImportSetup): void {
  for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'runs']) {
    rmSync(join(configDirectory, name), { recursive: true, force: true });
  }
}
