/** How often a whole run may send something again: what keeps many orders from hammering a service that fails. */
export interface RetryBudget {
  /** When the next retry may leave; `now` when one may at once. Milliseconds since the epoch. */
  freeAt(now: number): number;
  spend(now: number): void;
  /** Something succeeded. */
  refund(): void;
}

const most = 100;
const perSecond = 1;

export function createRetryBudget(): RetryBudget {
  let retries = most;
  let counted = 0;
  const refill = (now: number) => {
    if (counted !== 0) retries = Math.min(most, retries + ((now - counted) / 1000) * perSecond);
    counted = now;
  };
  return {
    freeAt: (now) => {
      refill(now);
      return retries >= 1 ? now : now + Math.ceil(((1 - retries) / perSecond) * 1000);
    },
    spend: (now) => {
      refill(now);
      retries -= 1;
    },
    refund: () => {
      retries = Math.min(most, retries + 1);
    },
  };
}
