import { CliError, type ErrorCode, type ErrorDetails, type ErrorIssue } from '../errors.ts';
import type { AttemptResult, Operation, ServiceResponse } from './http/attempt-result.ts';
import type { CallResult } from './pacing/attempts.ts';
import { isErrorBody } from './responses/body-kind.ts';
import { readServiceError, type ServiceError } from './responses/error-body.ts';
import type { Outcome } from './responses/outcome.ts';
import { hintFor, knownServiceCodes } from './responses/service-codes.ts';

interface Told {
  message?: string;
  details: ErrorDetails;
}

const refusedCode: Record<Operation, ErrorCode> = {
  create: 'order_refused',
  get: 'request_refused',
  list: 'request_refused',
  cancel: 'cancellation_refused',
};

/** A call that did not end in an answer → the error a person sees. The one place where an outcome gets its words. */
export function toCliError(operation: Operation, ending: CallResult, details: ErrorDetails = {}): CliError {
  const { attemptResult } = ending;
  const outcome = recognizeNotFound(operation, ending.outcome, attemptResult);
  const told: Told = attemptResult.kind === 'response' ? detailsOf(attemptResult) : { details: {} };
  const reason =
    attemptResult.kind === 'failure'
      ? attemptResult.reason
      : (told.message ?? `status ${attemptResult.status}`);
  const error = (code: ErrorCode, sentence: string, hint: string, result?: ErrorDetails['outcome']) =>
    new CliError(code, sentence, {
      hint,
      ...told.details,
      ...(result ? { outcome: result } : {}),
      ...details,
    });
  switch (outcome) {
    case 'key_refused':
      return error(
        'key_refused',
        `The service refused the API key: ${reason}.`,
        'Run: merchant-orders login',
        'rejected',
      );
    case 'forbidden':
      return error(
        'permission_missing',
        `This API key may not do that: ${reason}.`,
        'Use a key with the scope orders:write; run: merchant-orders login',
        'rejected',
      );
    case 'not_found':
      return error(
        'order_not_found',
        'The service knows no such order.',
        'Check the number; run: merchant-orders list',
      );
    case 'wrong_base_url':
      return wrongBaseUrl(attemptResult as ServiceResponse, error);
    case 'bad_certificate':
      return error(
        'unreachable',
        `The service cannot be trusted: ${reason}.`,
        'Check the base URL, or name the certificate authority in NODE_EXTRA_CA_CERTS.',
        'not_sent',
      );
    case 'throttled':
      return error(
        'throttled',
        `The service asks to wait: ${reason}.`,
        'Run the same command again later.',
        'not_sent',
      );
    case 'not_sent':
      return error(
        'unreachable',
        `The service could not be reached: ${reason}.`,
        'Check the base URL and the network, then run the same command again; nothing was sent.',
        'not_sent',
      );
    case 'rejected':
    case 'rejected_or_exists':
      return error(
        refusedCode[operation],
        `The service refused: ${reason}.`,
        hintFor(told.details.serviceCode),
        'rejected',
      );
    default:
      return error(
        'unreachable',
        `The service gave no answer that can be used: ${reason}.`,
        'Run the same command again.',
      );
  }
}

/** An answer with a success status that does not hold what was asked for. */
export function unreadableResponse(what: string, answer: ServiceResponse): CliError {
  return new CliError('unreadable_answer', `The service answered without ${what}.`, {
    hint: 'Check the base URL; with --verbose every request and answer is shown.',
    ...detailsOf(answer).details,
  });
}

/** Whether a sentence of the service names the field and what is wrong with it. */
function isTold({ path, message }: ErrorIssue, sentence: string): boolean {
  const spellings = [path, path.replace(/\[(\d+)\]/g, '.$1')];
  return sentence.includes(message) && spellings.some((spelling) => sentence.includes(spelling));
}

function wrongBaseUrl(
  answer: ServiceResponse,
  error: (code: ErrorCode, sentence: string, hint: string, result: 'not_sent') => CliError,
): CliError {
  const target = hostOf(answer.headers.location);
  const seen =
    answer.status < 400 ? `it redirects${target ? ` to ${target}` : ''}` : `status ${answer.status}`;
  const hint = 'Check the base URL; run: merchant-orders login';
  return error(
    'wrong_base_url',
    `The merchant orders API is not at this address: ${seen}.`,
    hint,
    'not_sent',
  );
}

function hostOf(location: string | undefined): string | undefined {
  return location === undefined || !URL.canParse(location) ? undefined : new URL(location).host;
}

function detailsOf(answer: ServiceResponse): Told {
  const { requestId, ...told } = readServiceError(answer);
  // What a success answer says in place of an error is an order's, or a page's.
  const isError = answer.status >= 300 || isErrorBody(answer.body);
  const { code, message, issues } = isError ? told : ({} as ServiceError);
  const isInMessage = issues?.every((issue) => message !== undefined && isTold(issue, message)) ?? false;
  return {
    ...(message === undefined ? {} : { message: message.replace(/[.\s]+$/, '') }),
    details: {
      status: answer.status,
      ...(code === undefined ? {} : { serviceCode: code }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(issues === undefined ? {} : { issues }),
      ...(isInMessage ? { hasShownIssues: true } : {}),
    },
  };
}

const absentWords = /notfound|nosuch|doesnotexist/;

/**
 * The outcome of a call about one order as it is told: a refusal may say that there is no such order. The
 * interface shows no status for that (section 7.3); some services have another 4xx than 404 for it, and a code
 * such as `ResourceNotFound`. A 405 is a refusal like any other: that the address is wrong shows elsewhere.
 */
export function recognizeNotFound(
  operation: Operation,
  outcome: Outcome,
  attemptResult: AttemptResult,
): Outcome {
  const isOfOneOrder = operation === 'get' || operation === 'cancel';
  const isRefusal = outcome === 'rejected' || outcome === 'wrong_base_url';
  if (!isOfOneOrder || !isRefusal || attemptResult.kind === 'failure') return outcome;
  // A cancellation may call an order gone that is only past cancelling.
  if (operation === 'get' && attemptResult.status === 410) return 'not_found';
  if (namesAbsence(attemptResult)) return 'not_found';
  return attemptResult.status === 405 ? 'rejected' : outcome;
}

function namesAbsence(answer: ServiceResponse): boolean {
  if (answer.status < 400) return false;
  const { code = '' } = readServiceError(answer);
  return !knownServiceCodes.has(code) && absentWords.test(code.replace(/[^a-z]/gi, '').toLowerCase());
}
