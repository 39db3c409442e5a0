import { spawn } from 'node:child_process';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { program } from './program.ts';

/** Typed once the text was written to the terminal after the step before. */
export type Step = readonly [text: string, keys: string | typeof closeWindow];

/** Instead of keys: the terminal is gone at once, as when its window is closed. */
export const closeWindow = Symbol('close the window');

export const enter = '\r';
export const clearInput = '\u0015';
export const ctrlC = '\u0003';

/**
 * Runs the built program at a pseudo-terminal, typing as it goes. Returns what was written to it, as text and with its
 * control sequences, the steps that were not reached, and the exit code. Ended after a minute, in which a step was not reached.
 */
export async function typeAtTerminal(
  args: readonly string[],
  { configDirectory, steps, columns = 80, env = {} }: TypingOptions,
) {
  const quoted = [process.execPath, program, ...args].map((arg) => `'${arg}'`).join(' ');
  const { CI: _, ...own } = process.env;
  const child = spawn('script', ['-qefc', `stty rows 24 cols ${columns}; exec ${quoted}`, '/dev/null'], {
    env: {
      ...own,
      TERM: 'xterm',
      NO_COLOR: '1',
      MERCHANT_ORDERS_LANG: 'en',
      MERCHANT_ORDERS_CONFIG_DIR: configDirectory,
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const remaining = [...steps];
  let written = '';
  let unread = '';
  const type = () => {
    const [text, keys] = remaining[0] ?? [];
    if (text === undefined || !withoutSpace(stripVTControlCharacters(unread)).includes(withoutSpace(text)))
      return;
    remaining.shift();
    unread = '';
    if (keys === closeWindow) child.kill('SIGKILL');
    else child.stdin.write(keys ?? '');
  };
  let quiet: NodeJS.Timeout | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    written += String(chunk);
    unread += String(chunk);
    // A question takes keys when all of it is drawn.
    clearTimeout(quiet);
    quiet = setTimeout(type, quietMilliseconds);
  });
  const timer = setTimeout(() => child.kill(), maxMilliseconds);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return { written, screen: stripVTControlCharacters(written).replaceAll('\r', ''), remaining, exitCode };
}

/** A narrow terminal breaks lines anywhere. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

const quietMilliseconds = 50;
const maxMilliseconds = 60_000;

interface TypingOptions {
  configDirectory: string;
  steps: readonly Step[];
  columns?: number;
  env?: Record<string, string>;
}
