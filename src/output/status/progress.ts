import { cleanCell, inWords } from '../../clean-text.ts';
import type { Print, TextStream } from '../print.ts';
import { measureColumns } from '../table.ts';
import { createStatusLine } from './status-line.ts';

export interface Progress {
  /** Orders done so far, by outcome. */
  update(counts: Record<string, number>): void;
  /** Nothing is sent for so many milliseconds. The first update after that ends the pause. */
  pause(milliseconds: number, reason: PauseReason): void;
  /** Lets `write` put other lines on the same terminal: they appear above the bar. */
  writeAbove(write: () => void): void;
  stop(): void;
}

interface ProgressContext {
  system: { stderr: TextStream; terminal: { stderr: boolean; readonly width: number } };
  clock: { now(): number };
  settings: { quiet: boolean; verbose: boolean; isPlain: boolean };
  interruption: { stopping: AbortSignal };
  print: Pick<Print, 'note'>;
}

/**
 * Shows on stderr how many of `total` orders are done, until it is stopped: as a bar on a terminal, elsewhere and in
 * plain form as a line every 10 s, and not at all with `--quiet` or `--verbose`. After Ctrl-C it says that the program is stopping.
 */
export function createProgress(
  { system, clock, settings, interruption, print }: ProgressContext,
  total: number,
  repeat = repeatInBackground,
): Progress {
  const isShown = !(settings.quiet || settings.verbose);
  const display = isShown ? createDisplay(system, settings.isPlain) : noDisplay;
  const rate = createRateEstimate(() => clock.now());
  let counts: Record<string, number> = {};
  let pause: { text: string; short: string; until: number } | undefined;
  let drawnAt = clock.now();
  let isStopped = false;

  const state = () => ({ total, counts, perSecond: rate.perSecond(), pause });
  const redraw = () => {
    if (isStopped || clock.now() - drawnAt < display.redrawMilliseconds) return;
    drawnAt = clock.now();
    display.draw(state());
  };
  const writeAbove = (write: () => void) => {
    if (isStopped) return write();
    display.clear();
    write();
    display.restore(state());
  };
  const sayStopping = () =>
    writeAbove(() => print.note('Stopping: waiting for requests in flight. Press Ctrl-C again to quit now.'));
  interruption.stopping.addEventListener('abort', sayStopping);
  const stopRepeating = repeat(redraw, Math.min(display.redrawMilliseconds, 1000));
  display.restore(state());

  return {
    writeAbove,
    update: (latest) => {
      if (pause !== undefined && clock.now() >= pause.until) {
        pause = undefined;
        rate.restart(countDone(counts));
      }
      counts = { ...latest };
      rate.record(countDone(counts));
      redraw();
    },
    pause: (milliseconds, reason) => {
      pause = { ...formatPause(reason, milliseconds), until: clock.now() + milliseconds };
      redraw();
    },
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      interruption.stopping.removeEventListener('abort', sayStopping);
      stopRepeating();
      display.end({ total, counts });
    },
  };
}

