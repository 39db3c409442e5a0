import { askedWait } from './asked-wait.ts';
import { backoffMilliseconds } from './backoff.ts';
import type { Gate, GatePolicy } from './gate.ts';
import { nextStep, type Step } from './next-step.ts';
import type { Answer, Observation, Operation } from './observation.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { describeStop, type Stop } from './stop.ts';

export interface AttemptPolicy extends GatePolicy {
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
export interface Ending {
  outcome: Outcome;
  observation: Observation;
  /** 0 when it was not to be sent any more: the outcome is `not_sent`. */
  attempts: number;
  /** An attempt before the last one, or the last one itself, may have been processed. */
  sawUnknown: boolean;
  /** Why nothing else is sent to this service now. */
  stop?: Stop;
}

export interface Judge {
  /** Whether a success answer holds what was asked for; one that does not proves nothing. */
  accepts(answer: Answer): boolean;
  /** Whether the same request may be sent again after an attempt that may have been processed. */
  resendsUnknown: boolean;
  /** Looks up what became of it, when that comes first; whether the same request is sent again then. */
  resendsAfterLookUp?(ending: Ending): Promise<boolean>;
}

type Send = (deadlineMilliseconds: number, abort: AbortSignal) => Promise<Observation>;

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
  judge: Judge,
  policy: AttemptPolicy,
  gate: Gate,
): Promise<Ending> {
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
    const observation = await send(Math.max(1, Math.min(remaining, longestAttempt)), abort);
    const outcome = outcomeOf(operation, observation, judge.accepts);
    gate.saw(observation, outcome, entered.isProbe, clock.now() - started);
    const sawUnknown = ending.sawUnknown || mayHaveBeenDone(outcome);
    ending = { outcome, observation, attempts: ending.attempts + 1, sawUnknown };

    // What keeps every order from being sent is an outage, and no attempt of this one.
    const isSatOut = policy.sitsOutOutages && !isSettling && (entered.isProbe || outcome === 'not_sent');
    if (!isSatOut) remaining -= clock.now() - started;
    const step = nextStep(outcome);
    if (ends.has(step) || (mayHaveBeenDone(outcome) && !judge.resendsUnknown)) return ending;
    if (step === 'look_up' && !(await judge.resendsAfterLookUp?.(ending))) return ending;

    const asked = observation.kind === 'answer' ? askedWait(observation, clock.now()) : undefined;
    isRetry = step !== 'wait';
    if (closedWhileIdle(observation) && idleClosings++ < mostIdleClosings) {
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

function closedWhileIdle(observation: Observation): boolean {
  return observation.kind === 'failure' && observation.closedWhileIdle === true;
}

function stopped(ending: Ending, stop: Stop | undefined): Ending {
  if (stop === undefined) return ending;
  return { ...(ending.attempts === 0 ? notBegun(stop) : ending), stop };
}

function notBegun(stop: Stop | undefined): Ending {
  const reason = stop === undefined ? 'it was not begun' : `the service ${describeStop(stop)}`;
  const observation = { kind: 'failure', mayHaveBeenSent: false, isCertificate: false, reason } as const;
  return { outcome: 'not_sent', observation, attempts: 0, sawUnknown: false };
}
