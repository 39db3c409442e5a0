import { CliError, exitCodes } from '../../errors.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Signal } from '../../system/shell.ts';
import type { FileCounts } from '../orders/check-orders.ts';
import { countWarning, type WarningCount } from '../problem.ts';
import { echoDiffers, noOutcomes, type OrderOutcome, type OutcomeCounts } from './order-outcome.ts';

/** The counts of `orders` add up to its `total`; the orders that are left out are not among them. */
export interface ImportSummary extends JsonObject {
  file: string;
  run: string;
  profile: string | null;
  sandbox: boolean;
  orders: OutcomeCounts & { total: number };
  leftOut: { total: number; byReason: Record<string, number> };
  warnings: { code: string; count: number; rows: number[] }[];
  rows: number;
  results: string | null;
  rejects: string | null;
  durationMs: number;
  exitCode: number;
}

function noOrders(): ImportSummary['orders'] {
  return { total: 0, ...noOutcomes() };
}

const maxNamed = 5;

export interface Tally {
  orders: ImportSummary['orders'];
  /** The external order IDs of the first orders of the file whose outcome is unknown. */
  unknown: string[];
  /** Of the orders that are not sent. */
  unsent: { inOtherRun: number };
  /** About orders that were created. */
  warnings: Map<string, WarningCount>;
}

export function createTally(): Tally & { add(outcome: OrderOutcome): void } {
  const orders = noOrders();
  const unknown: string[] = [];
  const unknownRows: number[] = [];
  const unsent = { inOtherRun: 0 };
  const warnings: Tally['warnings'] = new Map();
  return {
    orders,
    unknown,
    unsent,
    warnings,
    add: ({ outcome, row, externalOrderId, code }) => {
      if (outcome === 'left_out') return;
      orders.total += 1;
      orders[outcome] += 1;
      if (code === echoDiffers) countWarning(warnings, { code, row });
      if (code === 'in_other_run') unsent.inOtherRun += 1;
      if (outcome !== 'unknown') return;
      const index = unknownRows.filter((other) => other < row).length;
      unknownRows.splice(index, 0, row);
      unknown.splice(index, 0, externalOrderId);
      unknownRows.length = unknown.length = Math.min(unknown.length, maxNamed);
    },
  };
}

export function countUnsent({
  selected,
  invalid,
}: Pick<FileCounts, 'selected' | 'invalid'>): ImportSummary['orders'] {
  return { ...noOrders(), total: selected, invalid, not_sent: selected - invalid };
}

export interface EndFacts {
  stoppedBy: CliError | undefined;
  signal: Signal | undefined;
  command: string;
  fix: string;
}

/** Undefined when every order exists. Of several reasons the first one below wins. */
export function endOf({ orders: counts, unknown, unsent }: Tally, facts: EndFacts): CliError | undefined {
  const failed = counts.rejected + counts.invalid + counts.conflict;
  const { stoppedBy, signal, command, fix } = facts;
  const isDone = counts.not_sent + counts.unknown + failed === 0;
  if (isDone) return stoppedBy;
  if (signal !== undefined) {
    const open = counts.not_sent + counts.unknown;
    const sentence = `Stopped: ${open === 1 ? '1 order is' : `${open} orders are`} not done yet.`;
    const hint = open > 0 ? `To continue, run the same command again: ${command}` : fix;
    return new CliError(signal === 'SIGINT' ? 'interrupted' : 'terminated', sentence, { hint });
  }
  if (stoppedBy?.exitCode === exitCodes.keyRefused) return withHint(stoppedBy, stoppedBy.details.hint);
  if (counts.unknown > 0) return unknownOrders(counts.unknown, unknown, facts);
  if (stoppedBy?.code === 'too_many_errors' && counts.not_sent > 0) {
    return tooManyErrors(stoppedBy, counts.not_sent, fix);
  }
  if (stoppedBy !== undefined && stoppedBy.code !== 'too_many_errors') {
    const sentence = `${orders(counts.not_sent)} ${counts.not_sent === 1 ? 'was' : 'were'} not sent.`;
    return withHint(stoppedBy, `${cureOf(stoppedBy)}${sentence} Run the same command again: ${command}`);
  }
  if (counts.not_sent > unsent.inOtherRun) return outOfTime(counts.not_sent - unsent.inOtherRun, command);
  if (counts.not_sent > 0) return inOtherRun(counts.not_sent, command);
  return new CliError('some_orders_failed', `${failed} of ${orders(counts.total)} failed.`, {
    hint: fix,
  });
}

/** Nothing stopped the run, and no other run is sending them. */
function outOfTime(notSent: number, command: string): CliError {
  const sentence = `${orders(notSent)} ${notSent === 1 ? 'was' : 'were'} not sent before the time limit (--timeout).`;
  const hint = `Run the same command again with a longer --timeout: ${command}`;
  return new CliError('unreachable', sentence, { hint, outcome: 'not_sent' });
}

function inOtherRun(notSent: number, command: string): CliError {
  const [verb, them] = notSent === 1 ? ['was', 'it'] : ['were', 'them'];
  return new CliError(
    'in_other_run',
    `${orders(notSent)} ${verb} not sent: another run is sending ${them}.`,
    {
      hint: `Wait until that run has ended, then run the same command again: ${command}`,
      outcome: 'not_sent',
    },
  );
}

function tooManyErrors(stoppedBy: CliError, notSent: number, fix: string): CliError {
  const rest = `${orders(notSent)} ${notSent === 1 ? 'was' : 'were'} not sent.`;
  return withHint(stoppedBy, [rest, stoppedBy.details.hint, fix].join('\n'));
}

/** An error of one order as the error of the run, without the idempotency key of that order. */
function withHint({ code, message, details }: CliError, hint: string | undefined): CliError {
  const { idempotencyKey: _, ...others } = details;
  return new CliError(code, message, { ...others, ...(hint === undefined ? {} : { hint }) });
}

function unknownOrders(count: number, ids: readonly string[], { stoppedBy, command }: EndFacts): CliError {
  const named = ids.join(', ') + (count > ids.length ? ', ...' : '.');
  const sentence = `It is not known whether ${orders(count)} ${count === 1 ? 'was' : 'were'} created: ${named}`;
  const why = stoppedBy === undefined ? [] : [`The import was stopped: ${stoppedBy.message}`];
  return new CliError('outcome_unknown', [sentence, ...why].join(' '), {
    hint: `${cureOf(stoppedBy)}Run the same command again; it settles them and creates none twice: ${command}`,
    outcome: 'unknown',
  });
}

/** What has to be done before the same command can succeed, on a line of its own. */
function cureOf(stoppedBy: CliError | undefined): string {
  const needsCure = ['ledger_not_writable', 'wrong_base_url', 'out_of_resources'];
  if (stoppedBy === undefined || !needsCure.includes(stoppedBy.code) || stoppedBy.details.hint === undefined)
    return '';
  // The command follows.
  return `${stoppedBy.details.hint.replace(/,? (?:then|and) run the same command again.*$/s, '.')}\n`;
}

function orders(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}
