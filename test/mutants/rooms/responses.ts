import type { Mutant } from '../mutant.ts';

const outcome = 'src/api/responses/outcome.ts';
const outcomeTests = ['test/api/responses/outcome.test.ts'];
const search = 'src/api/pages/search.ts';
const finderTests = ['test/api/pages/order-finder.test.ts'];

export const responses: readonly Mutant[] = [
  {
    name: 'server-error-rejects',
    promise: 'A 5xx to a create leaves its outcome unknown.',
    file: outcome,
    find: "{ matches: isBetween(500, 599), outcome: 'unknown' }",
    replace: "{ matches: isBetween(500, 599), outcome: 'rejected' }",
    tests: outcomeTests,
  },
  {
    name: 'throttled-counts-as-an-attempt',
    promise: 'A 429 was not processed, and is no spent attempt.',
    file: outcome,
    find: "matches: isStatus(429), outcome: 'throttled'",
    replace: "matches: isStatus(429), outcome: 'unknown'",
    tests: outcomeTests,
  },
  {
    name: 'redirected-create-not-sent',
    promise: 'A create that was redirected has arrived somewhere: the order is unknown.',
    file: outcome,
    find: "create: 'redirected'",
    replace: "create: 'wrong_base_url'",
    tests: outcomeTests,
  },
  {
    name: 'unknown-4xx-rejects',
    promise: 'A 4xx with an unknown code or none may mean that the ID exists: it is settled by a look-up.',
    file: outcome,
    find: "matches: isClientError, outcome: { create: 'rejected_or_exists'",
    replace: "matches: isClientError, outcome: { create: 'rejected'",
    tests: outcomeTests,
  },
  {
    name: 'lost-response-counts-as-not-sent',
    promise: 'Only a request of which no byte was sent counts as not sent.',
    file: 'src/api/http/attempt-result.ts',
    find: 'mayHaveBeenSent: wasSent && connectFailure === undefined',
    replace: 'mayHaveBeenSent: wasSent && hasResponseBegun && connectFailure === undefined',
    tests: ['test/api/http/transport.test.ts', 'test/api/http/connection-errors.test.ts'],
  },
  {
    name: 'echoed-code-believed',
    promise: 'A code that stands in a text which we sent is not the code of the error.',
    file: 'src/api/responses/service-codes.ts',
    find: "echoes.reduce((left, echo) => left.replaceAll(echo, '  '), asWords(value))",
    replace: 'asWords(value)',
    tests: ['test/api/responses/service-codes.test.ts'],
  },
  {
    name: 'hidden-ids-prove-absence',
    promise: 'A list that does not show external order IDs proves nothing about one.',
    file: 'src/api/pages/order-finder.ts',
    find: "if (isWithoutId || isFieldHidden || end.how !== 'whole')",
    replace: "if (isWithoutId || (isFieldHidden && listed === 0) || end.how !== 'whole')",
    tests: finderTests,
  },
  {
    name: 'one-page-is-the-whole-list',
    promise: 'A service that returns the same page for every number does not prove that an order is absent.',
    file: search,
    find: "end: { how: 'incomplete', sentence: caveat }",
    replace: "end: { how: 'whole' }",
    tests: finderTests,
  },
  {
    name: 'bounded-walk-is-complete',
    promise: 'A walk that its bound stopped proves nothing.',
    file: 'src/api/pages/walk-pages.ts',
    find: 'const action = isStopped ? stopped(walk) : after.action;',
    replace: "const action: WalkAction = isStopped ? { kind: 'end' } : after.action;",
    tests: finderTests,
  },
  {
    name: 'null-list-proves-absence',
    promise: 'Only an empty array or a count of 0 proves that an order is absent.',
    file: 'src/api/responses/page.ts',
    find: "isUnproven: found.form === 'nothing' && count !== 0 && !isLater",
    replace: "isUnproven: found.form === 'nothing' && count !== null && !isLater",
    tests: ['test/api/responses/page.test.ts', ...finderTests],
  },
  {
    name: 'unreached-total-not-told',
    promise: 'A total that the pages do not reach is told, and list exits 7.',
    file: 'src/api/pages/walk-pages.ts',
    find: 'if (total === null || total <= ordersRead || hasGrown)',
    replace: 'if (total === null || ordersRead > 0 || hasGrown)',
    tests: ['test/api/pages/walk-pages.test.ts', 'test/api/pages/walk.test.ts'],
  },
  {
    name: 'order-with-another-id-is-ours',
    promise: 'A response with an external order ID that is not exactly ours is another order.',
    file: 'src/api/responses/order.ts',
    find: 'return theirs === null || externalOrderId === undefined || theirs === externalOrderId;',
    replace:
      'return theirs === null || externalOrderId === undefined || String(theirs).toLowerCase() === externalOrderId.toLowerCase();',
    tests: ['test/api/responses/order.test.ts', 'test/api/operations/create.test.ts'],
  },
  {
    name: 'page-count-ignored',
    promise: 'Where the service counts its pages, an empty one before the last proves nothing.',
    file: 'src/api/pages/walk-pages.ts',
    find: "return (walk.pageNumber ?? 1) < (page.pageCount ?? 0) ? 'yes' : 'unstated';",
    replace: "return 'unstated';",
    tests: ['test/api/pages/walk.test.ts'],
  },
];
