import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isErrorBody, readServiceError, type ServiceError } from '../../../src/api/responses/error-body.ts';
import { parseJson } from '../../../src/orders/json.ts';
import { responseOf } from '../response.ts';
import cases from './error-body.json' with { type: 'json' };

const read = (body: unknown) => readServiceError(responseOf(422, JSON.stringify(body)));

describe('an error', () => {
  it('is read once for each response', () => {
    const response = responseOf(422, '{"code":"NO_STOCK"}');
    expect(readServiceError(response)).toBe(readServiceError(response));
    expect(readServiceError({ ...response })).not.toBe(readServiceError(response));
  });

  it('says a problem once that is in the message and in the list beside it', () => {
    const details = [
      { field: 'items[0].sku', message: 'is unknown' },
      { field: 'items[1].sku', message: 'is inactive' },
    ];
    const message = 'items[0].sku: is unknown; items[1].sku: is inactive';
    const issues = details.map(({ field: path, message }) => ({ path, message }));
    expect(read({ error: { message, details } }).issues).toEqual(issues);
  });

  it('prefers the request ID of the body to that of a header', () => {
    const headers = { 'x-request-id': 'h-1' };
    expect(readServiceError(responseOf(422, '{"requestId":"b-1"}', headers)).requestId).toBe('b-1');
    expect(readServiceError(responseOf(422, '{}', headers)).requestId).toBe('h-1');
    expect(readServiceError(responseOf(502, '<html>', { 'cf-ray': 'c-1' })).requestId).toBe('c-1');
  });
});