/** Runs the task every so many milliseconds without keeping the process alive; returns how to stop it. */
function repeatInBackground(task: () => void, milliseconds: number): () => void {
  const timer = setInterval(task, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

interface Display {
  redrawMilliseconds: number;
  draw(state: ProgressState): void;
  /** Takes away what is drawn, so that other lines can be written; `restore` draws it again below them. */
  clear(): void;
  restore(state: ProgressState): void;
  end(state: ProgressState): void;
}

const nothing = () => {};
const noDisplay: Display = {
  redrawMilliseconds: Number.POSITIVE_INFINITY,
  draw: nothing,
  clear: nothing,
  restore: nothing,
  end: nothing,
};

function createDisplay({ stderr, terminal }: ProgressContext['system'], isPlain: boolean): Display {
  if (!terminal.stderr || isPlain) {
    const draw = (state: ProgressState) => stderr.write(`${formatProgressLine(state)}\n`);
    return { ...noDisplay, redrawMilliseconds: 10_000, draw };
  }
  const line = createStatusLine(stderr, terminal);
  const draw = (state: ProgressState) => line.draw(progressTexts(state, terminal.width));
  return {
    redrawMilliseconds: 100,
    draw,
    clear: line.clear,
    restore: draw,
    end: (state) => {
      draw(state);
      stderr.write('\n');
    },
  };
}

interface ProgressState {
  total: number;
  counts: Record<string, number>;
  perSecond?: number | undefined;
  pause?: { text: string; short: string } | undefined;
}

/** `120/335 orders  created 118, rejected 2  12.3/s  18 s left` */
export function formatProgressLine(state: ProgressState): string {
  return joinParts([`${countOf(state)} orders`, outcomesOf(state), ...endOf(state)]);
}

const minBarLength = 8;
const maxBarLength = 24;

/** The same behind a bar, then shorter and shorter for a narrow terminal. What is waited for is left out last. */
function progressTexts(state: ProgressState, width: number): string[] {
  const { pause, counts, total } = state;
  const text = formatProgressLine(state);
  const [textWidth = 0] = measureColumns([[text]]);
  const length = Math.min(maxBarLength, width - textWidth - 3);
  const share = total === 0 ? 1 : Math.min(1, countDone(counts) / total);
  const filled = Math.floor(share * length);
  const count = countOf(state);
  const left = endOf(state).at(-1) ?? '';
  return [
    ...(length < minBarLength ? [] : [`${'━'.repeat(filled)}${'─'.repeat(length - filled)}  ${text}`]),
    text,
    joinParts([`${count} orders`, outcomesOf(state), left]),
    joinParts([`${count} orders`, left]),
    joinParts([count, pause === undefined ? outcomesOf(state) : `paused: ${pause.short}`]),
  ];
}

function countOf({ counts, total }: ProgressState): string {
  return `${countDone(counts)}/${total}`;
}

function outcomesOf({ counts }: ProgressState): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${inWords(cleanCell(outcome))} ${count}`)
    .join(', ');
}

/** The rate and the time that is left, or why nothing is sent. */
function endOf({ counts, total, perSecond, pause }: ProgressState): string[] {
  return pause === undefined ? formatRate(total - countDone(counts), perSecond) : [`paused: ${pause.text}`];
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('  ');
}

function countDone({ not_sent: _, ...counts }: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function formatRate(remaining: number, perSecond: number | undefined): string[] {
  if (perSecond === undefined) return [];
  const rate = `${perSecond.toFixed(1)}/s`;
  return perSecond > 0 && remaining > 0 ? [rate, `${formatDuration(remaining / perSecond)} left`] : [rate];
}

export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const pauseTexts = {
  server_requested: { text: 'the service asks to wait', short: 'asked to wait' },
  outage: { text: 'the service does not respond properly; trying again in', short: 'again in' },
};
type PauseReason = keyof typeof pauseTexts;

function formatPause(reason: PauseReason, milliseconds: number): { text: string; short: string } {
  const seconds = Math.ceil(milliseconds / 1000);
  const length = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  const { text, short } = pauseTexts[reason];
  return { text: `${text} ${length}`, short: `${short} ${length}` };
}

const rateWindowMilliseconds = 15_000;
const minMeasuredMilliseconds = 3_000;
const sampleMilliseconds = 250;

/** Orders a second over the last 15 s. */
export function createRateEstimate(now: () => number) {
  let samples = [{ at: now(), done: 0 }];
  let latest = 0;
  return {
    record: (done: number) => {
      latest = done;
      const at = now();
      if (at - (samples.at(-1)?.at ?? 0) < sampleMilliseconds) return;
      samples.push({ at, done });
      while (at - (samples[1]?.at ?? at) > rateWindowMilliseconds) samples.shift();
    },
    /** Forgets what was measured, as after a pause. */
    restart: (done: number) => {
      latest = done;
      samples = [{ at: now(), done }];
    },
    /** Undefined until 3 s have been measured. */
    perSecond: (): number | undefined => {
      const [first = { at: now(), done: 0 }] = samples;
      const elapsed = now() - first.at;
      return elapsed < minMeasuredMilliseconds ? undefined : ((latest - first.done) * 1000) / elapsed;
    },
  };
}
