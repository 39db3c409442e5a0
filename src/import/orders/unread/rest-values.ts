import { dayWithoutTime } from '../../../orders/calendar-date.ts';
import { formatFieldPath } from '../../../orders/field-path.ts';
import { dateOrders } from '../../choices.ts';
import { declinedFields } from '../../mapping/candidates.ts';
import type { CellFormat } from '../../mapping/column.ts';
import { isTick, kindsOf, type TextKind } from '../../mapping/guess/cell-kinds.ts';
import { isOtherThan, isRankHeader } from '../../mapping/guess/guess-by-header.ts';
import { columnAt, createHeader, type NamedColumn } from '../../mapping/header.ts';
import type { MappedHeader } from '../../mapping/map-header.ts';
import { createCounts, type Meaning, ownCopy } from '../../mapping/meanings.ts';
import type { Problem } from '../../problem.ts';
import type { HeaderRow, Row } from '../../read/read-table.ts';
import { readDate } from '../../words/dates.ts';
import { isLeftOut, verdict } from '../../words/verdict.ts';
import type { Verdict } from '../../words/vocabulary.ts';
import type { PlannedOrder, PlanOptions } from '../plan.ts';
import { createPieceReader, createRestAmounts, isBlank } from './rest-amounts.ts';
import { type SaidByValues, unreadProblem } from './unread-problems.ts';

export type RestOptions = Pick<PlanOptions, 'map' | 'today' | 'constants'> & CellFormat;

/** What `--ignore-rest` does not cover: columns whose values may change who pays, how much, what, where and when. */
export function createRestChecks(
  row: HeaderRow,
  mapped: MappedHeader,
  undecided: readonly number[],
  options: RestOptions,
) {
  const header = createHeader(row);
  const meanings = new Map(mapped.unread.map(({ index, meaning }) => [index, meaning]));
  const isJudged = (index: number) => ![undefined, ...numberMeanings].includes(meanings.get(index));
  const decisive = createDecisiveValues(
    row,
    undecided.filter((index) => !isJudged(index)),
  );
  const amounts = createRestAmounts(row, mapped, undecided, options);
  const lacks = missingFields(row, mapped, options);
  const piecesIn = createPieceReader(mapped, options);
  const columns = undecided.map((index) => createRestColumn(columnAt(header, index), options));
  let orders = 0;
  return {
    addRow: decisive.addRow,
    add: (planned: PlannedOrder): void => {
      orders += 1;
      const pieces = piecesIn(planned);
      for (const column of columns) column.add(planned.rows, pieces);
      amounts.add(planned, pieces);
    },
    problems: (left: readonly number[]): Problem[] =>
      columns.flatMap((column) => {
        const { index } = column;
        if (!left.includes(index)) return [];
        const found =
          decisive.problem(index) ??
          amounts.problem(index, column.shareOf('certain_phone')) ??
          column.problem(row, { orders, lacks, meaning: meanings.get(index) });
        return found ?? [];
      }),
  };
}

/** Of columns that have no words: where they have, their header meant something else. */
const numberMeanings: readonly (Meaning | undefined)[] = ['quantity', 'amount_due', 'amount_paid', 'date'];

/** The fields that no column and no constant fills, and of which a person has not said that no column does. */
interface MissingFields {
  address: boolean;
  /** Not even a part of an address. */
  place: boolean;
  quantity: boolean;
  date: boolean;
}

/** Parts of an address that say too little without the street. */
const isOnlyPart = /^deliveryAddress\.(?:city|district|province|postalCode|country)$/;

function missingFields(
  row: HeaderRow,
  { columns, lines, addresses }: MappedHeader,
  { map, constants }: RestOptions,
): MissingFields {
  const declined = map === undefined ? [] : declinedFields(createHeader(row), map);
  const filled = [...columns, ...(lines?.columns ?? []), ...addresses.flat(), ...constants].map(({ path }) =>
    formatFieldPath(path),
  );
  const all = [...filled, ...declined];
  const places = all.filter((path) => path.startsWith('deliveryAddress') && path !== 'deliveryAddress.note');
  return {
    address: places.every((path) => isOnlyPart.test(path)),
    place: places.length === 0,
    quantity: !all.some((path) => /^items\[\d*\]\.quantity$/.test(path)),
    date: !all.includes('requestedDeliveryDate'),
  };
}

