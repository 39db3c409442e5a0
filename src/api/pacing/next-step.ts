import type { Outcome } from '../responses/outcome.ts';
import type { AdmissionPolicy } from './admission.ts';
import type { Health } from './outage.ts';

export type Step = 'finish' | 'stop' | 'set_aside' | 'look_up' | 'wait' | 'send_again';

export interface StepRow {
  step: Step;
  means: string;
  follows: string;
}

export const stepTable: Readonly<Record<Outcome, StepRow>> = {
  succeeded: { step: 'finish', means: 'done', follows: 'the ledger records it' },
  rejected: { step: 'finish', means: 'not done, and why', follows: 'reported, not sent again' },
  not_found: { step: 'finish', means: 'there is no such order', follows: 'reported' },
  key_refused: { step: 'stop', means: 'not processed', follows: 'the whole run stops' },
  forbidden: {
    step: 'set_aside',
    means: 'not processed',
    follows:
      'the order waits: if the next response is 403 too the whole run stops, else the order is rejected',
  },
  wrong_base_url: {
    step: 'stop',
    means: 'not processed',
    follows: 'the whole run stops; no redirect is followed',
  },
  bad_certificate: { step: 'stop', means: 'nothing was sent', follows: 'the whole run stops' },
  throttled: {
    step: 'wait',
    means: 'not processed',
    follows: 'all requests wait as long as the service requests, then it is sent again; no attempt is spent',
  },
  not_sent: { step: 'send_again', means: 'nothing was sent', follows: 'it is sent again' },
  unknown: {
    step: 'send_again',
    means: 'it may have been processed',
    follows:
      'the same request is sent again under the same key; after a cancellation the order is read instead',
  },
  unconfirmed: {
    step: 'look_up',
    means: 'it may have been processed',
    follows: 'the order is looked up; if it is not there, the same request is sent again under the same key',
  },
  unreadable: {
    step: 'finish',
    means: 'the response cannot be understood',
    follows: 'reported; the same request would get the same response',
  },
  rejected_or_exists: {
    step: 'look_up',
    means: 'rejected, unless it means that the order exists',
    follows:
      'the order is looked up; not found after a 409 or an unknown attempt: as unknown; not found otherwise: rejected',
  },
};

export function nextStep(outcome: Outcome): Step {
  return stepTable[outcome].step;
}

const maxAttempts = 5;
const maxIdleCloses = 3;
/** So many cost an order no attempt; more than that are about the order itself. */
const maxRejections = 20;

export interface NextAttempt {
  backoffMilliseconds: number;
  isRetry: boolean;
  /** How much of the backoff counts. */
  countedMilliseconds: number;
  budget: CallBudget;
}

interface CallBudget {
  attempts: number;
  failures: number;
  /** Those without a server-requested wait. */
  throttles: number;
  /** Those that may have been processed. */
  rejections: number;
  idleCloses: number;
}

interface CompletedAttempt {
  step: Step;
  health: Health;
  serverWait: number | undefined;
  isFree: boolean;
}

export const firstAttempt: NextAttempt = {
  backoffMilliseconds: 0,
  isRetry: false,
  countedMilliseconds: 0,
  budget: { attempts: maxAttempts, failures: 0, throttles: 0, rejections: 0, idleCloses: 0 },
};

/** When the next attempt of a call leaves, and what it costs; only where `nextStep` has one. */
export function planNext(
  before: CallBudget,
  { step, health, serverWait = 0, isFree }: CompletedAttempt,
  { waitsForOutages, limits, random }: AdmissionPolicy,
): NextAttempt {
  const budget = { ...before };
  if (health === 'idle_close' && budget.idleCloses < maxIdleCloses) {
    budget.idleCloses += 1;
    return { backoffMilliseconds: 0, isRetry: false, countedMilliseconds: 0, budget };
  }
  const isRejection = health === 'throttled' && step !== 'wait' && budget.rejections < maxRejections;
  if (isRejection) budget.rejections += 1;
  if (step === 'wait' || isRejection) {
    const isTimed = serverWait > 0;
    if (!isTimed) budget.throttles += 1;
    // A run waits for all its orders in one place: the limiter spaces their attempts.
    const backoff = backoffMilliseconds(isTimed || limits !== undefined ? 1 : budget.throttles, random());
    const countedMilliseconds = isTimed || waitsForOutages ? 0 : backoff;
    return { backoffMilliseconds: backoff, isRetry: false, countedMilliseconds, budget };
  }
  budget.failures += 1;
  const backoff = backoffMilliseconds(budget.failures, random());
  if (!isFree) budget.attempts -= 1;
  const countedMilliseconds = isFree ? 0 : Math.max(0, backoff - serverWait);
  return { backoffMilliseconds: backoff, isRetry: true, countedMilliseconds, budget };
}

const firstBackoff = 250;
const maxBackoff = 30_000;

/** Exponential backoff with full jitter, in milliseconds. `random`: from 0 up to, not including, 1. */
function backoffMilliseconds(failures: number, random: number): number {
  return Math.ceil(random * Math.min(maxBackoff, firstBackoff * 2 ** (failures - 1)));
}
