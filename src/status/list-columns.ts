import type { CashField } from '../import/choices.ts';
import { amountRoleOf, isOtherThan, isRankHeader, rolesOfHeader } from '../import/columns/header-roles.ts';
import { type ColumnProfile, createTableProfile } from '../import/columns/profile.ts';
import { areSmallNumbers, holdsAmounts, minFit } from '../import/columns/reading.ts';
import { fitOf, type Role, roles } from '../import/columns/roles.ts';
import type { Table } from '../import/read/read-table.ts';
import { readingsOf } from '../orders/order-reference.ts';
import { type DayColumn, withoutSign } from './cash-list.ts';
import { isTotalRow } from './file-orders.ts';

/** What the values of a list and its headers say. */
interface ListColumns {
  /** The columns that certainly hold a field. */
  certain: Partial<Record<CashField, number>>;
  /** Those that may hold phones, and amounts. */
  phones: readonly number[];
  amounts: readonly number[];
  day?: DayColumn;
}

interface ProfiledColumn extends ColumnProfile {
  index: number;
  header: string;
}

/** Most amounts end in 0 or have decimals; the numbers of documents do not. */
const minRound = 0.5;

/** `isKnown`: whether a text names an order of the file. Errors: those of reading. */
export async function readListColumns(
  { header: { cells: header }, batches }: Table,
  isKnown: (reference: string) => boolean = () => false,
): Promise<ListColumns> {
  const profile = createTableProfile(header.length);
  const namingOrders = new Map<number, number>();
  for await (const batch of batches()) {
    for (const { cells } of batch) {
      if (isTotalRow('', cells)) continue;
      profile.addRow(cells.map(withoutSign));
      for (const [index, text] of cells.entries())
        if (isOurReference(text) || isKnown(text))
          namingOrders.set(index, (namingOrders.get(index) ?? 0) + 1);
    }
  }
  const columns = profile
    .columns()
    .map((own, index): ProfiledColumn => ({ ...own, index, header: header[index] ?? '' }))
    .filter(({ filled }) => filled > 0);
  const order = orderColumn(columns, ({ index, filled }) => (namingOrders.get(index) ?? 0) * 2 >= filled);
  const others = columns.filter((own) => own !== order);
  const phones = others.filter(holdsPhones);
  const amounts = others.filter(mayHoldAmounts);
  const amount = only(amounts.filter((own) => !isFee(own)));
  const day = only(others.filter(({ shares }) => shares.date >= minFit));
  const [dateOrder = 'ymd', ...otherOrders] = day?.dateOrders ?? [];
  const certain = {
    order,
    phone: only(phones) ?? only(phones.filter((own) => isNamed(own, 'phone'))),
    amount: amount !== undefined && areAmounts(amount) ? amount : undefined,
    fee: only(amounts.filter(isFee)),
  };
  const found = Object.entries(certain).flatMap(([field, own]) => (own ? [[field, own.index]] : []));
  return {
    certain: Object.fromEntries(found) as ListColumns['certain'],
    phones: phones.map(({ index }) => index),
    amounts: amounts.map(({ index }) => index),
    ...(day === undefined || otherOrders.length > 0 ? {} : { day: { index: day.index, order: dateOrder } }),
  };
}

/** An order number or a UUID. */
export function isOurReference(text: string): boolean {
  return readingsOf(text).length > 1;
}

/** By its values, and by its header where those of several columns name orders, or those of none. */
function orderColumn(
  columns: readonly ProfiledColumn[],
  namesOrders: (column: ProfiledColumn) => boolean,
): ProfiledColumn | undefined {
  const found = columns.filter((own) => namesOrders(own) && !own.isRowNumber && !areSmallNumbers(own));
  const mayBe = found.length > 0 ? found : columns.filter(holdsIds);
  return only(found) ?? only(mayBe.filter((own) => isNamed(own, 'order_id')));
}

/** Not the goods that were ordered. */
function holdsIds(own: ProfiledColumn): boolean {
  return own.shares.packed === 0 && fitOf('order_id', own, 'name') >= minFit;
}

function isNamed({ header }: ProfiledColumn, role: Role): boolean {
  return rolesOfHeader(header).get(role)?.kind === 'name';
}

/** Not one phone in all rows, and not that of a courier. */
function holdsPhones(own: ProfiledColumn): boolean {
  const speaks = roles.phone.speaks?.(own) === true;
  return speaks && fitOf('phone', own) >= minFit && !isOtherThan('phone', own.header);
}

function mayHoldAmounts(own: ProfiledColumn): boolean {
  return holdsAmounts(own) && !isRankHeader(own.header) && amountRoleOf(own.header) !== 'other';
}

/** Not a code, and not a fee that is the same in every row. */
function areAmounts({ shares, different, filled }: ProfiledColumn): boolean {
  return shares.round >= minRound && (different > 1 || filled < 3);
}

function isFee({ header }: ProfiledColumn): boolean {
  return amountRoleOf(header) === 'delivery';
}

function only<Item>([first, ...others]: readonly Item[]): Item | undefined {
  return others.length === 0 ? first : undefined;
}