interface RestFacts {
  orders: number;
  lacks: MissingFields;
  /** What the header says that the column means. */
  meaning: Meaning | undefined;
}

/** Ticks in other columns have been judged by their header. */
const freeMeanings: readonly (Meaning | undefined)[] = [undefined, 'name', 'note'];
/** Fewer numbers in a row may be quantities. */
const minCounting = 4;

/** One column, in the orders that are to be sent. `pieces`: the quantity of each row. */
function createRestColumn({ index, header: name }: NamedColumn, { today }: RestOptions) {
  const kinds = createKindCounts();
  const ticks = createTicks();
  const numbers = createNumbers();
  const days = createDays(today);
  let blankOrders = 0;
  return {
    index,
    add: (rows: readonly Row[], pieces: readonly (bigint | undefined)[]): void => {
      const texts = rows.map(({ cells }) => cells[index] ?? '');
      const filled = texts.filter((text) => !kinds.isBlank(text));
      for (const text of filled) kinds.add(text);
      if (filled.length === 0) blankOrders += 1;
      ticks.addOrder(filled);
      numbers.addOrder(texts, pieces);
      days.addOrder(filled);
    },
    shareOf: kinds.shareOf,
    problem: (row: HeaderRow, { orders, lacks, meaning }: RestFacts): Problem | undefined => {
      const { shareOf, values } = kinds;
      if (values.isEmpty) return undefined;
      const problemOf = (said: SaidByValues) =>
        unreadProblem(row, { index, header: name, by: 'values', values, ...said });
      const filledOrders = orders - blankOrders;
      const areAddresses =
        (lacks.address && shareOf('address') >= 0.5) || (lacks.place && shareOf('place') >= 0.5);
      if (areAddresses && filledOrders * 2 >= orders && (values.list().length > 1 || orders === 1))
        return problemOf({ reason: 'address', orders: filledOrders });
      const areCounts = shareOf('count') >= 0.95 && numbers.areSmall();
      const isOther = isRankHeader(name) || isOtherThan('items[].quantity:number', name);
      if (areCounts && !isOther && !numbers.isCounting() && (lacks.quantity || numbers.arePieces()))
        return problemOf({ reason: 'quantity', isOfSent: !lacks.quantity });
      if (ticks.differ() && freeMeanings.includes(meaning))
        return problemOf({ reason: 'ticks', orders: ticks.count(), example: ticks.example() });
      if (lacks.date && shareOf('date') >= 0.8 && days.areAhead())
        return problemOf({ reason: 'date', orders: filledOrders });
      return undefined;
    },
  };
}

const maxKnown = 1000;
const maxKnownLength = 200;
const blank: readonly TextKind[] = [];

