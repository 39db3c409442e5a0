import { expect, it } from 'vitest';
import { ordersUrl } from '../../../src/api/http/address.ts';

it.each([
  ['https://api.e.mn', 'https://api.e.mn/api/v1/merchant/orders'],
  ['https://api.e.mn/shops/7', 'https://api.e.mn/shops/7/api/v1/merchant/orders'],
  ['https://api.e.mn/shops/7//', 'https://api.e.mn/shops/7/api/v1/merchant/orders'],
])('the orders of %s are at %s', (baseUrl, expected) => {
  expect(ordersUrl(new URL(baseUrl)).href).toBe(expected);
});
