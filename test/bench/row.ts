import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { program } from '../support/program.ts';
import { median, type Run, type RunOptions, run, startService } from './measure.ts';

export interface Bench {
  /** A directory for files, which is removed at the end. */
  folder: string;
  rounds: number;
  /** `quick` takes three minutes in all; `full` also has the sizes that take half an hour. */
  size: 'quick' | 'usual' | 'full';
}

/** What a figure is held to: the aim of its row, or what it is today where the aim is not reached. */
export type Hold = { atMost: number } | { atLeast: number };

export interface Result {
  what: string;
  against: string;
  figure: number;
  /** Of the figure. */
  unit?: 'x' | ' MiB';
  /** Undefined when there is nothing to lose. */
  hold?: Hold | undefined;
  /** The times and sizes behind it. */
  details: string;
}

export interface BenchRow {
  name: string;
  /** Whether `--quick` measures it too. */
  isQuick?: boolean;
  measure(bench: Bench): Promise<Result[]>;
}

export const node = process.execPath;
export const floor = (name: string) => fileURLToPath(new URL(`floors/${name}.mjs`, import.meta.url));

/** A service in a process of its own that only answers, and lists this many orders. */
export const startBareService = (latencyMs: number, listed = 0) =>
  startService([node, floor('bare-service'), String(latencyMs), String(listed)]);

/** As long as a real one, which is looked for in every response. */
const apiKey = 'bench_live_7d2f4c81a95e4b0f93c6d8e1';

/** The variables of a run with a configuration directory of its own, against a service if there is one. */
export function createEnvironment({ folder }: Bench, name: string, baseUrl?: string): Record<string, string> {
  const directory = join(folder, `configuration-${name}`);
  mkdirSync(directory, { mode: 0o700 });
  const service = baseUrl === undefined ? {} : { MERCHANT_ORDERS_BASE_URL: baseUrl };
  return { ...service, MERCHANT_ORDERS_CONFIG_DIR: directory, MERCHANT_ORDERS_API_KEY: apiKey };
}

let runs = 0;

/** Runs our program, each time with a configuration directory of its own. */
export function createOurs(bench: Bench, baseUrl?: string) {
  return (args: readonly string[], options: RunOptions = {}): Promise<Run> => {
    runs += 1;
    const env = createEnvironment(bench, String(runs), baseUrl);
    return run([node, program, ...args], { ...options, env });
  };
}

export const seconds = (values: readonly number[]) => `${median(values).toFixed(3)} s`;

/** How many times longer the second of each pair took. */
export const ratioOf = (pairs: readonly [number, number][]) =>
  median(pairs.map(([one, other]) => other / one));

export function secondsOf(pairs: readonly [Run, Run][]): [number, number][] {
  return pairs.map(([one, other]) => [one.seconds, other.seconds]);
}

/** Whole processes: how many times longer ours takes. */
export function ratioResult(
  row: Pick<Result, 'what' | 'against' | 'hold'>,
  pairs: readonly [number, number][],
): Result {
  const [floors, ours] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
  const details = `${seconds(floors)} and ${seconds(ours)}, ${pairs.length} rounds`;
  return { ...row, figure: ratioOf(pairs), unit: 'x', details };
}

interface Rates extends Pick<Result, 'what' | 'against' | 'hold'> {
  /** How much work each run did. */
  orders: number;
  also?: string;
}

/** Work per second: which share of the floor's rate is ours. */
export function rateResult({ orders, also = '', ...row }: Rates, pairs: readonly [Run, Run][]): Result {
  const rates = pairs.map(([one, other]): [number, number] => [orders / one.seconds, orders / other.seconds]);
  const rate = (side: 0 | 1) => Math.round(median(rates.map((pair) => pair[side])));
  const peak = Math.round(median(pairs.map(([, other]) => other.peak)));
  const details = `${rate(0)} and ${rate(1)} orders per second${also}, ${peak} MiB, ${pairs.length} rounds`;
  return { ...row, figure: ratioOf(rates), details };
}

/** How time and memory grow from the first size to the last. */
export function slopeResult(what: string, found: readonly Size[]): Result[] {
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  const slope = Math.log(last.seconds / first.seconds) / Math.log(last.rows / first.rows);
  const sizes = found.map(
    ({ rows, seconds, peak }) => `${count(rows)} rows: ${seconds.toFixed(2)} s, ${Math.round(peak)} MiB`,
  );
  return [
    {
      what: `${what}, ${count(first.rows)} to ${count(last.rows)} rows`,
      against: 'the power of the rows that the time grows with',
      figure: slope,
      hold: { atMost: 1.05 },
      details: sizes.join('; '),
    },
  ];
}

export interface Size {
  rows: number;
  seconds: number;
  /** MiB */
  peak: number;
}

export const count = (rows: number) => rows.toLocaleString('en');
