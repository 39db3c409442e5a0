import { creationTime, orderCount, phoneOf, type Spread } from './fill-with-orders.ts';

export type Query = Record<string, string>;

/** Every filter with values that match many, few and no orders; the rest are their combinations. */
function singles(spread: Spread): Query[] {
  const at = (share: number) => new Date(creationTime(Math.floor(orderCount * share), spread)).toISOString();
  const phones = [phoneOf(0, spread), phoneOf(1, spread), phoneOf(999_982, spread), '+97699999999'];
  return [
    ...['DELIVERED', 'IN_DELIVERY', 'CONFIRMED', 'CANCELLED', 'LOST'].map((status) => ({ status })),
    ...phones.map((customerPhone) => ({ customerPhone })),
    ...[0.001, 0.5, 0.99].map((share) => ({ createdFrom: at(share) })),
    ...[0.01, 0.5, 0.999].map((share) => ({ createdTo: at(share) })),
    { createdFrom: at(0.3), createdTo: at(0.7) },
    { createdFrom: at(0.49), createdTo: at(0.51) },
    { createdFrom: at(0.5), createdTo: at(0.5) },
    { createdFrom: '2030-01-01' },
  ];
}

/** No filter, each filter, and all combinations; a filter for a single order is combined with one other. */
export function listQueries(spread: Spread): Query[] {
  const broad = singles(spread);
  const unique = [
    ...['A-500000', 'none'].map((externalOrderId) => ({ externalOrderId })),
    ...['ORD-2026-500001', 'none'].map((orderNumber) => ({ orderNumber })),
  ];
  const pairs = unique.flatMap((name) => broad.map((other) => ({ ...name, ...other })));
  return [...combinations(broad), ...unique, ...pairs];
}

/** Combinations of any number of filters with different names, including none. */
function combinations(filters: Query[]): Query[] {
  return filters.reduce<Query[]>(
    (found, filter) => {
      const others = found.filter((query) => Object.keys(filter).every((name) => !(name in query)));
      return found.concat(others.map((query) => ({ ...query, ...filter })));
    },
    [{}],
  );
}
