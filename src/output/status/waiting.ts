import type { Print, TextStream } from '../print.ts';
import { formatDuration } from './progress.ts';
import { createStatusLine } from './status-line.ts';

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
    terminal: { stderr: boolean; readonly width: number };
    everySecond(task: () => void): () => void;
  };
  clock: { now(): number };
  settings: { quiet: boolean; verbose: boolean; isPlain: boolean };
  interruption: { stopping: AbortSignal };
  print: Pick<Print, 'note'>;
}

const minShownSeconds = 2;
const silent: Waiting = { during: (work) => work(), request: () => {}, pause: () => {} };

/**
 * One line on stderr, drawn again each second and cleared at the end; in plain form each thing is said once, on a line
 * that stays. Nothing off a terminal, with `--quiet`, and with `--verbose`, which shows every request.
 */
export function createWaiting({ system, clock, settings, interruption, print }: WaitingContext): Waiting {
  const { stderr, terminal } = system;
  const { isPlain } = settings;
  if (!terminal.stderr || settings.quiet || settings.verbose) return silent;
  const line = createStatusLine(stderr, terminal);
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
      const texts = paused === undefined ? waitingTexts(seconds) : pauseTexts(paused, now);
      shown = texts[0];
      line.draw(texts);
      return;
    }
    const text = paused === undefined ? 'Waiting for the service.' : plainPauseText(paused);
    if (text !== shown) print.note(text);
    shown = text;
  };
  const clear = () => {
    if (shown !== undefined && !isPlain) line.clear();
    shown = undefined;
  };
  const sayStopping = () => {
    clear();
    const now = clock.now();
    if (pause !== undefined && pause.until > now) print.note(`Stopped: ${pauseTexts(pause, now)[0]}.`);
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

/** Shorter and shorter, for narrow terminals. */
function waitingTexts(seconds: number): string[] {
  const lasted = formatDuration(seconds);
  return [`waiting for the service… ${lasted}`, `waiting… ${lasted}`];
}

function pauseTexts({ milliseconds, isAskedFor, until }: Pause, now: number): string[] {
  const left = formatDuration((until - now) / 1000);
  const whole = formatDuration(milliseconds / 1000);
  return isAskedFor
    ? [
        `the service asks to wait ${whole}; ${left} left`,
        `asked to wait ${whole}; ${left} left`,
        `waiting ${whole}, ${left} left`,
        `${left} left`,
      ]
    : [
        `the service did not respond properly; trying again in ${left}`,
        `no proper response; again in ${left}`,
        `again in ${left}`,
      ];
}

function plainPauseText({ milliseconds, isAskedFor }: Pause): string {
  return isAskedFor
    ? `The service asks to wait ${formatDuration(milliseconds / 1000)}.`
    : 'The service did not respond properly. Trying again.';
}
