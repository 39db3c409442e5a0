import { describe, expect, it } from 'vitest';
import { FieldPathError, parseFieldPath } from '../../src/orders/field-path.ts';
import { type JsonObject, parseJson } from '../../src/orders/json.ts';
import { writeOrderBody } from '../../src/orders/order.ts';
import {
  createFieldMover,
  createFieldProof,
  defaultPaths,
  fieldByDefaultPath,
  resolvePaths,
  sentPath,
} from '../../src/orders/unnamed-fields.ts';
import cases from './unnamed-fields.json' with { type: 'json' };

const order = (text: string) => parseJson(text) as JsonObject;

describe('paths', () => {
  it.each([
    { quantity: 'items[].unitPrice', price: 'items[].quantity' },
    { quantity: 'items[].amount.value', item: 'items[].title' },
    { note: 'notes[0].text', 'address.city': 'addresses[0].city' },
    { 'address.street': 'deliveryAddress.street.line1' },
    { name: 'customer.fullName', email: 'contact' },
  ])('may be %j', (own) => {
    expect(resolvePaths(own)).toEqual({ ...defaultPaths, ...own });
  });

  it.each(cases.noPaths as [Record<string, string>, string][])('may not be %j', (own, message) => {
    expect(() => resolvePaths(own)).toThrow(FieldPathError);
    expect(() => resolvePaths(own)).toThrow(message);
  });

  it.each([
    ['items[].quantity', 'quantity', 'items[].qty'],
    ['items[3].quantity', 'quantity', 'items[3].qty'],
    ['items[].name', 'item', 'items[].name'],
    ['deliveryAddress.city', 'address.city', 'delivery.city'],
    ['items[].sku', undefined, 'items[].sku'],
    ['quantity', undefined, 'quantity'],
    ['addresses[0].city', undefined, 'addresses[0].city'],
    ['deliveryAddress', undefined, 'deliveryAddress'],
  ])('%s is the default place of %s, and is sent as %s', (path, field, sent) => {
    const fieldPaths = resolvePaths({ quantity: 'items[].qty', 'address.city': 'delivery.city' });
    expect([fieldByDefaultPath(parseFieldPath(path)), sentPath(parseFieldPath(path), fieldPaths)]).toEqual([
      field,
      sent,
    ]);
  });
});

describe('createFieldMover', () => {
  it.each(cases.moved as [string, Record<string, string>, string, string][])(
    'moves %s',
    (_, own, before, after) => {
      const given = order(before);
      expect(writeOrderBody(createFieldMover(resolvePaths(own))(given))).toBe(after);
      expect(given).toEqual(order(before));
    },
  );

  it.each<[Record<string, string>, string, string]>([
    [
      { quantity: 'items[].qty' },
      '{"items":[{},{"quantity":2,"qty":3}]}',
      '"items[1].qty" has another value already',
    ],
    [{ note: 'meta' }, '{"deliveryAddress":{"note":"x"},"meta":{"a":1}}', '"meta" has another value already'],
    [
      { note: 'meta.note' },
      '{"deliveryAddress":{"note":"x"},"meta":"text"}',
      '"meta.note" leads through a value that has no fields',
    ],
  ])('overwrites nothing: %j in %s', (own, before, message) => {
    const move = createFieldMover(resolvePaths(own));
    expect(() => move(order(before))).toThrow(FieldPathError);
    expect(() => move(order(before))).toThrow(message);
  });
});

describe('what an order shows of the fields that it was sent with', () => {
  const fields = ['quantity', 'address.street', 'address.city', 'address.postalCode', 'note'] as const;
  const prove = (sent: string, found: string) => {
    const proof = createFieldProof(fields, defaultPaths);
    proof.add(order(sent), order(found));
    return proof.result();
  };
  const street = '{"deliveryAddress":{"street":"Энхтайвны 5"}}';

  it.each<[string, string, string, string[]]>([
    ['an equal quantity', '{"items":[{"quantity":2}]}', '{"items":[{"quantity":2}]}', ['quantity']],
    ['a normalised one', '{"items":[{"quantity":2}]}', '{"items":[{"quantity":"2.00"}]}', ['quantity']],
    [
      'that of one of several lines',
      '{"items":[{},{"quantity":3}]}',
      '{"items":[{"quantity":3}]}',
      ['quantity'],
    ],
    ['an equal text', street, street, ['address.street']],
    ['another spelling', street, '{"deliveryAddress":{"street":" ЭНХТАЙВНЫ  5 "}}', ['address.street']],
    ['a text elsewhere', street, '{"shipTo":[{"line1":"Энхтайвны 5"}]}', ['address.street']],
    [
      'a place that a text shares',
      '{"deliveryAddress":{"city":"УБ"}}',
      '{"deliveryAddress":{"city":"УБ"}}',
      ['address.city'],
    ],
  ])('%s proves its place', (_, sent, found, shown) => {
    expect(prove(sent, found)).toEqual({ shown, notShown: [] });
  });

  it.each<[string, string, string, string[]]>([
    ['another quantity', '{"items":[{"quantity":2}]}', '{"items":[{"quantity":1}]}', ['quantity']],
    ['a number elsewhere', '{"items":[{"quantity":2}]}', '{"items":[{"lineNumber":2}]}', ['quantity']],
    ['another text', street, '{"deliveryAddress":{"street":"Энхтайвны 6"}}', ['address.street']],
    ['that of a branch', street, '{"branch":{"street":"Энхтайвны 5"}}', ['address.street']],
    ['a short text elsewhere', '{"deliveryAddress":{"city":"УБ"}}', '{"zone":"УБ"}', ['address.city']],
    [
      'digits elsewhere',
      '{"deliveryAddress":{"postalCode":"14200"}}',
      '{"total":"14200"}',
      ['address.postalCode'],
    ],
    ['a blank one', street, '{"deliveryAddress":{"street":""}}', ['address.street']],
  ])('%s proves nothing', (_, sent, found, notShown) => {
    expect(prove(sent, found)).toEqual({ shown: [], notShown });
  });

  it('proves nothing by a quantity of 1, which may be a default', () => {
    const one = '{"items":[{"quantity":1},{"quantity":"1"}]}';
    expect(prove(one, one)).toEqual({ shown: [], notShown: [] });
  });

  it('looks through a response of any depth and size', () => {
    const deep = `${'{"a":['.repeat(200)}"x"${']}'.repeat(200)}`;
    const wide = JSON.stringify({ rows: Array.from({ length: 190_000 }, (_, index) => `row ${index}`) });
    for (const found of [deep, wide]) expect(prove(street, found).notShown).toEqual(['address.street']);
  });

  it('asks no more about what a person has seen', () => {
    const proof = createFieldProof(fields, defaultPaths);
    proof.add(order(street), order('{}'));
    expect(proof.openIn(order(street))).toEqual(['address.street']);
    proof.accept(['address.street']);
    expect(proof.openIn(order(street))).toEqual([]);
    expect(proof.result()).toEqual({ shown: [], notShown: [] });
  });
});
