import { commandFor, completeCommand, type Sentence, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { LeftOutReason } from '../../import/choices.ts';
import { idPrefixIn } from '../../import/mapping/column.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan.ts';
import {
  createProblemLog,
  type FoldedProblem,
  type Problem,
  type WarningCount,
} from '../../import/problem.ts';
import { invalidOutcome } from '../../import/results/files.ts';
import { type OrderOutcome, orderCancelled } from '../../import/results/order-outcome.ts';
import { countUnsent, type ImportSummary } from '../../import/results/summary.ts';
import type { LedgerContext } from '../../import/send/context.ts';
import { batchesOf, findKnownOtherwise, refuseKnownOtherwise } from '../../import/send/known-otherwise.ts';
import { createdBefore, leftOutOutcome, outcomeFromLedger } from '../../import/send/outcomes.ts';
import { hashOrder } from '../../ledger/order-log.ts';
import { createSum } from '../../orders/decimal.ts';
import { textField } from '../../orders/order.ts';
import type { ImportJob } from './read.ts';

/** What the ledger says about the orders that may be sent and those that are left out. */
export interface Comparison {
  /** In its plan, the orders that are known under another ID are invalid. */
  job: ImportJob;
  counts: ImportSummary['orders'];
  /** The orders without an outcome yet, which will be sent. */
  unsent: { orders: number; collecting: number; toCollect: string | undefined };
  /** Those that the plan did not have before. */
  problems: FoldedProblem[];
  warnings: WarningCount[];
}

/** Error: `file_not_writable`. */
export function compareWithLedger(
  context: Context,
  job: ImportJob,
  ledgerContext: LedgerContext,
): Comparison {
  const { plan, openSpill } = job;
  const { collecting, toCollect } = plan.totals;
  const counts = countUnsent(plan.counts);
  if (ledgerContext.entries.isEmpty || !plan.keepsOrders) {
    return {
      job,
      counts,
      unsent: { orders: counts.not_sent, collecting, toCollect },
      problems: [],
      warnings: [],
    };
  }
  const { others, cancelled, ...compared } = comparePlan(context, job, ledgerContext);
  const idPrefix = idPrefixIn(plan.mapping.columns);
  const { conflict, already_exists: same } = compared.counts;
  // Under a prefix, orders that agree show that it is the file of before, in which single orders have changed.
  const isOther = plan.idsCount && idPrefix !== '' && conflict > cancelled;
  if (isOther && (idPrefix === undefined || same + cancelled === 0)) throw idsUsedBefore(job, idPrefix);
  if (others.size === 0) return { job, ...compared };
  const refused = refuseKnownOtherwise(plan, others, ledgerContext, { idPrefix, openSpill });
  if (refused === plan) return { job, ...compared };
  const withErrors = { ...job, plan: refused };
  const { others: _, cancelled: __, problems, ...again } = comparePlan(context, withErrors, ledgerContext);
  const added = refused.problems.filter((problem) => !plan.problems.includes(problem));
  return { job: withErrors, ...again, problems: [...added, ...problems] };
}

/**
 * `others`: IDs under which the ledger knows orders of the plan that have another one; `cancelled`: how many were cancelled
 * since, and are as they were.
 */
function comparePlan(
  context: Context,
  { plan }: ImportJob,
  ledgerContext: LedgerContext,
): Omit<Comparison, 'job'> & { others: ReadonlySet<string>; cancelled: number } {
  const counts = countUnsent(plan.counts);
  let cancelled = 0;
  const log = createProblemLog();
  const toSend = createUnsent();
  const others = new Set<string>();
  const idPrefix = idPrefixIn(plan.mapping.columns);
  const compare = (planned: PlannedOrder, inLedger: LedgerContext) => {
    log.add(ledgerWarnings(planned, context, inLedger));
    if (planned.leftOut !== undefined) return;
    const known = outcomeFromLedger(planned, inLedger);
    if (known === undefined || known.outcome === 'left_out') return toSend.add(planned);
    counts.not_sent -= 1;
    counts[known.outcome] += 1;
    const before = inLedger.entries.find(planned.externalOrderId);
    if (known.code === orderCancelled && before?.entry.bodyHash === hashOrder(planned.order)) cancelled += 1;
  };
  for (const batch of batchesOf(plan.orders())) {
    const due = batch.filter(
      (planned) => planned.isSelected && (planned.leftOut !== undefined || isSendable(planned)),
    );
    const found = ledgerContext.entries.findMany(due.map(({ externalOrderId }) => externalOrderId));
    const entries = { ...ledgerContext.entries, find: (id: string) => found.get(id) };
    for (const planned of due) {
      if (found.has(planned.externalOrderId)) compare(planned, { ...ledgerContext, entries });
      else if (planned.leftOut === undefined) toSend.add(planned);
    }
    for (const { other } of findKnownOtherwise(due, ledgerContext, idPrefix)) others.add(other);
  }
  return {
    counts,
    unsent: toSend.value(),
    problems: log.folded(),
    warnings: log.warnings(),
    others,
    cancelled,
  };
}

/** IDs that count, of which orders with other content have some: another file counted from 1 as well. */
function idsUsedBefore({ file, args }: ImportJob, idPrefix: string | undefined): CliError {
  const problem = t`its order IDs only count, and orders with other content have some of them already`;
  // Without their prefix they would be created again.
  const fix =
    idPrefix === undefined
      ? t`If these are new orders, put a text before their IDs that no file had before: --id-prefix TEXT. If they are the orders of before, and all have changed, run:\n  ${completeCommand([...args, '--id-prefix', 'none'])}`
      : t`If these are new orders, put a text before their IDs that no file had before: --id-prefix TEXT. If they are the orders of before, and all have changed, cancel those, and give the changed ones new IDs.`;
  return new CliError('file_invalid', t`${cleanCell(file)}: ${problem}. Nothing was sent.`, {
    hint: fix,
    issues: [{ code: 'ids_count_up', path: 'externalOrderId', message: problem }],
    hasShownIssues: true,
  });
}

function createUnsent() {
  const sum = createSum();
  let orders = 0;
  let collecting = 0;
  return {
    add: ({ order }: PlannedOrder) => {
      orders += 1;
      if (textField(order, 'collectionMode') !== 'COLLECT') return;
      collecting += 1;
      sum.add(textField(order, 'collectionAmount'));
    },
    value: () => ({ orders, collecting, toCollect: sum.value() }),
  };
}

export function ledgerWarnings(
  order: PlannedOrder,
  context: Pick<Context, 'settings'>,
  ledgerContext: LedgerContext,
): Problem[] {
  const { externalOrderId, row, leftOut } = order;
  if (leftOut === undefined) return [];
  const outcome = leftOutOutcome(order, leftOut, ledgerContext);
  if (outcome.outcome === 'left_out') return [];
  const place = { about: 'order', severity: 'warning', row, externalOrderId } as const;
  return [{ ...place, ...leftOutButCreated(outcome, leftOut, context) }];
}

/** An order to fix keeps the names of the one that was created, so that it can be cancelled. */
export function invalidOutcomeOf(
  planned: PlannedOrder,
  context: Pick<Context, 'settings'>,
  ledgerContext: LedgerContext | undefined,
): OrderOutcome {
  const outcome = invalidOutcome(planned);
  const created = ledgerContext && createdBefore(planned.externalOrderId, ledgerContext);
  if (created === undefined) return outcome;
  const name = created.orderNumber ?? created.orderId ?? planned.externalOrderId;
  const cancel = commandFor(context, ['cancel', name, '--reason', 'changed in the shop']);
  return {
    ...outcome,
    ...created,
    message: t`${outcome.message ?? ''}; it was created before (${name})`,
    fix: t`if it must not be delivered, cancel it: ${cancel}`,
  };
}

const reasonTexts: Record<LeftOutReason, Sentence> = {
  cancelled: t`cancelled`,
  voided: t`voided`,
  expired: t`expired`,
  refunded: t`refunded`,
  returned: t`returned`,
  test: t`test`,
  draft: t`draft`,
  fulfilled: t`fulfilled`,
  completed: t`completed`,
  needs_no_shipping: t`needs no shipping`,
  pickup: t`pickup`,
  unpaid: t`unpaid`,
  rule: t`by your answers`,
};

/** The goods have left, or were never to be sent; for any other reason the order should not be delivered. */
const deliveredReasons: readonly LeftOutReason[] = ['fulfilled', 'completed', 'returned'];

function leftOutButCreated(
  { outcome, externalOrderId, orderNumber, orderId }: OrderOutcome,
  reason: LeftOutReason,
  context: Pick<Context, 'settings'>,
): Pick<Problem, 'code' | 'problem' | 'fix' | 'cause'> {
  const name = orderNumber ?? orderId ?? externalOrderId;
  const common = { code: 'left_out_but_created', cause: `${outcome} ${reason}` } as const;
  if (outcome === 'unknown') {
    return {
      ...common,
      problem: t`it is left out (${reasonTexts[reason]}), but it was sent before, and it is not known whether it was created`,
      fix: t`to find out, run: ${commandFor(context, ['settle', externalOrderId])}`,
    };
  }
  const cancel = commandFor(context, ['cancel', name, '--reason', `${reason} in the shop`]);
  return {
    ...common,
    problem: t`it is left out (${reasonTexts[reason]}), but it was created before (${name})`,
    fix: deliveredReasons.includes(reason)
      ? t`nothing needs to be done if this service delivered it`
      : t`so that it is not delivered, run: ${cancel}`,
  };
}
