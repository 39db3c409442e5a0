import { createHash } from 'node:crypto';
import type { Rule } from '../behaviour/fault-settings.ts';
import type { LoggedRequest } from '../store/requests.ts';

type Subject = Pick<LoggedRequest, 'route' | 'subject' | 'customerPhone'>;

/** Whether a rule matches the request, whatever the attempt. */
export function matchesRequest({ match }: Rule, method: string, logged: Subject): boolean {
  const { route, subject, customerPhone } = logged;
  return (
    (match.method ?? method) === method &&
    (match.route ?? route) === route &&
    matchesText(match.externalOrderId, route === 'create' ? subject : undefined) &&
    matchesText(match.customerPhone && digits(match.customerPhone), customerPhone && digits(customerPhone))
  );
}

/** Whether the rule at `place` in the list applies to this attempt, counted from 1. */
export function appliesToAttempt(
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
  const service = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${service.join('.*')}$`, 's');
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
 * A number from 0 up to 1 (excluded) that depends on the seed and the facts alone, not on other requests or on
 * their order.
 */
export function draw(seed: string, ...facts: readonly (string | number)[]): number {
  const text = [seed, ...facts].join('\n');
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}
