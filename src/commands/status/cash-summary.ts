import { advice, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import { protectForeignCell } from '../../csv/write-csv.ts';
import { amountOf, formatHundredths, fromHundredths } from '../../orders/decimal.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { CashEntry, CashList } from '../../status/cash-list.ts';
import type { CashResult, OrderCash } from '../../status/match-cash.ts';
import { type Meant, maxShown } from './summary.ts';

export function cashCells(cash: OrderCash | undefined, isFirst: boolean): string[] {
  if (cash === undefined) return ['', '', ''];
  const { collected, result, entries } = cash;
  const amount = collected === undefined || !isFirst ? '' : amountOf(fromHundredths(collected));
  const from = entries.map(({ file, row, reference, phone }) =>
    [`${file} row ${row}`, ...[reference || phone].filter(Boolean)].join(': '),
  );
  return [amount, result, protectForeignCell(from.join('; '))];
}

export function placeOf({ file, row, reference, phone }: CashEntry): Text {
  const place = t`${cleanCell(file)} row ${row}`;
  const name = cleanCell(reference || phone);
  return name === '' ? place : advice`${place}: ${name}`;
}

interface CashSummary {
  record: JsonObject;
  /** Why the cash needs a look. */
  sentence: Text | undefined;
  differences: Text[];
  notes: Text[];
}

const counted: Readonly<Record<CashResult, (count: number) => Text>> = {
  twice: (count) => t`${count} more than once in the lists`,
  unknown_order: (count) => t`${count} unknown`,
  not_to_collect: (count) => t`${count} nothing to collect`,
  differs: (count) => t`${count} other {amount|amounts}`,
  not_compared: (count) => t`${count} not compared`,
  equal: (count) => t`${count} equal`,
  not_in_lists: (count) => t`${count} not in these lists`,
};
const wrong: readonly CashResult[] = ['twice', 'unknown_order', 'not_to_collect', 'differs'];

export function summariseCash(
  lists: readonly CashList[],
  compared: readonly OrderCash[],
  meant: Meant,
): CashSummary {
  const results = Object.keys(counted) as CashResult[];
  const counts = results.map(
    (result) => [result, compared.filter((own) => own.result === result).length] as const,
  );
  const left = compared.filter(({ result }) => result === 'not_in_lists');
  const notCollected = left.reduce((sum, { due = 0n }) => sum + due, 0n);
  const toLookAt = wrong.flatMap((result) => compared.filter((own) => own.result === result));
  const more = toLookAt.length - maxShown;
  const named = counts.filter(([result, count]) => count > 0 && result !== 'not_in_lists');
  const words = named.length === 0 ? [t`no orders`] : named.map(([result, count]) => counted[result](count));
  const problems = lists.flatMap(problemsOf).slice(0, maxShown);
  return {
    record: {
      lists: lists.map((list) => ({ file: list.file, rows: list.entries.length, ...sumsRecord(list) })),
      orders: Object.fromEntries(counts),
      notInLists: fromHundredths(notCollected),
    },
    sentence: sentenceOf(toLookAt.length, problems.length),
    differences: [
      ...toLookAt.slice(0, maxShown).map((own) => describe(own, meant)),
      ...(more > 0 ? [t`and ${more} more`] : []),
      ...problems,
    ],
    notes: [
      t`Cash: ${joinTexts(words, ', ')}.`,
      ...(left.length === 0
        ? []
        : [t`${left.length} {order|orders} not in these lists, with ${money(notCollected)} to collect.`]),
      ...lists.map((list) => advice`${cleanCell(list.file)}: ${describeSums(list)}.`),
    ],
  };
}

function sentenceOf(toLookAt: number, problems: number): Text | undefined {
  if (toLookAt > 0) return t`The cash of the lists is not as the orders have it.`;
  return problems > 0 ? t`A list states another sum than that of its rows.` : undefined;
}

function sumsRecord({ amount, fee, net }: CashList): JsonObject {
  return {
    collected: fromHundredths(amount),
    fee: fee === undefined ? null : fromHundredths(fee),
    net: net === undefined ? null : fromHundredths(net),
  };
}

function describeSums({ amount, fee, net }: CashList): Text {
  const others = [
    ...(fee === undefined ? [] : [t`fee ${money(fee)}`]),
    ...(net === undefined ? [] : [t`paid out ${money(net)}`]),
  ];
  return others.length === 0 ? money(amount) : advice`${money(amount)} (${joinTexts(others, ', ')})`;
}

/** What a list states otherwise than its rows. */
function problemsOf({ file, amount, fee, net, otherTotals }: CashList): Text[] {
  const name = cleanCell(file);
  const isOther = fee !== undefined && net !== undefined && amount - fee !== net;
  return [
    ...otherTotals.map(({ row, stated, sum }) => {
      return t`${name} states a total of ${money(stated)} in row ${row}, but the rows above come to ${money(sum)}.`;
    }),
    ...(isOther ? [t`${name}: what is paid out is not the amount less the fee.`] : []),
  ];
}

function describe({ result, entries, collected = 0n, due = 0n }: OrderCash, meant: Meant): Text {
  const places = joinTexts(entries.slice(0, 3).map(placeOf), '; ');
  const sum = money(collected);
  const perhaps = meant.get(entries[0]?.reference ?? '') ?? [];
  if (result === 'twice') return t`${places}: in the lists ${entries.length} times, ${sum} in all.`;
  if (result === 'not_to_collect') return t`${places}: collected ${sum}, but there is nothing to collect.`;
  if (result === 'differs') return t`${places}: collected ${sum} instead of ${money(due)}.`;
  return perhaps.length === 0
    ? t`${places}: collected ${sum} for an unknown order.`
    : t`${places}: collected ${sum} for an unknown order; perhaps ${perhaps}.`;
}

/** `70,000 ₮`, below zero too. */
export function money(hundredths: bigint): string {
  return `${hundredths < 0n ? '-' : ''}${formatHundredths(hundredths < 0n ? -hundredths : hundredths)} ₮`;
}
