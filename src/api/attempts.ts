import type { Clock } from '../system/clock.ts';
import type { Answer, Observation, Operation } from './observation.ts';
import { nextStep, type Outcome, outcomeOf } from './outcome.ts';
import { retryAfterMilliseconds } from './retry-after.ts';

export interface AttemptPolicy {
  clock: Clock;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** The longest that one call may take with all its attempts; waits that the service asks for do not count. */
  timeoutMilliseconds: number;
  /** The longest wait that the service may ask for. */
  maxWaitMilliseconds: number;
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
  attempts: number;
  /** An attempt before the last one, or the last one itself, may have been processed. */
  sawUnknown: boolean;
}

export interface Judge {
  /** Whether a success answer holds what was asked for; one that does not proves nothing. */
  accepts(answer: Answer): boolean;
  /** Whether the same request may be sent again after an attempt that may have been processed. */
  resendsUnknown: boolean;
}

type Send = (deadlineMilliseconds: number, abort: AbortSignal) => Promise<Observation>;

const mostAttempts = 5;
const firstBackoff = 250;
const longestBackoff = 30_000;
const longestAttempt = 30_000;

/**
 * Sends until an attempt is definite, the attempts or the time are used up, or the run is to stop.
 * Whoever calls makes sure that what is sent may be sent again: a read, or a create with its key.
 */
export async function attempt(
  operation: Operation,
  send: Send,
  judge: Judge,
  policy: AttemptPolicy,
): Promise<Ending> {
  const { clock, stopping, leaving } = policy;
  const isWrite = operation === 'create' || operation === 'cancel';
  // A read that begins after the first Ctrl-C settles an order that was in flight, so it has its time.
  const abort = isWrite || stopping.aborted ? leaving : stopping;
  let remaining = policy.timeoutMilliseconds;
  let waited = 0;
  let spent = 0;
  let sawUnknown = false;
  for (let attempts = 1; ; attempts++) {
    const started = clock.now();
    const observation = await send(Math.max(1, Math.min(remaining, longestAttempt)), abort);
    remaining -= clock.now() - started;
    const outcome = judged(operation, observation, judge);
    if (outcome === 'unknown') sawUnknown = true;
    if (outcome !== 'throttled') spent++;
    const ending = { outcome, observation, attempts, sawUnknown };
    if (nextStep(outcome) !== 'send_again' || stopping.aborted) return ending;
    if (outcome === 'unknown' && !judge.resendsUnknown) return ending;
    if (spent >= mostAttempts || remaining <= 0) return ending;
    const asked =
      observation.kind === 'answer' ? retryAfterMilliseconds(observation, clock.now()) : undefined;
    waited += asked ?? 0;
    if (waited > policy.maxWaitMilliseconds) return ending;
    const backoff = policy.random() * Math.min(longestBackoff, firstBackoff * 2 ** (attempts - 1));
    const wait = Math.ceil(Math.max(backoff, asked ?? 0));
    remaining -= wait - (asked ?? 0);
    if (remaining <= 0) return ending;
    policy.trace(`${operation}: ${outcome}, next attempt in ${(wait / 1000).toFixed(1)} s`);
    await clock.sleep(wait, stopping);
    if (stopping.aborted) return ending;
  }
}

function judged(operation: Operation, observation: Observation, judge: Judge): Outcome {
  const outcome = outcomeOf(operation, observation);
  const isEmpty = outcome === 'answered' && observation.kind === 'answer' && !judge.accepts(observation);
  return isEmpty ? 'unknown' : outcome;
}
