import { isDecimal, toHundredths } from '../../../orders/decimal.ts';
import { jsonText, member } from '../../../orders/json.ts';
import { orderLines, textField } from '../../../orders/order.ts';
import { columnAt } from '../../columns/header.ts';
import { amountRoleOf } from '../../columns/header-roles.ts';
import type { ColumnProfile } from '../../columns/profile.ts';
import { isBlank } from '../../columns/reading.ts';
import type { Role } from '../../columns/roles.ts';
import { type CellFormat, createCellReader, fieldText, fills } from '../../mapping/column.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import type { Problem } from '../../problem.ts';
import { readHundredths } from '../../words/money.ts';
import type { PlannedOrder } from '../plan.ts';
import { unreadProblem } from './unread-problems.ts';

type Pieces = readonly (bigint | undefined)[];

/** The quantity of each row of an order; undefined where it is not known. */
export function createPieceReader(
  { columns }: Pick<Mapping, 'columns'>,
  options: CellFormat,
): (planned: PlannedOrder) => Pieces {
  const column = columns.find(fills('items[].quantity'));
  const read = column === undefined ? undefined : createCellReader(column, options);
  const count = (text: string) => (/^\d{1,9}$/.test(text) ? BigInt(text) : text === '' ? 1n : undefined);
  return ({ rows, order }) => {
    if (column !== undefined && read !== undefined)
      return rows.map(({ cells }) => count(read(fieldText(column, cells))));
    const lines = orderLines(order);
    if (lines.length !== rows.length) return rows.map(() => undefined);
    return lines.map((line) => count(jsonText(member(line, 'quantity') ?? '')));
  };
}

/** The amounts of an order in hundredths. */
interface Amounts {
  collected: bigint;
  total: bigint;
  /** By column: the first of its rows, the sum of them, and the sum of them times their quantities. */
  first: Map<number, bigint>;
  sum: Map<number, bigint>;
  times: Map<number, bigint | undefined>;
}

/** Something that holds in every order so far, and by which columns are no amount to pay and none that was paid. */
interface Relation {
  explains: readonly number[];
  /** In fewer orders it may be a coincidence. */
  minOrders?: number;
  holds(amounts: Amounts): boolean;
}

/** In orders to collect. `first`, `sum`: what the column has in those up to the amount that is collected. */
interface Tally {
  filled: number;
  readable: number;
  /** Below the amount that is collected, or exactly it; without any amount; above all amounts of the order. */
  below: number;
  equal: number;
  none: number;
  above: number;
  collected: bigint;
  first: bigint;
  sum: bigint;
  hasLines: boolean;
  /** Whether it is at most half of what is collected. */
  isSmall: boolean;
}

const maxRelated = 60;
const maxLength = 40;

/**
 * An amount above zero and below what is collected may be what is left to pay or what is paid already, unless it is
 * explained: by what holds in all orders to collect, and by its header where this alone could be a coincidence.
 */
