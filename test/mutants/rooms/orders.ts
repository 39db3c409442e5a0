import type { Mutant } from '../mutant.ts';

const rules = 'src/orders/order-rules.ts';
const checkTests = ['test/orders/check-order.test.ts'];
const cancel = 'src/commands/cancel/run.ts';
const cancelTests = ['test/commands/cancel/cancel.test.ts'];

export const orders: readonly Mutant[] = [
  {
    name: 'collects-nothing',
    promise: 'COLLECT needs an amount above zero, however zero is written.',
    file: rules,
    find: "isZeroDecimal(amount) ? 'zero'",
    replace: "amount === '0' ? 'zero'",
    tests: checkTests,
  },
  {
    name: 'prepaid-with-an-amount',
    promise: 'NONE with a positive amount to collect is refused.',
    file: rules,
    find: "'NONE' || amountToCollect(order) !== 'above zero',",
    replace: "'NONE' || !/^[1-9]$/.test(String(member(order, 'collectionAmount'))),",
    tests: checkTests,
  },
  {
    name: 'order-without-collection-mode',
    promise: 'An order says who pays: collectionMode is required.',
    file: 'src/orders/order-schemas.ts',
    find: "collectionMode: field('collectionMode'),",
    replace: 'collectionMode: z.optional(z.unknown()),',
    tests: checkTests,
  },
  {
    name: 'amount-with-leading-zeros',
    promise: 'Money is digits, or digits, a dot and two digits, without leading zeros.',
    file: 'src/orders/decimal.ts',
    find: 'decimalShape = /^(?:0|[1-9]\\d*)',
    replace: 'decimalShape = /^(?:\\d+)',
    tests: checkTests,
  },
  {
    name: 'two-phones-in-one',
    promise: 'Two phone numbers in one field are an error.',
    file: 'src/orders/phone.ts',
    find: 'if (betweenNumbers.test(phone)) return undefined;',
    replace: '',
    tests: ['test/orders/phone.test.ts'],
  },
  {
    name: 'guess-cancelled-with-yes',
    promise: '--yes never answers for an order that was read otherwise than it was written.',
    file: cancel,
    find: 'if (!settings.yes || isGuess) await',
    replace: 'if (!settings.yes || (isGuess && toCancel.length > 1)) await',
    tests: ['test/find-otherwise.test.ts'],
  },
  {
    name: 'live-cancelled-without-yes',
    promise: 'Off a terminal a LIVE order is cancelled only with --yes.',
    file: cancel,
    find: 'settings.yes || dryRun || (await isForSandbox(context))',
    replace: 'settings.yes || dryRun || reason !== undefined || (await isForSandbox(context))',
    tests: cancelTests,
  },
  {
    name: 'enter-cancels',
    promise: 'The question before a cancellation has no as its answer.',
    file: cancel,
    find: "print.alarm(say(question)), false, 'cancel')",
    replace: "print.alarm(say(question)), true, 'cancel')",
    tests: cancelTests,
  },
  {
    name: 'enter-imports',
    promise: 'The question before an import has no as its answer.',
    file: 'src/commands/import/confirm.ts',
    find: "wrapped, false, 'create')",
    replace: "wrapped, true, 'create')",
    tests: ['test/commands/import/confirmation.test.ts'],
  },
  {
    name: 'enter-creates',
    promise: 'The last question of create has no as its answer.',
    file: 'src/commands/create/run.ts',
    find: "whole, false, 'create')",
    replace: "whole, true, 'create')",
    tests: ['test/commands/create/dialogue.test.ts'],
  },
  {
    name: 'cancels-what-no-import-created',
    promise: 'From a results file only what an import here created is cancelled.',
    file: 'src/import/results/named-orders.ts',
    find: "if (runColumn === undefined || order.run !== '') orders.push(order);",
    replace: "if (runColumn === undefined || order.run !== '' || order.reference !== '') orders.push(order);",
    tests: ['test/commands/cancel/from-file.test.ts'],
  },
  {
    name: 'cancellation-not-recorded',
    promise: 'Our own cancellations are in the ledger, also when the order could not be read again.',
    file: 'src/commands/cancel/cancel-orders.ts',
    find: "if (isDone || outcome === 'cancel_pending') await",
    replace: "if (outcome === 'already_cancelled') await",
    tests: ['test/commands/cancel/from-file.test.ts'],
  },
  {
    name: 'numbers-of-last-year',
    promise: 'A short order number is read with the year and the width of the newest number.',
    file: 'src/orders/order-reference.ts',
    find: '(year ?? newestYear)',
    replace: '(year ?? String(BigInt(newestYear) - 1n))',
    tests: ['test/find-otherwise.test.ts'],
  },
];
