import { isJsonNumber, type Json, member } from '../orders/json.ts';
import type { Answer } from './observation.ts';

/** What an answer says of a next page: where it is, that a cursor leads there, or (`none`) that there is none. */
export type NextPage = { link: string } | 'cursor' | 'none';

const linkNames = [
  'next',
  'next_page_url',
  'nextPageUrl',
  'nextLink',
  '@odata.nextLink',
  'nextUrl',
  'next_url',
];
const cursorNames = [
  ...['nextPage', 'next_page', 'nextPageToken', 'next_page_token', 'nextToken', 'next_token'],
  ...['nextCursor', 'next_cursor'],
];
const mostParameters = 20;
const longestLink = 2000;

/** The `rel="next"` of a Link header (RFC 8288), or a link or cursor of the body; null when nothing is said. */
export function readNextPage({ headers }: Answer, places: readonly (Json | undefined)[]): NextPage | null {
  const header = nextOfHeader(headers.link ?? '');
  if (header !== undefined) return { link: header };
  const said: NextPage[] = [];
  for (const place of places) {
    for (const within of [member(place, 'links'), member(place, '_links'), place]) {
      for (const name of linkNames) said.push(...fromLink(member(within, name)));
    }
    for (const name of cursorNames) said.push(...fromCursor(member(place, name)));
  }
  // Some tell of no link and of a cursor, so what leads on counts first.
  const isLink = (next: NextPage) => typeof next === 'object';
  return said.find(isLink) ?? said.find((next) => next === 'cursor') ?? said[0] ?? null;
}

/**
 * The parameters that a link asks for; only of the service's own origin, since nothing else of it is followed.
 * A relative link is of that origin.
 */
export function parametersOf(link: string, origin: string): Record<string, string> | undefined {
  if (link.length > longestLink || !URL.canParse(link, origin)) return undefined;
  const url = new URL(link, origin);
  const parameters = [...url.searchParams];
  if (url.origin !== origin || parameters.length === 0 || parameters.length > mostParameters)
    return undefined;
  return Object.fromEntries(parameters);
}

/** The page number that a link asks for. */
export function pageNumberOf(link: string): number | undefined {
  const page = parametersOf(link, URL.canParse(link) ? new URL(link).origin : 'http://localhost')?.page;
  return page !== undefined && /^\d{1,9}$/.test(page) ? Number(page) : undefined;
}

/** A link, and not a word of the service's own. */
const linkShape = /^(?:https?:\/\/|[/?])/;

function fromLink(value: Json | undefined): NextPage[] {
  if (value === null) return ['none'];
  const href = member(value, 'href') ?? value;
  return typeof href === 'string' && linkShape.test(href) ? [{ link: href }] : [];
}

function fromCursor(value: Json | undefined): NextPage[] {
  if (value === null || value === '' || value === false) return ['none'];
  if (isJsonNumber(value)) return [{ link: `?page=${value}` }];
  if (typeof value !== 'string') return [];
  return linkShape.test(value) ? [{ link: value }] : ['cursor'];
}

function nextOfHeader(header: string): string | undefined {
  for (const [, target, parameters = ''] of header
    .slice(0, 16 * longestLink)
    .matchAll(/<([^<>]*)>((?:\s*;[^,;"]*(?:"[^"]*")?)*)/g)) {
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters)) return target;
  }
  return undefined;
}
