import type { AttemptResult, Operation, ServiceResponse } from '../http/attempt-result.ts';
import { type Outcome, outcomeOf } from '../responses/outcome.ts';
import type { AdmissionPolicy, Gate } from './admission.ts';
import { askedWait } from './server-wait.ts';
import { describeStop, type Stop } from './stop.ts';

export interface AttemptPolicy extends AdmissionPolicy {
  /**
   * The longest that one call may take with all its attempts. Waits that the service asks for do not count, nor
   * do outages that are sat out.
   */
  timeoutMilliseconds: number;
  /** Aborted: begin nothing new, wait for nothing. */
  stopping: AbortSignal;
  /** Aborted: give up what is in flight. */
  leaving: AbortSignal;
  /** One line about a request, an answer, a retry or a wait. */
  trace(line: string): void;
}

/** How a call ended, and what was seen on the way. */
export interface CallResult {
  outcome: Outcome;
  attemptResult: AttemptResult;
  /** 0 when it was not to be sent any more: the outcome is `not_sent`. */
  attempts: number;
  /** An attempt before the last one, or the last one itself, may have been processed. */
  sawUnknown: boolean;
  /** Why nothing else is sent to this service now. */
  stop?: Stop;
}

export interface CallOptions {
  /** Whether a success answer holds what was asked for; one that does not proves nothing. */
  accepts(answer: ServiceResponse): boolean;
  /** Whether the same request may be sent again after an attempt that may have been processed. */
  resendsUnknown: boolean;
  /** Looks up what became of it, when that comes first; whether the same request is sent again then. */
  resendsAfterLookUp?(ending: CallResult): Promise<boolean>;
}

type Send = (deadlineMilliseconds: number, abort: AbortSignal) => Promise<AttemptResult>;

const mostAttempts = 5;
const mostIdleClosings = 3;
const longestAttempt = 30_000;
const ends: ReadonlySet<Step> = new Set(['finish', 'stop', 'set_aside']);

/**
 * Sends until an attempt is definite, the attempts or the time are used up, or the run is to stop.
 * Whoever calls makes sure that what is sent may be sent again: a read, or a create with its key.
 */
export async function attempt(
  operation: Operation,
  send: Send,
  judge: CallOptions,
  policy: AttemptPolicy,
  gate: Gate,
): Promise<CallResult> {
  const { clock, stopping, leaving } = policy;
  const isWrite = operation === 'create' || operation === 'cancel';
  // A read that begins after the first Ctrl-C settles an order that was in flight, so it has its time.
  const isSettling = stopping.aborted && !isWrite;
  const abort = isWrite || isSettling ? leaving : stopping;
  const onWait = (milliseconds: number) => {
    const what = ending.attempts === 0 ? 'first attempt' : `${ending.outcome}, next attempt`;
    policy.trace(`${operation}: ${what} in ${(milliseconds / 1000).toFixed(1)} s`);
  };
  let ending = notBegun(undefined);
  let remaining = policy.timeoutMilliseconds;
  let [spent, failures, throttles, idleClosings] = [0, 0, 0, 0];
  let [wait, isRetry] = [0, false];
  for (;;) {
    const entered = await gate.enter({
      ...{ wait, isRetry, onWait },
      sitsOut: !isSettling,
      abort: isSettling ? leaving : stopping,
    });
    if (!entered.mayGo) return stopped(ending, entered.stop);
    const started = clock.now();
    const attemptResult = await send(Math.max(1, Math.min(remaining, longestAttempt)), abort);
    const outcome = outcomeOf(operation, attemptResult, judge.accepts);
    gate.saw(attemptResult, outcome, entered.isProbe, clock.now() - started);
    const sawUnknown = ending.sawUnknown || mayHaveBeenDone(outcome);
    ending = { outcome, attemptResult, attempts: ending.attempts + 1, sawUnknown };

    // What keeps every order from being sent is an outage, and no attempt of this one.
    const isSatOut = policy.sitsOutOutages && !isSettling && (entered.isProbe || outcome === 'not_sent');
    if (!isSatOut) remaining -= clock.now() - started;
    const step = nextStep(outcome);
    if (ends.has(step) || (mayHaveBeenDone(outcome) && !judge.resendsUnknown)) return ending;
    if (step === 'look_up' && !(await judge.resendsAfterLookUp?.(ending))) return ending;

    const asked = attemptResult.kind === 'response' ? askedWait(attemptResult, clock.now()) : undefined;
    isRetry = step !== 'wait';
    if (closedWhileIdle(attemptResult) && idleClosings++ < mostIdleClosings) {
      [wait, isRetry] = [0, false];
    } else if (step === 'wait') {
      // The gate sees to a wait that was asked for; without one, each throttle makes the next wait longer.
      wait = backoffMilliseconds(asked ? 1 : ++throttles, policy.random());
      if (!asked && !policy.sitsOutOutages) remaining -= wait;
    } else {
      wait = backoffMilliseconds(++failures, policy.random());
      if (!isSatOut) {
        spent += 1;
        remaining -= Math.max(0, wait - (asked ?? 0));
      }
    }
    if (spent >= mostAttempts || remaining <= 0) return ending;
  }
}

