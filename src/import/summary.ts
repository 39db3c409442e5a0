import { CliError } from '../errors.ts';
import type { JsonObject } from '../orders/json.ts';
import { countOutcomes, type OrderOutcome, type OutcomeName } from './order-outcome.ts';

/** How an import ended, in the shape that scripts read. The counts add up to `total`. */
export interface ImportSummary extends JsonObject {
  file: string;
  run: string;
  profile: string | null;
  sandbox: boolean;
  orders: Record<OutcomeName | 'total', number>;
  rows: number;
  results: string | null;
  rejects: string | null;
  durationMs: number;
  exitCode: number;
}

/** Outcomes counted, with their total in front. */
export function countOrders(all: readonly OrderOutcome[]): ImportSummary['orders'] {
  return { total: all.length, ...countOutcomes(all) };
}

/**
 * The error that an import ends in, or undefined when every order is there. Of several reasons the first counts:
 * the key, unknown outcomes, a service that was not reached, orders that must be mended.
 */
export function endOf(
  counts: ImportSummary['orders'],
  stoppedBy: CliError | undefined,
  next: { again: string; mend: string },
): CliError | undefined {
  if (stoppedBy?.exitCode === 4) return stoppedBy;
  if (counts.unknown > 0) {
    const sentence = `Nobody can say whether ${orders(counts.unknown)} ${counts.unknown === 1 ? 'was' : 'were'} created.`;
    return new CliError('outcome_unknown', sentence, {
      hint: `Run the same command again, it settles them and creates none twice: ${next.again}`,
      outcome: 'unknown',
    });
  }
  if (stoppedBy !== undefined) {
    const { code, message, details } = stoppedBy;
    const hint = `${orders(counts.not_sent)} ${counts.not_sent === 1 ? 'was' : 'were'} not sent. Run the same command again: ${next.again}`;
    return new CliError(code, message, { ...details, hint });
  }
  const toMend = counts.rejected + counts.invalid + counts.conflict;
  if (toMend === 0) return undefined;
  return new CliError('some_orders_failed', `${orders(toMend)} of ${counts.total} must be mended.`, {
    hint: next.mend,
  });
}

function orders(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}
