import { readServiceError } from './error-body.ts';
import { knownServiceCodes } from './known-codes.ts';
import type { Answer, Observation, Operation } from './observation.ts';
import type { Outcome } from './outcome.ts';

const absentWords = /notfound|nosuch|doesnotexist/;

/**
 * The outcome of a call about one order as it is told: a refusal may say that there is no such order. The
 * interface shows no status for that (section 7.3); some services have another 4xx than 404 for it, and a code
 * such as `ResourceNotFound`. A 405 is a refusal like any other: that the address is wrong shows elsewhere.
 */
export function toldOutcome(operation: Operation, outcome: Outcome, observation: Observation): Outcome {
  const isOfOneOrder = operation === 'get' || operation === 'cancel';
  const isRefusal = outcome === 'refused' || outcome === 'wrong_base_url';
  if (!isOfOneOrder || !isRefusal || observation.kind === 'failure') return outcome;
  // A cancellation may call an order gone that is only past cancelling.
  if (operation === 'get' && observation.status === 410) return 'not_found';
  if (namesAbsence(observation)) return 'not_found';
  return observation.status === 405 ? 'refused' : outcome;
}

function namesAbsence(answer: Answer): boolean {
  if (answer.status < 400) return false;
  const { code = '' } = readServiceError(answer);
  return !knownServiceCodes.has(code) && absentWords.test(code.replace(/[^a-z]/gi, '').toLowerCase());
}
