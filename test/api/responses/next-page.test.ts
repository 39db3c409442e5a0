import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageNumberOf, parametersOf, readNextPage } from '../../../src/api/responses/page.ts';
import { parseJson } from '../../../src/orders/json.ts';
import { responseOf } from '../response.ts';
import cases from './next-page.json' with { type: 'json' };

type NextPage = NonNullable<ReturnType<typeof readNextPage>>;

const next = (body: unknown, link?: string) => {
  const text = JSON.stringify(body);
  return readNextPage(responseOf(200, text, link === undefined ? {} : { link }), [parseJson(text)]);
};

describe('a Link header', () => {
  it.each([
    ['</?page=2>; rel="next"', '/?page=2'],
    ['<?page=2>; rel=next', '?page=2'],
    ['<?page=2>;rel=next', '?page=2'],
    ['<?page=2>; REL="NEXT"', '?page=2'],
    ['<?page=2> ; rel = "last next"', '?page=2'],
    ['<?page=2>; title="a, <b>; rel=prev"; rel="next"', '?page=2'],
    ['<?page=0>; rel="prev", <?page=2>; rel="next"', '?page=2'],
    ['<?page=2>; rel="next", <?page=9>; rel="last"', '?page=2'],
    ['<?fields=a,b&page=2>; rel="next"', '?fields=a,b&page=2'],
  ])('%s', (header, link) => {
    expect(next([], header)).toEqual({ link });
  });

  it.each([
    '',
    'next',
    '<?page=2>',
    '<?page=2>; rel="nextish"',
    '<?page=2>; rel="prev"',
    '<?page=2; rel="next"',
    '?page=2; rel=next',
  ])('without a next page: %j', (header) => {
    expect(next([], header)).toBeNull();
  });

  it('never throws, and is parsed quickly', () => {
    for (const part of ['<', '<a>;', '<a>; rel="', '<a> ; ; ; ', '<a>;"', ', '])
      next([], part.repeat(100_000));
    fc.assert(fc.property(fc.string(), (header) => void next([], header)));
  });
});

describe('a body', () => {
  it.each(cases.bodies as [object, NextPage | null][])('%j', (body, expected) => {
    expect(next(body)).toEqual(expected);
  });
});

describe('parametersOf', () => {
  const origin = 'https://e.mn';

  it.each<[string, object | undefined]>([
    ['?page=2', { page: '2' }],
    ['/any/path?page=2&a=%D3%A8', { page: '2', a: 'Ө' }],
    ['https://e.mn/?page=2', { page: '2' }],
    ['https://E.MN:443/?page=2', { page: '2' }],
    ['//e.mn/?page=2', { page: '2' }],
    ['http://e.mn/?page=2', undefined],
    ['https://e.mn:8443/?page=2', undefined],
    ['https://e.mn.evil/?page=2', undefined],
    ['//evil/?page=2', undefined],
    ['/\\\\evil/?page=2', undefined],
    ['https://e.mn/', undefined],
    ['https://[', undefined],
    ['data:,?page=2', undefined],
    [`?${Array.from({ length: 21 }, (_, index) => `p${index}=1`).join('&')}`, undefined],
    [`?page=${'2'.repeat(2000)}`, undefined],
  ])('%s', (link, expected) => {
    expect(parametersOf(link, origin)).toEqual(expected);
  });

  it.each([
    ['https://elsewhere/?page=2', 2],
    ['?page=0', 0],
    ['?page=-1', undefined],
    ['?page=two', undefined],
    ['?after=x', undefined],
  ])('the page of %s: %s', (link, page) => {
    expect(pageNumberOf(link)).toBe(page);
  });
});
