import type { Json, JsonObject } from '../../orders/json.ts';

/** One page of a listing. */
export interface OrderPage {
  orders: JsonObject[];
  page: number;
  pageSize: number;
  /** Orders that match, on all pages. */
  total: number;
  firstPage: number;
  /** The address of another page of this listing. */
  urlOf(page: number): string;
}

export interface ListAnswer {
  body: Json;
  headers?: Record<string, string>;
}

export type ToListAnswer = (page: OrderPage) => ListAnswer;

export function pageCount({ total, pageSize }: OrderPage): number {
  return Math.ceil(total / pageSize);
}

export function lastPage(page: OrderPage): number {
  return Math.max(page.firstPage, page.firstPage + pageCount(page) - 1);
}

export function hasNext(page: OrderPage): boolean {
  return page.page < lastPage(page);
}

export function nextUrl(page: OrderPage): string | null {
  return hasNext(page) ? page.urlOf(page.page + 1) : null;
}

export function previousUrl({ page, firstPage, urlOf }: OrderPage): string | null {
  return page > firstPage ? urlOf(page - 1) : null;
}

/** Stands for the next page where a service would have a cursor; null on the last page. */
export function nextCursor(page: OrderPage): string | null {
  return hasNext(page) ? Buffer.from(`page:${page.page + 1}`).toString('base64url') : null;
}
