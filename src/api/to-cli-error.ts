import { advice, again, command, type Sentence, type Text, t } from '../advice/advice.ts';
import { CliError, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { isJsonObject } from '../orders/json.ts';
import type { AttemptResult, Operation, ServiceResponse } from './http/attempt-result.ts';
import type { CallResult } from './pacing/attempts.ts';
import { errorsIn, isOrderLike, readServiceError, type ServiceError } from './responses/error-body.ts';
import { mentions, pageTitle, withoutStop } from './responses/message-text.ts';
import { readOrder } from './responses/order.ts';
import type { Outcome } from './responses/outcome.ts';
import { isGatewayPage } from './responses/page-text.ts';
import { hintFor, knownServiceCodes } from './responses/service-codes.ts';

interface ServiceWords {
  /** Without a full stop. */
  message?: string;
  details: ErrorDetails;
}

interface Said {
  rejected(reason: Text): Sentence;
  denied(reason: Text): Sentence;
}

const rejectedRequest = (reason: Text) => t`The service rejected the request: ${reason}.`;

const said: Record<Operation, Said> = {
  create: {
    rejected: (reason) => t`The service rejected the order: ${reason}.`,
    denied: (reason) => t`This key cannot create orders: ${reason}.`,
  },
  get: {
    rejected: rejectedRequest,
    denied: (reason) => t`This key cannot read orders: ${reason}.`,
  },
  list: {
    rejected: rejectedRequest,
    denied: (reason) => t`This key cannot list orders: ${reason}.`,
  },
  cancel: {
    rejected: (reason) => t`The service rejected the cancellation: ${reason}.`,
    denied: (reason) => t`This key cannot cancel orders: ${reason}.`,
  },
};

const rejectedCode: Record<Operation, ErrorCode> = {
  create: 'order_refused',
  get: 'request_refused',
  list: 'request_refused',
  cancel: 'cancellation_refused',
};

/** The only place that puts an unsuccessful outcome into words. */
export function toCliError(operation: Operation, result: CallResult, details: ErrorDetails = {}): CliError {
  const { attemptResult } = result;
  const outcome = recognizeNotFound(operation, result.outcome, attemptResult);
  const service: ServiceWords =
    attemptResult.kind === 'response' ? readWords(attemptResult) : { details: {} };
  const reason = describeResult(attemptResult);
  const cure = cureOf(attemptResult);
  const error = (code: ErrorCode, sentence: Text, own: ErrorDetails) =>
    new CliError(code, sentence, { ...own, ...service.details, ...details });
  if (result.spentTimeoutMilliseconds !== undefined) {
    const seconds = result.spentTimeoutMilliseconds / 1000;
    const hint = t`Run the same command again with a longer --timeout.${again()}`;
    return outcome === 'not_sent'
      ? error(
          'unreachable',
          t`The time limit of ${seconds} s (--timeout) passed before the request was sent.`,
          {
            hint,
            outcome,
          },
        )
      : error(
          'unreachable',
          t`The time limit of ${seconds} s (--timeout) passed before the response was read.`,
          {
            hint,
          },
        );
  }
  switch (outcome) {
    case 'key_refused':
      return error('key_refused', t`The service does not accept the API key: ${reason}.`, {
        hint: t`Run: ${command('login')}`,
        outcome: 'rejected',
      });
    case 'forbidden':
      if (attemptResult.kind === 'response' && isGatewayPage(attemptResult)) {
        return error(
          'request_blocked',
          t`A firewall or gateway in front of the service blocked the request: ${reason}.`,
          {
            hint: t`Try another network, without a VPN or proxy. If it is blocked there, too, send this message to the operator of the service.${again()}`,
            outcome: 'rejected',
          },
        );
      }
      return error('permission_missing', said[operation].denied(reason), {
        // The interface states a scope only for create (section 5.3).
        hint:
          operation === 'create'
            ? t`Ask for a key that can (scope orders:write), then run: ${command('login')}`
            : t`Ask for a key that can, then run: ${command('login')}`,
        outcome: 'rejected',
      });
    case 'not_found':
      return error(
        'order_not_found',
        isGone(attemptResult)
          ? t`The service no longer has this order: ${reason}.`
          : t`The service has no such order.`,
        {
          hint: t`Check the number, or run: ${command('list')}`,
        },
      );
    case 'wrong_base_url':
    case 'redirected':
      return wrongBaseUrl(attemptResult as ServiceResponse, error);
    case 'bad_certificate':
      return error('unreachable', t`The connection to the service is not secure: ${reason}.`, {
        hint: advice`${cure}.`,
        outcome: 'not_sent',
      });
    case 'throttled':
      return error('throttled', t`The service is receiving too many requests at the moment: ${reason}.`, {
        hint: t`Wait a few minutes, then run the same command again.${again()}`,
        outcome: 'not_sent',
      });
    case 'not_sent':
      if (isLocalFailure(attemptResult)) {
        return error('out_of_resources', t`This computer could not connect to the service: ${reason}.`, {
          hint: t`${cure}, then run the same command again. Nothing was sent.${again()}`,
          cure: advice`${cure}.`,
          outcome: 'not_sent',
        });
      }
      return error('unreachable', t`The service could not be reached: ${reason}.`, {
        hint: t`Nothing was sent. ${cure}, then run the same command again.${again()}`,
        outcome: 'not_sent',
      });
    case 'rejected':
    case 'rejected_or_exists':
      return error(rejectedCode[operation], said[operation].rejected(reason), {
        hint: hintFor(service.details.serviceCode, operation === 'cancel'),
        outcome: 'rejected',
      });
    case 'unreadable':
      return operation === 'list'
        ? error('response_too_large', t`The service sent a page of orders that is too large to be read.`, {
            hint: t`Ask for fewer orders at once, such as --page-size 10, or narrow the list with a filter, such as --created-from.`,
          })
        : error('response_too_large', t`The response of the service is too large to be read.`, {
            hint: t`Report this to the operator of the service.`,
          });
    default:
      return error('unreachable', t`The service did not respond as expected: ${reason}.`, {
        hint: t`Run the same command again.${again()}`,
      });
  }
}

function isGone(attemptResult: AttemptResult): boolean {
  return attemptResult.kind === 'response' && attemptResult.status === 410;
}

/** Without a full stop: the reason of a failure, the service's message, its code, or `status 400`. */
export function describeResult(attemptResult: AttemptResult): Text {
  if (attemptResult.kind === 'failure') return attemptResult.reason;
  const { status, text } = attemptResult;
  const title = status < 300 ? pageTitle(text) : undefined;
  const { message, details } = readWords(attemptResult);
  const words = message ?? details.serviceCode;
  if (words !== undefined) return words;
  return title === undefined ? t`status ${status}` : t`status ${status} with the web page "${title}"`;
}

/** A sentence, for an unknown outcome. */
export function lastWords({ attemptResult }: CallResult): Text {
  const reason = describeResult(attemptResult);
  return attemptResult.kind === 'failure'
    ? t`The last attempt failed: ${reason}.`
    : t`The last response was: ${reason}.`;
}

/** Without a full stop. */
export function wordsOf(attemptResult: AttemptResult): string | undefined {
  return attemptResult.kind === 'failure' ? undefined : readWords(attemptResult).message;
}

export function isLocalFailure(attemptResult: AttemptResult): boolean {
  return attemptResult.kind === 'failure' && attemptResult.isLocal === true;
}

function cureOf(attemptResult: AttemptResult): Text {
  const cure = attemptResult.kind === 'failure' ? attemptResult.cure : undefined;
  return cure ?? t`Check the base URL and the internet connection`;
}

/** Error: `unreadable_answer`. */
export function unreadableResponse(what: Text, response: ServiceResponse): CliError {
  const { message, details } = readWords(response);
  const sentence =
    message === undefined
      ? t`The response of the service does not contain ${what}.`
      : t`The response of the service does not contain ${what}: ${message}.`;
  return new CliError('unreadable_answer', sentence, {
    hint: t`Check the base URL. Add --verbose to see every request and response.`,
    ...details,
  });
}

function wrongBaseUrl(
  response: ServiceResponse,
  error: (code: ErrorCode, sentence: Text, own: ErrorDetails) => CliError,
): CliError {
  const hint = t`Check the base URL; run: ${command('login')}`;
  return error('wrong_base_url', describeWrongAddress(response), { hint, outcome: 'not_sent' });
}

function describeWrongAddress(response: ServiceResponse): Text {
  const { status, headers } = response;
  const { message } = readWords(response);
  const target = hostOf(headers.location);
  if (status < 400) {
    return target
      ? t`The merchant orders API is not at this address: it redirects to ${target}.`
      : t`The merchant orders API is not at this address: it redirects.`;
  }
  return message
    ? t`The merchant orders API is not at this address: status ${status}: ${message}.`
    : t`The merchant orders API is not at this address: status ${status}.`;
}

function hostOf(location: string | undefined): string | undefined {
  return location === undefined || !URL.canParse(location) ? undefined : new URL(location).host;
}

function readWords(response: ServiceResponse): ServiceWords {
  const stated = readServiceError(response);
  const { requestId } = stated;
  const { code, message, issues } = response.status < 300 ? readSuccess(response) : stated;
  const isInMessage = issues?.every((issue) => message !== undefined && mentions(message, issue)) ?? false;
  return {
    ...(message === undefined ? {} : { message: withoutStop(message) }),
    details: {
      status: response.status,
      ...(code === undefined ? {} : { serviceCode: code }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(issues === undefined ? {} : { issues }),
      ...(isInMessage ? { hasShownIssues: true } : {}),
    },
  };
}

/** The errors in a success response, or a message beside no order; texts of an order or a page are no words of the service. */
function readSuccess(response: ServiceResponse): ServiceError {
  const { body } = response;
  const errors = errorsIn(body);
  if (errors.length > 0)
    return readServiceError({ ...response, body: errors.length === 1 ? errors[0] : errors });
  if (!isJsonObject(body) || isOrderLike(body) || readOrder(body) !== undefined) return {};
  const words = Object.entries(body).filter(([, value]) => !Array.isArray(value));
  const { message } = readServiceError({ ...response, body: Object.fromEntries(words) });
  return message === undefined ? {} : { message };
}

const notFoundWords = /notfound|nosuch|doesnotexist/;

/** The interface does not define the status for a missing order (section 7.3): some services send another 4xx with a code such as `ResourceNotFound`. */
export function recognizeNotFound(
  operation: Operation,
  outcome: Outcome,
  attemptResult: AttemptResult,
): Outcome {
  const isAboutOneOrder = operation === 'get' || operation === 'cancel';
  const isRejection = outcome === 'rejected' || outcome === 'wrong_base_url';
  if (!isAboutOneOrder || !isRejection || attemptResult.kind === 'failure') return outcome;
  // For a cancellation, 410 may mean that it is too late to cancel.
  if (operation === 'get' && attemptResult.status === 410) return 'not_found';
  if (saysNotFound(attemptResult)) return 'not_found';
  // A wrong address shows in other calls, which are not about one order.
  return attemptResult.status === 405 ? 'rejected' : outcome;
}

function saysNotFound(response: ServiceResponse): boolean {
  if (response.status < 400) return false;
  const { code = '' } = readServiceError(response);
  return !knownServiceCodes.has(code) && notFoundWords.test(code.replace(/[^a-z]/gi, '').toLowerCase());
}