export function createRestAmounts(
  { header, columns, rules }: Pick<Mapping, 'header' | 'columns' | 'rules'>,
  undecided: readonly number[],
  options: CellFormat,
) {
  const amountIn = (text: string): bigint | undefined => {
    if (text.length > maxLength || !/\d/.test(text)) return undefined;
    return readHundredths(text.replace(/^-/, ''), options.decimal);
  };
  const isPrice = (index: number) =>
    columns.some((column) => column.index === index && /[pP]rice$/.test(String(column.path.at(-1))));
  const amountRoles = new Map(
    header.cells.map((name, index) => [index, isPrice(index) ? 'goods' : amountRoleOf(name)] as const),
  );
  const totals = [
    ...columns.filter((column) => fills('total')(column) || fills('collectionAmount')(column)),
    ...(rules.payment?.due ?? []),
  ];
  const subjects = undecided.filter((index) => amountRoles.get(index) !== 'other');
  const isTotal = (index: number) => totals.some((column) => column.index === index);
  const known = [...amountRoles.keys()].filter(
    (index) => ![undefined, 'other'].includes(amountRoles.get(index)) && !isTotal(index),
  );
  const watched = [...new Set([...known, ...subjects])];
  const related = watched.filter((index) => {
    const texts = (header.below ?? [])
      .map(({ cells }) => cells[index] ?? '')
      .filter((text) => !isBlank(text));
    return texts.length === 0 || texts.some((text) => amountIn(text) !== undefined);
  });
  let relations = relationsOf(related.slice(0, maxRelated), amountRoles);
  const tallies = new Map(watched.map((index) => [index, createTally()]));
  const due = columns.find(fills('collectionAmount'))?.header;
  let orders = 0;
  let collectedRound = 0;

  const readColumn = (index: number, tally: Tally, { rows }: PlannedOrder, pieces: Pieces, into: Amounts) => {
    let first: bigint | undefined;
    let sum = 0n;
    let times: bigint | undefined = 0n;
    for (const [place, { cells }] of rows.entries()) {
      const text = cells[index] ?? '';
      if (isBlank(text)) continue;
      tally.filled += 1;
      const amount = amountIn(text);
      if (amount === undefined) continue;
      tally.readable += 1;
      if (amount === 0n) continue;
      tally.hasLines ||= first !== undefined && first !== amount;
      first ??= amount;
      sum += amount;
      const count = pieces[place];
      times = times === undefined || count === undefined ? undefined : times + amount * count;
    }
    into.first.set(index, first ?? 0n);
    into.sum.set(index, sum);
    into.times.set(index, times);
  };
  return {
    add: (planned: PlannedOrder, pieces: Pieces): void => {
      const { order } = planned;
      const amount = textField(order, 'collectionAmount') ?? '';
      if (textField(order, 'collectionMode') !== 'COLLECT' || !isDecimal(amount)) return;
      const collected = toHundredths(amount);
      const total = textField(order, 'total') ?? amount;
      const amounts: Amounts = {
        collected,
        total: isDecimal(total) ? toHundredths(total) : collected,
        first: new Map(),
        sum: new Map(),
        times: new Map(),
      };
      orders += 1;
      if (collected % 10_000n === 0n) collectedRound += 1;
      for (const [index, tally] of tallies) {
        if (isText(tally)) continue;
        readColumn(index, tally, planned, pieces, amounts);
        addTo(tally, amounts, index);
      }
      if (relations.some(({ holds }) => !holds(amounts)))
        relations = relations.filter(({ holds }) => holds(amounts));
    },
    problem: (index: number, profile: ColumnProfile): Problem | undefined => {
      const tally = tallies.get(index);
      if (tally === undefined || !subjects.includes(index)) return undefined;
      const { below, equal, none, above } = tally;
      const areAmounts =
        tally.readable * 5 >= tally.filled * 4 &&
        profile.largest >= minLargest &&
        profile.shares.certain_phone < 0.5 &&
        // As nearly all amounts in ₮ are, and postal codes and numbers of documents are not.
        (profile.shares.round >= 0.5 || collectedRound * 2 < orders);
      // The amount in some orders and nothing in the others may be what is paid.
      const isPart = below > 0 || (equal > 0 && none > 0 && above === 0);
      if (!isPart || above > below + equal || !areAmounts) return undefined;
      const isExplained = relations.some(
        ({ explains, minOrders = 1 }) => orders >= minOrders && explains.includes(index),
      );
      const hasGoods = known.some(
        (each) => amountRoles.get(each) === 'goods' && (tallies.get(each)?.readable ?? 0) > 0,
      );
      // Without prices of goods, only the header and the size of a column show that it is a delivery fee or a tax.
      const role = amountRoles.get(index);
      const isCharge = role === 'tax' || (role === 'delivery' && profile.different <= maxCharges);
      if (isExplained || (!hasGoods && isCharge && tally.isSmall)) return undefined;
      return unreadProblem(header, {
        ...columnAt(header, index),
        by: 'amounts',
        orders: below + equal,
        allOrders: orders,
        collected: tally.collected,
        own: tally.hasLines ? tally.sum : tally.first,
        due,
      });
    },
  };
}

/** Amounts in ₮ have three digits. */
const minLargest = 100;
const maxCharges = 3;
/** After so many cells, a column with hardly any amount is none of them. */
const maxTexts = 5000;

function isText({ filled, readable }: Tally): boolean {
  return filled > maxTexts && readable * 10 < filled;
}

function createTally(): Tally {
  const counts = { filled: 0, readable: 0, below: 0, equal: 0, none: 0, above: 0 };
  return { ...counts, collected: 0n, first: 0n, sum: 0n, hasLines: false, isSmall: true };
}

function addTo(tally: Tally, { collected, total, first, sum }: Amounts, index: number): void {
  const own = (tally.hasLines ? sum : first).get(index) ?? 0n;
  if (own === 0n) tally.none += 1;
  if (own > total && own > collected) tally.above += 1;
  // A deposit, and what is left to pay, is at least a hundredth of the amount.
  if (own === 0n || own > collected || own * 100n < collected) return;
  if (own === collected) tally.equal += 1;
  else tally.below += 1;
  tally.isSmall &&= own === collected || own * 2n <= collected;
  tally.collected += collected;
  tally.first += first.get(index) ?? 0n;
  tally.sum += sum.get(index) ?? 0n;
}

