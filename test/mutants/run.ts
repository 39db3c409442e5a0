/**
 * npm run mutants [-- NAME...]: applies each deliberate fault in a copy of the working tree, runs the tests that cover
 * it, and prints whether one of them noticed. NAME is a mutant, or a room of them. Exits with 1 when one survives that its
 * list does not name as known, or when one does not apply any more: redraw it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { applyMutant, type Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';

/** A fault may make a test wait for ever. */
const maxMilliseconds = 120_000;
const maxMillisecondsOfAll = 900_000;

const root = process.cwd();
const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
const report = join(copy, 'report.json');
try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(copy, { recursive: true });
}

async function main(names: readonly string[]): Promise<number> {
  const chosen = choose(names);
  copyTree();
  const sources = new Map(chosen.map(({ file }) => [file, readFileSync(join(copy, file), 'utf8')]));
  const drawn = chosen.flatMap((mutant) => draw(mutant, sources) ?? []);
  if (drawn.length < chosen.length) return 1;
  const started = performance.now();
  const unchanged = await test([...new Set(chosen.flatMap(({ tests }) => tests))], maxMillisecondsOfAll);
  if (unchanged.result !== 'passed') {
    console.log(`The tests fail without any fault: ${unchanged.why}`);
    return 1;
  }
  console.log(`${'unchanged'.padEnd(9)} ${secondsSince(started)}  all tests of the list pass`);
  const survivors: Mutant[] = [];
  for (const { mutant, source } of drawn) {
    const from = performance.now();
    writeFileSync(join(copy, mutant.file), source);
    const { result, why } = await test(mutant.tests, maxMilliseconds);
    writeFileSync(join(copy, mutant.file), sources.get(mutant.file) as string);
    if (result === 'passed') survivors.push(mutant);
    const what = result === 'passed' ? (mutant.known === undefined ? 'SURVIVED' : 'known') : 'killed';
    const how = result === 'passed' ? (mutant.known ?? mutant.promise) : why;
    console.log(`${what.padEnd(9)} ${secondsSince(from)}  ${mutant.name}: ${how}`);
  }
  console.log(`${drawn.length - survivors.length} killed, ${survivors.length} survived`);
  return survivors.every(({ known }) => known !== undefined) ? 0 : 1;
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

function draw(mutant: Mutant, sources: ReadonlyMap<string, string>) {
  try {
    return { mutant, source: applyMutant(sources.get(mutant.file) as string, mutant) };
  } catch (error) {
    console.log(`${mutant.name} does not apply any more, redraw it: ${(error as Error).message}`);
    return undefined;
  }
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
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-(vitest.pid as number), 'SIGKILL');
  }, milliseconds);
  const code = await new Promise<number | null>((resolve) => vitest.on('exit', resolve));
  clearTimeout(timer);
  if (isLate) return { result: 'timeout', why: `no end within ${milliseconds / 1000} s` };
  if (code === 0) return { result: 'passed', why: '' };
  return { result: 'failed', why: existsSync(report) ? firstFailure() : `vitest ended with ${code}` };
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

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7);
}
