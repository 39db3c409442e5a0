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

  it.each<[Record<string, string>, string]>([
    [{ qty: 'items[].qty' }, '"qty" is not one of the fields quantity, price,'],
    [{ toString: 'a' } as Record<string, string>, '"toString" is not one of the fields'],
    [{ quantity: 'items[' }, '"items[" is not a field path'],
    [{ note: '__proto__.note' }, '"__proto__" cannot be part of a field path'],
    [
      { quantity: 'quantity' },
      'quantity belongs to each line, so it is sent as items[].NAME, not as quantity',
    ],
    [{ quantity: 'items[0].quantity' }, 'quantity belongs to each line'],
    [{ quantity: 'items[]' }, 'quantity belongs to each line'],
    [{ quantity: 'items[].parts[].quantity' }, 'quantity belongs to each line'],
    [{ note: 'items[].note' }, 'note belongs to the whole order, so it cannot be sent as items[].note'],
    [{ note: 'items.note' }, 'note belongs to the whole order'],
    [{ note: 'notes[].text' }, 'note belongs to the whole order'],
    [{ quantity: 'items[].sku' }, 'quantity cannot be sent as items[].sku: items[].sku is sent there'],
    [{ name: 'customer' }, 'name cannot be sent as customer: customer.phone is sent there'],
    [{ note: 'total.note' }, 'note cannot be sent as total.note: total is sent there'],
    [
      { quantity: 'items[].unitPrice' },
      'quantity (items[].unitPrice) and price (items[].unitPrice) would overwrite each other',
    ],
    [
      { 'address.city': 'deliveryAddress' },
      'address.company (deliveryAddress.company) and address.city (deliveryAddress) would overwrite each other',
    ],
    [
      { 'address.street': 'deliveryAddress' },
      'address.company (deliveryAddress.company) and address.street (deliveryAddress) would overwrite each other',
    ],
  ])('may not be %j', (own, message) => {
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
  it.each<[string, Record<string, string>, string, string]>([
    [
      'in each line',
      { quantity: 'items[].qty' },
      '{"items":[{"sku":"A","quantity":2},{"sku":"B"},{"quantity":3}]}',
      '{"items":[{"sku":"A","qty":2},{"sku":"B"},{"qty":3}]}',
    ],
    [
      'deeper into a line',
      { price: 'items[].price.amount', item: 'items[].price.label' },
      '{"items":[{"unitPrice":"8900","name":"tea"}]}',
      '{"items":[{"price":{"amount":"8900","label":"tea"}}]}',
    ],
    [
      'and leaves no empty object behind',
      { 'address.city': 'city', note: 'comment' },
      '{"deliveryAddress":{"city":"УБ","note":"хаалга 5"}}',
      '{"city":"УБ","comment":"хаалга 5"}',
    ],
    [
      'and leaves the others where they are',
      { 'address.city': 'city' },
      '{"deliveryAddress":{"city":"УБ","street":"1","door":"2"},"gift":{}}',
      '{"city":"УБ","deliveryAddress":{"door":"2","street":"1"},"gift":{}}',
    ],
    [
      'and exchanges two',
      { quantity: 'items[].unitPrice', price: 'items[].quantity' },
      '{"items":[{"quantity":2,"unitPrice":"8900"}]}',
      '{"items":[{"quantity":"8900","unitPrice":2}]}',
    ],
    [
      'into its own former place',
      { 'address.street': 'deliveryAddress.street.line1' },
      '{"deliveryAddress":{"street":"Энхтайвны 5"}}',
      '{"deliveryAddress":{"street":{"line1":"Энхтайвны 5"}}}',
    ],
    [
      'onto an equal value',
      { note: 'comment' },
      '{"deliveryAddress":{"note":"x"},"comment":"x"}',
      '{"comment":"x"}',
    ],
    ['nothing', { note: 'comment' }, '{"customer":"C-1","items":["A"]}', '{"customer":"C-1","items":["A"]}'],
    ['nothing that is null alone', { note: 'x' }, '{"deliveryAddress":null}', '{"deliveryAddress":null}'],
  ])('moves %s', (_, own, before, after) => {
    const given = order(before);
    expect(writeOrderBody(createFieldMover(resolvePaths(own))(given))).toBe(after);
    expect(given).toEqual(order(before));
  });

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
