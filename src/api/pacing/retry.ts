import type { Outcome } from '../responses/outcome.ts';
import type { AdmissionPolicy } from './admission.ts';
import type { Health } from './outage.ts';

type Step = 'finish' | 'stop' | 'look_up' | 'wait' | 'send_again';

const steps: Readonly<Record<Outcome, Step>> = {
  succeeded: 'finish',
  rejected: 'finish',
  not_found: 'finish',
  key_refused: 'stop',
  forbidden: 'finish',
  wrong_base_url: 'stop',
  redirected: 'stop',
  bad_certificate: 'stop',
  throttled: 'wait',
  not_sent: 'send_again',
  unknown: 'send_again',
  no_order: 'look_up',
  unreadable: 'finish',
  rejected_or_exists: 'look_up',
};

/** Explained in src/api/README.md. */
export function nextStep(outcome: Outcome): Step {
  return steps[outcome];
}

const maxAttempts = 5;
const maxIdleCloses = 3;
/** More rejections than this are about the order itself. */
const maxRejections = 20;

interface NextAttempt {
  backoffMilliseconds: number;
  isRetry: boolean;
  /** The part of the backoff that `--timeout` includes. */
  countedMilliseconds: number;
  budget: CallBudget;
}

interface CallBudget {
  attempts: number;
  failures: number;
  /** Without a server-requested wait. */
  throttles: number;
  /** By responses that leave the outcome unknown. */
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

/** Only for steps with another attempt. */
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
    // In a run with limits, the limiter spaces the attempts.
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

/** Exponential backoff with full jitter. `random`: 0 ≤ random < 1. */
function backoffMilliseconds(failures: number, random: number): number {
  return Math.ceil(random * Math.min(maxBackoff, firstBackoff * 2 ** (failures - 1)));
}
