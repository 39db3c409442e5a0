import fc, { type Arbitrary } from 'fast-check';
import type { FuzzCase, Target } from '../case.ts';
import { damage, length, longText, oddJson, oddText } from '../text.ts';
import words from '../words.json' with { type: 'json' };

const headers = ['Order', 'Phone', 'Item', 'Qty', 'Paid', 'Total', 'Note'];
const rows = ['A-1,99112233,TEA-1 x 2,2,yes,25000,', 'A-2,99112234,"TEA-1: 2; CUP (1)",1,no,"1,000",x'];
const csv = Buffer.from([headers.join(','), ...rows].join('\n'));
const paths = words.paths;
const rules = words.rules;
const texts = ['group_by', 'payment_method', 'amount_due', 'currency', 'shipping_method'];

const quoted = (text: string) => JSON.stringify(text);
const object = (pairs: readonly (readonly [string, string])[]) =>
  `{${pairs.map(([name, value]) => `${quoted(name)}:${value}`).join(',')}}`;

function value(max: number): Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...headers).map(quoted) },
    { weight: 1, arbitrary: fc.constantFrom('yes', 'no', 'COLLECT', 'x').map(quoted) },
    { weight: 1, arbitrary: oddText(max).map(quoted) },
    { weight: 1, arbitrary: oddJson(max) },
  );
}

function objectOf(names: Arbitrary<string>, values: Arbitrary<string>): Arbitrary<string> {
  return fc.array(fc.tuple(names, values), { maxLength: 5 }).map(object);
}

function condition(max: number): Arbitrary<string> {
  const test = fc.oneof(
    value(max),
    value(max).map((text) => `{"not":${text}}`),
    value(max).map((text) => `{"contains":${text}}`),
    fc.constantFrom('{"words":"pickup"}', '{"words":"cash_on_delivery"}', '{"above_zero":true}', '["a","b"]'),
  );
  return objectOf(fc.constantFrom(...headers), test);
}

function column(max: number): Arbitrary<string> {
  const option = fc.oneof(
    fc.tuple(
      fc.constantFrom('from', 'join', 'default', 'strip_prefix', 'else', 'minus', 'blank'),
      value(max),
    ),
    fc.tuple(fc.constant('type'), fc.constantFrom('"number"', '"boolean"', '"json"', '"text"', '"x"')),
    fc.tuple(fc.constant('pick'), fc.constantFrom('"first"', '"last"')),
    fc.tuple(fc.constant('when'), condition(max)),
    fc.tuple(fc.constant('values'), objectOf(oddText(max), value(max))),
  );
  return fc.oneof(
    value(max),
    fc.array(option, { maxLength: 4 }).map((options) => object([['from', '"Item"'], ...options])),
  );
}

function lines(max: number): Arbitrary<string> {
  const piece = fc.constantFrom(
    '{items[].sku}',
    '{items[].quantity}',
    '{items[].name}',
    '{*}',
    ' x ',
    ': ',
    '; ',
    '(',
    ')',
    '{',
    '}',
  );
  const form = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.tuple(piece, length(max)).map(([one, times]) => one.repeat(Math.ceil(times / one.length))),
    longText(max),
  );
  return fc.oneof(
    fc
      .tuple(form, value(max))
      .map(([text, between]) => `{"from":"Item","form":${quoted(text)},"between":${between}}`),
    fc
      .tuple(value(max), value(max))
      .map(([parts, field]) => `{"from":"Item","parts":${parts},"fields":{"items[].sku":${field}}}`),
    objectOf(oddText(max), value(max)).map((wide) => `{"wide":${wide}}`),
    oddJson(max),
  );
}

/** Mapping files in their own language and beside it, and the language of flags about columns. */
export const mapping: Target = {
  name: 'mapping',
  cases: (max) => {
    const key = fc.oneof(
      {
        weight: 4,
        arbitrary: objectOf(
          fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...paths) }, oddText(max)),
          column(max),
        ).map((mapped) => ['columns', mapped] as const),
      },
      { weight: 2, arbitrary: lines(max).map((all) => ['lines', all] as const) },
      { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...rules), condition(max)) },
      { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...texts), value(max)) },
      {
        weight: 1,
        arbitrary: objectOf(fc.oneof(fc.constantFrom(...paths), oddText(max)), oddJson(max)).map(
          (all) => ['constants', all] as const,
        ),
      },
      {
        weight: 1,
        arbitrary: objectOf(fc.constantFrom('cancelled', 'refunded', 'draft', 'x'), condition(max)).map(
          (all) => ['leave_out', all] as const,
        ),
      },
      {
        weight: 1,
        arbitrary: objectOf(fc.constantFrom('price', 'quantity', 'total', 'tax', 'discount'), value(max)).map(
          (all) => ['sums', all] as const,
        ),
      },
      {
        weight: 1,
        arbitrary: fc.tuple(
          fc.constantFrom('ignore', 'address', 'amount_paid'),
          fc.array(value(max)).map((all) => `[${all.join(',')}]`),
        ),
      },
      { weight: 1, arbitrary: fc.tuple(oddText(max), oddJson(max)) },
    );
    const base = [
      ['externalOrderId', '"Order"'],
      ['customer.phone', '"Phone"'],
      ['items[].sku', '"Item"'],
      ['collectionMode', '{"default":"NONE","when":{"Paid":"yes"}}'],
    ] as const;
    const document = fc.tuple(fc.boolean(), fc.array(key, { maxLength: 5 })).map(([isBased, keys]) => {
      const given = new Set(keys.map(([name]) => name));
      const columns = isBased && !given.has('columns') ? [['columns', object(base)] as const] : [];
      return Buffer.from(object([...columns, ...keys]));
    });
    const bytes = fc.oneof(
      { weight: 5, arbitrary: document },
      { weight: 1, arbitrary: oddJson(max).map((text) => Buffer.from(text)) },
      {
        weight: 1,
        arbitrary: document.chain((content) =>
          content.length < 5000 ? damage(content) : fc.constant(content),
        ),
      },
    );
    return fc.record({ bytes, draw: fc.nat(11), isDry: fc.boolean() }).map(
      ({ bytes: content, draw, isDry }): FuzzCase => ({
        args: [
          'import',
          'orders.csv',
          '--map',
          'map.json',
          '--yes',
          ...(isDry ? ['--dry-run', '--details'] : []),
        ],
        files: { 'orders.csv': csv, 'map.json': content },
        isSpawned: draw === 0,
      }),
    );
  },
};
