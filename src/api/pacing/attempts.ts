import { type Text, t } from '../../advice/advice.ts';
import type { AttemptResult, Operation, ServiceResponse } from '../http/attempt-result.ts';
import { type Outcome, type OutcomeConditions, outcomeOf, unreadable } from '../responses/outcome.ts';
import type { AdmissionPolicy, createAdmission } from './admission.ts';
import { firstAttempt, nextStep, planNext } from './retry.ts';
import { describeStop, type Stop } from './stop.ts';

export interface AttemptPolicy extends AdmissionPolicy {
  timeoutMilliseconds: number;
  trace(line: string): void;
  watch?: CallWatch | undefined;
}

interface CallWatch {
  during<Result>(work: () => Promise<Result>, kind: 'read' | 'write'): Promise<Result>;
  request(): void;
  pause(milliseconds: number, isAskedFor: boolean): void;
}

/** What is left of `--timeout`, for one order, page or command. Server-requested waits and outages do not count. */
export interface TimeLeft {
  milliseconds: number;
}

export interface CallResult {
  outcome: Outcome;
  attemptResult: AttemptResult;
  attempts: number;
  /** At least one attempt, perhaps the last one, may have been processed. */
  sawUnknown: boolean;
  /** When the first attempt left and the last one completed, in milliseconds since the epoch; 0 without an attempt. */
  firstAttemptAt: number;
  completedAt: number;
  stop?: Stop;
  /** Set to `--timeout` if it passed before the request could be sent, or a read finished. */
  spentTimeoutMilliseconds?: number;
}

export interface CallOptions {
  /** Whether a success response has what was requested; otherwise it proves nothing. */
  accepts(response: ServiceResponse): boolean;
  /** Resend after an attempt that may have been processed. */
  resendsUnknown: boolean;
  failsInOutage?: boolean;
  /** Looks the order up before the next attempt; resolves to whether to resend. */
  resendsAfterLookUp?(result: CallResult): Promise<boolean>;
}

export type Send = (
  deadlineMilliseconds: number,
  abort: AbortSignal,
  onSending: () => void,
) => Promise<AttemptResult>;

const maxAttemptMilliseconds = 30_000;
/** With less time, or less than half of `--timeout`, a write would probably end as unknown. */
const minWriteMilliseconds = 1000;
/** Timers and clocks may differ by this much. */
const toleranceMilliseconds = 5;

/** Sends a request until an attempt is definite, attempts or time run out, or the run stops. */
export async function attempt(
  operation: Operation,
  send: Send,
  options: CallOptions,
  policy: AttemptPolicy,
  admission: ReturnType<typeof createAdmission>,
  time: TimeLeft,
): Promise<CallResult> {
  const { clock, stopping, leaving, timeoutMilliseconds } = policy;
  const isWrite = operation === 'create' || operation === 'cancel';
  // A read after the first Ctrl-C may settle an order in flight, so it gets its time.
  const isSettling = stopping.aborted && !isWrite && admission.hasWritten();
  const waitsForOutage = policy.waitsForOutages && !isSettling && !options.failsInOutage;
  const half = timeoutMilliseconds / 2;
  const minOfWrite = isWrite ? Math.min(minWriteMilliseconds, half) : 0;
  const minMilliseconds = minOfWrite + Math.min(toleranceMilliseconds, half / 2);
  let result = notBegun(t`the request was not sent`);
  if (time.milliseconds <= minMilliseconds)
    return { ...result, spentTimeoutMilliseconds: timeoutMilliseconds };
  let next = firstAttempt;
  for (;;) {
    const admitted = await admission.enter({
      backoffMilliseconds: next.backoffMilliseconds,
      isWrite,
      isRetry: next.isRetry,
      waitsForOutage: !isSettling,
      abort: isSettling ? leaving : stopping,
      onWait: createWaitReport(policy, operation, result),
    });
    if (admitted === undefined) return withStop(result, admission.stop());
    const [started, startedTicks] = [clock.now(), clock.monotonic()];
    const deadlineMilliseconds = Math.max(1, Math.min(time.milliseconds, maxAttemptMilliseconds));
    const abort = isWrite || isSettling ? leaving : stopping;
    const { attemptResult, outcome } = judge(
      operation,
      await send(deadlineMilliseconds, abort, admission.sending),
      { accepts: options.accepts, isServiceKnown: admission.isServiceKnown() },
    );
    const now = clock.now();
    const tookMilliseconds = clock.monotonic() - startedTicks;
    const completed = { ...admitted, operation, attemptResult, outcome, tookMilliseconds };
    const { health, serverWait } = admission.completed(completed);
    result = {
      outcome,
      attemptResult,
      attempts: result.attempts + 1,
      sawUnknown: result.sawUnknown || mayHaveBeenProcessed(outcome),
      firstAttemptAt: result.attempts === 0 ? started : result.firstAttemptAt,
      completedAt: now,
    };
    // While waiting for the end of an outage, probes and unsent attempts cost nothing.
    const isFree = waitsForOutage && (admitted.isProbe || outcome === 'not_sent');
    if (!isFree) time.milliseconds -= tookMilliseconds;
    const wasGivenUp = !isWrite && outcome === 'unknown' && attemptResult.kind === 'failure';
    if (wasGivenUp && time.milliseconds <= toleranceMilliseconds)
      result.spentTimeoutMilliseconds = timeoutMilliseconds;
    const step = nextStep(outcome);
    if (step === 'finish' || step === 'stop') return result;
    if (mayHaveBeenProcessed(outcome) && !options.resendsUnknown) return result;
    if (step === 'look_up' && !(await options.resendsAfterLookUp?.(result))) return result;

    next = planNext(next.budget, { step, health, serverWait, isFree }, policy);
    const isOver = time.milliseconds - next.countedMilliseconds <= minMilliseconds;
    if (next.budget.attempts <= 0 || isOver) return result;
    time.milliseconds -= next.countedMilliseconds;
  }
}

/** A response that cannot be read, whatever the reason, may be that of an order that was created. */
function judge(operation: Operation, attemptResult: AttemptResult, conditions: OutcomeConditions) {
  try {
    return { attemptResult, outcome: outcomeOf(operation, attemptResult, conditions) };
  } catch (error) {
    return { attemptResult: unreadable(error), outcome: 'unknown' } as const;
  }
}

/** Not a closure in `attempt`: the queue keeps it for long, and would keep the response, too. */
function createWaitReport(policy: AttemptPolicy, operation: Operation, { attempts, outcome }: CallResult) {
  const what = attempts === 0 ? 'first attempt' : `${outcome}, next attempt`;
  return (milliseconds: number, requestedMilliseconds: number) => {
    policy.watch?.pause(requestedMilliseconds || milliseconds, requestedMilliseconds > 0);
    policy.trace(`${operation}: ${what} in ${(milliseconds / 1000).toFixed(1)} s`);
  };
}

function mayHaveBeenProcessed(outcome: Outcome): boolean {
  // What is redirected has arrived.
  return outcome === 'unknown' || outcome === 'no_order' || outcome === 'redirected';
}

function withStop(result: CallResult, stop: Stop | undefined): CallResult {
  if (stop === undefined) return result;
  return { ...(result.attempts === 0 ? notBegun(describeStop(stop)) : result), stop };
}

function notBegun(reason: Text): CallResult {
  const attemptResult = { kind: 'failure', mayHaveBeenSent: false, isCertificate: false, reason } as const;
  return {
    outcome: 'not_sent',
    attemptResult,
    attempts: 0,
    sawUnknown: false,
    firstAttemptAt: 0,
    completedAt: 0,
  };
}
