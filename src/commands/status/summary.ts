import { countOf } from '../../clean-text.ts';
import type { FileOrder } from '../../import/status/file-orders.ts';
import type { OrderState } from '../../import/status/order-state.ts';
import { createSum, decimalOf } from '../../orders/decimal.ts';
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

/** Orders that the file leaves out count only as such. */
export function summarise(file: string, states: States): StatusSummary {
  const orders = { total: 0, found: 0, missing: 0, differs: 0, twice: 0, leftOut: 0 };
  const toCollect = createSum();
  const groups = new Map<string, { count: StatusCount; sum: ReturnType<typeof createSum> }>();
  let [leftOutThere, toLookAt] = [0, 0];
  for (const [{ isLeftOut }, state] of states) {
    const { id, status, delivery, difference, isCancelled } = state;
    if (isLeftOut) {
      orders.leftOut += 1;
      if (id !== undefined) leftOutThere += 1;
      continue;
    }
    orders.total += 1;
    if (difference.length > 0) toLookAt += 1;
    if (difference.includes('missing')) orders.missing += 1;
    else if (!difference.includes('no_id')) orders.found += 1;
    if (difference.includes('twice')) orders.twice += 1;
    if (difference.some((what) => what !== 'missing' && what !== 'twice')) orders.differs += 1;
    if (id === undefined || state.isRepeat) continue;
    const amount = decimalOf(state.collectionAmount);
    if (!isCancelled) toCollect.add(amount);
    const key = JSON.stringify([status, delivery]);
    const group = groups.get(key) ?? {
      count: { status, delivery, orders: 0, toCollect: '0' },
      sum: createSum(),
    };
    groups.set(key, group);
    group.count.orders += 1;
    group.sum.add(amount);
  }
  const byStatus = [...groups.values()]
    .map(({ count, sum }) => ({ ...count, toCollect: sum.value() ?? '0' }))
    .sort((one, other) => other.orders - one.orders);
  const all = toCollect.value() ?? '0';
  return {
    record: { file, orders, byStatus, toCollect: all },
    toLookAt,
    sentence: `${countOf(toLookAt, 'order')} of ${orders.total} ${toLookAt === 1 ? 'is' : 'are'} not at the service as in the file.`,
    notes: [
      `${countOf(orders.total, 'order')}, ${orders.found} found; to collect in all, without those that are cancelled: ${formatAmount(all)}.`,
      ...(orders.leftOut === 0 ? [] : [leftOutNote(orders.leftOut, leftOutThere)]),
    ],
  };
}

function leftOutNote(count: number, there: number): string {
  const orders = count === 1 ? '1 order is' : `${count} orders are`;
  return `${orders} left out, as an import would; ${there === 0 ? 'none of them' : there} ${there > 1 ? 'are' : 'is'} known to be at the service.`;
}

const maxShown = 8;
const words: Readonly<Record<string, string>> = {
  missing: 'is not at the service',
  twice: 'is there more than once',
  cancelled: 'is cancelled',
  no_id: 'has no ID in the file',
};

/** One line for each order that needs a look, the worst first. */
export function describeDifferences(states: States): string[] {
  const found = [...states].filter(([{ isLeftOut }, { difference }]) => !isLeftOut && difference.length > 0);
  const ranks = Object.keys(words);
  const rankOf = ({ difference: [first = ''] }: OrderState) => {
    const rank = ranks.indexOf(first);
    return rank < 0 ? ranks.length : rank;
  };
  const lines = found
    .sort(([, one], [, other]) => rankOf(one) - rankOf(other))
    .slice(0, maxShown)
    .map(([order, state]) => describe(order, state));
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function describe({ reference, rows }: FileOrder, { difference }: OrderState): string {
  const fields = difference.filter((what) => words[what] === undefined);
  const said = difference.flatMap((what) => words[what] ?? []);
  const differs = fields.length === 0 ? [] : [`differs in ${fields.join(', ')}`];
  return `Row ${rows[0]}, ${reference === '' ? 'an order' : reference}: ${[...said, ...differs].join(', ')}.`;
}
