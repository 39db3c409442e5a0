/**
 * npm run stress [-- --full]: runs every stress script, then prints the figures for each promise of the client. Exits
 * with 1 when a script fails or a promise has no figures. `--full` kills more often.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { PromiseReport } from './import/figures.ts';
import { formatPromise, promises } from './promises.ts';

const isFull = process.argv.includes('--full');
const full = isFull ? ['--full'] : [];
const scripts: [script: string, ...args: string[]][] = [
  ['service-kills.ts', isFull ? '300' : '12'],
  ['import-kills.ts', isFull ? '1000' : '32'],
  ['take-over-kills.ts', isFull ? '200' : '16'],
  ['import-under-kills.ts', isFull ? '100' : '8'],
  ['doubles-said.ts', ...full],
  ['lost-responses.ts', ...full],
  ['outcomes.ts'],
];

/** In a full run with each driver of SQLite alone, too; otherwise only `mixed`, one at random in each process. */
const ofEachDriver = ['service-kills.ts', 'import-kills.ts', 'take-over-kills.ts'];

const folder = mkdtempSync(join(tmpdir(), 'stress-'));
const reports = new Map<string, PromiseReport[]>();
for (const [script, ...args] of scripts) {
  const file = join(folder, script);
  writeFileSync(file, '');
  for (const driver of driversOf(script)) run(script, args, { SQLITE: driver, STRESS_FIGURES: file });
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  reports.set(
    script,
    lines.map((line) => JSON.parse(line)),
  );
}
rmSync(folder, { recursive: true });

function driversOf(script: string): string[] {
  return isFull && ofEachDriver.includes(script) ? ['libsql', 'node', 'mixed'] : ['mixed'];
}

function run(script: string, args: readonly string[], env: Record<string, string>): void {
  const name = `${script}, SQLite: ${env.SQLITE}`;
  console.log(`== ${name}`);
  const started = performance.now();
  const { status } = spawnSync(
    process.execPath,
    ['test/support/run-script.js', `test/stress/${script}`, ...args],
    { stdio: 'inherit', env: { ...process.env, ...env } },
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`== ${name}, ${status === 0 ? 'passed' : 'FAILED'}, ${seconds} s`);
  if (status !== 0) process.exitCode = 1;
}

if (isFull) {
  console.log('== a million hostile cells');
  const vitest = ['vitest', 'run', '--config', 'test/vitest.config.ts', 'test/import/hostile.test.ts'];
  const env = { ...process.env, HOSTILE_CELLS: '1000000' };
  const { status } = spawnSync('npx', [...vitest, '--testTimeout=900000'], { stdio: 'inherit', env });
  if (status !== 0) process.exitCode = 1;
}

console.log('== the promises');
for (const [index, promise] of promises.entries()) {
  const { line, isKept } = formatPromise(index + 1, promise, reports);
  console.log(line);
  if (!isKept) process.exitCode = 1;
}
