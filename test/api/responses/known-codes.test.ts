import { describe, expect, it } from 'vitest';
import { hintFor, knownServiceCodes } from '../../../src/api/responses/service-codes.ts';

describe('known codes', () => {
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
    ['CUSTOMER_PHONE_AMBIGUOUS', /external customer id.*merge/],
    ['MERCHANT_API_INVALID_ORDER', /Mend/],
    ['SOMETHING_ELSE', /Mend/],
    ['constructor', /Mend/],
    ['__proto__', /Mend/],
    [undefined, /Mend/],
  ])('%s: says %s', (code, hint) => {
    expect(hintFor(code)).toMatch(hint);
  });
});
