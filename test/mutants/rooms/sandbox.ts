import type { Mutant } from '../mutant.ts';

const checkOrder = 'src/sandbox/rules/check-order.ts';
const createOrder = 'src/sandbox/rules/create-order.ts';
const contract = ['test/sandbox/contract.test.ts'];

export const sandbox: readonly Mutant[] = [
  {
    name: 'inactive-sku-accepted',
    promise: 'An inactive SKU is 422 PRODUCT_SKU_INACTIVE.',
    file: checkOrder,
    find: 'else if (product.active === 0) inactive.push(',
    replace: 'else if (product.active === 0 && index > 0) inactive.push(',
    tests: contract,
  },
  {
    name: 'store-pickup-accepted',
    promise: 'Pickup orders are refused.',
    file: checkOrder,
    find: "const pickups = ['PICKUP', 'STORE_PICKUP'];",
    replace: "const pickups = ['PICKUP'];",
    tests: ['test/sandbox/behaviour/settings.test.ts'],
  },
  {
    name: 'phone-before-external-customer-id',
    promise: 'An external customer ID that this client used before decides the customer.',
    file: createOrder,
    find: 'if (known !== undefined) return known;',
    replace: 'if (known !== undefined && phone === undefined) return known;',
    tests: contract,
  },
  {
    name: 'two-customers-of-a-phone',
    promise: 'A phone of several customers is 422 CUSTOMER_PHONE_AMBIGUOUS.',
    file: createOrder,
    find: 'if (others.length > 0) {',
    replace: 'if (others.length > 1) {',
    tests: contract,
  },
  {
    name: 'external-customer-id-forgotten',
    promise: 'An external customer ID is remembered for the customer that its first order resolved to.',
    file: createOrder,
    find: 'if (externalId !== undefined) {',
    replace: 'if (externalId !== undefined && only === undefined) {',
    tests: contract,
  },
  {
    name: 'another-body-replayed',
    promise: 'The same key with another body is refused, unless the behaviour says otherwise.',
    file: 'src/sandbox/rules/create-once.ts',
    find: "if (otherBody === 'replayed') return stored;",
    replace: "if (otherBody !== 'processed') return stored;",
    tests: ['test/sandbox/behaviour/settings.test.ts'],
  },
  {
    name: 'cancelled-in-delivery',
    promise: 'An order in a state from which it cannot be cancelled is an error.',
    file: 'src/sandbox/rules/order-status.ts',
    find: 'if (status !== orderStates[0]) {',
    replace: 'if (status === cancelledState) {',
    tests: contract,
  },
  {
    name: 'reading-key-creates',
    promise: 'A create needs the scope orders:write.',
    file: 'src/sandbox/http/authenticate.ts',
    find: "{ create: 'orders:write',",
    replace: "{ create: 'orders:read',",
    tests: contract,
  },
  {
    name: 'cancelled-order-frees-its-id',
    promise: 'The external order ID of a cancelled order stays taken, unless the behaviour frees it.',
    file: 'src/sandbox/rules/order-status.ts',
    find: 'if (behaviour.orders.cancelFreesExternalOrderId) store',
    replace: 'if (behaviour.orders.cancelFreesExternalOrderId !== undefined) store',
    tests: ['test/sandbox/behaviour/settings.test.ts'],
  },
  {
    name: 'last-day-of-a-list-empty',
    promise: 'createdTo with a date includes the whole day.',
    file: 'src/sandbox/rules/list-query.ts',
    find: 'first + dayMilliseconds - 1',
    replace: 'first + dayMilliseconds / 2',
    tests: ['test/sandbox/list-orders.test.ts'],
  },
];
