import { CliError, exitCodes } from '../../errors.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { FileCounts } from '../orders/check-orders.ts';
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

/** Nothing counted yet: the total, and every outcome by name. */
export function noOrders(): ImportSummary['orders'] {
  return { total: 0, ...countOutcomes([]) };
}

const mostNamed = 5;

/** What the end of an import has to say of its orders, counted as their outcomes come. */
export interface Tally {
  orders: ImportSummary['orders'];
  /** The own ids of the first orders of the file that nobody knows the outcome of. */
  unknown: string[];
}

export function createTally(): Tally & { see(outcome: OrderOutcome): void } {
  const orders = noOrders();
  const unknown: string[] = [];
  const unknownRows: number[] = [];
  return {
    orders,
    unknown,
    see: ({ outcome, row, externalOrderId }) => {
      orders.total += 1;
      orders[outcome] += 1;
      if (outcome !== 'unknown') return;
      const place = unknownRows.filter((other) => other < row).length;
      unknownRows.splice(place, 0, row);
      unknown.splice(place, 0, externalOrderId);
      unknownRows.length = unknown.length = Math.min(unknown.length, mostNamed);
    },
  };
}

/** The same for a file of which nothing was sent. */
export function countUnsent({
  selected,
  invalid,
}: Pick<FileCounts, 'selected' | 'invalid'>): ImportSummary['orders'] {
  return { ...noOrders(), total: selected, invalid, not_sent: selected - invalid };
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

/**
 * The error that an import ends in, or undefined when every order is there. Of several reasons the first counts:
 * a signal, the key, unknown outcomes, a service that was not reached, another run, orders that must be mended.
 */
export function endOf({ orders: counts, unknown }: Tally, facts: EndFacts): CliError | undefined {
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
  if (counts.unknown > 0) return unknownOrders(counts.unknown, unknown, again);
  if (stoppedBy?.code === 'too_many_errors' && counts.not_sent > 0) {
    return tooManyErrors(stoppedBy, counts.not_sent, mend);
  }
  if (stoppedBy !== undefined && stoppedBy.code !== 'too_many_errors') {
    const sentence = `${orders(counts.not_sent)} ${counts.not_sent === 1 ? 'was' : 'were'} not sent.`;
    const cure = stoppedBy.code === 'ledger_not_writable' ? `${stoppedBy.details.hint}\n` : '';
    return ofTheRun(stoppedBy, `${cure}${sentence} Run the same command again: ${again}`);
  }
  if (counts.not_sent > 0) return inOtherRun(counts.not_sent, again);
  return new CliError('some_orders_failed', `${orders(toMend)} of ${counts.total} must be mended.`, {
    hint: mend,
  });
}

/** Nothing stopped the run, so what it did not send is under way elsewhere. */
function inOtherRun(notSent: number, again: string): CliError {
  const [verb, them] = notSent === 1 ? ['was', 'it'] : ['were', 'them'];
  return new CliError(
    'in_other_run',
    `${orders(notSent)} ${verb} not sent: another run is sending ${them}.`,
    {
      hint: `Wait until that has ended, then run the same command again: ${again}`,
      outcome: 'not_sent',
    },
  );
}

/** The orders that were not sent wait for what is wrong with the others. */
function tooManyErrors(stoppedBy: CliError, notSent: number, mend: string): CliError {
  const rest = `${orders(notSent)} ${notSent === 1 ? 'was' : 'were'} not sent.`;
  return ofTheRun(stoppedBy, [rest, stoppedBy.details.hint, mend].join('\n'));
}

/** What stopped the run was seen at one order; its key says nothing about the others. */
function ofTheRun({ code, message, details }: CliError, hint: string | undefined): CliError {
  const { idempotencyKey: _, ...others } = details;
  return new CliError(code, message, { ...others, ...(hint === undefined ? {} : { hint }) });
}

function unknownOrders(count: number, ids: readonly string[], again: string): CliError {
  const named = ids.join(', ') + (count > ids.length ? ', ...' : '.');
  const sentence = `Nobody can say whether ${orders(count)} ${count === 1 ? 'was' : 'were'} created: ${named}`;
  return new CliError('outcome_unknown', sentence, {
    hint: `Run the same command again, it settles them and creates none twice: ${again}`,
    outcome: 'unknown',
  });
}

function orders(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}
