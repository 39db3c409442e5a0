import { randomUUID } from 'node:crypto';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import envPaths from 'env-paths';
import { type Clock, systemClock } from './clock.ts';
import { type Files, systemFiles } from './files.ts';
import { type Interruption, listenForInterruption } from './interruption.ts';
import { createPrompts, type Prompts } from './prompts.ts';

/** What the program uses of the operating system; tests replace it. */
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
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
  randomUuid(): string;
  prompts: Prompts;
  configDirectory: string;
  interruption: Interruption;
  /** Called before long work, such as an import. */
  keepHeapSmall(): void;
  /** Why a write to stdout failed; undefined when none did. */
  outputFailure(): Promise<Error | undefined>;
}

export function createSystem(process: NodeJS.Process, packageRoot: URL): System {
  const { env, stdin, stdout, stderr } = process;
  const outputFailure = watchOutput(stdout, stderr);
  const interruption = listenForInterruption(process);
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
 * A failing stream does not end the process: orders in flight are settled and files are written first. The error of
 * stdout is reported at the end, except for EPIPE, as in `merchant-orders list | head`.
 */
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

/**
 * Lets the heap grow by a fifth before garbage is collected, instead of up to fourfold: long work then needs little
 * memory, and some 6 % more time. `version` is that of Node.js, such as 20.19.0.
 */
export function keepHeapSmall(version: string): void {
  if (Number.parseInt(version, 10) <= latestMajor) setFlagsFromString('--heap-growing-percent=20');
}
