import { command, type Text, t } from '../../advice/advice.ts';
import { countOf } from '../../clean-text.ts';
import { protectForeignCell } from '../../csv/write-csv.ts';
import type { CashEntry, CashList, OtherTotal } from '../../import/status/cash-list.ts';
import type { CashResult, OrderCash } from '../../import/status/compare-cash.ts';
import type { FileOrder } from '../../import/status/file-orders.ts';
import type { OrderState } from '../../import/status/order-state.ts';
import { amountOf, formatHundredths, fromHundredths } from '../../orders/decimal.ts';
import type { JsonObject } from '../../orders/json.ts';

export interface CashOfOrders {
  lists: readonly CashList[];
  orders: ReadonlyMap<FileOrder, OrderCash>;
  /** Of the orders of the file, and of others that the lists name. */
  states: ReadonlyMap<FileOrder, OrderState>;
  elsewhere: ReadonlyMap<FileOrder, OrderState>;
  /** Without an order. */
  unknown: readonly CashEntry[];
}

export function isNamed(cash: OrderCash | undefined): cash is OrderCash {
  return cash !== undefined && cash.entries.length > 0;
}

export function unknownCash(entry: CashEntry): OrderCash {
  return { result: 'unknown_order', entries: [entry], collected: entry.amount, due: undefined, perhaps: [] };
}

/** Nothing is said of an order from which nothing is to be collected, or that is not there, or is in the file before. */
function isSilent({ result, due }: OrderCash, state: OrderState | undefined): boolean {
  return result === 'not_in_lists' && (due === 0n || state?.id === undefined || state.isRepeat);
}

/** `state` is undefined for an entry without an order. */
export function cashCells(
  cash: OrderCash | undefined,
  state: OrderState | undefined,
  isFirst: boolean,
): string[] {
  if (cash === undefined || isSilent(cash, state)) return ['', '', ''];
  const { collected, result, entries } = cash;
  const amount = collected === undefined || !isFirst ? '' : amountOf(fromHundredths(collected));
  const from = entries.map(placeOf).join('; ');
  return [amount, result, protectForeignCell(from)];
}

function placeOf({ file, row, reference }: CashEntry): string {
  return `${file} row ${row}${reference === '' ? '' : `: ${reference}`}`;
}

export function cashRecord({ collected, result }: OrderCash): JsonObject {
  return { cash: collected === undefined ? null : fromHundredths(collected), cashDifference: result };
}

interface CashSummary {
  record: JsonObject;
  /** Why the cash needs a look. */
  sentence: string | undefined;
  isInRows: boolean;
  differences: string[];
  notes: string[];
}

const words: Readonly<Record<CashResult, string>> = {
  twice: 'more than once in the lists',
  unknown_order: 'unknown',
  not_to_collect: 'nothing to collect',
  differs: 'other amounts',
  not_compared: 'not compared',
  equal: 'equal',
  not_in_lists: 'not in these lists',
};
const results = Object.keys(words) as CashResult[];
const wrong: readonly CashResult[] = ['twice', 'unknown_order', 'not_to_collect', 'differs'];
const maxShown = 8;

export function summariseCash(cash: CashOfOrders): CashSummary {
  const { lists, orders, states, elsewhere, unknown } = cash;
  const found: OrderCash[] = unknown.map(unknownCash);
  let notCollected = 0n;
  for (const [order, own] of orders) {
    const state = states.get(order) ?? elsewhere.get(order);
    // A name under which an order of the file was found is no order of its own.
    if (isSilent(own, state) || (elsewhere.has(order) && !isNamed(own))) continue;
    found.push(own);
    if (own.result === 'not_in_lists') notCollected += own.due ?? 0n;
  }
  const counts = results.map(
    (result) => [result, found.filter((own) => own.result === result).length] as const,
  );
  const toLookAt = wrong.flatMap((result) => found.filter((own) => own.result === result));
  const shown = toLookAt.slice(0, maxShown).map(describe);
  const more = toLookAt.length - shown.length;
  const sumOf = (field: 'amount' | 'fee' | 'net') =>
    lists.reduce<bigint | undefined>((sum, list) => {
      const own = list[field];
      return own === undefined ? sum : (sum ?? 0n) + own;
    }, undefined);
  const sums = { amount: sumOf('amount') ?? 0n, fee: sumOf('fee'), net: sumOf('net') };
  const named = counts.filter(([result, count]) => count > 0 && result !== 'not_in_lists');
  const left = counts.find(([result]) => result === 'not_in_lists')?.[1] ?? 0;
  return {
    record: {
      lists: lists.map(({ file, entries, ...list }) => ({
        ...{ file, rows: entries.length, ...sumsRecord(list) },
        otherTotals: list.otherTotals.map(({ row, field, stated, sum }) => ({
          ...{ row, field, stated: fromHundredths(stated), sum: fromHundredths(sum) },
        })),
        otherNets: list.otherNets,
      })),
      ...sumsRecord(sums),
      orders: Object.fromEntries(counts),
      notInLists: fromHundredths(notCollected),
    },
    sentence: sentenceOf(lists, toLookAt.length > 0),
    isInRows: toLookAt.length > 0,
    differences: more > 0 ? [...shown, `and ${more} more`] : shown,
    notes: [
      `Cash: ${describeSums(sums)} in ${countOf(lists.length, 'list')}; ${named.map(([result, count]) => wordsOf(result, count)).join(', ') || 'no orders'}.`,
      ...(left === 0
        ? []
        : [`${countOf(left, 'order')} not in these lists, with ${money(notCollected)} to collect.`]),
      ...(lists.length < 2
        ? []
        : lists.slice(0, maxShown).map((list) => `${list.file}: ${describeSums(list)}.`)),
      ...lists.flatMap(describeList).slice(0, maxShown),
    ],
  };
}

