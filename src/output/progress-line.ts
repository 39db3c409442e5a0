import { cleanCell } from './clean-text.ts';
import type { Style } from './colour.ts';
import { drawRows, measureColumns } from './table.ts';

export interface ProgressState {
  total: number;
  /** Orders done so far, by outcome. */
  counts: Record<string, number>;
  perSecond: number | undefined;
  /** Why nothing is sent at the moment. */
  pausedBy: string | undefined;
}

const shortestBar = 8;
const longestBar = 24;

export function countDone(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** `120/335 orders  created 118, rejected 2  12.3/s  18 s left` */
export function formatProgressLine({ total, counts, perSecond, pausedBy }: ProgressState): string {
  const done = countDone(counts);
  const outcomes = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${cleanCell(outcome)} ${count}`);
  const pace =
    pausedBy === undefined ? formatPace(total - done, perSecond) : [`paused: ${cleanCell(pausedBy)}`];
  return [`${done}/${total} orders`, outcomes.join(', '), ...pace].filter((part) => part !== '').join('  ');
}

/** The same behind a bar, on one line of a terminal: the bar gives way first, then the end of the text. */
export function formatProgressBar(state: ProgressState, width: number, style: Style): string {
  const text = formatProgressLine(state);
  // The last column stays free: some terminals break the line as soon as it is used.
  const space = width - 1;
  const [textWidth = 0] = measureColumns([[text]]);
  const length = Math.min(longestBar, space - textWidth - 2);
  if (length < shortestBar) return drawRows([[text]], [Math.min(textWidth, Math.max(space, 1))]).join('');
  const share = state.total === 0 ? 1 : Math.min(1, countDone(state.counts) / state.total);
  const filled = Math.floor(share * length);
  const paint = state.pausedBy === undefined ? style.green : style.yellow;
  return `${paint('━'.repeat(filled))}${style.dim('─'.repeat(length - filled))}  ${text}`;
}

export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

function formatPace(remaining: number, perSecond: number | undefined): string[] {
  if (perSecond === undefined) return [];
  const rate = `${perSecond.toFixed(1)}/s`;
  return perSecond > 0 && remaining > 0 ? [rate, `${formatDuration(remaining / perSecond)} left`] : [rate];
}

const reasons = {
  server_requested: 'the service asks to wait',
  outage: 'the service does not answer as it should; it is asked again in',
};

/** Why nothing leaves for a while, and for how long. */
export function formatHold(reason: keyof typeof reasons, milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${reasons[reason]} ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}`;
}
