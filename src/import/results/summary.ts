import { advice, joinTexts, type Text, type Typed } from '../../advice/advice.ts';
import { CliError, exitCodes } from '../../errors.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Signal } from '../../system/shell.ts';
import type { FileCounts } from '../orders/plan.ts';
import {
  countWarning,
  createProblemLog,
  type FoldedProblem,
  type ReportedProblem,
  type WarningCount,
} from '../problem.ts';
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
  /** External order IDs, of the first orders only. */
  unknown: string[];
  /** Orders that are not sent. */
  unsent: { inOtherRun: number };
  warnings: Map<string, WarningCount>;
  /** The orders for which a request was sent. */
  sent: number;
}

export function createTally(): Tally & { add(outcome: OrderOutcome): void } {
  const orders = noOrders();
  const unknown: string[] = [];
  const unknownRows: number[] = [];
  const unsent = { inOtherRun: 0 };
  const warnings: Tally['warnings'] = new Map();
  let sent = 0;
  return {
    get sent() {
      return sent;
    },
    orders,
    unknown,
    unsent,
    warnings,
    add: ({ outcome, row, externalOrderId, code, attempts }) => {
      if (outcome === 'left_out') return;
      orders.total += 1;
      orders[outcome] += 1;
      if (attempts > 0) sent += 1;
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

interface RunEnd {
  stoppedBy: CliError | undefined;
  signal: Signal | undefined;
  command: Typed;
  fix: Text;
}

/** Undefined when every order exists. Of several reasons the first one below wins. */
export function endOf({ orders: counts, unknown, unsent, sent }: Tally, end: RunEnd): CliError | undefined {
  const failed = counts.rejected + counts.invalid + counts.conflict;
  const { stoppedBy, signal, command, fix } = end;
  const isDone = counts.not_sent + counts.unknown + failed === 0;
  if (isDone) return stoppedBy;
  if (signal !== undefined) {
    const open = counts.not_sent + counts.unknown;
    const sentence = `Stopped: ${open === 1 ? '1 order is' : `${open} orders are`} not done yet.`;
    const hint = open > 0 ? advice`To continue, run the same command again:\n  ${command}` : fix;
    return new CliError(signal === 'SIGINT' ? 'interrupted' : 'terminated', sentence, { hint });
  }
  if (stoppedBy?.exitCode === exitCodes.keyRefused) return withHint(stoppedBy, stoppedBy.details.hint);
  if (counts.unknown > 0) return unknownOrders(counts.unknown, unknown, end);
  if (stoppedBy?.code === 'too_many_errors' && counts.not_sent > 0) {
    return tooManyErrors(stoppedBy, counts.not_sent, fix);
  }
  if (stoppedBy !== undefined && stoppedBy.code !== 'too_many_errors') {
    // The exit code of such an error says that nothing was sent.
    if (stoppedBy.exitCode === exitCodes.nothingSent && sent > 0)
      return stopped(stoppedBy, counts.not_sent, command);
    const sentence = `${orders(counts.not_sent)} ${verb(counts.not_sent)} not sent.`;
    return withHint(
      stoppedBy,
      advice`${cureOf(stoppedBy)}${sentence} Run the same command again:\n  ${command}`,
    );
  }
  if (counts.not_sent > unsent.inOtherRun) return outOfTime(counts.not_sent - unsent.inOtherRun, command);
  if (counts.not_sent > 0) return inOtherRun(counts.not_sent, command);
  return new CliError('some_orders_failed', `${failed} of ${orders(counts.total)} failed.`, {
    hint: fix,
  });
}

interface Unwritten {
  /** Why neither place could be written; undefined for a file that was written. */
  results: string | undefined;
  rejects: string | undefined;
  fix: Text;
  resultsCommand: Typed;
}

/** Adds the files that could not be written. Only an error that says less gives way to `results_not_written`. */
export function withUnwritten(
  error: CliError | undefined,
  { orders: counts }: Tally,
  { results, rejects, fix, resultsCommand }: Unwritten,
): CliError | undefined {
  if (results === undefined && rejects === undefined) return error;
  const isReplaced = error === undefined || error.exitCode === exitCodes.partly;
  const created = counts.created === 0 ? 'No order was' : `${orders(counts.created)} ${verb(counts.created)}`;
  const what =
    results === undefined
      ? 'the rows to fix'
      : rejects === undefined
        ? 'the results'
        : 'the results and the rows to fix';
  const sentence = `${created} created, but ${what} could not be written. ${results ?? rejects}`;
  const failed = counts.rejected + counts.invalid + counts.conflict;
  const hints = [
    ...(isReplaced ? [] : [error.details.hint]),
    ...(results === undefined
      ? []
      : [advice`Free some space, or check the folder. To print the results then, run:\n  ${resultsCommand}`]),
    ...(isReplaced && failed > 0 ? [fix] : []),
  ];
  const hint = joinTexts(
    hints.filter((text) => text !== undefined),
    '\n',
  );
  if (isReplaced) {
    const message = error === undefined ? sentence : `${error.message} ${sentence}`;
    return new CliError('results_not_written', message, { hint });
  }
  return new CliError(error.code, `${error.message} ${sentence}`, { ...error.details, hint });
}

function stopped({ message, details }: CliError, notSent: number, command: Typed): CliError {
  const sentence = `${orders(notSent)} ${verb(notSent)} not sent. ${message}`;
  const cure = details.hint === undefined ? '' : advice`${details.hint}\n`;
  const hint = advice`${cure}Run the same command again; no order is created twice:\n  ${command}`;
  return new CliError('import_stopped', sentence, { hint, cause: details.cause });
}

/** Nothing stopped the run, and no other run is sending these orders. */
function outOfTime(notSent: number, command: Typed): CliError {
  const sentence = `${orders(notSent)} ${verb(notSent)} not sent before the time limit (--timeout).`;
  const hint = advice`Run the same command again with a longer --timeout: ${command}`;
  return new CliError('unreachable', sentence, { hint, outcome: 'not_sent' });
}

function inOtherRun(notSent: number, command: Typed): CliError {
  const [verb, them] = notSent === 1 ? ['was', 'it'] : ['were', 'them'];
  return new CliError(
    'in_other_run',
    `${orders(notSent)} ${verb} not sent: another run is sending ${them}.`,
    {
      hint: advice`Wait until that run has ended, then run the same command again:\n  ${command}`,
      outcome: 'not_sent',
    },
  );
}

function tooManyErrors(stoppedBy: CliError, notSent: number, fix: Text): CliError {
  const rest = `${orders(notSent)} ${verb(notSent)} not sent.`;
  return withHint(stoppedBy, joinTexts([rest, stoppedBy.details.hint ?? '', fix], '\n'));
}

/** An error of one order as the error of the run, without the idempotency key of that order. */
function withHint({ code, message, details }: CliError, hint: Text | undefined): CliError {
  const { idempotencyKey: _, ...others } = details;
  return new CliError(code, message, { ...others, ...(hint === undefined ? {} : { hint }) });
}

function unknownOrders(count: number, ids: readonly string[], { stoppedBy, command }: RunEnd): CliError {
  const named = ids.join(', ') + (count > ids.length ? ', ...' : '.');
  const sentence = `It is not known whether ${orders(count)} ${verb(count)} created: ${named}`;
  const why = stoppedBy === undefined ? [] : [`The import was stopped: ${stoppedBy.message}`];
  return new CliError('outcome_unknown', [sentence, ...why].join(' '), {
    hint: advice`${cureOf(stoppedBy)}Run the same command again; it settles them and creates none twice:\n  ${command}`,
    outcome: 'unknown',
  });
}

/** What to do before the same command can succeed. */
function cureOf(stoppedBy: CliError | undefined): Text {
  const curable = ['ledger_not_writable', 'wrong_base_url', 'out_of_resources'];
  if (stoppedBy === undefined || !curable.includes(stoppedBy.code)) return '';
  const { cure, hint = '' } = stoppedBy.details;
  return advice`${cure ?? hint}\n`;
}

function orders(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}

function verb(count: number): string {
  return count === 1 ? 'was' : 'were';
}

/** The reasons why orders failed, each once. */
export function foldReasons(failures: Iterable<OrderOutcome>): FoldedProblem<ReportedProblem>[] {
  const log = createProblemLog<ReportedProblem>();
  for (const outcome of failures) {
    const { row, externalOrderId, code = '', message = '', fix = '' } = outcome;
    const place = { about: 'order', severity: 'error', row, externalOrderId } as const;
    log.add([{ ...place, code, problem: message, fix, cause: reasonOf(message, outcome) }]);
  }
  return log.folded();
}

/** A message without what differs from order to order: its IDs, the place of the line, and long numbers. */
function reasonOf(message: string, { externalOrderId, orderId, orderNumber }: OrderOutcome): string {
  const own = [orderNumber, orderId, externalOrderId].filter((id) => id !== undefined && id !== '');
  return own
    .reduce((text: string, id) => text.replaceAll(id as string, ''), message)
    .replace(/\[\d+\]/g, '[]')
    .replace(/("[^"]*")|\d{6,}/g, '$1');
}
