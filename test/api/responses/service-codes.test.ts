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

describe('a known code anywhere in the body', () => {
  it.each<[string, unknown]>([
    ['a text', `Error: ${unknownSku} (TEA-9)`],
    ['a JSON text', JSON.stringify(unknownSku)],
    ['a list', [unknownSku]],
    ['broken JSON', `{"error":"\\n${unknownSku}","det`],
    ['HTML', `<html><body><p>Sorry (${unknownSku})</p></body></html>`],
    ['XML', `<Error><Code>${unknownSku}</Code></Error>`],
    ['a message', { statusCode: 422, message: unknownSku, error: 'Unprocessable Entity' }],
    ['a sentence', { message: `${unknownSku}: items[0].sku TEA-9 is not known` }],
    ['a message of several lines', { message: `Rejected.\n${unknownSku}\n` }],
    ['a message that is JSON', { message: JSON.stringify({ reason: `\n${unknownSku}` }, null, 1) }],
    ['a dictionary under detail', { detail: { code: unknownSku, message: 'no' } }],
    ['detail', { detail: unknownSku }],
    ['an object under errors', { errors: { code: unknownSku } }],
    ['a name under errors', { errors: { [unknownSku]: ['TEA-9'] } }],
    ['the text of a field', { items: [{ sku: [unknownSku] }] }],
    ['JSend', { status: 'fail', data: { code: unknownSku } }],
    ['GraphQL', { errors: [{ message: 'no', extensions: { code: unknownSku } }] }],
    ['reason', { reason: unknownSku, message: 'no' }],
    ['status', { status: unknownSku }],
    ['meta', { message: 'no', meta: { error: { kind: unknownSku } } }],
    ['a URI', { type: `https://errors.example/${unknownSku}`, title: 'no' }],
    ['a fragment', { type: `https://errors.example/#${unknownSku}` }],
    ['a URN', { type: `urn:problem:${unknownSku}` }],
    ['hundreds of levels', JSON.parse(`${'['.repeat(400)}"${unknownSku}"${']'.repeat(400)}`)],
  ])('%s', (_name, body) => {
    for (const status of [400, 404, 409, 422, 499]) expect(codeOf(body, undefined, status)).toBe(unknownSku);
  });

  it.each<[string, unknown]>([
    ['a longer word', { message: `MY_${unknownSku} ${unknownSku}_2 X${unknownSku}` }],
    ['lower case', { message: unknownSku.toLowerCase() }],
    ['a part', { message: 'PRODUCT_SKU' }],
  ])('is not %s', (_name, body) => {
    expect(codeOf(body)).toBeUndefined();
  });

  it.each([
    [{ code: 'INVALID', detail: { reason: unknownSku } }, unknownSku],
    [{ message: 'CUSTOMER_PHONE_AMBIGUOUS is not it', errors: [{ code: unknownSku }] }, unknownSku],
    [{ message: 'CUSTOMER_PHONE_AMBIGUOUS', errors: [{ error_code: unknownSku }] }, unknownSku],
    [{ CUSTOMER_PHONE_AMBIGUOUS: [unknownSku] }, unknownSku],
    [{ details: [{ code: 'CUSTOMER_PHONE_AMBIGUOUS' }], code: unknownSku }, unknownSku],
    [{ hint: 'CUSTOMER_PHONE_AMBIGUOUS is not it', CUSTOMER_PHONE_AMBIGUOUS: unknownSku }, unknownSku],
  ])('of several in %j the one in the most specific place counts', (body, code) => {
    expect(codeOf(body)).toBe(code);
  });

  it.each([500, 503, 600, 302])('is not looked for in a response with status %i', (status) => {
    expect(codeOf({ meta: unknownSku }, undefined, status)).toBeUndefined();
  });
});

describe('a known code in what was sent', () => {
  const note = `He said "${unknownSku}",\n<b>twice</b>`;
  const sent = JSON.stringify({ items: [{ sku: unknownSku }], note, [`x-${unknownSku}`]: 1 });

  it.each<[string, unknown]>([
    ['a value', { order: { items: [{ sku: unknownSku }] }, message: 'no' }],
    ['a field named code', { code: unknownSku, message: 'no' }],
    ['the value of a problem', { errors: [{ field: 'items[0].sku', message: 'no', value: unknownSku }] }],
    ['a quotation', { message: `There is no product "${unknownSku}".` }],
    ['two quotations', { message: `${unknownSku}: ${unknownSku}` }],
    ['a name', { errors: { [`x-${unknownSku}`]: ['is not allowed'] } }],
    ['a text', `Cannot read the note ${JSON.stringify(note)}`],
    ['HTML', `<html><p>He said &quot;${unknownSku}&quot;, &lt;b&gt;twice&lt;/b&gt;</p></html>`],
    ['a list of what was sent', [sent]],
  ])('is not the code of the service when it returns as %s', (_name, body) => {
    expect(codeOf(body, sent)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [{ code: 'PRODUCT_SKU_INACTIVE', value: unknownSku }, 'PRODUCT_SKU_INACTIVE'],
    [`PRODUCT_SKU_INACTIVE: ${unknownSku}`, 'PRODUCT_SKU_INACTIVE'],
    [{ code: 'NO_STOCK', value: unknownSku }, 'NO_STOCK'],
  ])('does not hide another code: %j', (body, code) => {
    expect(codeOf(body, sent)).toBe(code);
  });

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
