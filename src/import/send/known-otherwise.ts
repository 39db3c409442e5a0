import { t } from '../../advice/advice.ts';
import { hashOrder, isOpen } from '../../ledger/order-log.ts';
import type { Spill } from '../../system/temporary-file.ts';
import { createPlanStore, createTotals, isSendable, type PlannedOrder } from '../orders/plan.ts';
import type { Plan } from '../orders/plan-import.ts';
import { createProblemLog, type Problem } from '../problem.ts';
import type { LedgerContext } from './context.ts';
import type { MerchantEntry } from './merchant-entries.ts';

/** An order that the ledger knows under another ID, and would be created again. */
interface KnownOtherwise {
  planned: PlannedOrder;
  other: string;
  how: 'spelling' | 'prefix';
  isCancelled: boolean;
}

/** `idPrefix`: an order may be known without it, if its content is the same. */
export function findKnownOtherwise(
  orders: readonly PlannedOrder[],
  { entries, recreatesCancelled }: LedgerContext,
  idPrefix = '',
): KnownOtherwise[] {
  const named = orders
    .filter((planned) => planned.isSelected && isSendable(planned))
    .map((planned) => ({ planned, bare: withoutPrefix(planned.externalOrderId, idPrefix) }));
  const ids = named.flatMap(({ planned: { externalOrderId }, bare = [] }) => [externalOrderId].concat(bare));
  const spellings = entries.findOtherSpellings(ids);
  const othersOf = (id: string) => spellings.get(id) ?? [];
  const candidates = named.flatMap(({ planned, bare }) => [
    ...othersOf(planned.externalOrderId).map((other) => ({ planned, other, how: 'spelling' as const })),
    ...(bare === undefined ? [] : [bare, ...othersOf(bare)]).map((other) => ({
      planned,
      other,
      how: 'prefix' as const,
    })),
  ]);
  if (candidates.length === 0) return [];
  const found = entries.findMany(
    candidates.flatMap(({ planned: { externalOrderId }, other }) => [externalOrderId, other]),
  );
  return candidates.flatMap((candidate) => {
    const { planned, other, how } = candidate;
    const entry = found.get(other);
    if (!mayExist(entry) || mayExist(found.get(planned.externalOrderId))) return [];
    if (recreatesCancelled && entry.isCancelled) return [];
    return how === 'spelling' || hasContent(entry, planned, other)
      ? [{ ...candidate, isCancelled: entry.isCancelled }]
      : [];
  });
}

function withoutPrefix(id: string, prefix: string): string | undefined {
  return prefix !== '' && id.startsWith(prefix) && id !== prefix ? id.slice(prefix.length) : undefined;
}

function hasContent({ entry }: MerchantEntry, { order }: PlannedOrder, externalOrderId: string): boolean {
  return entry.bodyHash === hashOrder({ ...order, externalOrderId });
}

/** Created or open, and certainly of this merchant. */
function mayExist(found: MerchantEntry | undefined): found is MerchantEntry {
  if (found === undefined || found.owner === 'unknown_merchant') return false;
  return found.entry.state === 'created' || isOpen(found.entry);
}

/** The ledger finds as many orders at once. */
const batchLength = 200;

export function* batchesOf(orders: Iterable<PlannedOrder>): Generator<PlannedOrder[]> {
  let batch: PlannedOrder[] = [];
  for (const planned of orders) {
    if (batch.push(planned) < batchLength) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/**
 * The plan in which the orders that are known as one of `others` are invalid. An order of the file itself is none of
 * them: both are orders of the shop. Error: `file_not_writable`.
 */
export function refuseKnownOtherwise(
  plan: Plan,
  others: ReadonlySet<string>,
  context: LedgerContext,
  { idPrefix, openSpill }: { idPrefix: string | undefined; openSpill(): Spill },
): Plan {
  const earlier = new Set(others);
  for (const { externalOrderId } of plan.orders()) earlier.delete(externalOrderId);
  if (earlier.size === 0) return plan;
  const store = createPlanStore(openSpill());
  const log = createProblemLog();
  const totals = createTotals();
  const counts = { ...plan.counts };
  for (const batch of batchesOf(plan.orders())) {
    const known = new Map(
      findKnownOtherwise(batch, context, idPrefix)
        .filter(({ other }) => earlier.has(other))
        .map((found) => [found.planned, problemOf(found)]),
    );
    for (const planned of batch) {
      const problem = known.get(planned);
      if (problem === undefined) {
        if (planned.isSelected && isSendable(planned)) totals.add(planned);
        store.add(planned);
        continue;
      }
      log.add([problem]);
      counts.invalid += 1;
      if (planned.isPaidOnDelivery) counts.paidOnDelivery -= 1;
      store.add({ ...planned, problems: [...planned.problems, problem] });
    }
  }
  plan.removeOrders();
  return {
    ...plan,
    counts,
    totals: totals.value(),
    problems: [...plan.problems, ...log.folded()],
    orders: store.orders,
    removeOrders: store.remove,
  };
}

function problemOf({ planned: { externalOrderId, row }, other, how, isCancelled }: KnownOtherwise): Problem {
  const common = {
    about: 'order',
    severity: 'error',
    code: 'id_known_otherwise',
    row,
    externalOrderId,
    path: 'externalOrderId',
    cause: `${how} ${isCancelled}`,
  } as const;
  if (how === 'prefix') {
    return {
      ...common,
      problem: t`it was imported before as ${other}, with the same content, and would be created again`,
      fix: t`import it without the prefix, or remove its rows`,
    };
  }
  return isCancelled
    ? {
        ...common,
        problem: t`it was imported before as ${other}, another spelling of the ID, and was cancelled since`,
        fix: t`write the ID as it was before, or remove its rows; to create it again, add --recreate-cancelled`,
        cures: [['--recreate-cancelled']],
      }
    : {
        ...common,
        problem: t`it was imported before as ${other}, another spelling of the ID, and would be created again`,
        fix: t`write the ID as it was before, or remove its rows; if it is another order, give it an ID that differs in more than that`,
      };
}
