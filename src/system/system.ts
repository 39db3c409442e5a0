import { randomUUID } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import type { Say } from '../advice/advice.ts';
import type { PackageFiles } from '../package-files.ts';
import { type Files, systemFiles } from './files.ts';
import { inspectMachine } from './machine.ts';
import { findConfigDirectory } from './private-files.ts';
import { createPrompts, type Prompts } from './prompts/prompts.ts';
import type { Shell } from './shell.ts';

export interface System extends Shell {
  stdin: Readable;
  machine(): ReturnType<typeof inspectMachine>;
  clock: Clock;
  files: Files;
  random(): number;
  randomUuid(): string;
  /** `say` writes what they show. */
  prompts(say: Say): Prompts;
  configDirectory: string | undefined;
  /** Does not keep the process alive. The returned function ends it. */
  repeat(task: () => void, milliseconds: number): () => void;
  keepHeapSmall(): void;
  startThread: StartThread;
}

export type StartThread = (name: string, workerData: unknown) => Promise<Worker>;

export function createThreadStarter(files: PackageFiles): StartThread {
  return async (name, workerData) => {
    const { Worker } = await import('node:worker_threads');
    const resourceLimits = { maxYoungGenerationSizeMb: 6 };
    // No environment: what NODE_OPTIONS loads would be loaded twice.
    const options = { eval: true, workerData, resourceLimits, env: {}, execArgv: [] };
    return new Worker(files.readText(`dist/${name}.cjs`), options);
  };
}

export function createSystem(shell: Shell, { stdin, versions }: NodeJS.Process): System {
  const { env, stderr, interruption } = shell;
  const configDirectory = findConfigDirectory(env);
  delayOptimising(versions.node);
  const left = new AbortController();
  interruption.stopping.addEventListener('abort', () => setImmediate(() => left.abort()));
  // Later than `stopping`, so that an open question is left before stdin fails with an AbortError.
  addAbortSignal(left.signal, stdin);
  return {
    ...shell,
    stdin,
    machine: () => inspectMachine(configDirectory),
    clock: systemClock,
    files: systemFiles,
    random: Math.random,
    randomUuid: () => randomUUID(),
    prompts: (say) => createPrompts(stdin, stderr, interruption.stopping, say),
    configDirectory,
    repeat,
    keepHeapSmall: () => keepHeapSmall(versions.node),
    startThread: createThreadStarter(shell.packageFiles),
  };
}

export function repeat(task: () => void, milliseconds: number): () => void {
  const timer = setInterval(task, milliseconds).unref();
  return () => clearInterval(timer);
}

/** The latest Node.js known to have these V8 flags; without them V8 prints a warning. */
const latestMajor = 26;

function keepHeapSmall(version: string): void {
  if (Number.parseInt(version, 10) <= latestMajor) setFlagsFromString('--heap-growing-percent=100');
}

/** Optimising undici's WebAssembly delays the exit, so V8 does it after some hundred responses rather than two. */
function delayOptimising(version: string): void {
  if (Number.parseInt(version, 10) <= latestMajor) setFlagsFromString('--wasm-tiering-budget=100000000');
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** The local date, `YYYY-MM-DD`. */
  today(daysBefore?: number): string;
  /** Milliseconds, for differences only. */
  monotonic(): number;
  /** Resolves early when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Returns what stops the timer. */
  after(milliseconds: number, run: () => void): () => void;
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
    // Timers are late by up to two milliseconds, too much for evenly spaced requests.
    if (milliseconds >= 2)
      await delay(Math.floor(milliseconds) - 1, undefined, { signal, ref: true }).catch(() => undefined);
    while (performance.now() < end && signal?.aborted !== true) await turn();
  },
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

export function calendarDate(moment: Date): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  return `${year}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
}
