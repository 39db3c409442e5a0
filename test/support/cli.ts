import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Say, Text } from '../../src/advice/advice.ts';
import { PromptLeft } from '../../src/errors.ts';
import { runCommandLine } from '../../src/main.ts';
import { packageFilesIn } from '../../src/package-files.ts';
import { systemFiles } from '../../src/system/files.ts';
import { inspectMachine } from '../../src/system/machine.ts';
import { readStoredLanguage } from '../../src/system/private-files.ts';
import type { Choice, Prompts, Question } from '../../src/system/prompts/prompts.ts';
import type { Interruption } from '../../src/system/shell.ts';
import {
  type Clock,
  createThreadStarter,
  repeat,
  type System,
  systemClock,
} from '../../src/system/system.ts';
import { readYesNo } from '../../src/words/yes-no.ts';

export interface CliOptions {
  env?: Record<string, string>;
  stdin?: string | Buffer;
  /** Runs at a terminal, with these answers to the prompts, in order. */
  answers?: Answering[];
  /** Without answers: stdout alone is a terminal this wide. */
  width?: number;
  configDirectory?: string;
  isWindows?: boolean;
  today?: string;
  /** The signals that the test sends. */
  interruption?: TestInterruption;
  /** Waits between attempts take real time, and what is repeated is; by default only the clock of the test moves. */
  waits?: boolean;
  /** Called when a wait begins. */
  onSleep?: (milliseconds: number) => void;
  /** Takes the tasks that are repeated. */
  repeat?: System['repeat'];
  /** How many milliseconds the clock is ahead of the real one; for several runs that share it. */
  clock?: { ahead: number };
  /** In its place: a clock that only the test moves. */
  stoppedClock?: Clock;
  /** Replaces functions of the file system. */
  files?: Partial<System['files']>;
  /** Whether the program that reads standard output is said to have ended. */
  isOutputClosed?: System['isOutputClosed'];
  /** What this machine is said to be like, where it differs from the real one. */
  machine?: Partial<Awaited<ReturnType<typeof inspectMachine>>>;
}

/** `pick` is the beginning of the name of a choice. */
export type Answer = string | boolean | { leave: true } | { pick: string } | { tick: string[] };

export interface AskedQuestion {
  message: string;
  choices: readonly (Choice & { name: string; isTicked?: boolean })[];
  /** Null when Enter keeps the question. */
  preset: string | null | undefined;
}

/** An answer, or what gives one to a question. */
export type Answering = Answer | ((question: AskedQuestion) => Answer | Promise<Answer>);

export interface CliResult {
  stdout: string;
  stderr: string;
  exitCode: number;
  /** The questions that were asked. */
  asked: string[];
}

export const packageRoot = new URL('../../', import.meta.url);
export const packageFiles = packageFilesIn(packageRoot);

