import { isJsonNumber, type Json, member } from '../../orders/json.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';

/** A link to the next page, the fact that it is reached with a cursor, or `none` for the last page. */
export type NextPage = { link: string } | 'cursor' | 'none';

const linkNames = [
  ...['next', 'next_page_url', 'nextPageUrl', 'nextLink', '@odata.nextLink', 'nextUrl', 'next_url'],
  ...['nextRecordsUrl', 'hydra:next'],
];
const cursorNames = [
  ...['nextPage', 'next_page', 'nextPageToken', 'next_page_token', 'nextToken', 'next_token'],
  ...['nextCursor', 'next_cursor'],
];
const maxParameters = 20;
const maxLinkLength = 2000;

/** The `rel="next"` of a Link header (RFC 8288), or a link or cursor of the body; null without any of them. */
export function readNextPage(
  { headers }: ServiceResponse,
  containers: readonly (Json | undefined)[],
): NextPage | null {
  const header = nextOfHeader(headers.link);
  if (header !== undefined) return { link: header };
  const found: NextPage[] = [];
  for (const container of containers) {
    for (const within of [member(container, 'links'), member(container, '_links'), container]) {
      for (const name of linkNames) found.push(...fromLink(member(within, name)));
    }
    found.push(...fromRelations(member(container, 'links')));
    for (const name of cursorNames) found.push(...fromCursor(member(container, name)));
  }
  // Some services send a null link beside a cursor, so `none` comes last.
  const isLink = (next: NextPage) => typeof next === 'object';
  return found.find(isLink) ?? found.find((next) => next === 'cursor') ?? found[0] ?? null;
}

/** The query parameters of a link, the only part of it that is used; undefined for a link to another origin. */
export function parametersOf(link: string, origin: string): Record<string, string> | undefined {
  if (link.length > maxLinkLength || !URL.canParse(link, origin)) return undefined;
  const url = new URL(link, origin);
  const parameters = [...url.searchParams];
  if (url.origin !== origin || parameters.length === 0 || parameters.length > maxParameters) return undefined;
  return Object.fromEntries(parameters);
}

export function pageNumberOf(link: string): number | undefined {
  const page = parametersOf(link, URL.canParse(link) ? new URL(link).origin : 'http://localhost')?.page;
  return page !== undefined && /^\d{1,9}$/.test(page) ? Number(page) : undefined;
}

const linkShape = /^(?:https?:\/\/|[/?])/;

function fromLink(value: Json | undefined): NextPage[] {
  if (value === null) return ['none'];
  const href = member(value, 'href') ?? value;
  return typeof href === 'string' && linkShape.test(href) ? [{ link: href }] : [];
}

/** Links as a list of `{rel, href}`. */
function fromRelations(links: Json | undefined): NextPage[] {
  if (!Array.isArray(links)) return [];
  const next = links.find((link) => member(link, 'rel') === 'next');
  return next === undefined ? [] : fromLink(next);
}

function fromCursor(value: Json | undefined): NextPage[] {
  if (value === null || value === '' || value === false) return ['none'];
  if (isJsonNumber(value)) return [{ link: `?page=${value}` }];
  if (typeof value !== 'string') return [];
  return linkShape.test(value) ? [{ link: value }] : ['cursor'];
}

function nextOfHeader(header: string | undefined): string | undefined {
  const links = header?.slice(0, 16 * maxLinkLength).matchAll(/<([^<>]*)>((?:\s*;[^,;"]*(?:"[^"]*")?)*)/g);
  for (const [, target, parameters = ''] of links ?? []) {
    for (const [, quoted, bare = ''] of parameters.matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|(next)\b)/gi)) {
      if ((quoted ?? bare).toLowerCase().split(/\s/).includes('next')) return target;
    }
  }
  return undefined;
}
