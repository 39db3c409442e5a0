import { advice, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { ErrorIssue } from '../../errors.ts';
import { formatHundredths, fromHundredths } from '../../orders/decimal.ts';
import type { CashEntry, CashList } from '../../status/cash-list.ts';
import type { States } from '../../status/find-states.ts';
import { type CashResult, groupBy, type OrderCash } from '../../status/match-cash.ts';
import type { OrderState } from '../../status/order-state.ts';

/**
 * The amount of an order that the file leaves out counts too, if it is at the service all the same. `sentence`: what is said
 * where there are issues.
 */
export function reportOrders(file: string, states: States) {
  const all = [...states].filter(([order]) => order.rows.length > 0);
  const kept = all.filter(([order]) => !order.isLeftOut);
  const withMark = (isMeant: (what: string) => boolean) =>
    all.filter(([, { difference }]) => difference.some(isMeant));
  const orders = {
    total: kept.length,
    found: kept.filter(([, { id }]) => id !== undefined).length,
    missing: withMark((what) => what === 'missing').length,
    differs: withMark((what) => !['missing', 'twice', 'left_out'].includes(what)).length,
    twice: withMark((what) => what === 'twice').length,
    leftOut: all.length - kept.length,
  };
  const found = all.map(([, state]) => state).filter(({ id }) => id !== undefined);
  const groups = groupBy(found, ({ status, delivery }) => JSON.stringify([status, delivery]));
  const byStatus = [...groups.values()].map((group) => {
    const { status = '', delivery = '' } = group[0] ?? {};
    return { status, delivery, orders: group.length, toCollect: written(sumOf(group)) };
  });
  const toCollect = sumOf(found);
  const hidden = found.filter(({ due }) => due === undefined).length;
  const sum = toCollect === undefined ? t`not shown for ${hidden} {order|orders}` : money(toCollect);
  const notShown = new Set(all.flatMap(([, state]) => state.notShown));
  const differing = withMark((what) => what !== 'left_out');
  return {
    record: { file, orders, byStatus, toCollect: written(toCollect) },
    notes: [
      t`${orders.total} {order|orders}, ${orders.found} found; to collect in all, without those that are cancelled: ${sum}.`,
      ...(notShown.size > 0 ? [t`Not compared where the service does not show it: ${[...notShown]}.`] : []),
      ...(orders.leftOut > 0
        ? [t`${orders.leftOut} {order is|orders are} left out, as an import would.`]
        : []),
    ],
    sentence: t`${differing.length} {order|orders} of ${String(all.length)} {is|are} not at the service as in the file.`,
    issues: differing.map(([{ reference, rows }, { difference }]): ErrorIssue => {
      return { path: `row ${rows[0]}`, value: reference, message: difference.join('; ') };
    }),
  };
}

/** Undefined if the service does not show it of all of them. */
function sumOf(states: readonly OrderState[]): bigint | undefined {
  return states.reduce<bigint | undefined>(
    (sum, { due }) => (sum === undefined || due === undefined ? undefined : sum + due),
    0n,
  );
}

const words: Readonly<Record<CashResult, Text>> = {
  twice: t`more than once in the lists`,
  unknown_order: t`unknown`,
  not_to_collect: t`with nothing to collect`,
  differs: t`with another amount`,
  not_compared: t`not compared`,
  equal: t`equal`,
  not_in_lists: t`not in these lists`,
};
const wrong: ReadonlySet<CashResult> = new Set(['twice', 'unknown_order', 'not_to_collect', 'differs']);

export function reportCash(lists: readonly CashList[], compared: readonly OrderCash[]) {
  const results = (Object.keys(words) as CashResult[]).map(
    (result) => [result, compared.filter((own) => own.result === result).length] as const,
  );
  const found = results.filter(([, count]) => count > 0);
  const counts = found.map(([result, count]) => advice`${count} ${words[result]}`);
  const toLookAt = compared.filter(({ result }) => wrong.has(result));
  return {
    record: {
      cash: {
        lists: lists.map(({ file, entries, sums: { amount, fee, net } }) => {
          return {
            file,
            rows: entries.length,
            collected: written(amount),
            fee: written(fee),
            net: written(net),
          };
        }),
        orders: Object.fromEntries(results),
      },
    },
    notes: [
      ...(counts.length > 0 ? [t`Cash: ${joinTexts(counts, ', ')}.`] : []),
      ...lists.map(({ file, sums: { amount = 0n, fee, net } }) => {
        const parts = [
          t`${money(amount)} collected`,
          ...(fee === undefined ? [] : [t`fee ${money(fee)}`]),
          ...(net === undefined ? [] : [t`paid out ${money(net)}`]),
        ];
        return advice`${cleanCell(file)}: ${joinTexts(parts, ', ')}.`;
      }),
    ],
    sentence: t`The cash of the lists is not as the orders have it.`,
    issues: toLookAt.map(
      ({ entries, result, collected = 0n, due }): ErrorIssue => ({
        path: entries.map(placeOf).join('; '),
        value: entries[0]?.reference || entries[0]?.phone || '',
        message:
          due === undefined
            ? t`${money(collected)} collected`
            : t`${money(collected)} collected, ${money(due)} due`,
        code: result,
      }),
    ),
  };
}

export function placeOf({ file, row }: CashEntry): string {
  return `${file} row ${row}`;
}

function written(hundredths: bigint | undefined): string | null {
  return hundredths === undefined ? null : fromHundredths(hundredths);
}

/** `70,000 ₮`, below zero too. */
export function money(hundredths: bigint): string {
  return `${hundredths < 0n ? '-' : ''}${formatHundredths(hundredths < 0n ? -hundredths : hundredths)} ₮`;
}