describe('hostile bodies', () => {
  const million = 1024 * 1024;
  const thousand = <Item>(item: (n: number) => Item) => Array.from({ length: 1000 }, (_, n) => item(n));
  const manyFields = (count: number, problem: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, problem]));
  const mapOfMaps = (levels: number): unknown =>
    levels === 0 ? ['is blank'] : manyFields(6, mapOfMaps(levels - 1));
  const nestedText = (levels: number): string =>
    levels === 0 ? 'is blank' : JSON.stringify({ message: nestedText(levels - 1) });
  const texts = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n)).join('');
  const rawText = /[[{]\s*["[{]|"\s*:\s*["{[]|["\]}]\s*[\]}]|^\s*at \S+ \(|\n/;
  const expectBounded = ({ issues = [], ...rest }: ServiceError) => {
    for (const text of [rest, ...issues].flatMap((texts) => Object.values(texts))) {
      expect(text).toMatch(/^[^\p{Cc}\p{Cs}]{1,301}$/u);
      expect(text.trim()).toBe(text);
      expect(text).not.toBe('');
    }
    for (const { message } of [rest, ...issues]) expect(message ?? '').not.toMatch(rawText);
    expect(rest.code ?? 'none').toMatch(/^[\w.-]{1,100}$/);
    expect(issues.length).toBeLessThanOrEqual(100);
  };

  it.each([
    ['open tags', '<'.repeat(million)],
    ['unclosed scripts', '<script>'.repeat(200_000)],
    ['white space', ' '.repeat(million)],
    ['a code as long as the body', JSON.stringify({ code: 'X'.repeat(million), message: 'no' })],
    ['a message as long as the body', JSON.stringify({ code: 'X', message: 'no '.repeat(400_000) })],
    ['a request id as long as the body', JSON.stringify({ requestId: 'r'.repeat(million) })],
    ['many messages', JSON.stringify({ message: Array(10_000).fill({ message: 'no' }) })],
    ['deep nesting', '['.repeat(million)],
    ['200,000 levels', `${'{"error":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['400 levels', `${'{"error":'.repeat(400)}"no"${'}'.repeat(400)}`],
    ['levels of lists', `{"errors":${'['.repeat(400)}"no"${']'.repeat(400)}}`],
    [
      'a thousand field errors',
      JSON.stringify({ errors: thousand((n) => ({ field: `f${n}`, message: 'no' })) }),
    ],
    [
      'a map of field errors',
      JSON.stringify({ errors: Object.fromEntries(thousand((n) => [`f${n}`, ['no']])) }),
    ],
    [
      'one field a million times',
      JSON.stringify({ message: Array(100_000).fill('items.0.sku must be text') }),
    ],
    [
      'a path as long as the body',
      JSON.stringify({ errors: [{ field: 'f'.repeat(million), message: 'no' }] }),
    ],
    ['a path of many steps', JSON.stringify({ detail: [{ loc: Array(100_000).fill('a'), msg: 'no' }] })],
    ['a type as long as the body', JSON.stringify({ type: '/'.repeat(million), title: 'no' })],
    [
      'control characters',
      JSON.stringify({ code: 'X\u0000Y', message: '\u001b[31mno\u0007\u0085', requestId: 'a\r\nb: c' }),
    ],
    ['half a surrogate pair', JSON.stringify({ message: `${'x'.repeat(299)}\u{1f69a}${'x'.repeat(9)}` })],
    ['a prototype', '{"__proto__":{"code":"POLLUTED"},"errors":{"__proto__":["no"],"constructor":["no"]}}'],
    ['a page of 40,000 paragraphs', `<html>${texts(40_000, (n) => `<p>word ${n}`)}`],
    ['a page of 6,000 rows', `<html>${texts(6000, (n) => `<tr><td>var_${n}</td><td>value ${n}</td></tr>`)}`],
    ['a page of one long line', `<html><p>${'word '.repeat(200_000)}<p>${'word '.repeat(1000)}`],
    ['unclosed comments', `<html>${'<!--'.repeat(200_000)}`],
    ['unclosed elements', `<?xml version="1.0"?>${'<error>'.repeat(150_000)}`],
    ['a tag as long as the body', `<${'a'.repeat(million)}`],
    ['a tag and white space', `<a>${'</a> '.repeat(200_000)}x`],
    ['unclosed sections', `<error>${'<![CDATA['.repeat(100_000)}`],
    ['a tree of maps', JSON.stringify({ errors: mapOfMaps(7) })],
    ['a hundred thousand fields', JSON.stringify({ errors: manyFields(100_000, ['is blank']) })],
    ['a hundred thousand lines', JSON.stringify({ items: Array(100_000).fill({ sku: ['is not known'] }) })],
    ['JSON in JSON', JSON.stringify({ message: nestedText(12) })],
    ['a text of braces', JSON.stringify({ message: '[{"'.repeat(300_000) })],
    ['spaces before a colon', JSON.stringify({ message: `{"a" ${' '.repeat(million)}x` })],
    ['a text of lines', JSON.stringify({ message: 'Error: x\n    at a (b.js:1:1)\n'.repeat(30_000) })],
  ])('%s: is read quickly, with short texts', (_name, text) => {
    expectBounded(readServiceError(responseOf(502, text)));
  });

  it('reads texts down to 17 levels', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'none left' : { error: nested(levels - 1) });
    expect(read(nested(17))).toEqual({ message: 'none left' });
    expect(read(nested(18))).toEqual({});
  });

  it('ignores `__proto__`', () => {
    const text = '{"__proto__":{"code":"POLLUTED","message":"no"}}';
    expect(readServiceError(responseOf(422, text))).toEqual({});
    expect(({} as { code?: string }).code).toBeUndefined();
  });

  it('keeps the first 100 of 1,000 field errors', () => {
    const { issues } = read({ errors: thousand((n) => ({ field: `f${n}`, message: 'no' })) });
    expect(issues?.map(({ path }) => path)).toEqual(thousand((n) => `f${n}`).slice(0, 100));
  });

  it.each([
    { detail: '!', source: ['NO_STOCK'], value: ' ' },
    { detail: '!', field: [' '] },
  ])('returns no blank texts from %j', (body) => {
    expectBounded(read(body));
  });

  it('never throws, and returns short texts', () => {
    const key = fc.constantFrom(
      ...['error', 'errors', 'code', 'message', 'detail', 'details', 'data', 'fault', 'requestId', 'type'],
      ...['field', 'pointer', 'source', 'loc', 'param', 'fieldViolations', '__proto__', 'value', 'status'],
      ...[
        'items',
        'customer.phone',
        'properties',
        'children',
        'constraints',
        'params',
        'instancePath',
        '0',
        '',
      ],
    );
    const json = fc.json().map((text) => `Rejected: ${text}`);
    const stack = fc.string().map((text) => `${text}\n    at create (/app/orders.js:12:9)`);
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 7, '', ' ', 'NO_STOCK', 'x'.repeat(400)),
        fc.string(),
        fc.json(),
        json,
        stack,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(tree, fc.jsonValue()), (body) => expectBounded(read(body))),
      { numRuns: 1000 },
    );
    fc.assert(fc.property(fc.string(), (text) => expectBounded(readServiceError(responseOf(500, text)))));
  });
});

describe('isErrorBody', () => {
  it.each(cases.isErrorBody as [unknown, boolean][])('%j: %s', (body, expected) => {
    expect(isErrorBody(parseJson(JSON.stringify(body)))).toBe(expected);
  });
});
