import { randomUUID } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import { type Files, systemFiles } from './files.ts';
import { inspectMachine, type Machine } from './machine.ts';
import { findConfigDirectory } from './private-files.ts';
import { createPrompts, type Prompts } from './prompts/prompts.ts';
import type { Shell } from './shell.ts';

export interface System extends Shell {
  stdin: Readable;
  machine(): Promise<Machine>;
  clock: Clock;
  files: Files;
  random(): number;
  randomUuid(): string;
  prompts: Prompts;
  /** Undefined for a user without a home directory who has not set MERCHANT_ORDERS_CONFIG_DIR. */
  configDirectory: string | undefined;
  /** Runs a task again and again, without keeping the process alive, until the returned function is called. */
  repeat(task: () => void, milliseconds: number): () => void;
  keepHeapSmall(): void;
  startThread: StartThread;
}

/** Starts a file of the bundle, by its name without an ending, as a thread with little space for new objects. */
export type StartThread = (name: string, workerData: unknown) => Promise<Worker>;

export function createThreadStarter(packageRoot: URL): StartThread {
  return async (name, workerData) => {
    const { Worker } = await import('node:worker_threads');
    const resourceLimits = { maxYoungGenerationSizeMb: 6 };
    // It needs nothing of the environment, and what NODE_OPTIONS loads would be loaded twice.
    const options = { workerData, resourceLimits, env: {}, execArgv: [] };
    return new Worker(new URL(`dist/${name}.cjs`, packageRoot), options);
  };
}

export function createSystem(shell: Shell, { stdin, versions }: NodeJS.Process): System {
  const { env, stderr, interruption } = shell;
  const configDirectory = findConfigDirectory(env);
  delayOptimising(versions.node);
  const left = new AbortController();
  interruption.stopping.addEventListener('abort', () => setImmediate(() => left.abort()));
  // A read of standard input ends in an AbortError, which nobody would handle while a question is open.
  addAbortSignal(left.signal, stdin);
  return {
    ...shell,
    stdin,
    machine: () => inspectMachine(configDirectory),
    clock: systemClock,
    files: systemFiles,
    random: Math.random,
    randomUuid: () => randomUUID(),
    prompts: createPrompts(stdin, stderr, interruption.stopping),
    configDirectory,
    repeat,
    keepHeapSmall: () => keepHeapSmall(versions.node),
    startThread: createThreadStarter(shell.packageRoot),
  };
}

export function repeat(task: () => void, milliseconds: number): () => void {
  const timer = setInterval(task, milliseconds).unref();
  return () => clearInterval(timer);
}

/** The latest release line of Node.js that is known to have the flags; others would print a warning. */
const latestMajor = 26;

/** Lets the heap double before a collection, not grow fourfold. `version` is that of Node.js, such as 20.19.0. */
function keepHeapSmall(version: string): void {
  if (Number.parseInt(version, 10) <= latestMajor) setFlagsFromString('--heap-growing-percent=100');
}

/**
 * undici reads responses in WebAssembly. Optimising that takes as long as many requests, and a process does not end
 * before it is done: with this budget, in bytes that are executed, it begins after some hundred responses, not two.
 */
function delayOptimising(version: string): void {
  if (Number.parseInt(version, 10) <= latestMajor) setFlagsFromString('--wasm-tiering-budget=100000000');
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
