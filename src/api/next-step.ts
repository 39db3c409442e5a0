import type { Outcome } from './outcome.ts';

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
  answered: { step: 'finish', means: 'done', follows: 'the ledger says so' },
  refused: { step: 'finish', means: 'not done, and why', follows: 'reported, not sent again' },
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
  certificate: { step: 'stop', means: 'nothing was sent', follows: 'the whole run stops' },
  throttled: {
    step: 'wait',
    means: 'not processed',
    follows: 'all wait as told, and it is sent again; no attempt is spent',
  },
  not_sent: { step: 'send_again', means: 'nothing was sent', follows: 'it is sent again' },
  unknown: {
    step: 'send_again',
    means: 'it may have been done',
    follows:
      'the same again under the same key; a cancellation is read back instead, a create without an own id is left to a person',
  },
  unconfirmed: {
    step: 'look_up',
    means: 'it may have been done',
    follows: 'the order is looked up, and the same is sent again under the same key when it is not there',
  },
  disputed: {
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
