import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { program } from '../support/program.ts';

/** What is typed once the text stands in the last lines of the terminal. */
export type Step = readonly [text: string, keys: string];

interface TerminalOptions {
  columns: number;
  rows: number;
  /** Where the shell is, with the program as a command; also the configuration directory. */
  folder: string;
  env?: Record<string, string>;
}

const prompt = '$ ';
const maxMilliseconds = 30_000;

/** Opens a terminal of tmux with a shell in it. Its program draws as on any terminal; only colours are off. */
export function openTerminal({ columns, rows, folder, env = {} }: TerminalOptions) {
  const server = `merchant-orders-${randomUUID()}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...args], { encoding: 'utf8', stdio: 'pipe' });
  writeFileSync(
    join(folder, 'merchant-orders'),
    `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`,
    { mode: 0o755 },
  );
  const settings = {
    PATH: `${folder}:${process.env.PATH}`,
    PS1: prompt,
    HISTFILE: '',
    NO_COLOR: '1',
    TZ: 'Asia/Ulaanbaatar',
    LANG: 'C.UTF-8',
    MERCHANT_ORDERS_CONFIG_DIR: join(folder, '.config'),
    ...env,
  };
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const shell = ['env', '-u', 'CI', ...assignments, 'bash', '--norc', '--noprofile', '-i'];
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('-u', 'new-session', '-d', ...size, '-c', folder, ...shell);
  onTestFinished(() => void tmux('kill-server'));
  tmux('set-option', '-g', 'history-limit', '5000');
  tmux('set-option', '-g', 'status', 'off');

  /** All lines since the terminal was cleared, without the empty ones at the end. */
  const read = () => tmux('capture-pane', '-p', '-S', '-').trimEnd();
  const until = async (isReached: (screen: string) => boolean, what: string) => {
    const end = Date.now() + maxMilliseconds;
    while (!isReached(read())) {
      if (Date.now() > end) throw new Error(`not reached: ${what}\n${read()}`);
      await sleep(30);
    }
  };
  const type = (keys: string) => tmux('send-keys', '-l', '--', keys);
  const isAtPrompt = (screen: string) => screen.endsWith(`\n${prompt.trim()}`);
  return {
    /** Types a command line and the answers, and returns the lines of the terminal when the shell is back. */
    run: async (commandLine: string, steps: readonly Step[] = []) => {
      type('clear\r');
      await until((screen) => screen === prompt.trim(), 'an empty terminal');
      tmux('clear-history');
      type(`${commandLine}\r`);
      let from = 0;
      for (const [text, keys] of steps) {
        const wanted = text.replaceAll(/\s+/g, '');
        await until((screen) => screen.replaceAll(/\s+/g, '').includes(wanted, from), text);
        // A question takes keys when all of it is drawn.
        await sleep(80);
        from = read().replaceAll(/\s+/g, '').indexOf(wanted, from) + wanted.length;
        type(keys);
      }
      await until(isAtPrompt, `the end of ${commandLine}`);
      return read().slice(0, -prompt.length);
    },
  };
}
