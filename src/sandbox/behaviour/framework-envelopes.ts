import {
  hasNext,
  lastPage,
  nextUrl,
  type OrderPage,
  pageCount,
  previousUrl,
  type ToListAnswer,
} from './order-page.ts';

/** Envelopes that web frameworks and standards bring with them. */
export const frameworkEnvelopes = {
  django_rest: (found) => ({
    body: { count: found.total, next: nextUrl(found), previous: previousUrl(found), results: found.orders },
  }),
  spring: (found) => ({
    body: {
      content: found.orders,
      totalElements: found.total,
      totalPages: pageCount(found),
      number: found.page,
      size: found.pageSize,
      numberOfElements: found.orders.length,
      first: found.page === found.firstPage,
      last: !hasNext(found),
      empty: found.orders.length === 0,
    },
  }),
  hal: (found) => ({
    body: {
      _embedded: { orders: found.orders },
      _links: { self: { href: found.urlOf(found.page) }, ...linkTo('next', nextUrl(found)) },
      page: {
        size: found.pageSize,
        totalElements: found.total,
        totalPages: pageCount(found),
        number: found.page,
      },
    },
  }),
  laravel: (found) => ({
    body: {
      current_page: found.page,
      data: found.orders,
      first_page_url: found.urlOf(found.firstPage),
      last_page: lastPage(found),
      next_page_url: nextUrl(found),
      per_page: found.pageSize,
      prev_page_url: previousUrl(found),
      total: found.total,
    },
  }),
  json_api: (found) => ({
    body: {
      data: found.orders,
      links: { self: found.urlOf(found.page), next: nextUrl(found) },
      meta: { total: found.total },
    },
  }),
} satisfies Record<string, (found: OrderPage) => ReturnType<ToListAnswer>>;

function linkTo(name: string, href: string | null) {
  return href === null ? {} : { [name]: { href } };
}
