import type { AttemptResult, Operation, ServiceResponse } from '../http/attempt-result.ts';
import { readServiceError } from './error-body.ts';
import { knownServiceCodes } from './service-codes.ts';

/** What one attempt proves; `next-step.ts` says of each what it means and what comes next. */
export type Outcome =
  | 'answered'
  | 'refused'
  | 'not_found'
  | 'key_refused'
  | 'forbidden'
  | 'wrong_base_url'
  | 'certificate'
  | 'throttled'
  | 'not_sent'
  | 'unknown'
  | 'unconfirmed'
  | 'disputed';

interface Sight {
  attemptResult: AttemptResult;
  /** 0 when no answer came. */
  status: number;
  /** The service's own code, when the answer has one. */
  code(): string | undefined;
  /** Whether the answer holds what was asked for. */
  isAccepted(): boolean;
}

export interface OutcomeRow {
  /** For people; the table in README.md is made from it. */
  seen: string;
  matches(sight: Sight): boolean;
  outcome: Outcome | Readonly<Record<Operation, Outcome>>;
}

const isStatus =
  (...statuses: number[]) =>
  ({ status }: Sight) =>
    statuses.includes(status);
const isBetween =
  (from: number, to: number) =>
  ({ status }: Sight) =>
    from <= status && status <= to;
const isSuccess = isBetween(200, 299);
const isClientError = isBetween(400, 499);

const readsNothing = {
  create: 'wrong_base_url',
  get: 'not_found',
  list: 'wrong_base_url',
  cancel: 'not_found',
} as const;
/** Any other refusal of a create may mean that an order with this id exists. */
const refusedOtherwise = { create: 'disputed', get: 'refused', list: 'refused', cancel: 'refused' } as const;

/** The first row that matches counts. */
export const outcomeTable: readonly OutcomeRow[] = [
  {
    seen: 'the certificate of the service or of the proxy was not accepted',
    matches: ({ attemptResult }) => attemptResult.kind === 'failure' && attemptResult.isCertificate,
    outcome: 'certificate',
  },
  {
    seen: 'no connection: name not known, refused, connecting took too long, TLS not finished, proxy refused',
    matches: ({ attemptResult }) => attemptResult.kind === 'failure' && !attemptResult.mayHaveBeenSent,
    outcome: 'not_sent',
  },
  {
    seen: 'reset, closed, no answer in time, an answer that is cut, too large, damaged or not HTTP',
    matches: ({ attemptResult }) => attemptResult.kind === 'failure',
    outcome: 'unknown',
  },
  {
    seen: '2xx with what was asked for',
    matches: (sight) => isSuccess(sight) && sight.isAccepted(),
    outcome: 'answered',
  },
  {
    seen: '202 or 204 without it',
    matches: isStatus(202, 204),
    outcome: { create: 'unconfirmed', get: 'unknown', list: 'unknown', cancel: 'unknown' },
  },
  {
    seen: 'any other 2xx without it: empty, unreadable, an error, no id, another order',
    matches: isSuccess,
    outcome: 'unknown',
  },
  { seen: '3xx', matches: isBetween(300, 399), outcome: 'wrong_base_url' },
  {
    seen: 'any 4xx with a code of interface section 7',
    matches: (sight) => isClientError(sight) && knownServiceCodes.has(sight.code() ?? ''),
    outcome: 'refused',
  },
  { seen: '401', matches: isStatus(401), outcome: 'key_refused' },
  { seen: '403', matches: isStatus(403), outcome: 'forbidden' },
  {
    seen: '404 without a code of the service',
    matches: (sight) => sight.status === 404 && sight.code() === undefined,
    outcome: readsNothing,
  },
  {
    seen: '404 with one',
    matches: isStatus(404),
    outcome: { ...refusedOtherwise, get: 'not_found', cancel: 'not_found' },
  },
  {
    seen: '405 without a code of the service',
    matches: (sight) => sight.status === 405 && sight.code() === undefined,
    outcome: 'wrong_base_url',
  },
  { seen: '408, 425', matches: isStatus(408, 425), outcome: 'unknown' },
  { seen: '429', matches: isStatus(429), outcome: 'throttled' },
  { seen: 'any other 4xx', matches: isClientError, outcome: refusedOtherwise },
  { seen: '5xx', matches: isBetween(500, 599), outcome: 'unknown' },
  { seen: 'any other status', matches: () => true, outcome: 'unknown' },
];

/**
 * AttemptResult → outcome: the one place where a status gets its meaning (interface section 7). `accepts` says
 * whether a success answer holds what was asked for.
 */
export function outcomeOf(
  operation: Operation,
  attemptResult: AttemptResult,
  accepts: (answer: ServiceResponse) => boolean = () => true,
): Outcome {
  const sight: Sight =
    attemptResult.kind === 'failure'
      ? { attemptResult, status: 0, code: () => undefined, isAccepted: () => false }
      : {
          attemptResult,
          status: attemptResult.status,
          code: () => readServiceError(attemptResult).code,
          isAccepted: () => accepts(attemptResult),
        };
  const outcome = outcomeTable.find((row) => row.matches(sight))?.outcome ?? 'unknown';
  return typeof outcome === 'string' ? outcome : outcome[operation];
}
