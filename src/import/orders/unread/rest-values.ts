import { columnAt } from '../../columns/header.ts';
import { isOtherThan, isRankHeader } from '../../columns/header-roles.ts';
import { type ColumnProfile, createTableProfile } from '../../columns/profile.ts';
import { areDaysAhead, isBlank, readValues, tickedValues } from '../../columns/reading.ts';
import { isOfNumbers, roles } from '../../columns/roles.ts';
import type { CellFormat } from '../../mapping/column.ts';
import { indexesOfUse, type Mapping } from '../../mapping/mapping.ts';
import { createCounts, type Problem } from '../../problem.ts';
import type { Check, PlanOptions } from '../plan.ts';
import { createPieceReader, createRestAmounts } from './rest-amounts.ts';
import { type SaidByValues, unreadProblem } from './unread-problems.ts';

type RestOptions = Pick<PlanOptions, 'today' | 'ignoreRest'> & CellFormat;

/**
 * Columns whose values may change who pays, how much, what, where and when, in the orders that are to be sent: those that
 * somebody wants to leave unread, and of partly read columns the words that decide about an order. Of columns that are
 * ignored anyway, `ofIgnored` has the problems in the end, which the preview says.
 */
export function createRestCheck(
  mapping: Mapping,
  undecided: readonly number[],
  options: RestOptions,
): (Check & { ofIgnored: ReadonlyMap<number, Problem> }) | undefined {
  const { header } = mapping;
  const columns = new Map(mapping.rest.map((column) => [column.index, column]));
  const partlyRead = indexesOfUse(mapping, 'values');
  const rest = [
    ...indexesOfUse(mapping, 'ignored', 'ignored_anyway'),
    ...(options.ignoreRest ? undecided : []),
  ];
  const watched = [...partlyRead, ...rest];
  if (watched.length === 0) return undefined;
  const ofIgnored = new Map<number, Problem>();
  const amounts = createRestAmounts(mapping, rest, options);
  const lacks = missingFields(mapping);
  const piecesIn = createPieceReader(mapping, options);
  // The pieces, the columns, and the number of the order.
  const profile = createTableProfile(watched.length + 1, watched.length + 1);
  let orders = 0;
  const problemIn = (index: number, own: ColumnProfile): Problem | undefined => {
    const column = columnAt(header, index);
    const { role, use } = columns.get(index) ?? {};
    const isPartlyRead = use === 'values';
    const said = readValues(own);
    const values = createCounts(own.counted);
    const problemOf = (reading: SaidByValues) =>
      unreadProblem(header, { ...column, by: 'values', values, ...reading });
    if (isPartlyRead || role === undefined || isOfNumbers(role)) {
      const reason = (['state', 'payment', 'currency'] as const).find((each) => said[each]);
      if (reason !== undefined) return problemOf({ reason });
    }
    if (isPartlyRead) return undefined;
    const ofAmounts = amounts.problem(index, own);
    if (ofAmounts !== undefined) return ofAmounts;
    const filled = own.orders - own.blankOrders;
    const isPlace = (lacks.address && said.address) || (lacks.place && said.place);
    if (isPlace && filled * 2 >= own.orders && (own.different > 1 || own.orders === 1))
      return problemOf({ reason: 'address', orders: filled });
    const isCount = own.isLineNumber || (own.isRowNumber && own.filled >= minCounting);
    const isOther = isCount || isRankHeader(column.header) || isOtherThan('quantity', column.header);
    const isOfSent = own.atMost.includes(0) && own.equalTo !== 0;
    if (said.quantity && !isOther && (lacks.quantity || isOfSent))
      return problemOf({ reason: 'quantity', isOfSent: !lacks.quantity });
    // Ticks in other columns have been judged by their header.
    if (said.ticks && (role === undefined || roles[role].unread === null)) {
      const ticked = tickedValues(own);
      const count = ticked.reduce((sum, value) => sum + value.orders, 0);
      return problemOf({ reason: 'ticks', orders: count, example: ticked[0]?.text ?? '' });
    }
    return lacks.date && said.date && areDaysAhead(own, options.today)
      ? problemOf({ reason: 'date', orders: filled })
      : undefined;
  };
  return {
    ofIgnored,
    order: (planned) => {
      const pieces = piecesIn(planned);
      orders += 1;
      for (const [place, { cells }] of planned.rows.entries()) {
        const texts = watched.map((index) => withoutBlank(cells[index] ?? ''));
        profile.addRow([String(pieces[place] ?? '?'), ...texts, String(orders)]);
      }
      amounts.add(planned, pieces);
    },
    end: (said) =>
      profile
        .columns()
        .slice(1)
        .flatMap((own, place) => {
          const index = watched[place] ?? 0;
          const problem = said.has(index) || own.filled === 0 ? undefined : problemIn(index, own);
          if (problem === undefined) return [];
          if (columns.get(index)?.use !== 'ignored_anyway') return problem;
          ofIgnored.set(index, problem);
          return [];
        }),
  };
}

const withoutBlank = (text: string) => (isBlank(text) ? '' : text);

export function hasQuantityIn(paths: Iterable<string>): boolean {
  return [...paths].some((path) => /^items\[\d*\]\.quantity$/.test(path));
}

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

function missingFields({ filled, declined }: Mapping): MissingFields {
  const all = [...filled, ...declined];
  const places = all.filter((path) => path.startsWith('deliveryAddress') && path !== 'deliveryAddress.note');
  return {
    address: places.every((path) => isOnlyPart.test(path)),
    place: places.length === 0,
    quantity: !hasQuantityIn(all),
    date: !all.includes('requestedDeliveryDate'),
  };
}

/** Fewer numbers in a row may be quantities. */
const minCounting = 4;
