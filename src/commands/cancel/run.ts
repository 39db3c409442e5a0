import {
  advice,
  again,
  command,
  joinTexts,
  type Say,
  sayInEnglish,
  type Text,
  t,
} from '../../advice/advice.ts';
import { cancelRequest } from '../../api/requests.ts';
import { isCancelled, nameOf, type ServiceOrder, wordFor } from '../../api/responses/order.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { By } from '../../flags.ts';
import { isForSandbox, labelTexts } from '../../identity.ts';
import { createSum, formatAmount, toDecimal } from '../../orders/decimal.ts';
import { type Json, jsonText, member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { orderInShort, orderLine } from '../../output/order-list.ts';
import { formatOrder } from '../../output/order-view.ts';
import { createStyle } from '../../output/print.ts';
import type { Cancellation } from '../../output/reporter.ts';
import { formatRecord } from '../../output/table.ts';
import { formatMoment, minWholeWidth } from '../../output/times.ts';
import {
  type CancelRun,
  cancelOrders,
  createCancelLedger,
  type FoundOrder,
  findOrders,
  maxListed,
  type OrderName,
  type Result,
  usage,
} from './cancel-orders.ts';
import type { FromFlags } from './from-file.ts';

interface CancelOptions extends CancelFlags {
  references: string[];
}

interface CancelFlags extends By, FromFlags {
  from?: string;
  reason?: string;
  dryRun?: boolean;
}

export async function runCancel(context: Context, options: CancelOptions): Promise<void> {
  const { references, from, by, dryRun } = options;
  const { settings } = context;
  const loadPicking = () => import('../../pick-order.ts');
  checkNames(options);
  if (by === 'phone' && context.prompts === undefined) {
    throw usage(
      t`A phone number may be of several orders, so it cancels none without a question.`,
      t`Find the order, and cancel it by its number:\n  ${command('list', '--customer-phone', references[0] ?? 'PHONE')}`,
    );
  }
  if (from === undefined && references.length === 0 && context.prompts === undefined)
    throw (await loadPicking()).noReference();
  await checkCanConfirm(context, options);
  const given: OrderName[] =
    from === undefined
      ? references.map((reference) => ({ reference, by }))
      : await (await import('./from-file.ts')).readFrom(context, from, options);

  const isBulk = from !== undefined;
  const isOne = !isBulk && given.length <= 1;
  const stopped = new AbortController();
  const stopping = AbortSignal.any([context.interruption.stopping, stopped.signal]);
  await using connection = await context.connect(
    isBulk
      ? { waitsForOutages: true, limits: { concurrency: 'auto' }, stopping }
      : { waitsForOutages: false, isOneOrder: isOne },
  );
  await using ledger = createCancelLedger(connection);
  const { client, label, labelWithProfile } = connection;
  const run: CancelRun = {
    status: context.status,
    client,
    ledger,
    isOne,
    isBulk,
    stopped,
    findOtherwise: async ({ reference, by }, missing) =>
      (await loadPicking()).findOtherwise(context, connection, reference, {
        by,
        missing,
        isOneOfSeveral: !isOne,
      }),
  };

  const picked =
    given.length > 0
      ? undefined
      : await (await loadPicking()).pickOrder(
          context,
          connection,
          t`Order to cancel (phone, number or your own ID; Enter lists the newest)`,
        );
  const found = await findOrders(run, picked ? [{ reference: picked.order.id, by: 'id' }] : given);
  const [first] = found;
  if (isOne && first?.isCancelled) {
    if (!dryRun) await ledger.add(first);
    context.print.note(formatAlreadyCancelled(first.order, context.clock.now()));
    context.report.order(first.order.order, context.clock.now(), 'already_cancelled');
    return;
  }
  const toCancel = found.filter((each) => !each.isCancelled && each.notFound === undefined);
  // Do not cancel what cannot be recorded.
  if (!dryRun && toCancel.length > 0) await ledger.check();
  showFound(context, found, toCancel);
  const reason = toCancel.length === 0 ? '' : await askReason(context, options.reason);
  if (dryRun) {
    const requests = toCancel.map(({ order }) => context.describe(cancelRequest(order.id, reason)));
    context.report.requests(await Promise.all(requests));
    return;
  }
  const isGuess = picked?.isReading || toCancel.some(({ isReading }) => isReading);
  if (!settings.yes || isGuess) await askConfirmation(context, labelWithProfile, toCancel);
  const cancelled = await cancelOrders(run, found, reason);
  if (isOne) reportOne(context, label, cancelled);
  else reportAll(context, label, cancelled);
}

/** Error: `usage`. */
function checkNames({ references, from, by, ...reading }: CancelOptions): void {
  if (from === undefined) {
    const flag = (['run', 'delimiter', 'encoding'] as const).find((name) => reading[name] !== undefined);
    if (flag !== undefined) throw usage(t`--${flag} works only with --from.`, t`Remove --${flag}.`);
  } else if (references.length > 0) {
    throw usage(t`Orders are named both on the command line and by --from.`, t`Use one of the two.`);
  } else if (by !== undefined) {
    throw usage(t`--by does not work with --from: the name of the column decides.`, t`Remove --by.`);
  }
}

/** Before any request. Without a terminal, orders of the sandbox need no confirmation. Errors: `usage`, `confirmation_required`, `configuration_invalid`. */
async function checkCanConfirm(context: Context, { dryRun, reason }: CancelOptions): Promise<void> {
  const { settings, prompts } = context;
  if (prompts) return;
  if (reason?.trim() === '') {
    throw new CliError('usage', t`The reason is blank.`, { hint: t`Give a reason: --reason "out of stock"` });
  }
  const isConfirmed = settings.yes || dryRun || (await isForSandbox(context));
  const missing = [...(reason === undefined ? ['--reason TEXT'] : []), ...(isConfirmed ? [] : ['--yes'])];
  if (missing.length === 0) return;
  const sentence = t`${missing} {is|are} required when the program cannot ask questions.`;
  throw new CliError('confirmation_required', sentence, {
    hint: t`Nothing was sent. Run:${again(...missing.join(' ').split(' '))}`,
  });
}

function showFound(
  { print, clock, say, system: { terminal } }: Context,
  found: readonly FoundOrder[],
  toCancel: readonly FoundOrder[],
): void {
  const orders = toCancel.map(({ order }) => order.order);
  const look = { now: clock.now(), say, ...(terminal.stderr ? { width: terminal.width } : {}) };
  if (orders.length > 0) print.note(formatOrdersToCancel(orders, look));
  const missing = found.flatMap(({ notFound }) => notFound ?? []);
  for (const { sentence } of missing.slice(0, maxListed)) print.note(cleanCell(say(sentence)));
  const more = missing.length - maxListed;
  if (more > 0) print.note(t`... and ${more} more that do not exist.`);
  const cancelled = found.length - orders.length - missing.length;
  if (cancelled === 0) return;
  if (cancelled === found.length && cancelled > 1)
    print.note(t`All ${cancelled} orders were already cancelled.`);
  else print.note(t`${cancelled} {order|orders} {was|were} already cancelled.`);
}

/** More of them would not be on the screen. */
const maxCards = 3;
const maxLines = 200;
const maxStatuses = 8;

/** One order as `get` shows it; of several less of each, and their sums; of many a line each. `now` in epoch milliseconds. */
export function formatOrdersToCancel(
  orders: readonly Order[],
  look: { now: number; width?: number; say?: Say },
): string {
  const { say = sayInEnglish } = look;
  if (orders.length > maxCards) {
    const more = orders.length - maxLines;
    const inLine = { width: look.width ?? Number.POSITIVE_INFINITY, now: look.now, say };
    const lines = orders.slice(0, maxLines).map((order) => orderLine(order, inLine));
    return [
      ...lines,
      ...(more > 0 ? [say(t`... and ${more} more`)] : []),
      '',
      formatSums(orders, say),
      '',
    ].join('\n');
  }
  const view = orders.length === 1 ? 'whole' : 'cancel';
  const cards = orders.map((order) => `${formatOrder(order, view, look)}\n`);
  return [...cards, ...(orders.length > 1 ? [`${formatSums(orders, say)}\n`] : [])].join('\n');
}

function formatSums(orders: readonly Order[], say: Say): string {
  const [total, toCollect] = [createSum(), createSum()];
  const statuses = new Map<string, number>();
  for (const order of orders) {
    total.add(decimalOf(member(order, 'total')));
    if (textField(order, 'collectionMode') !== 'NONE')
      toCollect.add(decimalOf(member(order, 'collectionAmount')));
    const status = jsonText(member(order, 'status') ?? 'none');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const counts = [...statuses].map(([status, count]) => `${status} ${count}`);
  const fields = [
    { path: say(t`orders`), text: String(orders.length) },
    { path: say(t`total`), text: formatAmount(total.value() ?? '') },
    { path: say(t`to collect`), text: formatAmount(toCollect.value() ?? '') },
    {
      path: say(t`by status`),
      text: [...counts.slice(0, maxStatuses), ...(counts.length > maxStatuses ? ['...'] : [])].join(', '),
    },
  ];
  return formatRecord(
    fields.filter(({ text }) => text !== ''),
    createStyle(false),
  );
}

function decimalOf(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : toDecimal(jsonText(value));
}

/** `ORD-2026-000123 is already cancelled (21 Nov 14:02: out of stock).` Time and reason only if the service returns them. */
function formatAlreadyCancelled(found: ServiceOrder, now: number): Text {
  const { order } = found;
  const name = cleanCell(nameOf(found));
  const moment = textField(order, 'cancelledAt');
  const when =
    moment === undefined ? undefined : formatMoment(cleanCell(moment), { width: minWholeWidth, now });
  const reason = textField(order, 'cancelReason');
  const facts = [when, reason && cleanCell(reason)].filter((fact) => fact !== undefined);
  if (facts.length === 0) return t`${name} is already cancelled. Nothing was sent.`;
  return t`${name} is already cancelled (${joinTexts(facts, ': ')}). Nothing was sent.`;
}

/** Error: `not_confirmed`. */
async function askReason({ prompts }: Context, given: string | undefined): Promise<string> {
  const reason = given?.trim() ?? '';
  if (reason !== '' || !prompts) return reason;
  const answer = await prompts.text({
    message: t`Reason`,
    check: (text) => (text === '' ? t`Please give a reason, for example: out of stock.` : undefined),
  });
  // Somebody who types no, or cancel, wants to leave: it is rarely why an order is cancelled.
  const { readYesNo } = await import('../../words/yes-no.ts');
  const mayLeave = readYesNo(answer, 'create') === false;
  if (mayLeave && (await prompts.confirm(t`Stop, and cancel nothing?`, true))) throw nothingCancelled();
  return answer;
}

function nothingCancelled(): CliError {
  return new CliError('not_confirmed', t`Nothing was cancelled.`);
}

/** Error: `not_confirmed`. */
async function askConfirmation(
  { prompts, print, say }: Context,
  label: Text,
  toCancel: readonly FoundOrder[],
): Promise<void> {
  const [first, ...others] = toCancel;
  if (first === undefined || !prompts) return;
  const question =
    others.length === 0
      ? t`${label}: cancel ${orderInShort(first.order.order)}?`
      : t`${label}: cancel these ${toCancel.length} orders?`;
  const isRehearsal = String(label) === 'SANDBOX';
  if (await prompts.confirm(isRehearsal ? question : print.alarm(say(question)), false, 'cancel')) return;
  throw nothingCancelled();
}

type CancelledOrders = Awaited<ReturnType<typeof cancelOrders>>;

/** The data is the cancelled order; any other outcome is an error. */
function reportOne(
  { report, print, clock }: Context,
  label: Connection['label'],
  { results: [result], stoppedBy }: CancelledOrders,
): void {
  if (result?.outcome === 'cancel_pending') report.order(result.order.order, clock.now(), result.outcome);
  if (result !== undefined && 'error' in result) throw result.error;
  if (result !== undefined && 'isCurrent' in result) {
    print.note(formatCancelled(result, labelTexts[label]));
    report.order(result.order.order, clock.now(), result.outcome);
  }
  if (stoppedBy !== undefined) throw stoppedBy;
}

function formatCancelled(
  { outcome, order, isCurrent }: Extract<Result, { isCurrent: boolean }>,
  label: Text,
): Text {
  const name = cleanCell(nameOf(order));
  if (outcome === 'already_cancelled') {
    return t`The service did not respond properly, but ${name} is cancelled now (${label}).`;
  }
  if (!isCurrent) {
    return t`The service accepted the cancellation of ${name}, but the order could not be read again (${label}).`;
  }
  if (isCancelled(order)) return t`Cancelled ${name} (${label}).`;
  const status = textField(order.order, 'status');
  if (status === undefined)
    return t`The service accepted the cancellation of ${name}; its status is unknown (${label}).`;
  return t`The service accepted the cancellation of ${name}; its status is ${cleanCell(status)} (${label}).`;
}

// These come before unknown outcomes, which the list shows.
const firstCodes = new Set(['interrupted', 'key_refused', 'permission_missing']);

/** The data is the outcome of each order; the error counts those that were not cancelled. */
function reportAll(
  { report, print, interruption }: Context,
  label: Connection['label'],
  { results, stoppedBy }: CancelledOrders,
): void {
  report.cancellations(results.map(toCancellation));
  const count = (...outcomes: Result['outcome'][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const cancelled = count('cancelled');
  if (cancelled > 0) {
    const where = labelTexts[label];
    print.note(t`Cancelled ${cancelled} {order|orders} (${where}).`);
  }
  const unknown = count('unknown');
  const pending = results.filter((result) => result.outcome === 'cancel_pending');
  const isInterrupted = stoppedBy?.code === 'unreachable' && interruption.stopping.aborted;
  const error = isInterrupted
    ? new CliError('interrupted', t`Stopped before all orders were cancelled.`, {
        hint: t`To cancel the rest, run the same command again.${again()}`,
      })
    : stoppedBy;
  if (error !== undefined && (unknown + pending.length === 0 || firstCodes.has(error.code))) throw error;
  const withStop = (sentence: Text) =>
    error === undefined ? sentence : t`${sentence} Stopped: ${error.sentence}`;
  if (unknown > 0) {
    const sentence = t`It is not known whether ${unknown} of the orders {was|were} cancelled.`;
    throw new CliError('outcome_unknown', withStop(sentence), {
      hint: t`To find out, run the same command again.${again()}`,
      outcome: 'unknown',
    });
  }
  if (pending.length > 0) {
    const sentence = t`The service accepted the cancellation of ${pending.length} {order|orders}, but has not cancelled {it|them} yet.`;
    const checks = pending
      .slice(0, maxListed)
      .map(({ order }) => advice`  ${command('get', wordFor(order))}`);
    const hint = joinTexts([t`Check them later with:`, ...checks], '\n');
    throw new CliError('cancel_pending', withStop(sentence), { hint, outcome: 'unknown' });
  }
  const failed = results.length - count('cancelled', 'already_cancelled');
  if (failed === 0) return;
  const sentence = t`Of ${results.length} orders, ${failed} {was|were} not cancelled.`;
  throw new CliError('some_orders_failed', sentence, { hint: t`The list above shows why.` });
}

function toCancellation(result: Result): Cancellation {
  const { outcome, order } = result;
  const status = textField(order.order, 'status');
  const error =
    'error' in result ? { code: result.error.reportedCode, message: result.error.wholeSentence } : {};
  return { order: order.order, outcome, ...(status === undefined ? {} : { status }), ...error };
}
