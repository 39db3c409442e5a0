import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { groupBy, hash, type Mutant, withCounters } from './sample.ts';
import type { Workplace } from './workplace.ts';

/** What a test file reached when it was last run with counters. */
export interface Reached {
  /** Of the test file: when it changes, it is run again. */
  hash: string;
  seconds: number;
  keys: string[];
}

/** The tests that reach a mutant, nearest first, as many as fit into the time. */
export interface Reach {
  testsOf(mutant: Mutant, maxSeconds: number): string[];
  /** Whether one of the tests starts the program, which is built for it. */
  startsProgram(tests: readonly string[]): boolean;
}

/** Runs the test files that are new or changed with counters in the sources, and adds what they reach to `known`. */
export async function countReached(
  workplace: Workplace,
  mutants: readonly Mutant[],
  known: Record<string, Reached>,
): Promise<void> {
  const tests = readdirSync(join(workplace.folder, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!slow)\.test\.ts$/.test(name) && !name.startsWith('house/'))
    .map((name) => `test/${name}`);
  const hashes = new Map(
    tests.map((test) => [test, hash(readFileSync(join(workplace.folder, test), 'utf8'))]),
  );
  const changed = tests.filter((test) => known[test]?.hash !== hashes.get(test));
  for (const test of Object.keys(known)) if (!hashes.has(test)) delete known[test];
  if (changed.length === 0) return;
  const restores = [...groupBy(mutants, ({ path }) => path)].map(([path, found]) => {
    const file = join(workplace.folder, path);
    const source = readFileSync(file, 'utf8');
    writeFileSync(file, withCounters(source, found));
    return () => writeFileSync(file, source);
  });
  const counts = join(workplace.folder, 'counts');
  rmSync(counts, { recursive: true, force: true });
  mkdirSync(counts);
  const files = await workplace.countIn(counts, changed);
  for (const restore of restores) restore();
  const written = new Set(readdirSync(counts));
  for (const test of changed) {
    const { seconds = 0, failed = true } = files.get(test) ?? {};
    if (failed) {
      console.log(`${test} is not used: it fails without any change`);
      delete known[test];
      continue;
    }
    const name = test.replaceAll('/', '+');
    const keys = written.has(name)
      ? readFileSync(join(counts, name), 'utf8').split('\n').filter(Boolean)
      : [];
    known[test] = { hash: hashes.get(test) ?? '', seconds, keys: [...new Set(keys)] };
  }
}

export function createReach(root: string, known: Readonly<Record<string, Reached>>): Reach {
  const imports = new Map<string, string[]>();
  const importsOf = (path: string): string[] => {
    const found = imports.get(path) ?? readImports(root, path);
    imports.set(path, found);
    return found;
  };
  const distances = new Map<string, Map<string, number>>();
  for (const test of Object.keys(known)) distances.set(test, distancesFrom(test, importsOf));
  const counted = new Set(Object.values(known).flatMap(({ keys }) => keys));
  const seconds = (test: string) => known[test]?.seconds ?? 0;
  return {
    startsProgram: (tests) => tests.some((test) => distances.get(test)?.has('test/support/program.ts')),
    testsOf: ({ key, path }, maxSeconds) => {
      const distance = (test: string) => distances.get(test)?.get(path) ?? Number.POSITIVE_INFINITY;
      const reaching = Object.keys(known).filter((test) =>
        counted.has(key) ? known[test]?.keys.includes(key) : Number.isFinite(distance(test)),
      );
      const mirror = path.replace(/^src/, 'test').replace('.ts', '.test.ts');
      const near = (test: string) => {
        if (test === mirror) return 0;
        return dirname(test) === dirname(mirror) ? 1 : Math.min(distance(test), 4);
      };
      let sum = 0;
      return reaching
        .sort((a, b) => near(a) - near(b) || seconds(a) - seconds(b))
        .filter((test) => {
          const fits = sum + seconds(test) <= maxSeconds;
          if (fits) sum += seconds(test);
          return fits;
        });
    },
  };
}

function distancesFrom(test: string, importsOf: (path: string) => string[]): Map<string, number> {
  const distances = new Map([[test, 0]]);
  for (const [path, distance] of distances) {
    for (const next of importsOf(path)) if (!distances.has(next)) distances.set(next, distance + 1);
  }
  return distances;
}

function readImports(root: string, path: string): string[] {
  if (!path.endsWith('.ts')) return [];
  const source = readFileSync(join(root, path), 'utf8');
  const places = source.matchAll(
    /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';|import\('(\.[^']+)'\)/gms,
  );
  return [...places].map(([, target, lazy]) => normalize(join(dirname(path), target ?? lazy ?? '')));
}
