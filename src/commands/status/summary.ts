import { countOf } from '../../clean-text.ts';
import type { FileOrder } from '../../import/status/file-orders.ts';
import { amountToCollect, type OrderState } from '../../import/status/order-state.ts';
import { createSum } from '../../orders/decimal.ts';
import type { JsonObject } from '../../orders/json.ts';
import { formatAmount } from '../../output/amount.ts';
import type { StatusCount } from '../../output/reporter.ts';

type States = ReadonlyMap<FileOrder, OrderState>;

interface StatusSummary {
  record: JsonObject & { byStatus: StatusCount[] };
  toLookAt: number;
  /** Of the orders that differ. */
  sentence: string;
  notes: string[];
}

/** Orders that the file leaves out count as such, and with their amount if they are at the service all the same. */
export function summarise(file: string, states: States): StatusSummary {
  const orders = {
    total: 0,
    found: 0,
    missing: 0,
    differs: 0,
    notCompared: 0,
    twice: 0,
    leftOut: 0,
    atService: 0,
  };
  const all = createAmounts();
  const groups = new Map<string, { status: string; delivery: string; amounts: Amounts }>();
  let toLookAt = 0;
  for (const [order, state] of states) {
    const { id, status, delivery, difference } = state;
    // Only a list without content names an order twice.
    if (state.isRepeat && order.body === '{}') continue;
    const isThere = difference.includes('at_service');
    if (order.isLeftOut) orders.leftOut += 1;
    else count(difference, orders);
    if (isThere) orders.atService += 1;
    if (needsLook(order, state)) toLookAt += 1;
    if (id === undefined || state.isRepeat || (order.isLeftOut && !isThere)) continue;
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
  const counted = orders.total + orders.atService;
  return {
    record: { file, orders, byStatus, toCollect, notShown },
    toLookAt,
    sentence: `${countOf(toLookAt, 'order')} of ${counted} ${toLookAt === 1 ? 'is' : 'are'} not at the service as in the file.`,
    notes: [
      `${countOf(orders.total, 'order')}, ${orders.found} found; to collect in all, without those that are cancelled: ${describeAmounts(toCollect, notShown)}.`,
      ...(fields.length === 0
        ? []
        : [`Not compared, since the service shows it of no order: ${fields.join(', ')}.`]),
      ...(orders.leftOut === 0 ? [] : [leftOutNote(orders.leftOut, orders.atService)]),
    ],
  };
}

type Counts = Record<'total' | 'found' | 'missing' | 'differs' | 'notCompared' | 'twice', number>;

const notFields: ReadonlySet<string> = new Set(['missing', 'twice', 'not_compared']);

function count(difference: OrderState['difference'], orders: Counts): void {
  orders.total += 1;
  if (difference.includes('missing')) orders.missing += 1;
  else if (!difference.includes('no_id')) orders.found += 1;
  if (difference.includes('twice')) orders.twice += 1;
  if (difference.includes('not_compared')) orders.notCompared += 1;
  if (difference.some((what) => !notFields.has(what))) orders.differs += 1;
}

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

function describeAmounts(toCollect: string | null, notShown: number): string {
  const missing = notShown === 0 ? [] : [`not shown for ${countOf(notShown, 'order')}`];
  return [...(toCollect === null ? [] : [formatAmount(toCollect)]), ...missing].join(', ');
}

function leftOutNote(count: number, there: number): string {
  const orders = count === 1 ? '1 order is' : `${count} orders are`;
  return `${orders} left out, as an import would; ${there === 0 ? 'none of them' : there} ${there > 1 ? 'are' : 'is'} at the service and not cancelled.`;
}

const maxShown = 8;
const words: Readonly<Record<string, string>> = {
  missing: 'is not at the service',
  twice: 'is there more than once',
  cancelled: 'is cancelled',
  at_service: 'is left out of the file, but at the service',
  no_id: 'has no ID in the file',
};

/** Said otherwise. */
const marks: ReadonlySet<string> = new Set(['left_out', 'not_compared']);

/** One line for each order that needs a look, the worst first. */
export function describeDifferences(states: States): string[] {
  const found = [...states].filter(([order, state]) => needsLook(order, state));
  const ranks = Object.keys(words);
  const rankOf = ({ difference }: OrderState) => {
    const rank = ranks.findIndex((what) => difference.includes(what));
    return rank < 0 ? ranks.length : rank;
  };
  const lines = found
    .sort(([, one], [, other]) => rankOf(one) - rankOf(other))
    .slice(0, maxShown)
    .map(([order, state]) => describe(order, state));
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function describe({ reference, rows }: FileOrder, { difference, notCompared, perhaps }: OrderState): string {
  const fields = difference.filter((what) => !marks.has(what) && words[what] === undefined);
  const said = difference.flatMap((what) => words[what] ?? []);
  const differs = fields.length === 0 ? [] : [`differs in ${fields.join(', ')}`];
  const unclear = notCompared.length === 0 ? [] : [`cannot be compared in ${notCompared.join(', ')}`];
  return `Row ${rows[0]}, ${reference === '' ? 'an order' : reference}: ${[...said, ...differs, ...unclear].join(', ')}${perhaps.length === 0 ? '' : `; perhaps ${perhaps.join(' or ')}`}.`;
}
