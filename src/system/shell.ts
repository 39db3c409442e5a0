import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import type { PackageFiles } from '../package-files.ts';

export interface Shell {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdout: Writable;
  stderr: Writable;
  terminal: { readonly stdin: boolean; stdout: boolean; stderr: boolean; readonly width: number };
  packageFiles: PackageFiles;
  /** Commands are printed for cmd and PowerShell, else for a POSIX shell. */
  isWindows: boolean;
  interruption: Interruption;
  /** As it stands in the configuration. */
  storedLanguage(): Promise<unknown>;
  outputFailure(): Promise<Error | undefined>;
  /** Whether the program that read standard output has ended, as in `list | head`. */
  isOutputClosed(): boolean;
}

export function createShell(process: NodeJS.Process, packageFiles: PackageFiles): Shell {
  const { stdout, stderr } = process;
  return {
    args: process.argv.slice(2),
    env: process.env,
    stdout,
    stderr,
    terminal: {
      get stdin() {
        return process.stdin.isTTY === true;
      },
      stdout: stdout.isTTY === true,
      stderr: stderr.isTTY === true,
      get width() {
        return stdout.columns || stderr.columns || 80;
      },
    },
    packageFiles,
    isWindows: process.platform === 'win32',
    storedLanguage: async () => {
      const { findConfigDirectory, readStoredLanguage } = await import('./private-files.ts');
      return readStoredLanguage(findConfigDirectory(process.env));
    },
    ...watchOutput(stdout, stderr),
    interruption: listenForInterruption(process, (signal) => {
      // Windows has no signals: process.kill would end with 1.
      if (process.platform === 'win32') process.exit(128 + constants.signals[signal]);
      // Not process.exit, which waits for threads that hang in the system.
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }),
  };
}

/** A failing stream does not end the process, so that requests in flight can finish. EPIPE (`list | head`) is not an error. */
function watchOutput(stdout: Writable, stderr: Writable): Pick<Shell, 'outputFailure' | 'isOutputClosed'> {
  let failure: Error | undefined;
  let isClosed = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') isClosed = true;
    else failure ??= error;
  });
  stderr.on('error', () => undefined);
  const outputFailure = async () => {
    if (stdout.writableLength > 0) await new Promise((resolve) => stdout.write('', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return failure;
  };
  return { outputFailure, isOutputClosed: () => isClosed };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof signals)[number];

export type Interruption = ReturnType<typeof listenForInterruption>;

const graceMilliseconds = 10_000;
/** For the results file of an import, which is written after the second signal too. */
const leavingMilliseconds = 2_000;

/** Ctrl-C, SIGTERM and SIGHUP. Two seconds after a second signal, or at a third one, the process is killed. */
export function listenForInterruption(process: NodeJS.EventEmitter, end: (signal: Signal) => void) {
  const stopping = new AbortController();
  const leaving = new AbortController();
  setMaxListeners(0, stopping.signal, leaving.signal);
  let first: Signal | undefined;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (signal: Signal) => {
    // When a terminal closes, SIGHUP arrives twice: from it and from the shell.
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
    /** Aborted at the first signal: start nothing new. */
    stopping: stopping.signal,
    /** Aborted at the second signal, or after the grace period: exit now. */
    leaving: leaving.signal,
    signal: () => first,
    release: () => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
