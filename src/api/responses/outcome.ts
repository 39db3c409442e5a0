import { t } from '../../advice/advice.ts';
import type { AttemptResult, Failure, Operation, ServiceResponse } from '../http/attempt-result.ts';
import { isErrorBody, readServiceError } from './error-body.ts';
import { knownServiceCodes } from './service-codes.ts';

/** What one attempt proves about its request; `nextStep` in pacing decides what follows. */
export type Outcome =
  | 'succeeded'
  | 'rejected'
  | 'rejected_or_exists'
  | 'not_found'
  | 'key_refused'
  | 'forbidden'
  | 'wrong_base_url'
  | 'redirected'
  | 'bad_certificate'
  | 'throttled'
  | 'not_sent'
  | 'unknown'
  | 'no_order'
  | 'unreadable';

interface RuleInput {
  attemptResult: AttemptResult;
  status: number;
  code(): string | undefined;
  isAccepted(): boolean;
  isServiceKnown: boolean;
}

export interface OutcomeConditions {
  accepts?(response: ServiceResponse): boolean;
  isServiceKnown?: boolean;
}

interface OutcomeRule {
  matches(input: RuleInput): boolean;
  outcome: Outcome | Readonly<Record<Operation, Outcome>>;
}

const isStatus =
  (...statuses: number[]) =>
  ({ status }: RuleInput) =>
    statuses.includes(status);
const isBetween =
  (from: number, to: number) =>
  ({ status }: RuleInput) =>
    from <= status && status <= to;
const isSuccess = isBetween(200, 299);
const isClientError = isBetween(400, 499);
/** About the gateway, the API key or the rate, not about the order. */
const isAboutRequest = isStatus(401, 403, 408, 425, 429);

/** The first one that matches decides. */
const rules: readonly OutcomeRule[] = [
  {
    matches: ({ attemptResult }) => attemptResult.kind === 'failure' && attemptResult.isCertificate,
    outcome: 'bad_certificate',
  },
  {
    matches: ({ attemptResult }) => attemptResult.kind === 'failure' && !attemptResult.mayHaveBeenSent,
    outcome: 'not_sent',
  },
  {
    matches: ({ attemptResult }) => attemptResult.kind === 'failure' && attemptResult.isTooLarge === true,
    outcome: { create: 'unknown', get: 'unreadable', list: 'unreadable', cancel: 'unknown' },
  },
  {
    matches: ({ attemptResult }) => attemptResult.kind === 'failure' && attemptResult.isContinue === true,
    outcome: { create: 'no_order', get: 'unknown', list: 'unknown', cancel: 'unknown' },
  },
  {
    matches: ({ attemptResult }) => attemptResult.kind === 'failure',
    outcome: 'unknown',
  },
  {
    matches: (input) => isSuccess(input) && input.isAccepted(),
    outcome: 'succeeded',
  },
  {
    matches: (input) => isSuccess(input) && isOtherJson(input.attemptResult),
    outcome: { create: 'no_order', get: 'unreadable', list: 'unreadable', cancel: 'unknown' },
  },
  {
    // Empty, cut off, a web page, or an error.
    matches: isSuccess,
    outcome: { create: 'no_order', get: 'unknown', list: 'unknown', cancel: 'unknown' },
  },
  {
    matches: isBetween(300, 399),
    outcome: {
      create: 'redirected',
      get: 'wrong_base_url',
      list: 'wrong_base_url',
      cancel: 'redirected',
    },
  },
  {
    // Interface section 7.
    matches: (input) =>
      isClientError(input) && !isAboutRequest(input) && knownServiceCodes.has(input.code() ?? ''),
    outcome: 'rejected',
  },
  { matches: isStatus(401), outcome: 'key_refused' },
  { matches: isStatus(403), outcome: 'forbidden' },
  {
    // A service that is known is at the right address.
    matches: (input) => input.status === 404 && input.code() === undefined && input.isServiceKnown,
    outcome: {
      create: 'rejected_or_exists',
      get: 'not_found',
      list: 'wrong_base_url',
      cancel: 'not_found',
    },
  },
  {
    matches: (input) => input.status === 404 && input.code() === undefined,
    outcome: {
      create: 'wrong_base_url',
      get: 'not_found',
      list: 'wrong_base_url',
      cancel: 'not_found',
    },
  },
  {
    matches: isStatus(404),
    outcome: {
      create: 'rejected_or_exists',
      get: 'not_found',
      list: 'rejected',
      cancel: 'not_found',
    },
  },
  {
    matches: (input) => input.status === 405 && input.code() === undefined && input.isServiceKnown,
    outcome: {
      create: 'rejected_or_exists',
      get: 'wrong_base_url',
      list: 'wrong_base_url',
      cancel: 'wrong_base_url',
    },
  },
  {
    matches: (input) => input.status === 405 && input.code() === undefined,
    outcome: 'wrong_base_url',
  },
  { matches: isStatus(408, 425), outcome: 'unknown' },
  { matches: isStatus(429), outcome: 'throttled' },
  {
    // The interface does not define which 4xx an existing external order ID gets.
    matches: isClientError,
    outcome: {
      create: 'rejected_or_exists',
      get: 'rejected',
      list: 'rejected',
      cancel: 'rejected',
    },
  },
  { matches: isBetween(500, 599), outcome: 'unknown' },
  { matches: () => true, outcome: 'unknown' },
];

/** JSON that a retry would not change; an error may be temporary. */
function isOtherJson(attemptResult: AttemptResult): boolean {
  if (attemptResult.kind === 'failure' || attemptResult.body === undefined) return false;
  return !isErrorBody(attemptResult.body);
}

/** The base URL is not that of the service. */
export function isElsewhere(outcome: Outcome): boolean {
  return outcome === 'wrong_base_url' || outcome === 'redirected';
}

/** A gateway rejects requests as well, but without the codes of the service. */
export function showsService(operation: Operation, outcome: Outcome): boolean {
  return outcome === 'succeeded' || (operation === 'create' && outcome === 'rejected');
}

/** The only place that interprets statuses (interface section 7). */
export function outcomeOf(
  operation: Operation,
  attemptResult: AttemptResult,
  { accepts = () => true, isServiceKnown = false }: OutcomeConditions = {},
): Outcome {
  const input: RuleInput =
    attemptResult.kind === 'failure'
      ? { attemptResult, status: 0, code: () => undefined, isAccepted: () => false, isServiceKnown }
      : {
          attemptResult,
          status: attemptResult.status,
          code: () => readServiceError(attemptResult).code,
          isAccepted: () => accepts(attemptResult),
          isServiceKnown,
        };
  const outcome = rules.find((rule) => rule.matches(input))?.outcome ?? 'unknown';
  return typeof outcome === 'string' ? outcome : outcome[operation];
}

/** A response that came, but made the program fail. */
export function unreadable(error: unknown): Failure {
  const cause = error instanceof Error ? error.message : String(error);
  const reason = t`the response could not be read (${cause})`;
  return { kind: 'failure', mayHaveBeenSent: true, isCertificate: false, reason };
}
