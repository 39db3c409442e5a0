import { advice, again, capitalised, type Text, t } from '../../advice/advice.ts';
import { formatDuration } from '../../advice/duration.ts';
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

export const webPageHint = t`Check the base URL, and whether this network shows a sign-in page first.`;

/** What has stopped it, as a reason that continues a sentence. */
export function describeStop(stop: Stop): Text {
  if (stop.reason === 'unexpected_responses') {
    const { count, title } = stop;
    const sent = t`the service sent ${count} responses in a row without an order or a list of orders`;
    return title === undefined ? sent : t`${sent} (the last one is the web page "${title}")`;
  }
  const maximum = formatDuration(stop.maxMilliseconds);
  if (stop.reason === 'wait_too_long') {
    const wait = formatDuration(stop.requestedMilliseconds);
    const limit = stop.hasFlag ? '--max-wait' : t`this command`;
    return t`the service asks us to wait ${wait}, but ${limit} allows only ${maximum}`;
  }
  return stop.isThrottling
    ? t`the service has responded to every request with 429 (too many requests) for ${maximum}`
    : t`the service has not worked properly for ${maximum}`;
}

/** Errors: `throttled`, `unreachable`, `wrong_base_url`. `words`: what the service says about it. */
export function toStopError(stop: Stop, details: ErrorDetails = {}, words?: string): CliError {
  const reason = describeStop(stop);
  if (stop.reason === 'unexpected_responses') {
    const sentence = t`The merchant orders API does not seem to be at this address: ${reason}.`;
    return new CliError('wrong_base_url', sentence, { hint: webPageHint, ...details });
  }
  const flag = stop.reason === 'outage' ? '--max-outage' : '--max-wait';
  const isThrottling = stop.reason === 'wait_too_long' || stop.isThrottling;
  const sentence = capitalised(words === undefined ? advice`${reason}.` : advice`${reason}: ${words}.`);
  return new CliError(isThrottling ? 'throttled' : 'unreachable', sentence, {
    hint: stop.hasFlag
      ? t`Run the same command again later, or allow a longer wait with ${flag} SECONDS.${again()}`
      : t`Run the same command again later.${again()}`,
    ...details,
  });
}
