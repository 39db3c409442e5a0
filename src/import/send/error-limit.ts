import { CliError } from '../../errors.ts';
import type { OrderOutcome, OutcomeName } from '../results/order-outcome.ts';

/** How many orders may fail before the run ends: a number, or a percentage of the orders it sends. */
export interface ErrorLimit {
  max: number;
  unit: 'orders' | 'percent';
}

/** `50` or `5%` → a limit; undefined for other text. */
export function parseErrorLimit(text: string): ErrorLimit | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  if (digits === undefined || (percent === '%' && Number(digits) > 100)) return undefined;
  return { max: Number(digits), unit: percent === '%' ? 'percent' : 'orders' };
}

const definite: ReadonlySet<OutcomeName> = new Set(['created', 'already_exists', 'rejected', 'conflict']);
const failed: ReadonlySet<OutcomeName> = new Set(['rejected', 'conflict']);

/** As many identical rejections at the start of a run end it. */
const firstResponses = 5;

/**
 * Counts the failures of a run that sends `orders` orders. The default limit is the larger of 20 and 10 % of them, and
 * the first five responses must not be the same rejection; a limit set by the user replaces both rules.
 */
export function createErrorLimit(limit: ErrorLimit | undefined, orders: number) {
  const max = maxFailures(limit, orders);
  const first: OrderOutcome[] = [];
  const reasons = new Map<string, number>();
  let finished = 0;
  let responses = 0;
  let failures = 0;
  let hasStopped = false;
  return {
    /** Counts one outcome; returns the error `too_many_errors` once, when it ends the run. */
    count: (outcome: OrderOutcome): CliError | undefined => {
      finished += 1;
      // Without an attempt it is no response of the service.
      if (outcome.attempts === 0 || !definite.has(outcome.outcome)) return undefined;
      responses += 1;
      if (first.length < firstResponses) first.push(outcome);
      if (!failed.has(outcome.outcome)) return undefined;
      failures += 1;
      const reason = outcome.code ?? outcome.outcome;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      const isTooMany =
        failures > max || (limit === undefined && responses === firstResponses && areSameRejection(first));
      // After the last order there is nothing to stop.
      if (!isTooMany || hasStopped || finished >= orders) return undefined;
      hasStopped = true;
      return tooManyErrors(failures, responses, reasons);
    },
  };
}

function maxFailures(limit: ErrorLimit | undefined, orders: number): number {
  if (limit === undefined) return Math.max(20, orders / 10);
  return limit.unit === 'percent' ? (orders * limit.max) / 100 : limit.max;
}

function areSameRejection(outcomes: readonly OrderOutcome[]): boolean {
  return outcomes.every(({ outcome, code }) => outcome === 'rejected' && code === outcomes[0]?.code);
}

function tooManyErrors(failures: number, responses: number, reasons: ReadonlyMap<string, number>): CliError {
  const [[reason, times] = ['', 0]] = [...reasons].sort(([, left], [, right]) => right - left);
  const why = times === failures ? ` with ${reason}` : `, most often with ${reason} (${times})`;
  return new CliError('too_many_errors', `Stopped: ${share(failures, responses)} failed${why}.`, {
    hint:
      'Fix the cause and run the same command again: what was created is not created again.\n' +
      'To go on regardless of errors, run it with --max-errors 100%.',
  });
}

function share(failures: number, responses: number): string {
  if (failures < responses) return `${failures} of the first ${responses} orders`;
  return failures === 1 ? 'the first order' : `the first ${failures} orders all`;
}
