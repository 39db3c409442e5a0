import type { Mutant } from '../mutant.ts';

const group = 'src/import/orders/group/group-rows.ts';
const rowProblems = 'src/import/orders/group/row-problems.ts';
const rowTests = ['test/import/plan/rows.test.ts'];
const across = 'src/import/orders/across-orders.ts';
const invariants = 'src/import/orders/invariants.ts';
const invariantTests = ['test/import/plan/invariants.test.ts'];
const damage = 'src/import/orders/file-damage.ts';

export const rows: readonly Mutant[] = [
  {
    name: 'row-of-another-customer-joined',
    promise:
      'A row without an ID continues the order above only when it has no cells of an order of its own.',
    file: group,
    find: "if (!column.isLine && kind !== 'money') return false;",
    replace: '',
    tests: rowTests,
  },
  {
    name: 'repeated-row-counts-twice',
    promise: 'The same row twice in an order is an error.',
    file: rowProblems,
    find: 'if (original === undefined) known.set(text, row); return original;',
    replace: 'if (original === undefined) known.set(text, row); return original && undefined;',
    tests: [...rowTests, 'test/import/orders/group/repeated-rows.test.ts'],
  },
  {
    name: 'contradicting-rows-sent',
    promise: 'Two different values of one field in the rows of an order are field_conflict.',
    file: 'src/import/orders/build-order.ts',
    find: '} else if (text !== known) {',
    replace: "} else if (text !== known && kindOfCells(column) === 'money') {",
    tests: ['test/import/plan/rows.test.ts'],
  },
  {
    name: 'short-rows-sent',
    promise: 'A row of another width than the header is an error.',
    file: rowProblems,
    find: 'rows.filter(({ row, ownCells }) => ownCells !== undefined && !unclearRows.has(row))',
    replace:
      'rows.filter(({ row, cells, ownCells }) => ownCells !== undefined && ownCells.length > cells.length && !unclearRows.has(row))',
    tests: ['test/import/orders/row-width.test.ts'],
  },
  {
    name: 'line-lost-beside-a-new-value',
    promise: 'A row that names an item but gives its order no line is line_lost.',
    file: rowProblems,
    find: '(givesValue && item === undefined)',
    replace: 'givesValue',
    tests: ['test/import/plan/rows.test.ts'],
  },
  {
    name: 'same-order-twice-only-warned-of',
    promise: 'Two IDs that look alike, for the same customer, are an error.',
    file: 'src/import/orders/group/repeated-ids.ts',
    find: "...common, severity: 'error', problem: t",
    replace: "...common, severity: 'warning', problem: t",
    tests: ['test/import/plan/orders.test.ts'],
  },
  {
    name: 'number-sign-tells-ids-apart',
    promise: '№1001 and 1001 are spellings of one ID.',
    file: 'src/orders/order-reference.ts',
    find: '/^[#№＃]\\s*/u',
    replace: '/^[#＃]\\s*/u',
    tests: ['test/orders/order-reference.test.ts'],
  },
  {
    name: 'customer-id-of-three-phones',
    promise: 'One customer ID with three or more phones is an error.',
    file: across,
    find: 'const minSharedPhones = 3;',
    replace: 'const minSharedPhones = 4;',
    tests: invariantTests,
  },
  {
    name: 'order-without-address-sent',
    promise: 'An order without an address among orders that have one is address_missing.',
    file: across,
    find: 'const isMissing = haveAddresses && lacksAddress;',
    replace: 'const isMissing = haveAddresses && lacksAddress && shared.size > 0;',
    tests: invariantTests,
  },
  {
    name: 'counted-ids-with-a-gap',
    promise: 'IDs that only count the rows are refused, also where some rows are left out.',
    file: invariants,
    find: 'last <= 2 * count',
    replace: 'last <= count',
    tests: ['test/commands/import/id-prefix.test.ts'],
  },
  {
    name: 'total-of-a-line-sent',
    promise: 'A total that differs between the rows of an order is refused.',
    file: invariants,
    find: 'const minDiffering = 2;',
    replace: 'const minDiffering = 20;',
    tests: invariantTests,
  },
  {
    name: 'one-sku-as-a-name',
    promise: 'A product name that is a SKU of another line is an error.',
    file: invariants,
    find: 'if (found.length === 0) return [];',
    replace: 'if (found.length <= 1) return [];',
    tests: invariantTests,
  },
  {
    name: 'missing-line-only-warned-of',
    promise: 'Lines that come to less than their subtotal are an error where 20 orders were compared.',
    file: 'src/import/orders/control-sums.ts',
    find: 'export const minCompared = 20;',
    replace: 'export const minCompared = 30;',
    tests: ['test/import/plan/orders.test.ts'],
  },
  {
    name: 'cut-off-by-one-digit',
    promise: 'A file whose last cell lost digits is file_truncated.',
    file: damage,
    find: 'countDigits(text) < fewestDigits',
    replace: 'countDigits(text) < fewestDigits - 1',
    tests: ['test/commands/import/cut-off.test.ts'],
  },
  {
    name: 'rounded-phones-sent',
    promise: 'A column of phones that a spreadsheet rounded is refused.',
    file: damage,
    find: 'const minPhones = 5;',
    replace: 'const minPhones = 50;',
    tests: ['test/import/plan/column-values.test.ts'],
  },
  {
    name: 'left-out-as-cancelled',
    promise: 'What is left out is counted by its reason.',
    file: 'src/import/orders/left-out.ts',
    find: 'if (isLeftOut(state)) return state;',
    replace: "if (isLeftOut(state)) return 'cancelled';",
    tests: ['test/import/plan/words-by-column.test.ts'],
  },
  {
    name: 'unlisted-value-sent',
    promise: 'A value that a mapping does not list is value_unknown.',
    file: 'src/import/orders/new-values.ts',
    find: 'return isListed ? [] : unlistedValue(',
    replace: "return isListed || text === '' ? [] : unlistedValue(",
    tests: ['test/import/orders/decided-values.test.ts'],
  },
];
