import { createStyle } from './colour.ts';
import { createPace } from './pace.ts';
import type { TextStream } from './print.ts';
import { createBar } from './progress-bar.ts';
import { countDone, formatProgressBar, formatProgressLine, type ProgressState } from './progress-line.ts';

export interface Progress {
  /** Orders done so far, by outcome. */
  update(counts: Record<string, number>): void;
  /** Nothing is sent for a while, and why. */
  pause(reason: string): void;
  resume(): void;
  /** For lines that go to the same terminal in the meantime: they land above the bar. */
  aside(write: () => void): void;
  stop(): void;
}

export interface ProgressOptions {
  stream: TextStream;
  isTerminal: boolean;
  /** Columns of the terminal. */
  width?: number | undefined;
  /** Milliseconds. */
  now: () => number;
  total: number;
  colour: boolean;
  /** Runs a task every so many milliseconds without keeping the process alive; returns how to stop it. */
  repeat?: (task: () => void, milliseconds: number) => () => void;
}

const plainMilliseconds = 10_000;

/** A bar on a terminal; elsewhere a line every 10 s, the first after 10 s. */
export function createProgress(options: ProgressOptions): Progress {
  const { total, now } = options;
  const pace = createPace(now);
  let counts: Record<string, number> = {};
  let pausedBy: string | undefined;
  let isStopped = false;
  const state = (): ProgressState => {
    return isStopped
      ? { total, counts, perSecond: undefined, pausedBy: undefined }
      : { total, counts, perSecond: pace.perSecond(), pausedBy };
  };
  const display = options.isTerminal ? drawBar(options, state) : writeLines(options, state);
  const redraw = () => {
    if (!isStopped) display.redraw();
  };

  return {
    update: (latest) => {
      counts = { ...latest };
      pace.record(countDone(counts));
      redraw();
    },
    pause: (reason) => {
      pausedBy = reason;
      redraw();
    },
    resume: () => {
      pausedBy = undefined;
      pace.restart(countDone(counts));
      redraw();
    },
    aside: (write) => (isStopped ? write() : display.aside(write)),
    stop: () => {
      isStopped = true;
      display.stop();
    },
  };
}

function drawBar({ stream, width = 80, now, colour }: ProgressOptions, state: () => ProgressState) {
  const style = createStyle(colour);
  return createBar(stream, width, now, () => formatProgressBar(state(), width, style));
}

function writeLines(
  { stream, now, repeat = repeatInBackground }: ProgressOptions,
  state: () => ProgressState,
) {
  let writtenAt = now();
  const redraw = () => {
    if (now() - writtenAt < plainMilliseconds) return;
    writtenAt = now();
    stream.write(`${formatProgressLine(state())}\n`);
  };
  return { redraw, aside: (write: () => void) => write(), stop: repeat(redraw, 1000) };
}

function repeatInBackground(task: () => void, milliseconds: number): () => void {
  const timer = setInterval(task, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
