import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { applyChange } from './mutators.ts';
import type { Mutant } from './sample.ts';
import type { SessionTask } from './session.ts';

export interface TestFile {
  seconds: number;
  failed: boolean;
}

/** A copy of the project in which files may be changed. */
export interface Workplace {
  folder: string;
  /** Runs these test files, with counters that write into the folder `counts`. */
  countIn(counts: string, files: readonly string[]): Promise<Map<string, TestFile>>;
  /** Runs these test files in this order with the change, and returns the first that fails, or an empty text. */
  firstFailure(mutant: Mutant, files: readonly string[], options: RunOptions): Promise<string>;
  /** The files in which these changes, one for each file, are errors to the compiler. */
  typeErrors(mutants: readonly Mutant[]): Set<string>;
  remove(): void;
}

interface RunOptions {
  maxSeconds: number;
  /** Whether the program is built first. */
  builds: boolean;
}

export function createWorkplace(root: string): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const git = ['ls-files', '-co', '--exclude-standard', '--deduplicate'];
  for (const file of execFileSync('git', git, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)) {
    cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const sources = new Map<string, string>();
  const change = (mutant: Mutant) => {
    const path = join(folder, mutant.path);
    const source = readFileSync(path, 'utf8');
    sources.set(path, source);
    writeFileSync(path, applyChange(source, mutant));
  };
  const restore = () => {
    for (const [path, source] of sources) writeFileSync(path, source);
    sources.clear();
  };
  let session: ReturnType<typeof startSession> | undefined;
  let restored: string | undefined;
  const stop = () => {
    if (session?.child.pid !== undefined && session.child.exitCode === null) {
      process.kill(-session.child.pid, 'SIGKILL');
    }
    session = undefined;
  };
  return {
    folder,
    countIn: (counts, files) => countIn(folder, counts, files),
    firstFailure: async (mutant, tests, { maxSeconds, builds }) => {
      session ??= startSession(folder);
      const { child, isReady } = session;
      await isReady;
      change(mutant);
      const changed = [mutant.path, ...(restored === undefined ? [] : [restored])];
      restored = mutant.path;
      let timer: NodeJS.Timeout | undefined;
      const failure = await new Promise<string>((resolve) => {
        child.once('message', (message) => resolve(String(message)));
        child.once('close', () => resolve('the tests end'));
        timer = setTimeout(() => resolve('it does not end'), maxSeconds * 1000);
        child.send({ tests, changed, builds } satisfies SessionTask);
      });
      clearTimeout(timer);
      child.removeAllListeners();
      restore();
      if (failure === 'it does not end' || child.exitCode !== null) stop();
      return failure;
    },
    typeErrors: (mutants) => {
      for (const mutant of mutants) change(mutant);
      const flags = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--pretty', 'false'];
      const { stdout } = spawnSync('npx', ['tsc', ...flags], { cwd: folder, encoding: 'utf8' });
      restore();
      return new Set([...stdout.matchAll(/^(src\/[^(]+)\(\d+,\d+\): error/gm)].map(([, path = '']) => path));
    },
    remove: () => {
      stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function startSession(folder: string) {
  const child = spawn('nice', ['-n', '2', process.execPath, process.argv[1] ?? '', '--session'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  const isReady = new Promise((resolve) => child.once('message', resolve));
  return { child, isReady };
}

async function countIn(
  folder: string,
  counts: string,
  files: readonly string[],
): Promise<Map<string, TestFile>> {
  const report = join(folder, 'report.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutation/vitest.config.ts'];
  const output = ['--reporter=json', `--outputFile=${report}`];
  const child = spawn('nice', ['-n', '2', process.execPath, ...vitest, ...output, ...files], {
    cwd: folder,
    env: { ...process.env, MUTANT_TESTS: files.join('\n'), MUTANT_COUNTS: counts },
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.on('close', resolve));
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  return new Map(
    testResults.map(({ name, startTime, endTime, status }) => [
      name.slice(folder.length + 1),
      { seconds: (endTime - startTime) / 1000, failed: status === 'failed' },
    ]),
  );
}

interface Report {
  testResults: { name: string; status: string; startTime: number; endTime: number }[];
}
