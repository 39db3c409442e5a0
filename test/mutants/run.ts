/**
 * npm run mutants -- [NAME...] [--at-once N]: applies each deliberate fault in a copy of the working tree, runs the tests
 * that cover it, and prints whether one of them noticed. NAME is a mutant, or a room of them; N copies are used at the same
 * time, 2 by default. Exits with 1 when a mutant survives that its list does not name as known, or when one does not apply
 * any more: redraw it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { applyMutant, type Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';

/** A fault may make a test wait for ever. */
const maxMilliseconds = 300_000;
const maxMillisecondsOfAll = 1_800_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'at-once': { type: 'string', default: '2' } },
});
const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
/** Each with its workers in a process group of its own. */
const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const vitest of running) killTests(vitest);
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  });
try {
  process.exitCode = await main(positionals, Number(values['at-once']));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(names: readonly string[], atOnce: number): Promise<number> {
  const left = choose(names);
  const copies = Array.from({ length: Math.min(atOnce, left.length) }, (_, index) => copyTree(`${index}`));
  const from = performance.now();
  const all = [...new Set(left.flatMap(({ tests }) => tests))];
  const unchanged = await test(copies[0] as string, all, {
    milliseconds: maxMillisecondsOfAll,
    workers: atOnce,
  });
  if (unchanged.result !== 'passed') {
    console.log(`The tests fail without any fault: ${unchanged.why}`);
    return 1;
  }
  print('unchanged', from, 'all tests of the list pass');
  const ends: Record<End, number> = { killed: 0, known: 0, SURVIVED: 0, REDRAW: 0 };
  const work = async (copy: string) => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const started = performance.now();
      const { end, why } = await tryMutant(copy, mutant);
      ends[end] += 1;
      print(end, started, `${mutant.name}: ${why}`);
    }
  };
  await Promise.all(copies.map(work));
  const { killed, known, SURVIVED, REDRAW } = ends;
  const redraw = REDRAW === 0 ? '' : `, ${REDRAW} to redraw`;
  const minutes = ((performance.now() - from) / 60_000).toFixed(1);
  console.log(`${killed} killed, ${known + SURVIVED} survived${redraw} (${minutes} minutes)`);
  return SURVIVED + REDRAW === 0 ? 0 : 1;
}

function choose(names: readonly string[]): Mutant[] {
  if (names.length === 0) return [...mutants];
  const isNamed = (name: string) => (mutant: Mutant) => `${mutant.name}/`.startsWith(`${name}/`);
  const unknown = names.filter((name) => !mutants.some(isNamed(name)));
  if (unknown.length > 0) throw new Error(`there is no mutant ${unknown.join(', ')}`);
  return mutants.filter((mutant) => names.some((name) => isNamed(name)(mutant)));
}

/** The working tree as it is, with what is not committed yet. */
function copyTree(name: string): string {
  const copy = join(folder, name);
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  for (const file of [...files, 'dist'].filter((path) => path !== '' && existsSync(path)))
    cpSync(join(root, file), join(copy, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** `REDRAW`: the code has moved, and the fault stands nowhere. */
type End = 'killed' | 'known' | 'SURVIVED' | 'REDRAW';

async function tryMutant(copy: string, mutant: Mutant): Promise<{ end: End; why: string }> {
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
  const { result, why } = await test(copy, mutant.tests, { milliseconds: maxMilliseconds, workers: 1 });
  writeFileSync(path, source);
  if (result !== 'passed') return { end: 'killed', why };
  const { known, promise } = mutant;
  return known === undefined ? { end: 'SURVIVED', why: promise } : { end: 'known', why: known };
}

function print(end: string, started: number, what: string): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${end.padEnd(9)} ${`${seconds} s`.padStart(7)}  ${what}`);
}

async function test(
  copy: string,
  paths: readonly string[],
  { milliseconds, workers }: { milliseconds: number; workers: number },
): Promise<{ result: 'passed' | 'failed' | 'timeout'; why: string }> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = spawn(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--config', 'test/vitest.config.ts', '--bail=1', `--maxWorkers=${workers}`],
      ...['--reporter=json', `--outputFile=${report}`, ...paths],
    ],
    { cwd: copy, stdio: 'ignore', detached: true },
  );
  running.add(vitest);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killTests(vitest);
  }, milliseconds);
  const code = await new Promise<number | null>((resolve) => vitest.on('exit', resolve));
  running.delete(vitest);
  clearTimeout(timer);
  if (isLate) return { result: 'timeout', why: `no end within ${milliseconds / 1000} s` };
  if (code === 0) return { result: 'passed', why: '' };
  return { result: 'failed', why: existsSync(report) ? firstFailure(copy) : `vitest ended with ${code}` };
}

/** With its workers. */
function killTests({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

interface TestReport {
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

function firstFailure(copy: string): string {
  const { testResults }: TestReport = JSON.parse(readFileSync(join(copy, 'report.json'), 'utf8'));
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    const file = name.slice(copy.length + 1);
    if (failed !== undefined) return `${file}: ${failed.fullName.trim()}`;
    if (message !== '') return `${file}: ${message.split('\n')[0]}`;
  }
  return 'no test says why';
}
