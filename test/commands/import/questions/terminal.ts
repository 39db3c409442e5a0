import { spawn } from 'node:child_process';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { program } from '../../../support/program.ts';

/** Which choice is taken: the one that begins like this; Ctrl-C; y or n. */
export type Keys = { pick: string } | 'ctrl-c' | 'y' | 'n';

/** What gives them waits for something else first. */
type Answer = Keys | (() => Promise<Keys>);

const keysOf = { 'ctrl-c': '\u0003', y: 'y\r', n: 'n\r' };
const [down, up, enter] = ['\u001b[B', '\u001b[A', '\r'];

/**
 * Runs the built program at a pseudo-terminal of 80 columns and 24 rows, and answers one question after the other.
 * Returns the text of all screens, the questions with their choices as they were drawn, and the exit code.
 */
export async function runAtTerminal(
  args: readonly string[],
  {
    configDirectory,
    cwd,
    env: service = {},
    answers,
  }: { configDirectory: string; cwd: string; env?: Record<string, string>; answers: readonly Answer[] },
) {
  const quoted = [process.execPath, program, ...args].map((arg) => `'${arg}'`).join(' ');
  const { CI: _, ...env } = process.env;
  const child = spawn('script', ['-qefc', `stty rows 24 cols 80; exec ${quoted}`, '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm', NO_COLOR: '1', MERCHANT_ORDERS_CONFIG_DIR: configDirectory, ...service },
  });
  const remaining = [...answers];
  const frames: string[][] = [];
  let all = '';
  let unread = '';
  let isAnswered = false;
  const answer = () => {
    // An arrow key draws the question again; the mark of an answered one is followed by the next.
    const done = unread.lastIndexOf('✔');
    if (isAnswered && done < 0) return;
    if (done >= 0) unread = unread.slice(done);
    isAnswered = false;
    const frame = stripVTControlCharacters(unread).split(/\r?\n/);
    if (!frame.some((line) => line.includes('navigate') || line.includes('(y/N)'))) return;
    frames.push(frame);
    unread = '';
    isAnswered = true;
    const given = remaining.shift();
    const type = (keys: Keys | undefined) => child.stdin.write(typeIn(frame, keys));
    if (typeof given === 'function') void given().then(type);
    else type(given);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    all += String(chunk);
    unread += String(chunk);
    answer();
  });
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { screen: stripVTControlCharacters(all).replaceAll('\r', ''), frames, exitCode };
}

function typeIn(frame: readonly string[], keys: Keys | undefined): string {
  if (keys === undefined) return keysOf['ctrl-c'];
  if (typeof keys === 'string') return keysOf[keys];
  const marked = frame.findLastIndex((line) => line.startsWith('❯'));
  const wanted = frame.findLastIndex((line) => /^[❯ ] /.test(line) && line.slice(2).startsWith(keys.pick));
  if (wanted < 0) return keysOf['ctrl-c'];
  return `${(wanted > marked ? down : up).repeat(Math.abs(wanted - marked))}${enter}`;
}
