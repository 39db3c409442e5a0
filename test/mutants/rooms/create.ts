import type { Mutant } from '../mutant.ts';

const create = 'src/api/operations/create.ts';
const createTests = ['test/api/operations/create.test.ts'];
const requests = 'src/api/requests.ts';
const replay = 'src/api/responses/replay.ts';

export const creates: readonly Mutant[] = [
  {
    name: 'key-without-generation',
    promise: 'The generation is part of the key: a stored rejection never answers a later attempt.',
    file: requests,
    find: 'String(generation)].map(',
    replace: 'String(Math.min(generation, 0))].map(',
    tests: ['test/api/idempotency-key.test.ts'],
  },
  {
    name: 'key-without-body',
    promise: 'The content is part of the key: an edited row is never answered by the reply to the old one.',
    file: requests,
    find: '[externalOrderId, body, String(generation)]',
    replace: '[externalOrderId, String(body.length), String(generation)]',
    tests: ['test/api/idempotency-key.test.ts'],
  },
  {
    name: 'body-in-the-order-of-the-columns',
    promise: 'One order has one body and one key, whatever the order of its columns.',
    file: 'src/orders/order.ts',
    find: 'return left < right ? -1 : left > right ? 1 : 0;',
    replace: 'return left === right ? 1 : 0;',
    tests: ['test/orders/order-body.test.ts'],
  },
  {
    name: 'rejection-settles-an-unknown-attempt',
    promise: 'A refusal of an order with an unknown attempt is believed only after a complete look-up.',
    file: create,
    find: "if (outcome === 'rejected') return mayExist && lookup !== undefined && !isAbsent;",
    replace:
      "if (outcome === 'rejected') return mayExist && lookup !== undefined && isListed(lookup) && !isAbsent;",
    tests: createTests,
  },
  {
    name: 'conflict-status-believed',
    promise: 'After a 409 an order that is not found is unknown, not rejected.',
    file: create,
    find: 'return mayExist || mayTakeEffectLate || saw409 || isListed(lookup);',
    replace: 'return mayExist || mayTakeEffectLate || isListed(lookup);',
    tests: createTests,
  },
  {
    name: 'old-refusal-believed',
    promise: 'A refusal of an order that the ledger does not know is looked up before it is reported.',
    file: create,
    find: '(earlier.hasOpenAttempt || earlier.looksUpRejections)',
    replace: 'earlier.hasOpenAttempt',
    tests: createTests,
  },
  {
    name: 'unknown-not-looked-up',
    promise: 'An order whose attempts ended unknown is looked up.',
    file: create,
    find: "result.outcome === 'rejected_or_exists' || sawUnknown || sentAfterLookup ||",
    replace: "result.outcome === 'rejected_or_exists' || sentAfterLookup ||",
    tests: createTests,
  },
  {
    name: 'cancelled-order-reported-as-created',
    promise: 'An order that the service shows as cancelled is a conflict, not created.',
    file: create,
    find: 'const isGone = (isCancelled(found) && !end.isNew) || replacedIds.has(found.id);',
    replace: 'const isGone = replacedIds.has(found.id);',
    tests: createTests,
  },
  {
    name: 'other-spelling-is-ours',
    promise: 'An order whose ID is in another spelling is ours only with the same content.',
    file: create,
    find: 'compareOrders(order, found.order, fieldPaths).differences.length === 0);',
    replace: 'compareOrders(order, found.order, fieldPaths).differences.length >= 0);',
    tests: createTests,
  },
  {
    name: 'another-amount-is-an-echo',
    promise: 'An order with another amount to collect or day is never taken for the one just created.',
    file: replay,
    find: "if (differences.some(({ kind }) => kind === 'essential')) return false;",
    replace:
      "if (differences.every(({ kind }) => kind === 'essential') && differences.length > 9) return false;",
    tests: ['test/commands/create/echo.test.ts'],
  },
  {
    name: 'older-orders-are-echoes',
    promise:
      'An order that differs is the one just created only if it is at most one minute older than its request.',
    file: replay,
    find: 'createdAt - ahead >= from - maxCreationDifference',
    replace: 'createdAt - ahead >= from - 3 * maxCreationDifference',
    tests: ['test/import/send/echo.test.ts'],
  },
  {
    name: 'replay-header-not-read',
    promise: 'A reply that is flagged as replayed is already_exists when no attempt of ours was open.',
    file: replay,
    find: "'idempotent-replayed',",
    replace: '',
    tests: ['test/api/operations/create.test.ts'],
  },
  {
    name: 'replay-without-flag-not-seen',
    promise: 'An order created more than five minutes before our first attempt is recognised as a replay.',
    file: replay,
    find: 'const maxClockDifference = 5 * 60_000;',
    replace: 'const maxClockDifference = 60 * 60_000;',
    tests: ['test/api/operations/create.test.ts'],
  },
  {
    name: 'cancel-sent-again-blindly',
    promise:
      'A cancel whose outcome is unknown is not sent again: the order is read, and its status reported.',
    file: 'src/api/operations/cancel.ts',
    find: 'resendsUnknown: false',
    replace: 'resendsUnknown: true',
    tests: ['test/api/operations/cancel.test.ts'],
  },
  {
    name: 'first-of-several-orders-taken',
    promise: 'Two orders that carry the text that was asked for are an error with both candidates.',
    file: 'src/api/operations/find.ts',
    find: 'if (others.length > 0) throw ambiguous(reference, [first, ...others]);',
    replace: 'if (others.length > 1) throw ambiguous(reference, [first, ...others]);',
    tests: ['test/api/operations/find.test.ts'],
  },
  {
    name: 'not-found-after-a-bounded-walk',
    promise: 'A walk that its bound stopped does not say that there is no such order.',
    file: 'src/api/operations/find.ts',
    find: "if (end.how === 'incomplete') throw incomplete(value, end.sentence);",
    replace: "if (end.how === 'incomplete' && found.size > 0) throw incomplete(value, end.sentence);",
    tests: ['test/api/operations/find.test.ts'],
  },
  {
    name: 'dots-lead-to-another-route',
    promise: 'A dot or two dots in place of an ID never reach another route.',
    file: requests,
    find: '/^\\.{0,2}$|[/',
    replace: '/[/',
    tests: ['test/api/operations/find.test.ts'],
  },
];
