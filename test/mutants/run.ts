/**
 * npm run mutants [-- NAME...]: applies each deliberate fault in a copy of the working tree, runs the tests that cover
 * it, and prints whether one of them noticed. NAME is a mutant, or a room of them. Exits with 1 when one survives that its
 * list does not name as known, or when one does not apply any more: redraw it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { applyMutant, type Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';

/** A fault may make a test wait for ever. */
const maxMilliseconds = 300_000;
const maxMillisecondsOfAll = 900_000;

const root = process.cwd();
const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
const report = join(copy, 'report.json');
/** The tests that run, in a process group of their own. */
let running: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    killTests();
    rmSync(copy, { recursive: true, force: true });
    process.exit(130);
  });
try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(copy, { recursive: true, force: true });
}

async function main(names: readonly string[]): Promise<number> {
  const chosen = choose(names);
  copyTree();
  const from = performance.now();
  const unchanged = await test([...new Set(chosen.flatMap(({ tests }) => tests))], maxMillisecondsOfAll);
  if (unchanged.result !== 'passed') {
    console.log(`The tests fail without any fault: ${unchanged.why}`);
    return 1;
  }
  print('unchanged', from, 'all tests of the list pass');
  const ends: Record<End, number> = { killed: 0, known: 0, SURVIVED: 0, REDRAW: 0 };
  for (const mutant of chosen) {
    const started = performance.now();
    const { end, why } = await tryMutant(mutant);
    ends[end] += 1;
    print(end, started, `${mutant.name}: ${why}`);
  }
  const { killed, known, SURVIVED, REDRAW } = ends;
  const redraw = REDRAW === 0 ? '' : `, ${REDRAW} to redraw`;
  console.log(`${killed} killed, ${known + SURVIVED} survived${redraw}`);
  return SURVIVED + REDRAW === 0 ? 0 : 1;
}

/** `REDRAW`: the code has moved, and the fault stands nowhere. */
type End = 'killed' | 'known' | 'SURVIVED' | 'REDRAW';

async function tryMutant(mutant: Mutant): Promise<{ end: End; why: string }> {
  const path = join(copy, mutant.file);
  let source: string;
  let faulty: string;
  try {
    source = readFileSync(path, 'utf8');
    faulty = applyMutant(source, mutant);
  } catch (error) {
    return { end: 'REDRAW', why: (error as Error).message };
  }
  writeFileSync(path, faulty);
  const { result, why } = await test(mutant.tests, maxMilliseconds);
  writeFileSync(path, source);
  if (result !== 'passed') return { end: 'killed', why };
  const { known, promise } = mutant;
  return known === undefined ? { end: 'SURVIVED', why: promise } : { end: 'known', why: known };
}

function print(end: string, started: number, what: string): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${end.padEnd(9)} ${`${seconds} s`.padStart(7)}  ${what}`);
}

function choose(names: readonly string[]): readonly Mutant[] {
  if (names.length === 0) return mutants;
  const isNamed = (name: string) => (mutant: Mutant) => `${mutant.name}/`.startsWith(`${name}/`);
  const unknown = names.filter((name) => !mutants.some(isNamed(name)));
  if (unknown.length > 0) throw new Error(`there is no mutant ${unknown.join(', ')}`);
  return mutants.filter((mutant) => names.some((name) => isNamed(name)(mutant)));
}

/** The working tree as it is, with what is not committed yet. */
function copyTree(): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  for (const file of [...files, 'dist'].filter((name) => name !== '' && existsSync(name)))
    cpSync(join(root, file), join(copy, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

interface TestReport {
  success: boolean;
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

async function test(
  paths: readonly string[],
  milliseconds: number,
): Promise<{ result: 'passed' | 'failed' | 'timeout'; why: string }> {
  rmSync(report, { force: true });
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--config', 'test/vitest.config.ts', '--bail=1', '--maxWorkers=1'],
      ...['--reporter=json', `--outputFile=${report}`, ...paths],
    ],
    { cwd: copy, stdio: 'ignore', detached: true },
  );
  running = vitest;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killTests();
  }, milliseconds);
  const code = await new Promise<number | null>((resolve) => vitest.on('exit', resolve));
  running = undefined;
  clearTimeout(timer);
  if (isLate) return { result: 'timeout', why: `no end within ${milliseconds / 1000} s` };
  if (code === 0) return { result: 'passed', why: '' };
  return { result: 'failed', why: existsSync(report) ? firstFailure() : `vitest ended with ${code}` };
}

/** With their workers. */
function killTests(): void {
  if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL');
}

function firstFailure(): string {
  const { testResults }: TestReport = JSON.parse(readFileSync(report, 'utf8'));
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    const file = name.slice(copy.length + 1);
    if (failed !== undefined) return `${file}: ${failed.fullName.trim()}`;
    if (message !== '') return `${file}: ${message.split('\n')[0]}`;
  }
  return 'no test says why';
}
