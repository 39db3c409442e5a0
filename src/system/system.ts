import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import envPaths from 'env-paths';
import { type Files, systemFiles } from './files.ts';
import { inspectMachine, type Machine } from './machine.ts';
import { createPrompts, type Prompts } from './prompts/prompts.ts';

export interface System {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  /** `width` changes with the window. */
  terminal: { stdin: boolean; stdout: boolean; stderr: boolean; readonly width: number };
  packageRoot: URL;
  machine(): Promise<Machine>;
  clock: Clock;
  files: Files;
  random(): number;
  randomUuid(): string;
  prompts: Prompts;
  configDirectory: string;
  interruption: Interruption;
  /** Runs a task again and again, without keeping the process alive, until the returned function is called. */
  everySecond(task: () => void): () => void;
  keepHeapSmall(): void;
  outputFailure(): Promise<Error | undefined>;
}

export function createSystem(process: NodeJS.Process, packageRoot: URL): System {
  const { env, stdin, stdout, stderr } = process;
  const outputFailure = watchOutput(stdout, stderr);
  const configDirectory =
    env.MERCHANT_ORDERS_CONFIG_DIR || envPaths('merchant-orders', { suffix: '' }).config;
  const interruption = listenForInterruption(process, (signal) => {
    // Not process.exit, which waits for threads that hang in the system.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  // A read of standard input that is under way ends in an AbortError.
  addAbortSignal(interruption.stopping, stdin);
  return {
    args: process.argv.slice(2),
    env,
    stdin,
    stdout,
    stderr,
    terminal: {
      stdin: stdin.isTTY === true,
      stdout: stdout.isTTY === true,
      stderr: stderr.isTTY === true,
      get width() {
        return stdout.columns || stderr.columns || 80;
      },
    },
    packageRoot,
    machine: () => inspectMachine(configDirectory),
    clock: systemClock,
    files: systemFiles,
    random: Math.random,
    randomUuid: () => randomUUID(),
    prompts: createPrompts(stdin, stderr),
    configDirectory,
    interruption,
    everySecond: (task) => {
      const timer = setInterval(task, 1000);
      timer.unref();
      return () => clearInterval(timer);
    },
    keepHeapSmall: () => keepHeapSmall(process.versions.node),
    outputFailure,
  };
}

/** A failing stream does not end the process: orders in flight are settled first. EPIPE (`list | head`) is no error. */
function watchOutput(stdout: Writable, stderr: Writable): System['outputFailure'] {
  let failure: Error | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
  });
  stderr.on('error', () => undefined);
  return async () => {
    // The last write may fail a moment later.
    if (stdout.writableLength > 0) await new Promise((resolve) => stdout.write('', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return failure;
  };
}

/** The latest release line of Node.js that is known to have the flag; others would print a warning. */
const latestMajor = 26;

/** Lets the heap grow by a fifth before a collection, not fourfold. `version` is that of Node.js, such as 20.19.0. */
function keepHeapSmall(version: string): void {
  if (Number.parseInt(version, 10) <= latestMajor) setFlagsFromString('--heap-growing-percent=20');
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The local calendar date, `YYYY-MM-DD`, today or that many days ago. */
  today(daysBefore?: number): string;
  /** Milliseconds with fractions, which no change of the date affects; for differences only. */
  monotonic(): number;
  /** Resolves early, without an error, when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  today: (daysBefore = 0) => {
    const moment = new Date();
    moment.setDate(moment.getDate() - daysBefore);
    return calendarDate(moment);
  },
  sleep: async (milliseconds, signal) => {
    const end = performance.now() + milliseconds;
    // Timers are late by up to two milliseconds, which requests that are spaced evenly must not be.
    if (milliseconds >= 2)
      await delay(Math.floor(milliseconds) - 1, undefined, { signal, ref: true }).catch(() => undefined);
    while (performance.now() < end && signal?.aborted !== true) await turn();
  },
};

export function calendarDate(moment: Date): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  return `${year}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type Signal = (typeof signals)[number];

/**
 * Ctrl-C, SIGTERM and a closed terminal (SIGHUP): the first signal stops the run gracefully, the second one or the end of the grace period at once.
 * Some seconds after a second signal, or at a third one, the process is ended in any case.
 */
export interface Interruption {
  /** Aborted at the first signal: start nothing new. */
  readonly stopping: AbortSignal;
  /** Aborted at the second signal, or after the grace period: exit now. */
  readonly leaving: AbortSignal;
  signal(): Signal | undefined;
  release(): void;
}

const graceMilliseconds = 10_000;
/** For the results file of an import, which is written after the second signal too. */
const leavingMilliseconds = 2_000;

export function listenForInterruption(
  process: NodeJS.EventEmitter,
  end: (signal: Signal) => void,
): Interruption {
  const stopping = new AbortController();
  const leaving = new AbortController();
  // Every request in flight adds a listener.
  setMaxListeners(0, stopping.signal, leaving.signal);
  let first: Signal | undefined;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (signal: Signal) => {
    // A shell passes on the SIGHUP that the terminal sends as well.
    if (signal === 'SIGHUP' && first !== undefined) return;
    first ??= signal;
    count += 1;
    clearTimeout(timer);
    if (count === 1) {
      timer = setTimeout(() => leaving.abort(), graceMilliseconds);
      stopping.abort();
    } else if (count === 2) {
      timer = setTimeout(end, leavingMilliseconds, first);
      leaving.abort();
    } else end(first);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    stopping: stopping.signal,
    leaving: leaving.signal,
    signal: () => first,
    release: () => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