/** How many of the texts are of each kind. */
function createKindCounts() {
  const values = createCounts();
  /** A text that comes again is looked at once. */
  const known = new Map<string, readonly TextKind[]>();
  const counts = new Map<TextKind, number>();
  let filled = 0;
  const kindsIn = (text: string) => {
    const found = known.get(text) ?? (isBlank(text) ? blank : kindsOf(text));
    if (known.size === maxKnown) known.clear();
    if (text.length <= maxKnownLength) known.set(text, found);
    return found;
  };
  return {
    values,
    isBlank: (text: string): boolean => text === '' || kindsIn(text) === blank,
    add: (text: string): void => {
      values.add(text);
      filled += 1;
      for (const kind of kindsIn(text)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    /** From 0 to 1. */
    shareOf: (kind: TextKind): number => (counts.get(kind) ?? 0) / Math.max(1, filled),
  };
}

/** Ticks, also 1 and blank. */
function createTicks() {
  let areTicks = true;
  let orders = 0;
  let ticked = 0;
  let example: string | undefined;
  return {
    addOrder: (texts: readonly string[]): void => {
      if (!areTicks) return;
      areTicks = texts.every(isTick);
      orders += 1;
      const tick = texts.find((text) => text !== '0' && verdict('tick', text) !== 'no');
      if (tick === undefined) return;
      ticked += 1;
      example ??= ownCopy(tick);
    },
    count: () => ticked,
    example: () => example ?? '',
    differ: () => areTicks && ticked > 0 && ticked < orders,
  };
}

/** Small numbers: whether they count rows or lines, and whether they may be some of the pieces of a line. */
function createNumbers() {
  let before: number | undefined;
  let rows = 0;
  let countsRows = true;
  let countsLines = true;
  let areWithin = true;
  let isLess = false;
  let isMany = false;
  let largest = 0;
  return {
    addOrder: (texts: readonly string[], pieces: readonly (bigint | undefined)[]): void => {
      if (largest >= 100) return;
      for (const [place, text] of texts.entries()) {
        const number = Number.parseInt(text, 10);
        const all = pieces[place];
        rows += 1;
        countsRows &&= before === undefined || number === before + 1;
        countsLines &&= number === place + 1;
        before = number;
        if (Number.isNaN(number)) continue;
        areWithin &&= all !== undefined && BigInt(number) <= all;
        isLess ||= all !== undefined && BigInt(number) < all;
        isMany ||= number > 1;
        largest = Math.max(largest, number);
      }
    },
    /** Not all of them 1. */
    areSmall: () => isMany && largest < 100,
    isCounting: () => countsLines || (countsRows && rows >= minCounting),
    /** Never more than the quantity that is sent, and not always as many. */
    arePieces: () => areWithin && isLess && isMany,
  };
}

function createDays(today: string) {
  const counts = dateOrders.map((order) => ({ order, days: 0, ahead: 0 }));
  return {
    addOrder: ([text = '']: readonly string[]): void => {
      const day = dayWithoutTime(text);
      for (const count of counts) {
        const date = readDate(day, count.order, today);
        if (date !== undefined) count.days += 1;
        if (date !== undefined && date > today) count.ahead += 1;
      }
    },
    /** In the order of day and month that reads most of them. */
    areAhead: () => {
      const read = Math.max(...counts.map(({ days }) => days));
      return counts.some(({ days, ahead }) => days === read && ahead * 2 > days);
    },
  };
}

/** Columns of few values, some of which decide about an order. */
export function createDecisiveValues(row: HeaderRow, indexes: readonly number[]) {
  const header = createHeader(row);
  const open = new Map(indexes.map((index) => [index, createCounts()]));
  const isOther = (text: string) => verdict('currency', text) === 'other_currency';
  const isOfPayment = (text: string) => decisivePayments.has(verdict('any', text));
  const isOfState = (text: string) => isLeftOut(verdict('any', text));
  return {
    addRow: (cells: readonly string[]): void => {
      for (const [index, counts] of open) {
        const text = cells[index] ?? '';
        if (text === '') continue;
        counts.add(text);
        if (counts.hasMore || text.length > maxDecisiveLength) open.delete(index);
      }
    },
    problem: (index: number): Problem | undefined => {
      const counts = open.get(index);
      if (counts === undefined) return undefined;
      const texts = counts.whole;
      const reason = texts.some(isOfState)
        ? 'state'
        : texts.some(isOfPayment)
          ? 'payment'
          : texts.some(isOther)
            ? 'currency'
            : undefined;
      const column = { ...columnAt(header, index), by: 'values' as const, values: counts };
      return reason === undefined ? undefined : unreadProblem(row, { ...column, reason });
    },
  };
}

/** A longer text is a note. */
const maxDecisiveLength = 200;

const decisivePayments: ReadonlySet<Verdict> = new Set(['paid', 'partly_paid', 'on_delivery', 'cash']);
