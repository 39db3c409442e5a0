import { advice, again } from '../../advice/advice.ts';
import { CliError, type ErrorDetails } from '../../errors.ts';

/** `wait_too_long`: longer than `--max-wait` allows; `outage`: no request succeeded for `--max-outage`; `foreign_responses`: so many success responses in a row had no order and no list. */
export type Stop =
  | { reason: 'foreign_responses'; count: number; title: string | undefined }
  | { reason: 'wait_too_long'; requestedMilliseconds: number; maxMilliseconds: number }
  | { reason: 'outage'; maxMilliseconds: number; isThrottling: boolean };

export const foreignPageHint = 'Check the base URL, and whether this network shows a sign-in page first.';

/** The rest of a sentence that begins with "The service". */
export function describeStop(stop: Stop): string {
  if (stop.reason === 'foreign_responses') {
    const page = stop.title === undefined ? '' : ` (the last one is the web page "${stop.title}")`;
    return `sent ${stop.count} responses in a row without an order or a list of orders${page}`;
  }
  const maximum = formatDuration(stop.maxMilliseconds);
  if (stop.reason === 'wait_too_long') {
    return `asks us to wait ${formatDuration(stop.requestedMilliseconds)}, but --max-wait allows only ${maximum}`;
  }
  return stop.isThrottling
    ? `has responded to every request with 429 (too many requests) for ${maximum}`
    : `has not worked properly for ${maximum}`;
}

/** Errors: `throttled`, `unreachable`, `wrong_base_url`; running the same command later continues the work. `words`: what the service says about it. */
export function toStopError(stop: Stop, details: ErrorDetails = {}, words?: string): CliError {
  if (stop.reason === 'foreign_responses') {
    const sentence = `The merchant orders API does not seem to be at this address: it ${describeStop(stop)}`;
    return new CliError('wrong_base_url', `${sentence}.`, { hint: foreignPageHint, ...details });
  }
  const flag = stop.reason === 'outage' ? '--max-outage' : '--max-wait';
  const isThrottling = stop.reason === 'wait_too_long' || stop.isThrottling;
  const sentence = `The service ${describeStop(stop)}${words === undefined ? '' : `: ${words}`}.`;
  return new CliError(isThrottling ? 'throttled' : 'unreachable', sentence, {
    hint: advice`Run the same command again later, or allow a longer wait with ${flag} SECONDS.${again()}`,
    ...details,
  });
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
