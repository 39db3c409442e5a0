import type { ReceivedRequest, Reply } from './stub-service.ts';

export const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `S-${from + index}`);
export const asOrders = (list: string[]) => list.map((id) => ({ id }));

export interface Paging {
  count?: number;
  size?: number;
  base?: 0 | 1;
  /** The fields that a page has beside its orders. */
  stated?: (page: number, count: number, base: number) => object;
}

/** Replies with pages of `count` orders. */
export function pages({ count = 7, size = 3, base = 1, stated = () => ({}) }: Paging = {}) {
  return ({ query }: ReceivedRequest): Reply => {
    const page = query.page === undefined ? base : Number(query.page);
    const start = (page - base) * size;
    const data = start < 0 ? [] : asOrders(ids(count).slice(start, start + size));
    return { json: { data, ...stated(page, count, base) } };
  };
}
