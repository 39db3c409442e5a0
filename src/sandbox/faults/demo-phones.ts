import type { Rule } from './schema.ts';

interface DemoPhone {
  phone: string;
  /** What an order for it goes through, for people. */
  description: string;
  rule: Rule;
}

function demo(phone: string, description: string, attempt: number | undefined, rest: Omit<Rule, 'match'>) {
  const match = { route: 'create', customerPhone: `*${phone}`, probability: 1 } as const;
  const attempts = attempt === undefined ? {} : { attempt };
  return { phone, description, rule: { match: { ...match, ...attempts }, ...rest } as Rule };
}

/** Phones with which anyone can see what a service does on a bad day, and that no order is lost by it. */
export const demoPhones: readonly DemoPhone[] = [
  demo('99000429', 'the first attempt is answered 429 with Retry-After: 2', 1, {
    when: 'before_commit',
    do: {
      ...{ kind: 'status', status: 429, body: 'error', code: 'TOO_MANY_REQUESTS', headers: {} },
      retryAfter: { form: 'seconds', seconds: 2 },
    },
  }),
  demo('99000504', 'the first attempt creates the order and is answered 504', 1, {
    when: 'after_commit',
    do: { kind: 'status', status: 504, body: 'error', code: 'GATEWAY_TIMEOUT', headers: {} },
  }),
  demo('99000500', 'the first attempt creates the order, and the connection is reset', 1, {
    when: 'after_commit',
    do: { kind: 'reset' },
  }),
  demo('99000003', 'every attempt is answered 3 seconds later', undefined, {
    when: 'after_commit',
    do: { kind: 'wait', seconds: 3 },
  }),
];
