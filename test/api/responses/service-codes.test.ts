import { describe, expect, it } from 'vitest';
import { readServiceError } from '../../../src/api/responses/error-body.ts';
import { hintFor, knownServiceCodes } from '../../../src/api/responses/service-codes.ts';
import { textOf } from '../../support/advice.ts';
import { responseOf } from '../response.ts';
import { startWithClient } from '../stub-service.ts';

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
    ['PRODUCT_SKU_INACTIVE', /not active.*activate it/],
    ['CUSTOMER_PHONE_AMBIGUOUS', /Two customers.*--external-customer-id.*merge/],
    ['MERCHANT_API_INVALID_ORDER', /^Fix what the message names/],
    ['SOMETHING_ELSE', /^Fix what the message names/],
    ['constructor', /^Fix what the message names/],
    ['__proto__', /^Fix what the message names/],
    [undefined, /^Fix what the message names/],
  ])('%s: the hint matches %s', (code, hint) => {
    expect(textOf(hintFor(code))).toMatch(hint);
  });
});

const unknownSku = 'PRODUCT_SKU_NOT_FOUND';

const codeOf = (body: unknown, requestBody?: string, status = 422) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readServiceError({ ...responseOf(status, text), ...(requestBody && { requestBody }) }).code;
};

describe('a known code in what was sent', () => {
  it('does not hide the code where it is not a quotation of the whole text', () => {
    const requestBody = JSON.stringify({ note: `${unknownSku} was the last answer` });
    expect(codeOf({ code: unknownSku }, requestBody)).toBe(unknownSku);
  });

  it('is known of a real request, so that the order is looked up before it is reported', async () => {
    const requestBody = JSON.stringify({ items: [{ sku: unknownSku }] });
    const reply = { status: 409, json: { message: `A second order with ${unknownSku}` } };
    const { client } = await startWithClient(() => reply);
    const call = (body: string) =>
      client.call(
        'create',
        { method: 'POST', path: '', body },
        { accepts: () => true, resendsUnknown: true },
      );
    const [echoed, stated] = [await call(requestBody), await call('{"items":[]}')];
    expect([echoed.outcome, stated.outcome]).toEqual(['rejected_or_exists', 'rejected']);
  });

  it('is not looked for when more texts hold codes than can be compared', () => {
    const notes = Array.from({ length: 21 }, (_, index) => `${index} ${unknownSku}`);
    expect(codeOf({ code: unknownSku }, JSON.stringify({ notes }))).toBeUndefined();
    expect(codeOf({ code: unknownSku }, JSON.stringify({ notes: notes.slice(1) }))).toBe(unknownSku);
  });
});

it('is found in a large body in time that grows with the body only', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => ({
    sku: `TEA-${index}`,
    note: `no ${unknownSku}`,
  }));
  expect(codeOf({ lines }, JSON.stringify({ note: unknownSku }))).toBeUndefined();
  expect(codeOf({ lines, code: unknownSku })).toBe(unknownSku);
  expect(codeOf(`${unknownSku}_ `.repeat(50_000) + unknownSku)).toBe(unknownSku);
});
