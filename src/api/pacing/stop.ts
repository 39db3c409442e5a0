import { CliError, type ErrorDetails } from '../../errors.ts';

/**
 * Why nothing more is sent to a service, although it may be asked again later.
 * - `wait_too_long`: it asks for a longer wait than it may
 * - `outage`: it has let nothing through for as long as that may last; `isThrottling` when it only asked to wait
 */
export type Stop =
  | { reason: 'wait_too_long'; requestedMilliseconds: number; maxMilliseconds: number }
  | { reason: 'outage'; maxMilliseconds: number; isThrottling: boolean };

/** A stop in words, to go after "The service". */
export function describeStop(stop: Stop): string {
  const most = formatDuration(stop.maxMilliseconds);
  if (stop.reason === 'wait_too_long') {
    return `asks for a wait of ${formatDuration(stop.requestedMilliseconds)}, and --max-wait allows ${most}`;
  }
  return stop.isThrottling
    ? `has only asked to wait for ${most}`
    : `has not answered as it should for ${most}`;
}

/** The error a person sees: nothing was lost, and the same command goes on later. */
export function toStopError(stop: Stop, details: ErrorDetails = {}): CliError {
  const flag = stop.reason === 'outage' ? '--max-outage' : '--max-wait';
  const isThrottling = stop.reason === 'wait_too_long' || stop.isThrottling;
  return new CliError(isThrottling ? 'throttled' : 'unreachable', `The service ${describeStop(stop)}.`, {
    hint: `Run the same command again later; ${flag} SECONDS allows more.`,
    ...details,
  });
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
