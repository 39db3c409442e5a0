import type { Reply, Seen } from './foreign-service.ts';

export const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `S-${from + index}`);
export const asOrders = (list: string[]) => list.map((id) => ({ id }));

export interface Paging {
  count?: number;
  size?: number;
  base?: 0 | 1;
  /** What a page tells beside its orders. */
  tells?: (page: number, count: number, base: number) => object;
}

/** A service with so many orders, in pages. */
export function pages({ count = 7, size = 3, base = 1, tells = () => ({}) }: Paging = {}) {
  return ({ query }: Seen): Reply => {
    const page = query.page === undefined ? base : Number(query.page);
    const start = (page - base) * size;
    const data = start < 0 ? [] : asOrders(ids(count).slice(start, start + size));
    return { json: { data, ...tells(page, count, base) } };
  };
}
