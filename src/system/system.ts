import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
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
}

export function createSystem(process: NodeJS.Process, packageRoot: URL): System {
  const { env, stdin, stdout, stderr } = process;
  leaveQuietlyWhenNobodyReads(stdout);
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
    interruption: listenForInterruption(process),
  };
}

/** `merchant-orders list | head` ends without a word when head has seen enough. */
function leaveQuietlyWhenNobodyReads(stdout: Writable): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
