import type { Mutant } from '../mutant.ts';

const compare = 'src/orders/compare.ts';
const tests = ['test/orders/compare.test.ts'];

export const compares: readonly Mutant[] = [
  {
    name: 'every-amount-is-usual',
    promise: 'Another amount to collect is never a usual change of a service.',
    file: compare,
    find: "const kind = field === 'total' ? 'usual' : 'essential';",
    replace: "const kind = 'usual';",
    tests: [...tests, 'test/commands/create/echo.test.ts'],
  },
  {
    name: 'merged-lines-without-bound',
    promise: 'A service may merge lines; more lines than were sent differ.',
    file: compare,
    find: 'return theirs.length <= ours.length && holdsSkus(ours, theirs)',
    replace: 'return holdsSkus(ours, theirs)',
    tests: [...tests, 'test/commands/status/status.test.ts'],
  },
  {
    name: 'lost-line-counts-as-merged',
    promise: 'Lines without a SKU cannot be merged: one less is no usual change.',
    file: compare,
    find: 'countOther(theirs) >= countOther(ours)',
    replace: 'countOther(theirs) + 1 >= countOther(ours)',
    tests: [...tests, 'test/commands/create/echo.test.ts'],
  },
  {
    name: 'skus-as-a-set',
    promise: 'The SKUs of the lines are compared as a multiset: a line more or less differs.',
    file: compare,
    find: 'return sortedSkus(ours) === sortedSkus(theirs);',
    replace: 'return ours.every((line) => theirs.some((other) => skuOf(other) === skuOf(line)));',
    tests,
  },
  {
    name: 'money-by-its-spelling',
    promise: 'Money is compared by value, not by spelling.',
    file: compare,
    find: 'undefined : isSameAmount(read, ours)',
    replace: 'undefined : read === ours',
    tests,
  },
  {
    name: 'hidden-customer-id-agrees',
    promise: 'A customer whose ID the service does not show is not compared.',
    file: compare,
    find: 'agrees: isSame || (isOther ? false : undefined)',
    replace: 'agrees: isSame || !isOther',
    tests,
  },
  {
    name: 'quantity-not-compared',
    promise: 'The quantities of the lines are compared where the profile says where they are sent.',
    file: compare,
    find: "lineFields: readonly UnnamedField[] = ['item', 'price', 'quantity']",
    replace: "lineFields: readonly UnnamedField[] = ['item', 'price']",
    tests,
  },
  {
    name: 'missing-collection-amount-agrees',
    promise: 'An amount to collect that the service does not show is not compared, unless it is zero.',
    file: compare,
    find: "(field === 'collectionAmount' && isZeroDecimal(ours)) || undefined",
    replace: "field === 'collectionAmount' || undefined",
    tests,
  },
  {
    name: 'amount-of-another-currency-is-equal',
    promise: 'An amount with another currency, a scale or an unknown member is not compared.',
    file: 'src/orders/shown-values.ts',
    find: "if (isOther || !hasOnly(members, amountNames)) return 'unknown';",
    replace: "if (!hasOnly(members, amountNames)) return 'unknown';",
    tests,
  },
];
