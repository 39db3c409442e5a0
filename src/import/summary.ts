import { CliError, exitCodes } from '../errors.ts';
import type { JsonObject } from '../orders/json.ts';
import { countOutcomes, type OrderOutcome, type OutcomeName } from './order-outcome.ts';
import type { Survey } from './survey.ts';

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

/** The same for a file of which nothing was sent. */
export function countSurvey({
  selected,
  invalid,
}: Pick<Survey, 'selected' | 'invalid'>): ImportSummary['orders'] {
  return { ...countOrders([]), total: selected, invalid, not_sent: selected - invalid };
}

export interface EndFacts {
  /** Why the sending stopped. */
  stoppedBy: CliError | undefined;
  /** The signal that a person or a system sent. */
  signal: 'SIGINT' | 'SIGTERM' | undefined;
  /** The command that goes on, and what to do about orders that must be mended. */
  again: string;
  mend: string;
}

const mostNamed = 5;

/**
 * The error that an import ends in, or undefined when every order is there. Of several reasons the first counts:
 * a signal, the key, unknown outcomes, a service that was not reached, orders that must be mended.
 */
export function endOf(outcomes: readonly OrderOutcome[], facts: EndFacts): CliError | undefined {
  const counts = countOutcomes(outcomes);
  const toMend = counts.rejected + counts.invalid + counts.conflict;
  const { stoppedBy, signal, again, mend } = facts;
  const isDone = counts.not_sent + counts.unknown + toMend === 0;
  if (isDone) return stoppedBy;
  if (signal !== undefined) {
    const open = counts.not_sent + counts.unknown;
    const sentence = `Stopped: ${open === 1 ? '1 order is' : `${open} orders are`} still open.`;
    const hint = open > 0 ? `Go on with the same command: ${again}` : mend;
    return new CliError(signal === 'SIGTERM' ? 'terminated' : 'interrupted', sentence, { hint });
  }
  if (stoppedBy?.exitCode === exitCodes.keyRefused) return ofTheRun(stoppedBy, stoppedBy.details.hint);
  if (counts.unknown > 0) return unknownOrders(outcomes, again);
  if (stoppedBy !== undefined) {
    const sentence = `${orders(counts.not_sent)} ${counts.not_sent === 1 ? 'was' : 'were'} not sent.`;
    return ofTheRun(stoppedBy, `${sentence} Run the same command again: ${again}`);
  }
  return new CliError('some_orders_failed', `${orders(toMend)} of ${outcomes.length} must be mended.`, {
    hint: mend,
  });
}

/** What stopped the run was seen at one order; its key says nothing about the others. */
function ofTheRun({ code, message, details }: CliError, hint: string | undefined): CliError {
  const { idempotencyKey: _, ...others } = details;
  return new CliError(code, message, { ...others, ...(hint === undefined ? {} : { hint }) });
}

function unknownOrders(outcomes: readonly OrderOutcome[], again: string): CliError {
  const ids = outcomes.filter(({ outcome }) => outcome === 'unknown').map((order) => order.externalOrderId);
  const named = ids.slice(0, mostNamed).join(', ') + (ids.length > mostNamed ? ', ...' : '.');
  const sentence = `Nobody can say whether ${orders(ids.length)} ${ids.length === 1 ? 'was' : 'were'} created: ${named}`;
  return new CliError('outcome_unknown', sentence, {
    hint: `Run the same command again, it settles them and creates none twice: ${again}`,
    outcome: 'unknown',
  });
}

function orders(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}
