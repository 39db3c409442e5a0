import { advice, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import { createSum, formatAmount } from '../../orders/decimal.ts';
import type { Reporter } from '../../output/reporter.ts';
import type { FileOrder } from '../../status/file-orders.ts';
import { amountToCollect, type OrderState } from '../../status/order-state.ts';

type States = ReadonlyMap<FileOrder, OrderState>;

interface StatusSummary {
  record: Parameters<Reporter['status']>[0];
  /** When orders differ. */
  sentence: Text | undefined;
  notes: Text[];
}

/** Orders that the file leaves out count as such, and with their amount if they are at the service all the same. */
export function summarise(file: string, states: States): StatusSummary {
  // Only a list without content names an order twice.
  const counted = [...states].filter(([order, state]) => !state.isRepeat || order.body !== '{}');
  const kept = counted.filter(([order]) => !order.isLeftOut);
  const count = (what: string) => kept.filter(([, { difference }]) => difference.includes(what)).length;
  const isDiffering = ({ difference }: OrderState) => difference.some((what) => !notFields.has(what));
  const orders = {
    total: kept.length,
    found: kept.length - count('missing') - count('no_id'),
    missing: count('missing'),
    differs: kept.filter(([, state]) => isDiffering(state)).length,
    notCompared: count('not_compared'),
    twice: count('twice'),
    leftOut: counted.length - kept.length,
    atService: counted.filter(([, { difference }]) => difference.includes('at_service')).length,
  };
  const toLookAt = counted.filter(([order, state]) => needsLook(order, state)).length;
  const all = createAmounts();
  const groups = new Map<string, { status: string; delivery: string; amounts: Amounts }>();
  for (const [order, state] of counted) {
    const { id, status, delivery, difference } = state;
    const isLeft = order.isLeftOut && !difference.includes('at_service');
    if (id === undefined || state.isRepeat || isLeft) continue;
    if (!state.isCancelled) all.add(state);
    const key = JSON.stringify([status, delivery]);
    const group = groups.get(key) ?? { status, delivery, amounts: createAmounts() };
    groups.set(key, group);
    group.amounts.add(state);
  }
  const byStatus = [...groups.values()]
    .map(({ amounts, ...group }) => ({ ...group, ...amounts.value() }))
    .sort((one, other) => other.orders - one.orders);
  const { toCollect, notShown } = all.value();
  const fields = [...new Set([...states.values()].flatMap((state) => state.notShown))];
  return {
    record: { file, orders, byStatus, toCollect, notShown },
    sentence:
      toLookAt === 0
        ? undefined
        : t`${toLookAt} {order|orders} of ${String(orders.total + orders.atService)} {is|are} not at the service as in the file.`,
    notes: [
      t`${orders.total} {order|orders}, ${orders.found} found; to collect in all, without those that are cancelled: ${describeAmounts(toCollect, notShown)}.`,
      ...(fields.length === 0 ? [] : [t`Not compared, since the service shows it of no order: ${fields}.`]),
      ...(orders.leftOut === 0 ? [] : [leftOutNote(orders.leftOut, orders.atService)]),
    ],
  };
}

const notFields: ReadonlySet<string> = new Set(['missing', 'twice', 'not_compared']);

function needsLook({ isLeftOut }: FileOrder, { difference }: OrderState): boolean {
  return isLeftOut ? difference.includes('at_service') : difference.length > 0;
}

type Amounts = ReturnType<typeof createAmounts>;

/** What is to be collected; null if the service shows none of it. */
function createAmounts() {
  const sum = createSum();
  let [orders, notShown] = [0, 0];
  return {
    add: (state: OrderState): void => {
      orders += 1;
      const amount = amountToCollect(state);
      if (amount === undefined) notShown += 1;
      else sum.add(amount);
    },
    value: () => ({ orders, toCollect: sum.value() ?? (notShown === 0 ? '0' : null), notShown }),
  };
}

function describeAmounts(toCollect: string | null, notShown: number): Text {
  const missing = notShown === 0 ? [] : [t`not shown for ${notShown} {order|orders}`];
  return joinTexts([...(toCollect === null ? [] : [formatAmount(toCollect)]), ...missing], ', ');
}

function leftOutNote(count: number, there: number): Text {
  const leftOut = t`${count} {order is|orders are} left out, as an import would`;
  return there === 0
    ? t`${leftOut}; none of them is at the service and not cancelled.`
    : t`${leftOut}; ${there} {is|are} at the service and not cancelled.`;
}

/** What the names of orders that were not found may mean. */
export type Meant = ReadonlyMap<string, readonly string[]>;

/** How many orders are described. */
export const maxShown = 8;
const words: Readonly<Record<string, Text>> = {
  missing: t`is not at the service`,
  twice: t`is there more than once`,
  cancelled: t`is cancelled`,
  at_service: t`is left out of the file, but at the service`,
  no_id: t`has no ID in the file`,
};

/** Said otherwise. */
const marks: ReadonlySet<string> = new Set(['left_out', 'not_compared']);

/** One line for each order that needs a look, the worst first. */
export function describeDifferences(states: States, meant: Meant): Text[] {
  const found = [...states].filter(([order, state]) => needsLook(order, state));
  const ranks = Object.keys(words);
  const rankOf = ({ difference }: OrderState) => {
    const rank = ranks.findIndex((what) => difference.includes(what));
    return rank < 0 ? ranks.length : rank;
  };
  const lines = found
    .sort(([, one], [, other]) => rankOf(one) - rankOf(other))
    .slice(0, maxShown)
    .map(([order, state]) => describe(order, state, meant.get(order.reference)));
  const more = found.length - lines.length;
  return more > 0 ? [...lines, t`and ${more} more`] : lines;
}

function describe(
  { reference, rows }: FileOrder,
  { difference, notCompared }: OrderState,
  perhaps: readonly string[] = [],
): Text {
  const fields = difference.filter((what) => !marks.has(what) && words[what] === undefined);
  const said = difference.flatMap((what) => words[what] ?? []);
  const differs = fields.length === 0 ? [] : [t`differs in ${fields}`];
  const unclear = notCompared.length === 0 ? [] : [t`cannot be compared in ${notCompared}`];
  const name = reference === '' ? t`an order` : cleanCell(reference);
  const what = joinTexts([...said, ...differs, ...unclear], ', ');
  const line = t`Row ${rows[0] ?? ''}, ${name}: ${what}`;
  return perhaps.length === 0 ? advice`${line}.` : t`${line}; perhaps ${cleanCell(perhaps.join(', '))}.`;
}