function relationsOf(
  watched: readonly number[],
  amountRoles: ReadonlyMap<number, Role | undefined>,
): Relation[] {
  const of = (role: Role | undefined) => watched.filter((index) => amountRoles.get(index) === role);
  const [goods, others, totals] = [of('goods'), of(undefined), of('total')];
  const [fees, taxes, discounts] = [of('delivery'), of('tax'), of('discount')];
  /** Two columns of one kind may be parts, or say the same. */
  const waysOf = (indexes: readonly number[]) =>
    indexes.length < 2 ? [indexes] : [indexes, ...indexes.map((index) => [index])];
  const without = (index: number) => watched.filter((other) => other !== index);
  const add = (amounts: ReadonlyMap<number, bigint>, indexes: readonly number[]) =>
    indexes.reduce((sum, index) => sum + (amounts.get(index) ?? 0n), 0n);
  const isIn = (index: number, wanted: bigint | undefined, { first, sum }: Amounts) =>
    wanted !== undefined && (first.get(index) === wanted || sum.get(index) === wanted);
  const isTotal = (wanted: bigint | undefined, amounts: Amounts) =>
    wanted === amounts.total ||
    wanted === amounts.collected ||
    totals.some((index) => isIn(index, wanted, amounts));

  /** Price × quantity is the total, or another column. */
  const products = goods.flatMap((price): Relation[] => [
    { explains: [price], holds: (amounts) => isTotal(amounts.times.get(price), amounts) },
    ...without(price).map((index): Relation => {
      const isOfGoods = amountRoles.get(index) === 'goods';
      return {
        explains: isOfGoods ? [price, index] : [price],
        holds: (amounts) => isIn(index, amounts.times.get(price), amounts),
      };
    }),
  ]);
  /** What is collected is the total, or another column, less this one. */
  const subtracted = watched.flatMap((part): Relation[] => {
    const isRest = (whole: bigint | undefined, { collected, first, sum }: Amounts) =>
      whole !== undefined && [first, sum].some((amounts) => whole - (amounts.get(part) ?? 0n) === collected);
    return [
      { explains: [part], holds: (amounts) => isRest(amounts.total, amounts) },
      ...without(part).map((index): Relation => {
        return { explains: [part], holds: (amounts) => isRest(amounts.first.get(index), amounts) };
      }),
    ];
  });
  /**
   * Goods, delivery and perhaps taxes come to the total, less the discounts unless they are subtracted from the goods
   * already; with or without a column of another header.
   */
  const bills = goods.flatMap((index) =>
    (['first', 'sum', 'times'] as const).flatMap((form): Relation[] => {
      const billWith = (
        on: readonly number[],
        off: readonly number[],
        more?: number,
        sign = 1n,
      ): Relation => ({
        explains: [index, ...on, ...taxes, ...off, ...(more === undefined ? [] : [more])],
        holds: (amounts) => {
          const { first, sum } = amounts;
          const ofGoods = amounts[form].get(index) ?? 0n;
          if (ofGoods === 0n) return false;
          const bill = ofGoods + add(first, on) + (more === undefined ? 0n : sign * (first.get(more) ?? 0n));
          return [first, sum].some((discount) => {
            const net = bill - add(discount, off);
            return isTotal(net, amounts) || isTotal(net + add(first, taxes), amounts);
          });
        },
      });
      return waysOf(fees).flatMap((on) =>
        [[], ...waysOf(discounts)].flatMap((off) => [
          billWith(on, off),
          ...others.flatMap((more) => [billWith(on, off, more), billWith(on, off, more, -1n)]),
        ]),
      );
    }),
  );
  /** The total is the goods and the same more in every order: a delivery fee that is in no column. */
  const gaps = goods.flatMap((index) =>
    (['first', 'sum', 'times'] as const).map((form): Relation => {
      let gap: bigint | undefined;
      return {
        explains: [index],
        minOrders: 2,
        holds: (amounts) => {
          const more = amounts.total - (amounts[form].get(index) ?? amounts.total);
          gap ??= more;
          return more > 0n && more === gap;
        },
      };
    }),
  );
  return [...products, ...subtracted, ...bills, ...gaps];
}
