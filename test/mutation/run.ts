/**
 * npm run mutants -- --sample N --seed S [--room ROOM]...: changes the sources in N ways, one at a time, and runs the
 * tests that reach the change, the nearest first. docs/mutants.md describes what it counts. A run that is stopped goes
 * on where it was; one that is repeated tries only the survivors again.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { countReached, createReach, type Reach, type Reached } from './reach.ts';
import { groupBy, inOrderOf, type Mutant, readMutants, sharesOf } from './sample.ts';
import { runSession } from './session.ts';
import { createWorkplace, type Workplace } from './workplace.ts';

interface Outcome {
  killed: boolean;
  /** The test that failed, or the reason. */
  by: string;
  /** The versions of test files that passed nevertheless; only others are tried again. */
  passed: string[];
}

interface Results {
  /** Mutants that the compiler does not accept are not counted. */
  typeErrors: Record<string, boolean>;
  reached: Record<string, Reached>;
  outcomes: Record<string, Outcome>;
}

const { values: options } = parseArgs({
  options: {
    sample: { type: 'string', default: '420' },
    seed: { type: 'string', default: '1' },
    room: { type: 'string', multiple: true },
    session: { type: 'boolean', default: false },
  },
});
const folder = 'node_modules/.cache/merchant-orders';
const resultsPath = `${folder}/mutants-${options.seed}.json`;
const results = readResults();
const equivalent = readEquivalent();
await (options.session ? runSession() : runSample());

async function runSample(): Promise<void> {
  const workplaces = [createWorkplace(process.cwd()), createWorkplace(process.cwd())] as const;
  try {
    const sample = drawSample(workplaces[0]);
    await countReached(workplaces[0], sample, results.reached);
    save();
    const reach = createReach(workplaces[0].folder, results.reached);
    for (const maxSeconds of [8, 40]) {
      const waiting = sample.filter(
        ({ key, room }) =>
          !results.outcomes[key]?.killed && !equivalent.has(key) && (options.room?.includes(room) ?? true),
      );
      console.log(`${waiting.length} of ${sample.length} mutants, tests of ${maxSeconds} s for each`);
      await Promise.all(workplaces.map((workplace) => tryAll(workplace, waiting, reach, maxSeconds)));
    }
    report(sample);
  } finally {
    for (const workplace of workplaces) workplace.remove();
  }
}

/** The first mutants of each room, in the order of the seed, that the compiler accepts. */
function drawSample(workplace: Workplace): Mutant[] {
  const rooms = readMutants(workplace.folder);
  const shares = sharesOf(rooms, Number(options.sample));
  const queues = [...rooms].map(([room, mutants]) => ({
    share: shares.get(room) ?? 0,
    mutants: inOrderOf(options.seed, mutants),
  }));
  for (;;) {
    const accepted = (count: number) =>
      queues.flatMap(({ share, mutants }) =>
        mutants.filter(({ key }) => !results.typeErrors[key]).slice(0, share * count),
      );
    const isUnchecked = ({ key }: Mutant) => results.typeErrors[key] === undefined;
    if (!accepted(1).some(isUnchecked)) return accepted(1);
    // Ahead of what is needed, since the compiler takes as long for one change as for one in each file.
    const unchecked = accepted(2).filter(isUnchecked);
    const batch = [...new Map(unchecked.map((mutant) => [mutant.path, mutant])).values()];
    const wrong = workplace.typeErrors(batch);
    for (const { key, path } of batch) results.typeErrors[key] = wrong.has(path);
    save();
  }
}

async function tryAll(
  workplace: Workplace,
  waiting: Mutant[],
  reach: Reach,
  maxSeconds: number,
): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const passed = results.outcomes[mutant.key]?.passed ?? [];
    const versionOf = (test: string) => `${test} ${results.reached[test]?.hash}`;
    const tests = reach.testsOf(mutant, maxSeconds).filter((test) => !passed.includes(versionOf(test)));
    const outcome: Outcome = results.outcomes[mutant.key] ?? { killed: false, by: '', passed };
    if (tests.length > 0) {
      const builds = reach.startsProgram(tests);
      outcome.by = await workplace.firstFailure(mutant, tests, { maxSeconds: 60 + 4 * maxSeconds, builds });
      outcome.killed = outcome.by !== '';
      if (!outcome.killed) outcome.passed = [...passed, ...tests.map(versionOf)];
    }
    results.outcomes[mutant.key] = outcome;
    save();
    const how = outcome.by || `${outcome.passed.length} test files passed`;
    console.log(`${outcome.killed ? 'killed  ' : 'survived'} ${describe(mutant)} (${how})`);
  }
}

function report(sample: readonly Mutant[]): void {
  console.log('\nroom\tsampled\tequivalent\tkilled\tsurvived\tscore');
  const isKilled = ({ key }: Mutant) => results.outcomes[key]?.killed === true;
  for (const [room, mutants] of groupBy(sample, (mutant) => mutant.room)) {
    const counted = mutants.filter((mutant) => isKilled(mutant) || !equivalent.has(mutant.key));
    const killed = counted.filter(isKilled).length;
    const score = `${((100 * killed) / counted.length).toFixed(1)} %`;
    const others = [mutants.length - counted.length, killed, counted.length - killed];
    console.log([room, mutants.length, ...others, score].join('\t'));
  }
  for (const mutant of sample) {
    if (!isKilled(mutant))
      console.log(`${describe(mutant)}${equivalent.has(mutant.key) ? ' (equivalent)' : ''}`);
  }
}

/** The keys of the changes that change nothing, as docs/mutants.md lists them. */
function readEquivalent(): Set<string> {
  const sections = readFileSync('docs/mutants.md', 'utf8').split('\n## ');
  const section = sections.find((text) => text.startsWith('Equivalent')) ?? '';
  return new Set([...section.matchAll(/^\| `([0-9a-f]{12})` \|/gm)].map(([, key = '']) => key));
}

function describe({ path, line, original, text, key }: Mutant): string {
  const short = (code: string) => code.replace(/\s+/g, ' ').slice(0, 70);
  return `${key} ${path}:${line} ${short(original)} → ${short(text)}`;
}

function readResults(): Results {
  try {
    return JSON.parse(readFileSync(resultsPath, 'utf8'));
  } catch {
    return { typeErrors: {}, reached: {}, outcomes: {} };
  }
}

function save(): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(resultsPath, JSON.stringify(results));
}