/** Runs one command line in this process, in a configuration directory of its own unless one is given. */
export async function runCli(args: string[], options: CliOptions = {}): Promise<CliResult> {
  const stdout = collect();
  const stderr = collect();
  const asked: string[] = [];
  const clock = options.clock ?? { ahead: 0 };
  const aheadAtStart = clock.ahead;
  const isAtTerminal = options.answers !== undefined;
  const answers = [...(options.answers ?? [])];
  const configDirectory = options.configDirectory ?? temporaryDirectory();
  const system: System = {
    args,
    env: options.env ?? {},
    storedLanguage: async () => readStoredLanguage(configDirectory),
    stdin:
      options.stdin === undefined ? new PassThrough().end() : Readable.from([Buffer.from(options.stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    terminal: {
      stdin: isAtTerminal,
      stderr: isAtTerminal,
      stdout: isAtTerminal || options.width !== undefined,
      width: options.width ?? 120,
    },
    packageFiles,
    isWindows: options.isWindows ?? false,
    machine: async () => ({
      ...(await inspectMachine(configDirectory)),
      timeZone: 'UTC',
      ...options.machine,
    }),
    files: { ...systemFiles, ...options.files },
    clock: options.stoppedClock ?? {
      now: () => Date.now() + clock.ahead,
      monotonic: () => performance.now() + clock.ahead - aheadAtStart,
      today: (daysBefore = 0) =>
        daysBefore === 0 ? (options.today ?? '2026-11-20') : systemClock.today(daysBefore),
      sleep: async (milliseconds, signal) => {
        options.onSleep?.(milliseconds);
        if (options.waits) return systemClock.sleep(milliseconds, signal);
        const until = Date.now() + clock.ahead + milliseconds;
        await new Promise(setImmediate);
        clock.ahead = Math.max(clock.ahead, until - Date.now());
      },
      after: systemClock.after,
    },
    random: () => 0.5,
    randomUuid: () => crypto.randomUUID(),
    prompts: (say) => scripted(answers, asked, say),
    configDirectory,
    interruption: options.interruption ?? createInterruption(),
    repeat: options.repeat ?? (options.waits ? repeat : () => () => undefined),
    keepHeapSmall: () => undefined,
    startThread: createThreadStarter(packageFiles),
    outputFailure: async () => undefined,
    isOutputClosed: options.isOutputClosed ?? (() => false),
  };
  const exitCode = await runCommandLine(system, async () => system);
  return { stdout: stdout.text(), stderr: stderr.text(), exitCode, asked };
}

/** What a command wrote last with --json: its error, below other lines. */
export function errorIn(stderr: string) {
  return JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;
}

/** A new empty directory, removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'merchant-orders-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface TestInterruption extends Interruption {
  send(signal: 'SIGINT' | 'SIGTERM'): void;
}

export function createInterruption(): TestInterruption {
  const stopping = new AbortController();
  const leaving = new AbortController();
  let first: 'SIGINT' | 'SIGTERM' | undefined;
  return {
    stopping: stopping.signal,
    leaving: leaving.signal,
    signal: () => first,
    release: () => undefined,
    send: (signal) => {
      if (first === undefined) {
        first = signal;
        stopping.abort();
      } else leaving.abort();
    },
  };
}

function collect() {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

/** Prompts that take these answers; an answer that a question does not accept fails the test. */
function scripted(remaining: Answering[], asked: string[], say: Say): Prompts {
  const next = async (text: Text, choices: readonly Choice[] = [], preset?: string | null) => {
    const message = say(text);
    asked.push(message);
    const given = remaining.shift();
    const answer =
      typeof given === 'function' ? await given({ message, choices: choices.map(shown), preset }) : given;
    if (answer === undefined) throw new Error(`there is no answer for "${message}"`);
    if (typeof answer === 'object' && 'leave' in answer) throw new PromptLeft();
    return answer;
  };
  const shown = ({ name, description, ...choice }: Choice) => ({
    ...choice,
    name: say(name),
    ...(description === undefined ? {} : { description: say(description) }),
  });
  const text = async (message: Text, check?: Question['check'], preset = '') => {
    const answer = String(await next(message, [], preset)) || preset;
    const problem = check?.(answer);
    if (problem !== undefined) throw new Error(`"${answer}" was not accepted: ${say(problem)}`);
    return answer;
  };
  return {
    text: async ({ message, check, preset }) => text(message, check, preset),
    secret: async ({ message, check }) => text(message, check),
    confirm: async (message, preset, verb) => {
      const answer = await next(message);
      if (typeof answer !== 'string') return answer === true;
      if (answer === '' && preset !== undefined) return preset;
      const said = readYesNo(answer, verb);
      if (said === undefined) throw new Error(`"${answer}" was not accepted at "${say(message)}"`);
      return said;
    },
    choose: async (message, choices, preset) => {
      const answer = await next(message, choices, preset);
      const isMeant = ({ value, name }: Choice) =>
        typeof answer === 'object' && 'pick' in answer ? say(name).startsWith(answer.pick) : value === answer;
      const chosen = choices.find(isMeant);
      if (chosen === undefined) {
        const names = choices.map(({ name }) => say(name)).join(' | ');
        throw new Error(`"${say(message)}" does not have the choice ${JSON.stringify(answer)}: ${names}`);
      }
      return chosen.value;
    },
    chooseSeveral: async (message, choices, needsOne) => {
      const answer = await next(message, choices, needsOne ? null : undefined);
      const names = typeof answer === 'object' && 'tick' in answer ? answer.tick : undefined;
      if (answer === 'ticked') return choices.filter(({ isTicked }) => isTicked).map(({ value }) => value);
      if (names === undefined)
        throw new Error(`"${say(message)}" takes { tick: [...] }, not ${JSON.stringify(answer)}`);
      const chosen = names.map((name) => choices.find((choice) => say(choice.name).startsWith(name)));
      if (chosen.includes(undefined)) throw new Error(`"${say(message)}" lacks one of ${names.join(', ')}`);
      return chosen.flatMap((choice) => choice?.value ?? []);
    },
  };
}
