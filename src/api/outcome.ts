import { readServiceError } from './error-body.ts';
import { knownServiceCodes } from './known-codes.ts';
import type { Answer, Observation, Operation } from './observation.ts';

/**
 * What one attempt proves.
 * - `answered`: a success status; whether it is the order that was asked for is judged from its body
 * - `refused`, `not_found`, `key_refused`, `forbidden`, `wrong_base_url`, `certificate`: definite, nothing was done
 * - `throttled`, `not_sent`: nothing was done, and it may be tried again
 * - `unknown`: it may have been done
 * - `disputed`: a refusal that may mean that the order exists
 */
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
  | 'disputed';

export type Step = 'finish' | 'send_again' | 'look_up';

/** Observation → outcome: the one place where a status gets its meaning (interface section 7). */
export function outcomeOf(operation: Operation, observation: Observation): Outcome {
  if (observation.kind === 'failure') {
    if (observation.isCertificate) return 'certificate';
    return observation.mayHaveBeenSent ? 'unknown' : 'not_sent';
  }
  const { status } = observation;
  if (status >= 200 && status < 300) return 'answered';
  if (status >= 300 && status < 400) return 'wrong_base_url';
  if (status < 400 || status >= 500) return 'unknown';
  return outcomeOfRefusal(operation, observation);
}

/** Outcome → next step, for an attempt that is not the last one allowed. */
export function nextStep(outcome: Outcome): Step {
  switch (outcome) {
    case 'throttled':
    case 'not_sent':
    case 'unknown':
      return 'send_again';
    case 'disputed':
      return 'look_up';
    default:
      return 'finish';
  }
}

function outcomeOfRefusal(operation: Operation, answer: Answer): Outcome {
  const { code } = readServiceError(answer);
  if (code !== undefined && knownServiceCodes.has(code)) return 'refused';
  switch (answer.status) {
    case 401:
      return 'key_refused';
    case 403:
      return 'forbidden';
    case 404:
      if (operation === 'get' || operation === 'cancel') return 'not_found';
      return code === undefined ? 'wrong_base_url' : refusalOf(operation);
    case 405:
      return code === undefined ? 'wrong_base_url' : refusalOf(operation);
    case 408:
    case 425:
      return 'unknown';
    case 429:
      return 'throttled';
    default:
      return refusalOf(operation);
  }
}

/** Any other refusal of a create may mean that an order with this id exists. */
function refusalOf(operation: Operation): Outcome {
  return operation === 'create' ? 'disputed' : 'refused';
}
