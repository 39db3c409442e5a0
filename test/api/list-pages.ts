import type { ReceivedRequest, Reply } from './stub-service.ts';

export const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `S-${from + index}`);
export const asOrders = (list: string[]) => list.map((id) => ({ id, status: 'NEW' }));

/** Replies with pages of orders that have so many KiB each; the size of a page is 100 unless one is requested. */
export function heavyPages(kibibytes: readonly number[]) {
  const list = kibibytes.map((size, index) => ({
    id: `S-${index}`,
    status: 'NEW',
    note: 'x'.repeat(size * 1024),
  }));
  return ({ query }: ReceivedRequest): Reply => {
    const [page, size] = [Number(query.page ?? 1), Number(query.pageSize ?? 100)];
    return { json: { data: list.slice((page - 1) * size, page * size), page, total: list.length } };
  };
}

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
