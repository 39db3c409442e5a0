import { advice, joinTexts, type Text, type Typed, t } from '../../advice/advice.ts';
import { CliError, exitCodes } from '../../errors.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Interruption } from '../../system/shell.ts';
import type { FileCounts } from '../orders/plan.ts';
import {
  countWarning,
  createProblemLog,
  type FoldedProblem,
  type ReportedProblem,
  type WarningCount,
} from '../problem.ts';
import {
  echoDiffers,
  noOutcomes,
  type OrderOutcome,
  type OutcomeCounts,
  orderCancelled,
  type SameId,
  twiceError,
} from './order-outcome.ts';

/** The counts of `orders` add up to its `total`; the orders that are left out are not among them. */
export interface ImportSummary extends JsonObject {
  file: string;
  run: string;
  profile: string | null;
  sandbox: boolean;
  orders: OutcomeCounts & { total: number };
  /** Of these and earlier runs: the service has several of each. */
  twice: number;
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
  /** Of which the service has several, whichever run sent them. */
  twice: SameId[];
  /** Created, and shown as cancelled at once. */
  cancelled: number;
  /** Created before and cancelled since, so that only --recreate-cancelled creates them. */
  cancelledBefore: number;
}

export function createTally(): Tally & { add(outcome: OrderOutcome): void } {
  const orders = noOrders();
  const unknown: string[] = [];
  const unknownRows: number[] = [];
  const unsent = { inOtherRun: 0 };
  const warnings: Tally['warnings'] = new Map();
  let sent = 0;
  let cancelled = 0;
  let cancelledBefore = 0;
  return {
    get sent() {
      return sent;
    },
    get cancelled() {
      return cancelled;
    },
    get cancelledBefore() {
      return cancelledBefore;
    },
    orders,
    unknown,
    unsent,
    warnings,
    twice: [],
    add: ({ outcome, row, externalOrderId, code, attempts }) => {
      if (outcome === 'left_out') return;
      orders.total += 1;
      orders[outcome] += 1;
      if (attempts > 0) sent += 1;
      if (outcome === 'created' && code === orderCancelled) cancelled += 1;
      if (outcome === 'conflict' && code === orderCancelled) cancelledBefore += 1;
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
  signal: ReturnType<Interruption['signal']>;
  command: Typed;
  fix: Text;
  recreate: Typed;
}

/** Undefined when every order exists. Of several reasons the first one below wins. */
export function endOf(
  { orders: counts, unknown, unsent, sent, twice, cancelled, cancelledBefore }: Tally,
  end: RunEnd,
): CliError | undefined {
  const failed = counts.rejected + counts.invalid + counts.conflict;
  const { stoppedBy, signal, command, fix } = end;
  const isDone = counts.not_sent + counts.unknown + failed === 0;
  if (isDone) {
    if (stoppedBy !== undefined) return stoppedBy;
    if (twice.length > 0) return twiceError(twice);
    return cancelled === 0 ? undefined : createdCancelled(cancelled);
  }
  if (signal !== undefined) {
    const open = counts.not_sent + counts.unknown;
    const sentence = t`Stopped: ${open} {order|orders} {is|are} not done yet.`;
    const hint = open > 0 ? t`To continue, run the same command again:\n  ${command}` : fix;
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
    const sentence = notSentText(counts.not_sent);
    const next = t`${sentence} Run the same command again:\n  ${command}`;
    return withHint(stoppedBy, advice`${cureOf(stoppedBy)}${next}`);
  }
  if (counts.not_sent > unsent.inOtherRun) return outOfTime(counts.not_sent - unsent.inOtherRun, command);
  if (counts.not_sent > 0) return inOtherRun(counts.not_sent, command);
  const sentence = t`${failed} of ${counts.total} {order|orders} failed.`;
  if (cancelledBefore === 0) return new CliError('some_orders_failed', sentence, { hint: fix });
  const hint = t`${fix}\nTo create the ${cancelledBefore} cancelled {order|orders} again, run:\n  ${end.recreate}`;
  return new CliError('some_orders_failed', sentence, { hint });
}

interface Unwritten {
  /** Why neither place could be written; undefined for a file that was written. */
  results: Text | undefined;
  rejects: Text | undefined;
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
  const created =
    counts.created === 0 ? t`No order was created` : t`${counts.created} {order|orders} {was|were} created`;
  const why = results ?? rejects ?? '';
  const sentence =
    results === undefined
      ? t`${created}, but the rows to fix could not be written. ${why}`
      : rejects === undefined
        ? t`${created}, but the results could not be written. ${why}`
        : t`${created}, but the results and the rows to fix could not be written. ${why}`;
  const failed = counts.rejected + counts.invalid + counts.conflict;
  const hints = [
    ...(isReplaced ? [] : [error.details.hint]),
    ...(results === undefined
      ? []
      : [t`Free some space, or check the folder. To print the results then, run:\n  ${resultsCommand}`]),
    ...(isReplaced && failed > 0 ? [fix] : []),
  ];
  const hint = joinTexts(
    hints.filter((text) => text !== undefined),
    '\n',
  );
  if (isReplaced) {
    const message = error === undefined ? sentence : advice`${error.sentence} ${sentence}`;
    return new CliError('results_not_written', message, { hint });
  }
  return new CliError(error.code, advice`${error.sentence} ${sentence}`, { ...error.details, hint });
}

function createdCancelled(count: number): CliError {
  const sentence = t`${count} {order|orders} {was|were} created, and the service shows {it|them} cancelled.`;
  return new CliError('some_orders_failed', sentence, { hint: t`The results file names them.` });
}

function stopped({ sentence: why, details }: CliError, notSent: number, command: Typed): CliError {
  const sentence = advice`${notSentText(notSent)} ${why}`;
  const cure = details.hint === undefined ? '' : advice`${details.hint}\n`;
  const next = t`Run the same command again; no order is created twice:\n  ${command}`;
  const hint = advice`${cure}${next}`;
  return new CliError('import_stopped', sentence, { hint, cause: details.cause });
}

/** Nothing stopped the run, and no other run is sending these orders. */
function outOfTime(notSent: number, command: Typed): CliError {
  const sentence = t`${notSent} {order|orders} {was|were} not sent before the time limit (--timeout).`;
  const hint = t`Run the same command again with a longer --timeout: ${command}`;
  return new CliError('unreachable', sentence, { hint, outcome: 'not_sent' });
}

function inOtherRun(notSent: number, command: Typed): CliError {
  const sentence = t`${notSent} {order|orders} {was|were} not sent: another run is sending {it|them}.`;
  return new CliError('in_other_run', sentence, {
    hint: t`Wait until that run has ended, then run the same command again:\n  ${command}`,
    outcome: 'not_sent',
  });
}

function tooManyErrors(stoppedBy: CliError, notSent: number, fix: Text): CliError {
  return withHint(stoppedBy, joinTexts([notSentText(notSent), stoppedBy.details.hint ?? '', fix], '\n'));
}

/** An error of one order as the error of the run, without the idempotency key of that order. */
function withHint({ code, sentence, details }: CliError, hint: Text | undefined): CliError {
  const { idempotencyKey: _, ...others } = details;
  return new CliError(code, sentence, { ...others, ...(hint === undefined ? {} : { hint }) });
}

function unknownOrders(count: number, ids: readonly string[], { stoppedBy, command }: RunEnd): CliError {
  const named = ids.join(', ') + (count > ids.length ? ', ...' : '.');
  const sentence = t`It is not known whether ${count} {order|orders} {was|were} created: ${named}`;
  const why = stoppedBy === undefined ? [] : [t`The import was stopped: ${stoppedBy.sentence}`];
  const next = t`Run the same command again; it settles them and creates none twice:\n  ${command}`;
  return new CliError('outcome_unknown', joinTexts([sentence, ...why], ' '), {
    hint: advice`${cureOf(stoppedBy)}${next}`,
    outcome: 'unknown',
  });
}

/** What to do before the same command can succeed. */
function cureOf(stoppedBy: CliError | undefined): Text {
  const curable = ['ledger_not_writable', 'wrong_base_url', 'out_of_resources', 'fields_dropped'];
  if (stoppedBy === undefined || !curable.includes(stoppedBy.code)) return '';
  const { cure, hint = '' } = stoppedBy.details;
  return advice`${cure ?? hint}\n`;
}

function notSentText(count: number): Text {
  return t`${count} {order|orders} {was|were} not sent.`;
}

/** The reasons why orders failed, each once. */
export function foldReasons(failures: Iterable<OrderOutcome>): FoldedProblem<ReportedProblem>[] {
  const log = createProblemLog<ReportedProblem>();
  for (const outcome of failures) {
    const { row, externalOrderId, code = '', message = '', fix = '' } = outcome;
    const place = { about: 'order', severity: 'error', row, externalOrderId } as const;
    log.add([{ ...place, code, problem: message, fix, cause: reasonOf(String(message), outcome) }]);
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
