import { type Options, SingleBar } from 'cli-progress';
import { createStyle } from './colour.ts';
import type { TextStream } from './print.ts';
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

const windowMilliseconds = 15_000;
const soonestMilliseconds = 3_000;
const sampleMilliseconds = 250;

export interface Pace {
  record(done: number): void;
  /** Forgets what was measured, as after a pause. */
  restart(done: number): void;
  /** Orders a second over the last 15 s; undefined until 3 s have been measured. */
  perSecond(): number | undefined;
}

export function createPace(now: () => number): Pace {
  let samples = [{ at: now(), done: 0 }];
  let latest = 0;

  return {
    record: (done) => {
      latest = done;
      const at = now();
      if (at - (samples.at(-1)?.at ?? 0) < sampleMilliseconds) return;
      samples.push({ at, done });
      while (at - (samples[1]?.at ?? at) > windowMilliseconds) samples.shift();
    },
    restart: (done) => {
      latest = done;
      samples = [{ at: now(), done }];
    },
    perSecond: () => {
      const [first = { at: now(), done: 0 }] = samples;
      const elapsed = now() - first.at;
      return elapsed < soonestMilliseconds ? undefined : ((latest - first.done) * 1000) / elapsed;
    },
  };
}

const redrawMilliseconds = 100;

export interface Bar {
  /** Draws the line again, unless it was drawn just now. */
  redraw(): void;
  /** Lets something else write whole lines where the bar was, and draws it again below them. */
  aside(write: () => void): void;
  /** Draws it a last time and ends the line. */
  stop(): void;
}

/** A line that is redrawn in place, also while nothing happens. It hides no cursor and listens to no signal. */
export function createBar(stream: TextStream, width: number, now: () => number, line: () => string): Bar {
  const options: Options & { terminal: object } = {
    format: line,
    terminal: createBarTerminal(stream, width),
    hideCursor: false,
    gracefulExit: false,
    noTTYOutput: false,
    synchronousUpdate: false,
    forceRedraw: true,
    fps: 1000 / redrawMilliseconds,
  };
  const bar = new BackgroundBar(options);
  bar.start(1, 0);
  let drawnAt = now();
  return {
    redraw: () => {
      if (now() - drawnAt < redrawMilliseconds) return;
      drawnAt = now();
      bar.render();
    },
    aside: (write) => {
      stream.write('\r\u001b[K');
      write();
      bar.render();
    },
    stop: () => bar.stop(),
  };
}

class BackgroundBar extends SingleBar {
  /** cli-progress redraws by a timer that would keep the process alive. */
  override render(): void {
    super.render();
    (this as unknown as { timer: NodeJS.Timeout | null }).timer?.unref();
  }
}

/**
 * The terminal as cli-progress calls it. Its own saves the position of the cursor at the start and jumps back
 * to it at the end, over whatever was written since.
 */
function createBarTerminal(stream: TextStream, width: number) {
  const nothing = () => {};
  return {
    isTTY: () => true,
    getWidth: () => width,
    cursorSave: nothing,
    cursorRestore: nothing,
    lineWrapping: nothing,
    cursorTo: () => stream.write('\r'),
    write: (text: string) => stream.write(text),
    clearRight: () => stream.write('\u001b[K'),
    newline: () => stream.write('\n'),
  };
}