function mayHaveBeenDone(outcome: Outcome): boolean {
  return outcome === 'unknown' || outcome === 'unconfirmed';
}

function closedWhileIdle(attemptResult: AttemptResult): boolean {
  return attemptResult.kind === 'failure' && attemptResult.closedWhileIdle === true;
}

function stopped(ending: CallResult, stop: Stop | undefined): CallResult {
  if (stop === undefined) return ending;
  return { ...(ending.attempts === 0 ? notBegun(stop) : ending), stop };
}

function notBegun(stop: Stop | undefined): CallResult {
  const reason = stop === undefined ? 'it was not begun' : `the service ${describeStop(stop)}`;
  const attemptResult = { kind: 'failure', mayHaveBeenSent: false, isCertificate: false, reason } as const;
  return { outcome: 'not_sent', attemptResult, attempts: 0, sawUnknown: false };
}

const first = 250;
const longest = 30_000;

/** How long to wait after so many failures, in milliseconds: the whole of it at random. `random`: from 0 up to 1. */
export function backoffMilliseconds(failures: number, random: number): number {
  return Math.ceil(random * Math.min(longest, first * 2 ** (failures - 1)));
}

/**
 * - `finish`: the call is over
 * - `stop`: so is the whole run, since nothing that is sent after it would fare better
 * - `set_aside`: the next answer tells whether the order or the key is meant
 * - `look_up`: the service is asked for an order with this id before anything else
 * - `wait`: as long as the service asks, and all who send with it; no attempt is spent
 * - `send_again`: the same bytes under the same key, after a wait of our own
 */
export type Step = 'finish' | 'stop' | 'set_aside' | 'look_up' | 'wait' | 'send_again';

export interface StepRow {
  step: Step;
  /** For people; the table in README.md is made from these two. */
  means: string;
  follows: string;
}

export const stepTable: Readonly<Record<Outcome, StepRow>> = {
  succeeded: { step: 'finish', means: 'done', follows: 'the ledger says so' },
  rejected: { step: 'finish', means: 'not done, and why', follows: 'reported, not sent again' },
  not_found: { step: 'finish', means: 'there is no such order', follows: 'reported' },
  key_refused: { step: 'stop', means: 'not processed', follows: 'the whole run stops' },
  forbidden: {
    step: 'set_aside',
    means: 'not processed',
    follows:
      'the order waits: when the next answer is 403 too the whole run stops, else the order is refused',
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
    follows: 'all wait as told, and it is sent again; no attempt is spent',
  },
  not_sent: { step: 'send_again', means: 'nothing was sent', follows: 'it is sent again' },
  unknown: {
    step: 'send_again',
    means: 'it may have been done',
    follows: 'the same again under the same key; a cancellation is read back instead',
  },
  unconfirmed: {
    step: 'look_up',
    means: 'it may have been done',
    follows: 'the order is looked up, and the same is sent again under the same key when it is not there',
  },
  rejected_or_exists: {
    step: 'look_up',
    means: 'refused, unless it means that the order is there',
    follows:
      'the order is looked up; absent after 409 or after an unknown attempt: as unknown, absent otherwise: refused',
  },
};

/** Outcome → next step, for an attempt that is not the last one allowed. */
export function nextStep(outcome: Outcome): Step {
  return stepTable[outcome].step;
}