function sentenceOf(lists: readonly CashList[], isInRows: boolean): string | undefined {
  if (isInRows) return 'The cash of the lists is not as the orders have it.';
  if (lists.some(({ otherTotals }) => otherTotals.length > 0))
    return 'A total of the lists is not the sum of its rows.';
  return lists.some(({ otherNets }) => otherNets.length > 0)
    ? 'What the lists say is paid out is not the amount less the fee.'
    : undefined;
}

function wordsOf(result: CashResult, count: number): string {
  return result === 'differs' ? countOf(count, 'other amount') : `${count} ${words[result]}`;
}

function sumsRecord({ amount, fee, net }: Pick<CashList, 'amount' | 'fee' | 'net'>): JsonObject {
  return {
    collected: fromHundredths(amount),
    fee: fee === undefined ? null : fromHundredths(fee),
    net: net === undefined ? null : fromHundredths(net),
  };
}

function describeSums({ amount, fee, net }: Pick<CashList, 'amount' | 'fee' | 'net'>): string {
  const others = [
    ...(fee === undefined ? [] : [`fee ${money(fee)}`]),
    ...(net === undefined ? [] : [`paid out ${money(net)}`]),
  ];
  return `${money(amount)}${others.length === 0 ? '' : ` (${others.join(', ')})`}`;
}

function describeList({ file, otherTotals, otherNets }: CashList): string[] {
  return [
    ...otherTotals.map((total) => `${file} ${describeTotal(total)}`),
    ...(otherNets.length === 0
      ? []
      : [
          `${file}: what is paid out is not the amount less the fee in row ${otherNets.slice(0, maxShown).join(', ')}.`,
        ]),
  ];
}

const totals: Readonly<Record<OtherTotal['field'], string>> = {
  amount: 'a total',
  fee: 'a total fee',
  net: 'a total paid out',
};

function describeTotal({ row, field, stated, sum, sumOfPart }: OtherTotal): string {
  const ofPart = sumOfPart === sum ? '' : `, those since the last total to ${money(sumOfPart)}`;
  return `states ${totals[field]} of ${money(stated)} in row ${row}, but the rows above come to ${money(sum)}${ofPart}.`;
}

function describe({ result, entries, collected = 0n, due, perhaps }: OrderCash): string {
  const places = entries.slice(0, 3).map(placeOf).join(' and ');
  const sum = money(collected);
  switch (result) {
    case 'twice':
      return `${places}: in the lists ${entries.length} times, ${sum} in all.`;
    case 'not_to_collect':
      return `${places}: collected ${sum}, but there is nothing to collect.`;
    case 'differs':
      return `${places}: collected ${sum} instead of ${money(due ?? 0n)}.`;
    default:
      return `${places}: collected ${sum} for an unknown order${perhaps.length === 0 ? '' : `; perhaps ${perhaps.slice(0, 3).join(' or ')}`}.`;
  }
}

/** After it, they are asked about again. */
export function forgetColumns(name: string): Text {
  return t`If the remembered columns are wrong, run: ${command('mappings', 'remove', name)}`;
}

/** `70,000 ₮`, below zero too. */
export function money(hundredths: bigint): string {
  return `${hundredths < 0n ? '-' : ''}${formatHundredths(hundredths < 0n ? -hundredths : hundredths)} ₮`;
}
