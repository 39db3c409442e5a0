import { createHash } from 'node:crypto';
import type { Visit } from '../record/log-requests.ts';
import type { Rule } from './schema.ts';

type Subject = Pick<Visit, 'route' | 'subject' | 'customerPhone'>;

/** Whether a rule is about such a request at all. */
export function concerns({ match }: Rule, method: string, visit: Subject): boolean {
  const { route, subject, customerPhone } = visit;
  return (
    (match.method ?? method) === method &&
    (match.route ?? route) === route &&
    matchesText(match.externalOrderId, route === 'create' ? subject : undefined) &&
    matchesText(match.customerPhone && digits(match.customerPhone), customerPhone && digits(customerPhone))
  );
}

/** Whether a rule, which stands at `place` in its list, strikes this attempt, counted from 1. */
export function strikes(
  { match }: Rule,
  place: number,
  seed: string,
  { route, subject }: Subject,
  attempt: number,
): boolean {
  return (
    matchesAttempt(match.attempt, attempt) && draw(seed, place, route, subject, attempt) < match.probability
  );
}

const expressions = new Map<string, RegExp>();

function matchesText(pattern: string | undefined, text: string | undefined): boolean {
  if (pattern === undefined) return true;
  if (text === undefined) return false;
  const expression = expressions.get(pattern) ?? toExpression(pattern);
  expressions.set(pattern, expression);
  return expression.test(text);
}

function toExpression(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

function digits(phone: string): string {
  return phone.replace(/[^\d*]/g, '');
}

function matchesAttempt(wanted: Rule['match']['attempt'], attempt: number): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'number') return attempt === wanted;
  return attempt >= wanted.from && attempt <= (wanted.to ?? attempt);
}

/**
 * From 0 up to, not including, 1: the same for the same seed and circumstances, however many requests are under
 * way and in whatever sequence they come.
 */
export function draw(seed: string, ...circumstances: readonly (string | number)[]): number {
  const text = [seed, ...circumstances].join('\n');
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}
