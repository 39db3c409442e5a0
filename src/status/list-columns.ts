import type { DateOrder } from '../import/choices.ts';
import { createHeader } from '../import/columns/header.ts';
import { amountRoleOf, isRankHeader } from '../import/columns/header-roles.ts';
import { type ColumnProfile, createTableProfile } from '../import/columns/profile.ts';
import { areSmallNumbers, holdsAmounts, minFit } from '../import/columns/reading.ts';
import { guessColumns } from '../import/mapping/guesses.ts';
import { isTotal } from '../import/mapping/non-order-rows.ts';
import type { Table } from '../import/read/read-table.ts';
import { readingsOf } from '../orders/order-reference.ts';

/** What a column of a list may hold, and how a header names it for certain. */
export const cashFields = ['order', 'phone', 'amount', 'fee', 'net'] as const;
export type CashField = (typeof cashFields)[number];

/** What the values of a list and its headers say. */
interface ListColumns {
  /** The columns that certainly hold a field. */
  certain: Partial<Record<CashField, number | undefined>>;
  /** Those that may hold phones, and amounts. */
  phones: readonly number[];
  amounts: readonly number[];
  day: { index: number; order: DateOrder } | undefined;
}

/** Most amounts end in 0 or have decimals; the numbers of documents do not. */
const minRound = 0.5;

/** `isKnown`: whether a text names an order of the file. Errors: those of reading. */
export async function readListColumns(
  { header, batches }: Table,
  isKnown: (reference: string) => boolean = () => false,
): Promise<ListColumns> {
  const profile = createTableProfile(header.cells.length);
  const namingOrders = new Map<number, number>();
  for await (const batch of batches()) {
    for (const { cells } of batch) {
      if (cells.some(isTotal)) continue;
      profile.addRow(cells.map((text) => text.replace(/^-/, '')));
      for (const [index, text] of cells.entries())
        if (isOurReference(text) || isKnown(text))
          namingOrders.set(index, (namingOrders.get(index) ?? 0) + 1);
    }
  }
  const profiles = profile.columns();
  const indexes = [...profiles.keys()].filter((index) => (profiles[index]?.filled ?? 0) > 0);
  const columnsThat = (holds: (own: ColumnProfile, header: string, index: number) => boolean) =>
    indexes.filter((index) => holds(profiles[index] as ColumnProfile, header.cells[index] ?? '', index));
  const guesses = guessColumns(createHeader(header), profiles, indexes);
  const guessed = (role: string) => guesses.find((found) => found.role === role);
  const named = columnsThat(
    (own, _, index) =>
      (namingOrders.get(index) ?? 0) * 2 >= own.filled && !own.isRowNumber && !areSmallNumbers(own),
  );
  const settled = named.length === 0 ? guessed('order_id') : undefined;
  const id = settled?.isSettled ? settled.guesses[0]?.index : undefined;
  // Not the goods that were ordered.
  const order = only(named) ?? (profiles[id ?? -1]?.shares.packed === 0 ? id : undefined);
  const phones = (guessed('phone')?.guesses ?? [])
    .map(({ index }) => index)
    .filter((index) => index !== order);
  const amounts = columnsThat(
    (own, name, index) =>
      index !== order && holdsAmounts(own) && !isRankHeader(name) && amountRoleOf(name) !== 'other',
  );
  const isFee = (index: number) => amountRoleOf(header.cells[index] ?? '') === 'delivery';
  const amount = only(amounts.filter((index) => !isFee(index)));
  const day = only(columnsThat(({ shares }) => shares.date >= minFit));
  const [dateOrder = 'ymd', ...otherOrders] = profiles[day ?? -1]?.dateOrders ?? [];
  return {
    certain: {
      order,
      phone: only(phones),
      amount: amount !== undefined && areAmounts(profiles[amount]) ? amount : undefined,
      fee: only(amounts.filter(isFee)),
    },
    phones,
    amounts,
    day: day === undefined || otherOrders.length > 0 ? undefined : { index: day, order: dateOrder },
  };
}

/** An order number or a UUID. */
export function isOurReference(text: string): boolean {
  return readingsOf(text).length > 1;
}

/** Not a code, and not a fee that is the same in every row. */
function areAmounts(profile: ColumnProfile | undefined): boolean {
  if (profile === undefined) return false;
  return profile.shares.round >= minRound && (profile.different > 1 || profile.filled < 3);
}

function only<Item>([first, ...others]: readonly Item[]): Item | undefined {
  return others.length === 0 ? first : undefined;
}
