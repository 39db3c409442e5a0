import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { wait } from '../../system/waits.ts';
import {
  type FaultSettings,
  type Faults,
  faults as faultsSchema,
  type Rule,
} from '../behaviour/fault-settings.ts';
import { RequestEnded } from '../record/request-log.ts';
import type { LoggedRequest } from '../store/requests.ts';

/** `now` in epoch milliseconds. */
export function createFaultControl(initial: Faults, now: () => number) {
  let settings: Faults;
  let rules: ReturnType<typeof prepareRule>[];
  let limiter: ReturnType<typeof createLimiter>;
  const attempts = new Map<string, number>();
  let waits = newWaits();

  const set = (faults: Faults) => {
    settings = faults;
    rules = [...faults.rules, ...(faults.demoPhones ? demoRules() : [])].map(prepareRule);
    limiter = createLimiter(faults.limits, now);
    attempts.clear();
  };
  /** Without milliseconds until it is ended. @throws RequestEnded when it is */
  const sleep = async (milliseconds?: number) => {
    const { signal } = waits;
    await wait(milliseconds, signal);
    if (signal.aborted) throw new RequestEnded();
  };

  set(initial);
  return {
    settings: () => settings,
    set,
    enter: () => limiter.enter(),
    sleep,
    /** The rule that applies. Counts the attempts with the same route and subject since the faults were set. */
    draw(logged: Subject, externalIdOf: (orderId: string) => string | undefined): Rule | undefined {
      const matching = rules.filter(({ matches }) => matches(logged, externalIdOf));
      if (matching.length === 0) return undefined;
      const subject = `${logged.route}\n${logged.subject}`;
      const attempt = (attempts.get(subject) ?? 0) + 1;
      attempts.set(subject, attempt);
      return matching.find(({ applies }) => applies(settings.seed, subject, attempt))?.rule;
    },
    /** Runs after the delay, unless it is ended before. */
    runLater(milliseconds: number, work: () => Promise<void>): void {
      void sleep(milliseconds)
        .then(work)
        .catch(() => undefined);
    },
    /** Ends what waits now, at a reset; `forGood`: later waits too, when the sandbox stops. */
    endWaits(forGood = false): void {
      waits.abort();
      if (!forGood) waits = newWaits();
    },
  };
}

function newWaits(): AbortController {
  const waits = new AbortController();
  setMaxListeners(0, waits.signal);
  return waits;
}

type RuleSettings = NonNullable<NonNullable<FaultSettings>['rules']>[number];

/** Orders for these phones show how faults are handled. */
export const demoPhones: readonly (Omit<RuleSettings, 'match'> & {
  phone: string;
  description: string;
  attempt?: number;
})[] = [
  {
    phone: '99000429',
    description: 'the response to the first attempt is 429 with Retry-After: 2',
    attempt: 1,
    when: 'before_commit',
    do: { kind: 'status', status: 429, code: 'TOO_MANY_REQUESTS', retryAfter: 2 },
  },
  {
    phone: '99000504',
    description: 'the first attempt creates the order, and its response is 504',
    attempt: 1,
    when: 'after_commit',
    do: { kind: 'status', status: 504, code: 'GATEWAY_TIMEOUT' },
  },
  {
    phone: '99000500',
    description: 'the first attempt creates the order, and the connection is reset',
    attempt: 1,
    when: 'after_commit',
    do: { kind: 'reset' },
  },
  {
    phone: '99000003',
    description: 'every response is delayed by 3 seconds',
    when: 'after_commit',
    do: { kind: 'wait', seconds: 3 },
  },
];

function demoRules(): Rule[] {
  const rules = demoPhones.map(({ phone, attempt, when, do: action }) => {
    return { match: { route: 'create', customerPhone: `*${phone}`, attempt }, when, do: action };
  });
  return faultsSchema.parse({ rules }).rules;
}

type Subject = Pick<LoggedRequest, 'route' | 'subject' | 'customerPhone'>;

/** The place of a rule in the list is part of its random draw. */
function prepareRule(rule: Rule, place: number) {
  const { route, externalOrderId, customerPhone, attempt, probability } = rule.match;
  const isId = externalOrderId === undefined ? undefined : matcherOf(externalOrderId);
  const isPhone = customerPhone === undefined ? undefined : matcherOf(digits(customerPhone));
  return {
    rule,
    /** Whatever the attempt. */
    matches: (logged: Subject, externalIdOf: (orderId: string) => string | undefined) =>
      (route ?? logged.route) === logged.route &&
      (isPhone?.(logged.customerPhone === undefined ? undefined : digits(logged.customerPhone)) ?? true) &&
      (isId?.(logged.route === 'create' ? logged.subject : externalIdOf(logged.subject)) ?? true),
    applies: (seed: string, subject: string, number: number) =>
      (attempt ?? number) === number && draw([seed, place, subject, number]) < probability,
  };
}

/** `*` stands for any text. */
function matcherOf(pattern: string): (text: string | undefined) => boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  return (text) => {
    if (last === undefined || text === undefined) return text === first;
    let place = text.startsWith(first) ? first.length : -1;
    for (const part of others) {
      const found = place < 0 ? -1 : text.indexOf(part, place);
      place = found < 0 ? -1 : found + part.length;
    }
    return place >= 0 && place <= text.length - last.length && text.endsWith(last);
  };
}

function digits(phone: string): string {
  return phone.replace(/[^\d*]/g, '');
}

/** From 0 up to 1 (excluded); depends on the parts alone, not on other requests or their order. */
function draw(parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** `leave` may be called more than once. */
type Permit = { leave(): void } | { waitSeconds: number };

/** `now` in epoch milliseconds. */
function createLimiter({ requestsPerSecond, concurrency, burst }: Faults['limits'], now: () => number) {
  const underWay = new Set<symbol>();
  let tokens = burst;
  let filledAt = now();
  return {
    enter(): Permit {
      if (concurrency !== null && underWay.size >= concurrency) return { waitSeconds: 1 };
      if (requestsPerSecond !== null) {
        const time = now();
        // When the clock is set back, the tokens stay as they are.
        const gained = (Math.max(0, time - filledAt) / 1000) * requestsPerSecond;
        tokens = Math.min(burst, tokens + gained);
        filledAt = time;
        if (tokens < 1) return { waitSeconds: (1 - tokens) / requestsPerSecond };
        tokens -= 1;
      }
      const entered = Symbol();
      underWay.add(entered);
      return { leave: () => void underWay.delete(entered) };
    },
  };
}
