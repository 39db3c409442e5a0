import type { Outcome } from '../responses/outcome.ts';

/**
 * - `finish`: the call is over
 * - `stop`: so is the whole run, since no later request would fare better
 * - `set_aside`: the next response shows whether the order or the key is the cause
 * - `look_up`: the service is asked for an order with this external order ID before anything else
 * - `wait`: all requests wait as long as the service requests; no attempt is spent
 * - `send_again`: the same bytes under the same key, after a backoff
 */
export type Step = 'finish' | 'stop' | 'set_aside' | 'look_up' | 'wait' | 'send_again';

export interface StepRow {
  step: Step;
  /** For people: the table in README.md is made from these two. */
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
  rejected_or_exists: {
    step: 'look_up',
    means: 'rejected, unless it means that the order exists',
    follows:
      'the order is looked up; absent after a 409 or an unknown attempt: as unknown; absent otherwise: rejected',
  },
};

/** Outcome → next step, for an attempt that is not the last one allowed. */
export function nextStep(outcome: Outcome): Step {
  return stepTable[outcome].step;
}
