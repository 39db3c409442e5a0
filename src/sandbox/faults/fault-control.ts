import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Visit } from '../record/log-requests.ts';
import { demoPhones } from './demo-phones.ts';
import { latencyOf } from './latency.ts';
import { createLimiter } from './limits.ts';
import { concerns, draw, strikes } from './match-rule.ts';
import type { Faults, Rule } from './schema.ts';

interface Misfortune {
  rule?: Rule | undefined;
  /** How long it is held up. */
  latencyMs: number;
}

export type FaultControl = ReturnType<typeof createFaultControl>;

/** The faults that hold now, and what is still to come of earlier ones; `now` in epoch milliseconds. */
export function createFaultControl(initial: Faults, now: () => number) {
  let settings = initial;
  let rules = placed(initial);
  let limiter = createLimiter(settings.limits, now);
  const attempts = new Map<string, number>();
  const stopping = new AbortController();
  // Any number of requests may be held up at once.
  setMaxListeners(0, stopping.signal);
  const later = new Set<Promise<void>>();
  let promises = 0;

  const set = (faults: Faults) => {
    settings = faults;
    rules = placed(faults);
    limiter = createLimiter(faults.limits, now);
    attempts.clear();
  };
  /** Ends early when the sandbox stops. */
  const sleep = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);

  return {
    settings: () => settings,
    set,
    /** Those of the behaviour again. */
    restore: () => set(initial),
    enter: () => limiter.enter(),
    sleep,
    /** What befalls a request. Attempts at the same thing are counted from when the faults were set. */
    draw(method: string, visit: Visit): Misfortune {
      const { latency, seed } = settings;
      const concerning = rules.filter(({ rule }) => concerns(rule, method, visit));
      if (concerning.length === 0 && latency.distribution === 'none') return { latencyMs: 0 };
      const name = `${visit.route}\n${visit.subject}`;
      const attempt = (attempts.get(name) ?? 0) + 1;
      attempts.set(name, attempt);
      const drawn = (what: string) => draw(seed, what, visit.route, visit.subject, attempt);
      return {
        rule: concerning.find(({ rule, place }) => strikes(rule, place, seed, visit, attempt))?.rule,
        latencyMs: latencyOf(latency, [drawn('first'), drawn('second')], visit.underWay),
      };
    },
    /** Does something later, or when the sandbox stops. */
    afterwards(milliseconds: number, work: () => Promise<void>): void {
      const promised = promises;
      const job = sleep(milliseconds)
        .then(() => (promised === promises ? work() : undefined))
        .finally(() => later.delete(job));
      later.add(job);
    },
    /** What was to be done later is not done: what it is about is gone. */
    forgetLater(): void {
      promises += 1;
    },
    /** Lets nobody wait any longer; what was to be done later begins. */
    hasten(): void {
      stopping.abort();
    },
    /** Resolves when all is done that was to be done later. */
    async settle(): Promise<void> {
      await Promise.allSettled(later);
    },
  };
}

const demoRules = demoPhones.map(({ rule }) => rule);

/** The rules that hold, each with its place, which is what it draws by. */
function placed({ rules, demoPhones: hasDemos }: Faults): { rule: Rule; place: number }[] {
  return [...rules, ...(hasDemos ? demoRules : [])].map((rule, place) => ({ rule, place }));
}
