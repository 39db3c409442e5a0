import { randomUUID } from 'node:crypto';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import envPaths from 'env-paths';
import { type Clock, systemClock } from './clock.ts';
import { type Files, systemFiles } from './files.ts';
import { type Interruption, listenForInterruption } from './interruption.ts';
import { createPrompts, type Prompts } from './prompts.ts';

/** The outside as the program sees it; a test hands in its own. */
export interface System {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  terminal: { stdin: boolean; stdout: boolean; stderr: boolean; width: number };
  /** Where package.json, fixtures and the rest of the package are. */
  packageRoot: URL;
  platform: string;
  clock: Clock;
  files: Files;
  /** From 0 up to, not including, 1. */
  random(): number;
  randomUuid(): string;
  prompts: Prompts;
  configDirectory: string;
  interruption: Interruption;
  /** Told before work that goes on for long. */
  keepHeapSmall(): void;
  /** Why stdout did not take what was written to it; undefined when it did. */
  outputFailure(): Promise<Error | undefined>;
}

export function createSystem(process: NodeJS.Process, packageRoot: URL): System {
  const { env, stdin, stdout, stderr } = process;
  const outputFailure = watchOutput(stdout, stderr);
  const interruption = listenForInterruption(process);
  // Whoever is reading standard input when the run is to stop gets an AbortError.
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
      width: stdout.columns || 80,
    },
    packageRoot,
    platform: process.platform,
    clock: systemClock,
    files: systemFiles,
    random: Math.random,
    randomUuid: () => randomUUID(),
    prompts: createPrompts(stdin, stderr),
    configDirectory: env.MERCHANT_ORDERS_CONFIG_DIR || envPaths('merchant-orders', { suffix: '' }).config,
    interruption,
    keepHeapSmall: () => keepHeapSmall(process.versions.node),
    outputFailure,
  };
}

/**
 * A stream that fails ends nothing: orders in flight are settled and files written first. What stdout failed
 * with is told at the end, but for `merchant-orders list | head`, which ends without a word.
 */
function watchOutput(stdout: Writable, stderr: Writable): System['outputFailure'] {
  let failure: Error | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
  });
  stderr.on('error', () => undefined);
  return async () => {
    // What was written last may fail a moment later.
    if (stdout.writableLength > 0) await new Promise((resolve) => stdout.write('', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return failure;
  };
}

/** The latest release line that is known to know the flag; another one would complain on stderr. */
const latestMajor = 26;

/**
 * From now on the heap grows by a fifth of what is in use before garbage is collected, instead of up to fourfold: for
 * work that goes on for long in little memory. It takes some 6 % more time. `version` is that of Node, such as 20.19.0.
 */
export function keepHeapSmall(version: string): void {
  if (Number.parseInt(version, 10) <= latestMajor) setFlagsFromString('--heap-growing-percent=20');
}
