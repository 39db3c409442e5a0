import type { CliError } from '../../errors.ts';

/** How an order ends that was answered with 403: its outcome is told once it is known what that meant. */
export type SettleForbidden = (outcome: 'rejected' | 'not_sent') => void;

/** What a 403 means for a run: about one order when the next answer is another, about the key when it is not. */
export interface ForbiddenRule {
  /** The error that ends the run, when this is the second 403 in a row. */
  sawForbidden(error: CliError, settle: SettleForbidden): CliError | undefined;
  sawOther(): void;
  /** At the end: the error, when a 403 was the only answer of the run. */
  end(): CliError | undefined;
}

export function createForbiddenRule(): ForbiddenRule {
  let aside: { error: CliError; settle: SettleForbidden } | undefined;
  let hasSeenOther = false;
  let hasStopped = false;
  const release = (outcome: 'rejected' | 'not_sent') => {
    aside?.settle(outcome);
    aside = undefined;
  };
  return {
    sawForbidden: (error, settle) => {
      if (hasStopped) {
        settle('not_sent');
        return error;
      }
      if (aside === undefined) {
        aside = { error, settle };
        return undefined;
      }
      hasStopped = true;
      release('not_sent');
      settle('not_sent');
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
