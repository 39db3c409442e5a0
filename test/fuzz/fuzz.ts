import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import type { FuzzCase, Target } from './case.ts';
import { createExecutor, type Executor, type Limits } from './execute.ts';
import { type Finding, isKnown, judge } from './oracle.ts';
import { argv } from './targets/argv.ts';
import { csv } from './targets/csv.ts';
import { json } from './targets/json.ts';
import { mapping } from './targets/mapping.ts';
import { responses } from './targets/responses.ts';
import { workbooks } from './targets/workbook.ts';

export const targets: readonly Target[] = [argv, json, csv, workbooks, mapping, responses];

export interface FuzzOptions {
  targets: readonly Target[];
  /** Case n of a target is drawn from the seed plus n. */
  seed: number;
  /** Length of the longest texts and lists. */
  max: number;
  /** Runs of each target, or the time for all targets together. */
  runs?: number;
  milliseconds?: number;
  /** Cases that run at the same time; most of them wait for something. */
  lanes: number;
  onFinding?(line: string): void;
}

export interface TargetFigures {
  target: string;
  runs: number;
  findings: string[];
  /** Ends that are known faults of libraries. */
  known: number;
  longestMilliseconds: number;
  peakBytes: number;
  milliseconds: number;
}

export const limits: Limits = {
  milliseconds: 45_000,
  processorMilliseconds: 10_000,
  heapMegabytes: 512,
  residentBytes: 1024 * 1024 * 1024,
};

interface Drawer {
  figures: TargetFigures;
  started: number;
  cases: Arbitrary<FuzzCase>;
}

/** Runs cases of the target that had the least time so far, until the runs or the time are used up. */
export async function fuzz(options: FuzzOptions): Promise<TargetFigures[]> {
  const { runs = Number.POSITIVE_INFINITY, milliseconds = Number.POSITIVE_INFINITY } = options;
  const drawers = options.targets.map((target): Drawer => {
    const none = { runs: 0, findings: [], known: 0, longestMilliseconds: 0, peakBytes: 0, milliseconds: 0 };
    return { figures: { target: target.name, ...none }, started: 0, cases: target.cases(options.max) };
  });
  const started = performance.now();
  const work = async () => {
    const executor = createExecutor(limits);
    try {
      while (performance.now() - started < milliseconds) {
        const open = drawers.filter((drawer) => drawer.started < runs);
        const [next] = open.sort((one, other) => one.figures.milliseconds - other.figures.milliseconds);
        if (next === undefined) return;
        await runNext(next, executor, options);
      }
    } finally {
      await executor.close();
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, work));
  return drawers.map(({ figures }) => figures);
}

async function runNext(drawer: Drawer, executor: Executor, { seed, max, onFinding }: FuzzOptions) {
  const { figures, cases } = drawer;
  const caseSeed = seed + drawer.started;
  drawer.started += 1;
  const before = performance.now();
  const [fuzzCase] = fc.sample(cases, { seed: caseSeed, numRuns: 1 }) as [FuzzCase];
  const result = await executor.run(fuzzCase);
  let findings = judge(fuzzCase, result);
  if (findings.some(({ kind }) => kind === 'time' || kind === 'memory')) {
    // A busy machine and the memory of earlier runs are no findings: it must happen again in a new process.
    await executor.close();
    findings = judge(fuzzCase, await executor.run(fuzzCase));
  }
  figures.runs += 1;
  figures.milliseconds += performance.now() - before;
  figures.longestMilliseconds = Math.max(figures.longestMilliseconds, result.milliseconds);
  figures.peakBytes = Math.max(figures.peakBytes, result.peakBytes);
  if (isKnown(result)) figures.known += 1;
  if (findings.length === 0) return;
  const line = describe(figures.target, caseSeed, max, fuzzCase, findings);
  figures.findings.push(line);
  onFinding?.(line);
}

const maxShown = 60;

/** What was found, how to repeat it, and the file with the case. */
function describe(
  target: string,
  seed: number,
  max: number,
  fuzzCase: FuzzCase,
  findings: readonly Finding[],
): string {
  const folder = join(tmpdir(), 'merchant-orders-fuzz');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${target}-${seed}-${max}.json`);
  const readable = (_name: string, value: unknown) => {
    const isBuffer =
      value !== null && typeof value === 'object' && 'type' in value && value.type === 'Buffer';
    return isBuffer ? Buffer.from((value as unknown as { data: number[] }).data).toString('latin1') : value;
  };
  writeFileSync(file, JSON.stringify(fuzzCase, readable, 2), { mode: 0o600 });
  const words = fuzzCase.args.map((word) => JSON.stringify(word.slice(0, maxShown))).join(' ');
  const all = findings.map(({ kind, detail }) => `${kind}: ${detail}`).join('; ');
  return `${target}: ${all}\n  ${words.slice(0, 300)}\n  npm run fuzz -- --only ${target} --seed ${seed} --max ${max} --runs 1 (the case is in ${file})`;
}
