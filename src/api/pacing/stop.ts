import { advice, again } from '../../advice/advice.ts';
import { CliError, type ErrorDetails } from '../../errors.ts';

/**
 * `wait_too_long`: longer than the command allows; `outage`: no request succeeded for as long as it waits;
 * `unexpected_responses`: so many success responses in a row had no order and no list. `hasFlag`: a flag of the command
 * changes the limit.
 */
export type Stop =
  | { reason: 'unexpected_responses'; count: number; title: string | undefined }
  | { reason: 'wait_too_long'; requestedMilliseconds: number; maxMilliseconds: number; hasFlag: boolean }
  | { reason: 'outage'; maxMilliseconds: number; isThrottling: boolean; hasFlag: boolean };

export const webPageHint = 'Check the base URL, and whether this network shows a sign-in page first.';

/** Continues a sentence that starts with "The service". */
export function describeStop(stop: Stop): string {
  if (stop.reason === 'unexpected_responses') {
    const page = stop.title === undefined ? '' : ` (the last one is the web page "${stop.title}")`;
    return `sent ${stop.count} responses in a row without an order or a list of orders${page}`;
  }
  const maximum = formatDuration(stop.maxMilliseconds);
  if (stop.reason === 'wait_too_long') {
    const limit = stop.hasFlag ? '--max-wait' : 'this command';
    return `asks us to wait ${formatDuration(stop.requestedMilliseconds)}, but ${limit} allows only ${maximum}`;
  }
  return stop.isThrottling
    ? `has responded to every request with 429 (too many requests) for ${maximum}`
    : `has not worked properly for ${maximum}`;
}

/** Errors: `throttled`, `unreachable`, `wrong_base_url`. `words`: what the service says about it. */
export function toStopError(stop: Stop, details: ErrorDetails = {}, words?: string): CliError {
  if (stop.reason === 'unexpected_responses') {
    const sentence = `The merchant orders API does not seem to be at this address: it ${describeStop(stop)}`;
    return new CliError('wrong_base_url', `${sentence}.`, { hint: webPageHint, ...details });
  }
  const flag = stop.reason === 'outage' ? '--max-outage' : '--max-wait';
  const isThrottling = stop.reason === 'wait_too_long' || stop.isThrottling;
  const sentence = `The service ${describeStop(stop)}${words === undefined ? '' : `: ${words}`}.`;
  return new CliError(isThrottling ? 'throttled' : 'unreachable', sentence, {
    hint: stop.hasFlag
      ? advice`Run the same command again later, or allow a longer wait with ${flag} SECONDS.${again()}`
      : advice`Run the same command again later.${again()}`,
    ...details,
  });
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
