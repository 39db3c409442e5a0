import type { Store } from '../store/store.ts';

export const assertionNames = [
  'exactlyOnce',
  'oneBodyPerKey',
  'noEarlyRetry',
  'noForeignAuthorization',
] as const;
type AssertionName = (typeof assertionNames)[number];

export interface Assertion {
  name: AssertionName;
  passed: boolean;
  /** One sentence each; at most the first 100. */
  violations: string[];
  violationCount: number;
}

const maxListed = 100;

const violationsOf: Record<
  AssertionName,
  (store: Store, expected: readonly string[] | undefined) => string[]
> = {
  exactlyOnce: ({ orders }, expected) => {
    const committed = orders.commits();
    const known = new Set(committed.map(({ externalOrderId }) => externalOrderId));
    const wanted = expected && new Set(expected);
    return [
      ...committed
        .filter(({ externalOrderId, commits: times }) => externalOrderId !== null && times > 1)
        .map((order) => `${order.externalOrderId} was committed ${order.commits} times`),
      ...(expected ?? []).filter((id) => !known.has(id)).map((id) => `${id} was not committed`),
      ...committed
        .filter(({ externalOrderId }) => wanted && !wanted.has(externalOrderId ?? ''))
        .map(
          ({ externalOrderId }) =>
            `${externalOrderId ?? 'an order without externalOrderId'} was committed, and was not expected`,
        ),
    ];
  },
  oneBodyPerKey: ({ requests }) =>
    requests
      .keys()
      .filter(({ bodies }) => bodies > 1)
      .map(({ idempotencyKey, bodies }) => `the key ${idempotencyKey} was sent with ${bodies} bodies`),
  noEarlyRetry: ({ requests }) =>
    requests
      .early()
      .map(
        ({ sequence, route, subject, earlyBy }) =>
          `request ${sequence} (${route} ${subject}) came ${earlyBy} ms too early`,
      ),
  noForeignAuthorization: ({ requests }) =>
    requests
      .authorizations()
      .filter(({ authorization }) => authorization === 'foreign')
      .map(({ route, requests: count }) => `${route}: ${times(count)} with a key that is not of a sandbox`),
};

/** `expected` are exactly the externalOrderIds that must exist; undefined to look for repeats only. */
export function checkAssertions(
  store: Store,
  names: readonly AssertionName[],
  expected: readonly string[] | undefined,
): Assertion[] {
  return names.map((name) => {
    const violations = violationsOf[name](store, expected);
    return {
      name,
      passed: violations.length === 0,
      violations: violations.slice(0, maxListed),
      violationCount: violations.length,
    };
  });
}

function times(requests: number): string {
  return requests === 1 ? '1 request' : `${requests} requests`;
}
