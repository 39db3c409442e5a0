import type { CliError } from '../errors.ts';
import type { OrderOutcome } from './order-outcome.ts';

/** What a 403 means for a run: about one order when the next answer is another, about the key when it is not. */
export interface ForbiddenRule {
  /** The error that ends the run, when this is the second 403 in a row. */
  sawForbidden(outcome: OrderOutcome, error: CliError): CliError | undefined;
  sawOther(): void;
  /** At the end: the error, when a 403 was the only answer of the run. */
  end(): CliError | undefined;
}

export function createForbiddenRule(onOutcome: (outcome: OrderOutcome) => void): ForbiddenRule {
  // An order that an earlier run may have sent stays unknown.
  const settle = (outcome: OrderOutcome, name: 'rejected' | 'not_sent') =>
    onOutcome(outcome.outcome === 'unknown' ? outcome : { ...outcome, outcome: name });
  let aside: { outcome: OrderOutcome; error: CliError } | undefined;
  let hasSeenOther = false;
  let hasStopped = false;
  const release = (outcome: 'rejected' | 'not_sent') => {
    if (aside !== undefined) settle(aside.outcome, outcome);
    aside = undefined;
  };
  return {
    sawForbidden: (outcome, error) => {
      if (hasStopped) {
        settle(outcome, 'not_sent');
        return error;
      }
      if (aside === undefined) {
        aside = { outcome, error };
        return undefined;
      }
      hasStopped = true;
      release('not_sent');
      settle(outcome, 'not_sent');
      return error;
    },
    sawOther: () => {
      hasSeenOther = true;
      release('rejected');
    },
    end: () => {
      const error = hasSeenOther ? undefined : aside?.error;
      release(hasSeenOther ? 'rejected' : 'not_sent');
      return error;
    },
  };
}
