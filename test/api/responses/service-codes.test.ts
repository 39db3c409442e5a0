import { describe, expect, it } from 'vitest';
import { hintFor, knownServiceCodes } from '../../../src/api/responses/service-codes.ts';

describe('the known codes', () => {
  it('are the four of the interface', () => {
    expect([...knownServiceCodes].sort()).toEqual([
      'CUSTOMER_PHONE_AMBIGUOUS',
      'MERCHANT_API_INVALID_ORDER',
      'PRODUCT_SKU_INACTIVE',
      'PRODUCT_SKU_NOT_FOUND',
    ]);
  });

  it.each([
    ['PRODUCT_SKU_NOT_FOUND', /SKU.*catalogue/],
    ['PRODUCT_SKU_INACTIVE', /active in the catalogue/],
    ['CUSTOMER_PHONE_AMBIGUOUS', /external customer ID.*merge/],
    ['MERCHANT_API_INVALID_ORDER', /^Fix what the message names/],
    ['SOMETHING_ELSE', /^Fix what the message names/],
    ['constructor', /^Fix what the message names/],
    ['__proto__', /^Fix what the message names/],
    [undefined, /^Fix what the message names/],
  ])('%s: the hint matches %s', (code, hint) => {
    expect(hintFor(code)).toMatch(hint);
  });
});
