import { type Text, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { parseHttpDate } from '../../orders/shown-values.ts';
import type { ApiClient } from '../client.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import type { CallResult } from '../pacing/attempts.ts';
import { toStopError, webPageHint } from '../pacing/stop.ts';
import { pageTitle } from '../responses/message-text.ts';
import { readOrderPage } from '../responses/page.ts';
import { isWebPage } from '../responses/page-text.ts';
import { toCliError, wordsOf } from '../to-cli-error.ts';

/**
 * Whether the service is at the base URL; false if the response leaves it open. Errors: `wrong_base_url`,
 * `unreachable`, `throttled`, those of a certificate.
 */
export async function checkAddress(client: ApiClient): Promise<boolean> {
  const result = await readList(client);
  const error = addressError(result);
  if (error !== undefined) throw error;
  return result.outcome === 'succeeded';
}

/** Reads the list of orders (interface section 4.3) with the key of the client. Does not reject. */
export async function probeService(client: ApiClient) {
  const result = await readList(client);
  const { outcome, attemptResult } = result;
  const { date } = attemptResult.kind === 'response' ? attemptResult.headers : {};
  return {
    error:
      outcome === 'succeeded' ? undefined : (addressError(result) ?? toCliError('list', result, nothingSent)),
    /** After an error: the response of a service that did not reject the key, in words that continue "responded with". */
    response: outcome === 'succeeded' ? undefined : responseOfService(result),
    /** By the clock of the service, in milliseconds since the epoch. */
    serviceTime: date === undefined ? undefined : parseHttpDate(date),
  };
}

function readList(client: ApiClient): Promise<CallResult> {
  return client.call(
    'list',
    { method: 'GET', path: '', query: { pageSize: '1' } },
    {
      accepts: (response) => readOrderPage(response)?.isUnproven === false,
      resendsUnknown: true,
      failsInOutage: true,
    },
  );
}

function responseOfService({ outcome, attemptResult }: CallResult): Text | undefined {
  if (attemptResult.kind === 'failure') return attemptResult.isTooLarge ? t`too large a response` : undefined;
  if (outcome === 'key_refused' || isRedirect(attemptResult) || isWebPage(attemptResult)) return undefined;
  const { status } = attemptResult;
  const words = wordsOf(attemptResult);
  if (words !== undefined) return t`status ${status}: ${words}`;
  return status < 300 ? t`status ${status}, but without a list of orders` : t`status ${status}`;
}

function isRedirect({ status }: ServiceResponse): boolean {
  return status >= 300 && status < 400;
}

function addressError(result: CallResult): CliError | undefined {
  const { outcome, attemptResult, stop } = result;
  if (outcome === 'succeeded') return undefined;
  if (stop !== undefined) return toStopError(stop, nothingSent);
  if (attemptResult.kind === 'failure') {
    return attemptResult.isTooLarge ? undefined : toCliError('list', result, nothingSent);
  }
  if (!isRedirect(attemptResult) && !isWebPage(attemptResult)) return undefined;
  return isOfAddress(attemptResult.status)
    ? notTheService(attemptResult)
    : toCliError('list', result, nothingSent);
}

const nothingSent = { outcome: 'not_sent' } as const;

/** A redirect, a rejected key, a rate limit and a failing gateway have errors of their own. */
function isOfAddress(status: number): boolean {
  return status < 300 || (status >= 400 && status < 500 && ![401, 403, 429].includes(status));
}

function notTheService(response: ServiceResponse): CliError {
  const title = pageTitle(response.text);
  const sentence =
    title === undefined
      ? t`The merchant orders API is not at this address: it is a web page.`
      : t`The merchant orders API is not at this address: it is the web page "${title}".`;
  return new CliError('wrong_base_url', sentence, {
    hint: webPageHint,
    status: response.status,
    ...nothingSent,
  });
}
