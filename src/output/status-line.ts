import { type Say, sayInEnglish, type Text, t } from '../advice/advice.ts';
import { formatDuration } from '../advice/duration.ts';
import { cleanCell } from '../clean-text.ts';
import { cutTo, widthOf } from '../text-width.ts';
import { outcomeText } from './outcomes.ts';
import type { Print } from './print.ts';

interface StatusContext {
  system: {
    stderr: { write(text: string): unknown };
    terminal: { stderr: boolean; readonly width: number };
    repeat(task: () => void, milliseconds: number): () => void;
  };
  clock: { now(): number };
  settings: { quiet: boolean; verbose: boolean; isPlain: boolean };
  interruption: { stopping: AbortSignal };
  print: Pick<Print, 'note'>;
  say?: Say;
}

const minWaitSeconds = 2;
const minDrawMilliseconds = 100;
const minLineMilliseconds = 10_000;

const inFlightText = t`Stopping: waiting for requests in flight. Press Ctrl-C again to quit now.`;
const writeText = t`Stopping: waiting up to 10 s for the response to what was sent. Press Ctrl-C again to quit now.`;

/**
 * At a terminal, one line on stderr that is redrawn; in plain form, a line for each wait, and for progress every 10 s; off
 * a terminal, the latter only. Nothing with `--quiet`, or with `--verbose`, which shows every request.
 */
export function createStatusLine({
  system,
  clock,
  settings,
  interruption: { stopping },
  print,
  say = sayInEnglish,
}: StatusContext) {
  const { stderr, terminal } = system;
  const isSilent = settings.quiet || settings.verbose;
  const isDrawn = terminal.stderr && !settings.isPlain && !isSilent;
  let pause: Pause | undefined;
  let drawDue = () => {};

  const repeat = (task: () => void, milliseconds: number, sayStopping: () => void) => {
    const stopRepeating = system.repeat(task, milliseconds);
    stopping.addEventListener('abort', sayStopping);
    return () => {
      stopRepeating();
      stopping.removeEventListener('abort', sayStopping);
    };
  };

  let works = 0;
  let writes = 0;
  let startedAt = 0;
  let shown: string | undefined;
  let stopWait = () => {};
  const pauseNow = (now: number) => (pause !== undefined && pause.until > now ? pause : undefined);
  const showWait = () => {
    const now = clock.now();
    const seconds = Math.round((now - startedAt) / 1000);
    if (seconds < minWaitSeconds) return;
    const texts = waitTexts(seconds, pauseNow(now), now);
    const text = say(isDrawn ? texts.drawn : texts.plain);
    if (isDrawn) stderr.write(drawLine([text], terminal.width));
    else if (text !== shown) print.note(text);
    shown = text;
  };
  const clearWait = () => {
    if (shown !== undefined && isDrawn) stderr.write(clearBelow);
    shown = undefined;
  };
  const sayWaitStops = () => {
    clearWait();
    const now = clock.now();
    const paused = pauseNow(now);
    if (paused !== undefined) print.note(t`Stopped: ${waitTexts(0, paused, now).drawn}.`);
    else if (writes > 0) print.note(writeText);
  };

  return {
    /** Shows a wait of more than 2 s. `write`: Ctrl-C waits for the response. */
    during: async <Result>(work: () => Promise<Result>, kind: 'read' | 'write' = 'read'): Promise<Result> => {
      if (!terminal.stderr || isSilent) return work();
      if (works === 0) {
        startedAt = clock.now();
        pause = undefined;
        stopWait = repeat(showWait, 1000, sayWaitStops);
      }
      works += 1;
      if (kind === 'write') writes += 1;
      try {
        return await work();
      } finally {
        works -= 1;
        if (kind === 'write') writes -= 1;
        if (works === 0) {
          stopWait();
          clearWait();
        }
      }
    },
    /** Other lines on the terminal must be written in here when a request may be under way. A wait begins again after them. */
    writeInWait: (write: () => void) => {
      clearWait();
      startedAt = clock.now();
      write();
    },
    /** A request is sent, which ends a pause. */
    request: () => {
      pause = undefined;
    },
    /** Nothing is sent for this time: the service asked for a wait, or a request will be retried. */
    pause: (milliseconds: number, isServerRequested: boolean) => {
      pause = { milliseconds, isServerRequested, until: clock.now() + milliseconds };
      drawDue();
    },
    /** Until `stop`. The first update after a pause ends the pause. */
    startProgress: (total: number) => {
      const rate = createRateEstimate(() => clock.now());
      const minMilliseconds = isDrawn ? minDrawMilliseconds : minLineMilliseconds;
      let counts: Record<string, number> = {};
      let drawnAt = clock.now();
      let isStopped = false;
      pause = undefined;
      const draw = (state: ProgressState) =>
        stderr.write(
          isDrawn
            ? drawLine(progressTexts(state, terminal.width, say), terminal.width)
            : `${progressText(state, say)}\n`,
        );
      const drawNow = () => draw({ total, counts, perSecond: rate.perSecond(), pause });
      drawDue = () => {
        if (isSilent || isStopped || clock.now() - drawnAt < minMilliseconds) return;
        drawnAt = clock.now();
        drawNow();
      };
      /** Other lines on the terminal must be written in here, so that they appear above the bar. */
      const writeAbove = (write: () => void) => {
        if (!isDrawn || isStopped) return write();
        stderr.write(clearBelow);
        write();
        drawNow();
      };
      const stop = repeat(drawDue, Math.min(minMilliseconds, 1000), () =>
        writeAbove(() => print.note(inFlightText)),
      );
      if (isDrawn) drawNow();
      return {
        writeAbove,
        update: (latest: Record<string, number>) => {
          if (pause !== undefined && clock.now() >= pause.until) {
            pause = undefined;
            rate.restart(countDone(counts));
          }
          counts = { ...latest };
          rate.record(countDone(counts));
          drawDue();
        },
        stop: () => {
          if (isStopped) return;
          isStopped = true;
          stop();
          if (!isDrawn) return;
          draw({ total, counts });
          stderr.write('\n');
        },
      };
    },
  };
}

