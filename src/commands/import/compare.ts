import { advice, commandFor } from '../../advice/advice.ts';
import { inWords } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import type { LeftOutReason } from '../../import/choices.ts';
import { isSendable, type PlannedOrder } from '../../import/orders/plan.ts';
import {
  createProblemLog,
  type FoldedProblem,
  type Problem,
  type WarningCount,
} from '../../import/problem.ts';
import { invalidOutcome } from '../../import/results/files.ts';
import type { OrderOutcome } from '../../import/results/order-outcome.ts';
import { countUnsent, type ImportSummary } from '../../import/results/summary.ts';
import type { LedgerContext } from '../../import/send/context.ts';
import { createdBefore, leftOutOutcome, outcomeFromLedger } from '../../import/send/outcomes.ts';
import { createSum } from '../../orders/decimal.ts';
import { textField } from '../../orders/order.ts';
import type { ImportJob } from './read.ts';

/** What the ledger says about the orders that may be sent and those that are left out. */
export interface Comparison {
  counts: ImportSummary['orders'];
  /** The orders without an outcome yet, which will be sent. */
  unsent: { orders: number; collecting: number; toCollect: string | undefined };
  problems: FoldedProblem[];
  warnings: WarningCount[];
}

export async function compareWithLedger(
  context: Context,
  { plan }: ImportJob,
  ledgerContext: LedgerContext,
): Promise<Comparison> {
  const counts = countUnsent(plan.counts);
  const { collecting, toCollect } = plan.totals;
  const log = createProblemLog();
  let unsent = { orders: counts.not_sent, collecting, toCollect };
  if (!ledgerContext.entries.isEmpty && plan.keepsOrders) {
    const toSend = createUnsent();
    const compare = (planned: PlannedOrder, inLedger: LedgerContext) => {
      log.add(ledgerWarnings(planned, context, inLedger));
      if (planned.leftOut !== undefined) return;
      const known = outcomeFromLedger(planned, inLedger);
      if (known === undefined || known.outcome === 'left_out') return toSend.add(planned);
      counts.not_sent -= 1;
      counts[known.outcome] += 1;
    };
    for (const batch of batchesOf(plan.orders())) {
      const ids = batch.map(({ externalOrderId }) => externalOrderId);
      const found = ledgerContext.entries.findMany(ids);
      const spellings = ledgerContext.entries.findOtherSpellings(ids);
      const inLedger = {
        ...ledgerContext,
        entries: {
          ...ledgerContext.entries,
          find: (id: string) => found.get(id),
          findOtherSpellings: () => spellings,
        },
      };
      for (const planned of batch) {
        const { externalOrderId: id } = planned;
        if (found.has(id) || spellings.has(id)) compare(planned, inLedger);
        else if (planned.leftOut === undefined) toSend.add(planned);
      }
    }
    unsent = toSend.value();
  }
  return { counts, unsent, problems: log.folded(), warnings: log.warnings() };
}

/** The ledger finds as many orders at once. */
const batchLength = 200;

/** The selected orders that would be sent or are left out. */
function* batchesOf(orders: Iterable<PlannedOrder>): Generator<PlannedOrder[]> {
  let batch: PlannedOrder[] = [];
  for (const planned of orders) {
    const isCompared = planned.isSelected && (planned.leftOut !== undefined || isSendable(planned));
    if (!isCompared || batch.push(planned) < batchLength) continue;
    yield batch;
    batch = [];
  }
  yield batch;
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
  const place = { about: 'order', severity: 'warning', row, externalOrderId } as const;
  if (leftOut !== undefined) {
    const outcome = leftOutOutcome(order, leftOut, ledgerContext);
    if (outcome.outcome === 'left_out') return [];
    return [{ ...place, ...leftOutButCreated(outcome, leftOut, context) }];
  }
  const { entries } = ledgerContext;
  const other = entries.findOtherSpellings([externalOrderId]).get(externalOrderId);
  if (other === undefined || entries.find(externalOrderId)?.owner === 'this_key') return [];
  return [
    {
      ...place,
      code: 'other_spelling',
      path: 'externalOrderId',
      problem: `it was imported before as ${other}, another spelling of the ID, and would be created again`,
      fix: 'write the ID as it was before, or remove its rows',
      cause: 'spelling',
    },
  ];
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
    message: `${outcome.message}; it was created before (${name})`,
    fix: advice`if it must not be delivered, cancel it: ${cancel}`,
  };
}

/** The goods have left, or were never to be sent; for any other reason the order should not be delivered. */
const deliveredReasons: readonly LeftOutReason[] = ['fulfilled', 'completed', 'returned'];

function leftOutButCreated(
  { outcome, externalOrderId, orderNumber, orderId }: OrderOutcome,
  reason: LeftOutReason,
  context: Pick<Context, 'settings'>,
): Pick<Problem, 'code' | 'problem' | 'fix' | 'cause'> {
  const name = orderNumber ?? orderId ?? externalOrderId;
  const common = { code: 'left_out_but_created', cause: `${outcome} ${reason}` } as const;
  const why = `it is left out (${inWords(reason)})`;
  if (outcome === 'unknown') {
    return {
      ...common,
      problem: `${why}, but it was sent before, and it is not known whether it was created`,
      fix: advice`to find out, run: ${commandFor(context, ['settle', externalOrderId])}`,
    };
  }
  const cancel = commandFor(context, ['cancel', name, '--reason', `${reason} in the shop`]);
  return {
    ...common,
    problem: `${why}, but it was created before (${name})`,
    fix: deliveredReasons.includes(reason)
      ? 'nothing needs to be done if this service delivered it'
      : advice`so that it is not delivered, run: ${cancel}`,
  };
}
