import type { Print, TextStream } from '../print.ts';
import { drawRows, measureColumns } from '../table.ts';
import { formatDuration } from './progress.ts';

/** Says to a person at a terminal what a command waits for. */
export interface Waiting {
  /** Says so when the work takes longer than 2 s. A `write` in flight is waited for after Ctrl-C too. */
  during<Result>(work: () => Promise<Result>, kind?: 'read' | 'write'): Promise<Result>;
  /** A request leaves, which ends a pause. */
  request(): void;
  /** No request leaves for so many milliseconds: the service asked for a wait, or the request is tried again. */
  pause(milliseconds: number, isAskedFor: boolean): void;
}

interface WaitingContext {
  system: {
    stderr: TextStream;
    terminal: { stderr: boolean; width: number };
    everySecond(task: () => void): () => void;
  };
  clock: { now(): number };
  settings: { quiet: boolean; verbose: boolean };
  interruption: { stopping: AbortSignal };
  print: Pick<Print, 'note'>;
}

const minShownSeconds = 2;
const clearLine = '\r\u001b[K';
const silent: Waiting = { during: (work) => work(), request: () => {}, pause: () => {} };

/**
 * One line on stderr, drawn again each second and cleared at the end; with `isPlain` each thing is said once, on a line
 * that stays. Nothing off a terminal, with `--quiet`, and with `--verbose`, which shows every request.
 */
export function createWaiting(
  { system, clock, settings, interruption, print }: WaitingContext,
  isPlain: boolean,
): Waiting {
  const { stderr, terminal } = system;
  if (!terminal.stderr || settings.quiet || settings.verbose) return silent;
  let works = 0;
  let writes = 0;
  let startedAt = 0;
  let pause: Pause | undefined;
  let shown: string | undefined;
  let stopRepeating = () => {};

  const show = () => {
    const now = clock.now();
    const seconds = Math.round((now - startedAt) / 1000);
    if (seconds < minShownSeconds) return;
    const paused = pause !== undefined && pause.until > now ? pause : undefined;
    if (!isPlain) {
      shown =
        paused === undefined ? `waiting for the service… ${formatDuration(seconds)}` : pauseText(paused, now);
      stderr.write(clearLine + clip(shown, terminal.width));
      return;
    }
    const text = paused === undefined ? 'Waiting for the service.' : plainPauseText(paused);
    if (text !== shown) print.note(text);
    shown = text;
  };
  const clear = () => {
    if (shown !== undefined && !isPlain) stderr.write(clearLine);
    shown = undefined;
  };
  const sayStopping = () => {
    clear();
    const now = clock.now();
    if (pause !== undefined && pause.until > now) print.note(`Stopped: ${pauseText(pause, now)}.`);
    else if (writes > 0) print.note(stoppingText);
  };

  return {
    during: async (work, kind = 'read') => {
      if (works === 0) {
        startedAt = clock.now();
        pause = undefined;
        stopRepeating = system.everySecond(show);
        interruption.stopping.addEventListener('abort', sayStopping);
      }
      works += 1;
      if (kind === 'write') writes += 1;
      try {
        return await work();
      } finally {
        works -= 1;
        if (kind === 'write') writes -= 1;
        if (works === 0) {
          stopRepeating();
          interruption.stopping.removeEventListener('abort', sayStopping);
          clear();
        }
      }
    },
    request: () => {
      pause = undefined;
    },
    pause: (milliseconds, isAskedFor) => {
      pause = { milliseconds, isAskedFor, until: clock.now() + milliseconds };
    },
  };
}

interface Pause {
  milliseconds: number;
  isAskedFor: boolean;
  until: number;
}

const stoppingText =
  'Stopping: waiting up to 10 s for the response to what was sent. Press Ctrl-C again to quit now.';

function pauseText({ milliseconds, isAskedFor, until }: Pause, now: number): string {
  const left = formatDuration((until - now) / 1000);
  if (!isAskedFor) return `the service did not respond properly; trying again in ${left}`;
  return `the service asks to wait ${formatDuration(milliseconds / 1000)}; ${left} left`;
}

function plainPauseText({ milliseconds, isAskedFor }: Pause): string {
  return isAskedFor
    ? `The service asks to wait ${formatDuration(milliseconds / 1000)}.`
    : 'The service did not respond properly. Trying again.';
}

/** The last column stays free: some terminals break the line as soon as it is used. */
function clip(text: string, width: number): string {
  const [textWidth = 0] = measureColumns([[text]]);
  return drawRows([[text]], [Math.min(textWidth, Math.max(width - 1, 1))]).join('');
}