const clearBelow = '\r\u001b[J';
const [wrapOff, wrapOn] = ['\u001b[?7l', '\u001b[?7h'];

/**
 * Draws the first text that fits, or cuts the last one. The cursor returns to the start, so that a terminal that becomes
 * narrower wraps the line below it. The last column stays free, because some terminals wrap as soon as it is used.
 */
function drawLine(texts: readonly string[], width: number): string {
  const space = Math.max(1, width - 1);
  const fitting = texts.find((text) => widthOf(text) <= space);
  const text = fitting ?? cutTo(texts.at(-1) ?? '', space);
  return `${clearBelow}${wrapOff}${text}${wrapOn}\r`;
}

interface Pause {
  milliseconds: number;
  isServerRequested: boolean;
  until: number;
}

function waitTexts(seconds: number, pause: Pause | undefined, now: number): { drawn: Text; plain: Text } {
  if (pause === undefined) {
    return {
      drawn: t`waiting for the service… ${formatDuration(seconds * 1000)}`,
      plain: t`Waiting for the service.`,
    };
  }
  const left = formatDuration(pause.until - now);
  const whole = formatDuration(pause.milliseconds);
  if (pause.isServerRequested) {
    return {
      drawn: t`the service asks to wait ${whole}; ${left} left`,
      plain: t`The service asks to wait ${whole}.`,
    };
  }
  return {
    drawn: t`the service did not respond properly; trying again in ${left}`,
    plain: t`The service did not respond properly. Trying again.`,
  };
}

interface ProgressState {
  total: number;
  counts: Record<string, number>;
  perSecond?: number | undefined;
  pause?: Pause | undefined;
}

/** `120/335 orders  created 118, rejected 2  12.3/s  18 s left` */
function progressText(state: ProgressState, say: Say): string {
  return joinParts([say(t`${doneOf(state)} orders`), outcomesOf(state, say), ...endOf(state).map(say)]);
}

const minBarLength = 8;
const maxBarLength = 24;

/** With a bar, without it, and in a narrow terminal without the outcomes. */
function progressTexts(state: ProgressState, width: number, say: Say): string[] {
  const { counts, total } = state;
  const text = progressText(state, say);
  const length = Math.min(maxBarLength, width - widthOf(text) - 3);
  const share = total === 0 ? 1 : Math.min(1, countDone(counts) / total);
  const filled = Math.floor(share * length);
  return [
    ...(length < minBarLength ? [] : [`${'━'.repeat(filled)}${'─'.repeat(length - filled)}  ${text}`]),
    text,
    joinParts([say(t`${doneOf(state)} orders`), say(endOf(state).at(-1) ?? '')]),
  ];
}

function doneOf({ counts, total }: ProgressState): string {
  return `${countDone(counts)}/${total}`;
}

function outcomesOf({ counts }: ProgressState, say: Say): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${say(outcomeText(cleanCell(outcome)))} ${count}`)
    .join(', ');
}

/** The rate and the time left, or why nothing is sent. */
function endOf({ counts, total, perSecond, pause }: ProgressState): Text[] {
  if (pause !== undefined) return [pauseText(pause)];
  if (perSecond === undefined) return [];
  const rate = t`${perSecond.toFixed(1)}/s`;
  const remaining = total - countDone(counts);
  return perSecond > 0 && remaining > 0
    ? [rate, t`${formatDuration((1000 * remaining) / perSecond)} left`]
    : [rate];
}

function pauseText({ milliseconds, isServerRequested }: Pause): Text {
  const length = formatDuration(milliseconds);
  return isServerRequested
    ? t`paused: the service asks to wait ${length}`
    : t`paused: the service does not respond properly; trying again in ${length}`;
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('  ');
}

function countDone({ not_sent: _, ...counts }: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const rateWindowMilliseconds = 15_000;
const minMeasuredMilliseconds = 3_000;
const sampleMilliseconds = 250;

/** Orders per second over the last 15 s; undefined during the first 3 s. */
function createRateEstimate(now: () => number) {
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
    restart: (done: number) => {
      latest = done;
      samples = [{ at: now(), done }];
    },
    perSecond: (): number | undefined => {
      const [first = { at: now(), done: 0 }] = samples;
      const elapsed = now() - first.at;
      return elapsed < minMeasuredMilliseconds ? undefined : ((latest - first.done) * 1000) / elapsed;
    },
  };
}
