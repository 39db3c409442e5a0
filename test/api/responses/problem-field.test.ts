import { describe, expect, it } from 'vitest';
import { readServiceError } from '../../../src/api/responses/error-body.ts';
import { responseOf } from '../response.ts';

const issuesOf = (body: unknown) => readServiceError(responseOf(422, JSON.stringify(body))).issues ?? [];
const sku = 'items[0].sku';

describe('the path of a field error', () => {
  it.each([
    [{ errors: [{ field: 'items[0].sku', message: 'no' }] }, sku],
    [{ errors: [{ field: 'items.0.sku', message: 'no' }] }, sku],
    [{ errors: [{ field: 'items[0][sku]', message: 'no' }] }, sku],
    [{ errors: [{ field: '$.items[0].sku', message: 'no' }] }, sku],
    [{ errors: [{ field: '$["items"][0]["sku"]', message: 'no' }] }, sku],
    [{ errors: [{ path: ['items', 0, 'sku'], message: 'no' }] }, sku],
    [{ errors: [{ loc: ['body', 'items', '0', 'sku'], msg: 'no' }] }, sku],
    [{ errors: [{ pointer: '/items/0/sku', detail: 'no' }] }, sku],
    [{ errors: [{ pointer: '#/items/0/sku', detail: 'no' }] }, sku],
    [{ errors: [{ pointer: '/a~1b/c~0d', detail: 'no' }] }, 'a/b.c~d'],
    [{ errors: [{ source: { pointer: '/data/attributes/total' }, detail: 'no' }] }, 'total'],
    [{ errors: [{ source: { parameter: 'pageSize' }, detail: 'no' }] }, 'pageSize'],
    [{ errors: [{ property: 'total', message: 'no' }] }, 'total'],
    [{ violations: [{ propertyPath: 'items[0].sku', message: 'no' }] }, sku],
    [{ 'invalid-params': [{ name: 'total', reason: 'no' }] }, 'total'],
    [{ fieldErrors: { total: 'no' } }, 'total'],
    [{ errors: { total: { message: 'no' } } }, 'total'],
    [{ error: { details: [{ field: 'total', description: 'no' }] } }, 'total'],
    [{ error: { errors: { total: ['no'] } } }, 'total'],
    [{ error: { message: 'no', param: 'total' } }, 'total'],
    [{ details: [{ fieldViolations: [{ field: 'total', description: 'no' }] }] }, 'total'],
    [[{ field: 'total', message: 'no' }], 'total'],
  ])('%j', (body, path) => {
    expect(issuesOf(body)).toEqual([{ path, message: 'no' }]);
  });

  it.each([
    [{ message: 'no' }],
    [{ errors: ['no'] }],
    [{ errors: { base: ['no'] } }],
    [{ errors: { non_field_errors: ['no'] } }],
    [{ errors: [{ message: 'no' }] }],
    [{ errors: [{ field: '', message: 'no' }] }],
    [{ errors: [{ field: 'total' }] }],
    [{ errors: [{ field: 'total', message: ' ' }] }],
    [{ errors: [{ field: 7, message: 'no' }] }],
    [{ errors: [{ name: 'ValidationError', message: 'no' }] }],
    [{ detail: [{ loc: ['body'], msg: 'no' }] }],
    [{ details: { limit: 5, nothing: null } }],
    [{ customer: { phone: '99112233' } }],
    [{ timestamp: '2026-11-25', status: 422, path: '/api/v1/merchant/orders', message: 'no' }],
  ])('is not found: %j', (body) => {
    expect(issuesOf(body)).toEqual([]);
  });
});

it('finds the text of a field after many values that are no words', () => {
  const values = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, '2026-11-25']));
  expect(issuesOf({ ...values, f20: 'gone' })).toEqual([{ path: 'f20', message: 'gone' }]);
});

describe('a field at the start of a message', () => {
  it.each([
    ['items.0.sku must be a string', sku],
    ['items[0].sku is not text', sku],
    ['customer.phone is wrong', 'customer.phone'],
    ['collectionAmount is not a decimal', 'collectionAmount'],
    ['delivery_address is blank', 'delivery_address'],
    ['name must be a string', 'name'],
    ['weight should not be empty', 'weight'],
    ['property deliveryAdress should not exist', 'deliveryAdress'],
    ['each value in items must be an object', 'items'],
    ['total is not text', 'total'],
  ])('%s: %s', (sentence, path) => {
    expect(issuesOf({ message: [sentence] })).toEqual([{ path, message: sentence }]);
  });

  it.each(['There is none left', 'the order is late', 'Invalid request', 'total', ''])(
    'is not found: %s',
    (sentence) => {
      expect(issuesOf({ message: [sentence, 'Unprocessable'] })).toEqual([]);
    },
  );
});

describe('the other parts of a field error', () => {
  it.each([
    [
      { detail: 'no', code: 'BLANK' },
      { code: 'BLANK', message: 'no' },
    ],
    [
      { msg: 'no', type: 'string_type', input: 7 },
      { code: 'string_type', message: 'no', value: '7' },
    ],
    [
      { defaultMessage: 'no', rejectedValue: '7' },
      { message: 'no', value: '7' },
    ],
    [
      { issue: 'BLANK', description: 'no' },
      { code: 'BLANK', message: 'no' },
    ],
    [{ issue: 'no' }, { message: 'no' }],
    [{ message: 'no', code: 'not a code' }, { message: 'no' }],
    [{ message: ['no', 'nor this'] }, { message: 'no; nor this' }],
    [{ message: 'no', value: { a: 1 } }, { message: 'no' }],
  ])('%j', (item, expected) => {
    expect(issuesOf({ errors: [{ field: 'total', ...item }] })).toEqual([{ path: 'total', ...expected }]);
  });

  it('lists equal errors once', () => {
    const item = { field: 'total', message: 'no' };
    expect(issuesOf({ errors: [item, item], details: [item] })).toHaveLength(1);
    expect(issuesOf({ errors: [item, { ...item, message: 'nor this' }] })).toHaveLength(2);
  });
});
