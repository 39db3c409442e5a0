import { CliError, type ErrorDetails } from '../../errors.ts';

/** `wait_too_long`: longer than `--max-wait` allows; `outage`: no request succeeded for `--max-outage`. */
export type Stop =
  | { reason: 'wait_too_long'; requestedMilliseconds: number; maxMilliseconds: number }
  | { reason: 'outage'; maxMilliseconds: number; isThrottling: boolean };

/** The rest of a sentence that begins with "The service". */
export function describeStop(stop: Stop): string {
  const maximum = formatDuration(stop.maxMilliseconds);
  if (stop.reason === 'wait_too_long') {
    return `asks us to wait ${formatDuration(stop.requestedMilliseconds)}, but --max-wait allows only ${maximum}`;
  }
  return stop.isThrottling
    ? `has responded to every request with 429 (too many requests) for ${maximum}`
    : `has not worked properly for ${maximum}`;
}

/** Errors: `throttled`, `unreachable`; running the same command later continues the work. */
export function toStopError(stop: Stop, details: ErrorDetails = {}): CliError {
  const flag = stop.reason === 'outage' ? '--max-outage' : '--max-wait';
  const isThrottling = stop.reason === 'wait_too_long' || stop.isThrottling;
  return new CliError(isThrottling ? 'throttled' : 'unreachable', `The service ${describeStop(stop)}.`, {
    hint: `Run the same command again later, or allow a longer wait with ${flag} SECONDS.`,
    ...details,
  });
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
