import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { wait } from '../../system/waits.ts';
import type { Faults, Limits, Rule } from '../behaviour/fault-settings.ts';
import type { LoggedRequest } from '../store/requests.ts';

export type FaultControl = ReturnType<typeof createFaultControl>;

/** `now` in epoch milliseconds. */
export function createFaultControl(initial: Faults, now: () => number) {
  let settings = initial;
  let rules = withPlaces(initial);
  let limiter = createLimiter(settings.limits, now);
  const attempts = new Map<string, number>();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const later = new Set<Promise<void>>();
  let cancellations = 0;

  const set = (faults: Faults) => {
    settings = faults;
    rules = withPlaces(faults);
    limiter = createLimiter(faults.limits, now);
    attempts.clear();
  };
  /** Ends early when the sandbox stops. */
  const sleep = (milliseconds: number) => wait(milliseconds, stopping.signal);

  return {
    settings: () => settings,
    set,
    enter: () => limiter.enter(),
    sleep,
    /** The rule that applies. Counts the attempts with the same route and subject since the faults were set. */
    draw(
      method: string,
      logged: LoggedRequest,
      externalIdOf: (orderId: string) => string | undefined,
    ): Rule | undefined {
      const matching = rules.filter(({ rule }) => matchesRequest(rule, method, logged, externalIdOf));
      if (matching.length === 0) return undefined;
      const subject = `${logged.route}\n${logged.subject}`;
      const attempt = (attempts.get(subject) ?? 0) + 1;
      attempts.set(subject, attempt);
      return matching.find((placed) => appliesToAttempt(placed, settings.seed, logged, attempt))?.rule;
    },
    /** Runs after the delay, or when the sandbox stops. */
    runLater(milliseconds: number, work: () => Promise<void>): void {
      const earlier = cancellations;
      const job = sleep(milliseconds)
        .then(() => (earlier === cancellations ? work() : undefined))
        .finally(() => later.delete(job));
      later.add(job);
    },
    /** Drops all postponed work, after a reset. */
    cancelLater(): void {
      cancellations += 1;
    },
    /** Postponed work then begins at once. */
    endWaits(): void {
      stopping.abort();
    },
    async finish(): Promise<void> {
      await Promise.allSettled(later);
    },
  };
}

interface DemoPhone {
  phone: string;
  description: string;
  rule: Rule;
}

function demo(phone: string, description: string, attempt: number | undefined, rest: Omit<Rule, 'match'>) {
  const match = { route: 'create', customerPhone: `*${phone}`, probability: 1 } as const;
  const attempts = attempt === undefined ? {} : { attempt };
  return { phone, description, rule: { match: { ...match, ...attempts }, ...rest } as Rule };
}

/** Orders for these phones show how faults are handled. */
export const demoPhones: readonly DemoPhone[] = [
  demo('99000429', 'the response to the first attempt is 429 with Retry-After: 2', 1, {
    when: 'before_commit',
    do: {
      kind: 'status',
      status: 429,
      body: 'error',
      code: 'TOO_MANY_REQUESTS',
      headers: {},
      retryAfter: 2,
    },
  }),
  demo('99000504', 'the first attempt creates the order, and its response is 504', 1, {
    when: 'after_commit',
    do: { kind: 'status', status: 504, body: 'error', code: 'GATEWAY_TIMEOUT', headers: {} },
  }),
  demo('99000500', 'the first attempt creates the order, and the connection is reset', 1, {
    when: 'after_commit',
    do: { kind: 'reset' },
  }),
  demo('99000003', 'every response is delayed by 3 seconds', undefined, {
    when: 'after_commit',
    do: { kind: 'wait', seconds: 3 },
  }),
];

const demoRules = demoPhones.map(({ rule }) => rule);

/** The place in the list is part of the random draw. */
interface PlacedRule {
  rule: Rule;
  place: number;
}

function withPlaces({ rules, demoPhones: hasDemos }: Faults): PlacedRule[] {
  return [...rules, ...(hasDemos ? demoRules : [])].map((rule, place) => ({ rule, place }));
}

type Subject = Pick<LoggedRequest, 'route' | 'subject' | 'customerPhone'>;

/** Whether a rule matches the request, whatever the attempt. `externalIdOf`: the external order ID of an order. */
export function matchesRequest(
  { match }: Rule,
  method: string,
  logged: Subject,
  externalIdOf: (orderId: string) => string | undefined = () => undefined,
): boolean {
  const { route, subject, customerPhone } = logged;
  const externalId = () => (route === 'create' ? subject : externalIdOf(subject));
  return (
    (match.method ?? method) === method &&
    (match.route ?? route) === route &&
    (match.externalOrderId === undefined || matchesText(match.externalOrderId, externalId())) &&
    matchesText(match.customerPhone && digits(match.customerPhone), customerPhone && digits(customerPhone))
  );
}

/** Whether the rule at `place` in the list applies to this attempt, counted from 1. */
export function appliesToAttempt(
  { rule: { match }, place }: PlacedRule,
  seed: string,
  { route, subject }: Subject,
  attempt: number,
): boolean {
  return (
    matchesAttempt(match.attempt, attempt) && draw(seed, place, route, subject, attempt) < match.probability
  );
}

function matchesText(pattern: string | undefined, text: string | undefined): boolean {
  if (pattern === undefined) return true;
  if (text === undefined) return false;
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of others) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}

function digits(phone: string): string {
  return phone.replace(/[^\d*]/g, '');
}

function matchesAttempt(wanted: Rule['match']['attempt'], attempt: number): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === 'number') return attempt === wanted;
  return attempt >= wanted.from && attempt <= (wanted.to ?? attempt);
}

/** From 0 up to 1 (excluded); depends on the seed and the parts alone, not on other requests or their order. */
function draw(seed: string, ...parts: readonly (string | number)[]): number {
  const text = [seed, ...parts].join('\n');
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** `leave` may be called more than once. */
type Permit = { leave(): void } | { waitSeconds: number };

const concurrencyWaitSeconds = 1;

/** `now` in epoch milliseconds. */
export function createLimiter({ requestsPerSecond, concurrency, burst }: Limits, now: () => number) {
  const underWay = new Set<symbol>();
  let tokens = burst;
  let filledAt = now();

  function refill(time: number): void {
    const gained = ((time - filledAt) / 1000) * (requestsPerSecond ?? 0);
    // When the clock is set back, the tokens stay as they are.
    if (time > filledAt) tokens = Math.min(burst, tokens + gained);
    filledAt = time;
  }

  return {
    enter(): Permit {
      if (concurrency !== null && underWay.size >= concurrency)
        return { waitSeconds: concurrencyWaitSeconds };
      if (requestsPerSecond !== null) {
        refill(now());
        if (tokens < 1) return { waitSeconds: (1 - tokens) / requestsPerSecond };
        tokens -= 1;
      }
      const entered = Symbol();
      underWay.add(entered);
      return { leave: () => void underWay.delete(entered) };
    },
  };
}
