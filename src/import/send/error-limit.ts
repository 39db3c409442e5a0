import { CliError } from '../../errors.ts';
import type { OrderOutcome, OutcomeName } from '../results/order-outcome.ts';

/** How many orders may be refused before a run ends: a number of them, or a percentage of the orders it sends. */
export interface ErrorLimit {
  most: number;
  unit: 'orders' | 'percent';
}

/** `50` or `5%` → a limit; undefined when it is none. */
export function parseErrorLimit(text: string): ErrorLimit | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  if (digits === undefined || (percent === '%' && Number(digits) > 100)) return undefined;
  return { most: Number(digits), unit: percent === '%' ? 'percent' : 'orders' };
}

const answers: ReadonlySet<OutcomeName> = new Set(['created', 'already_exists', 'rejected', 'conflict']);
const refusals: ReadonlySet<OutcomeName> = new Set(['rejected', 'conflict']);

/** Answers at the start of a run that end it when they are the same refusal. */
const firstAnswers = 5;

/**
 * Watches the outcomes of a run that sends `orders` orders. Without a limit it is the larger of 20 and 10 % of
 * them, and the first five answers may not be the same refusal; a limit that somebody gave stands in for both.
 */
export function createErrorLimit(limit: ErrorLimit | undefined, orders: number) {
  const most = mostRefused(limit, orders);
  const first: OrderOutcome[] = [];
  const reasons = new Map<string, number>();
  let seen = 0;
  let answered = 0;
  let refused = 0;
  let hasStopped = false;
  return {
    /** The error `too_many_errors` that ends the run, once. What was not asked of the service is no answer. */
    saw: (outcome: OrderOutcome): CliError | undefined => {
      seen += 1;
      if (outcome.attempts === 0 || !answers.has(outcome.outcome)) return undefined;
      answered += 1;
      if (first.length < firstAnswers) first.push(outcome);
      if (!refusals.has(outcome.outcome)) return undefined;
      refused += 1;
      const reason = outcome.code ?? outcome.outcome;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      const isTooMany =
        refused > most || (limit === undefined && answered === firstAnswers && areSameRefusal(first));
      // After the last order there is nothing to stop.
      if (!isTooMany || hasStopped || seen >= orders) return undefined;
      hasStopped = true;
      return tooManyErrors(refused, answered, reasons);
    },
  };
}

function mostRefused(limit: ErrorLimit | undefined, orders: number): number {
  if (limit === undefined) return Math.max(20, orders / 10);
  return limit.unit === 'percent' ? (orders * limit.most) / 100 : limit.most;
}

function areSameRefusal(outcomes: readonly OrderOutcome[]): boolean {
  return outcomes.every(({ outcome, code }) => outcome === 'rejected' && code === outcomes[0]?.code);
}

function tooManyErrors(refused: number, answered: number, reasons: ReadonlyMap<string, number>): CliError {
  const [[reason, times] = ['', 0]] = [...reasons].sort(([, left], [, right]) => right - left);
  const why = times === refused ? ` with ${reason}` : `, most often with ${reason} (${times})`;
  return new CliError('too_many_errors', `Stopped: ${share(refused, answered)} refused${why}.`, {
    hint:
      'Mend the cause and run the same command again: what was created is not created again.\n' +
      'To go on whatever is refused, run it with --max-errors 100%.',
  });
}

function share(refused: number, answered: number): string {
  if (refused < answered) {
    return `${refused} of the first ${answered} orders ${refused === 1 ? 'was' : 'were'}`;
  }
  return refused === 1 ? 'the first order was' : `the first ${refused} orders were all`;
}
