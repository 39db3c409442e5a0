import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldExternalId, isUuid, readingsOf } from '../../src/orders/order-reference.ts';

describe('readingsOf', () => {
  it.each([
    ['1b4e28ba-2fa1-41d2-883f-0016d3cca427', ['id', 'external']],
    ['1B4E28BA-2FA1-41D2-883F-0016D3CCA427', ['id', 'external']],
    ['00000000-0000-0000-0000-000000000000', ['id', 'external']],
    ['ORD-2026-000123', ['number', 'external']],
    ['ORD-2026-1', ['number', 'external']],
    ['ORD-2026-12345678901', ['number', 'external']],
    ['UB-10001', ['external']],
    ['#1013', ['external']],
    ['ORD-26-000123', ['external']],
    ['ORD-2026-', ['external']],
    ['ORD-2026-12a', ['external']],
    ['XORD-2026-000123', ['external']],
    ['1b4e28ba2fa141d2883f0016d3cca427', ['external']],
    ['{1b4e28ba-2fa1-41d2-883f-0016d3cca427}', ['external']],
    ['1b4e28ba-2fa1-41d2-883f-0016d3cca42g', ['external']],
    ['1b4e28ba-2fa1-41d2-883f-0016d3cca427/cancel', ['external']],
    ['Захиалга 12', ['external']],
  ])('%s: %j', (reference, expected) => {
    expect(readingsOf(reference)).toEqual(expected);
  });
});

describe('isUuid', () => {
  it.each([
    ['1b4e28ba-2fa1-41d2-883f-0016d3cca427', true],
    ['1b4e28ba-2fa1-41d2-883f-0016d3cca427\n', false],
    [' 1b4e28ba-2fa1-41d2-883f-0016d3cca427', false],
    ['ORD-2026-000123', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});

describe('foldExternalId', () => {
  it('reads an ordinary ID as it reads one behind a sign', () => {
    const characters = fc.constantFrom(...'0019.AZaz-_ #№АЯаяё（Ａ'.split(''), '\u007f', '\t');
    const id = fc.array(characters, { maxLength: 8 }).map((all) => all.join(''));
    const ordinary = fc.tuple(fc.constantFrom('A', 'Z', '1', 'a', '0'), id).map((parts) => parts.join(''));
    fc.assert(
      fc.property(ordinary, (text) => {
        expect(foldExternalId(text)).toBe(foldExternalId(`#${text}`));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['12', '12.0', '0012', '#12', '№ 12', '№12', '１２', '＃12', '012.00'],
    ['A-1', 'a-1', 'А-1', 'а-1', 'Ａ－１', '#A-1', 'A 1', '#a 1', 'A - 1', 'A–1', 'A\u00a01'],
    ['10-01', '10 01', '№10 01'],
    ['CHEX-7', 'СНЕХ-7', 'снех-7'],
    ['0', '00', '0.0'],
  ])('is the same for %s, %s, %s ...', (...ids) => {
    expect(new Set(ids.map(foldExternalId)).size).toBe(1);
  });

  it.each([
    ['12', '120'],
    ['12', '1.2'],
    ['12', '12.5'],
    ['12', '-12'],
    ['A-1', 'A-01'],
    ['A-1', 'Д-1'],
    ['A-1', 'A1'],
    ['A-1', 'A-11'],
    ['A-1001', 'B-1001'],
    ['10-01', '1001'],
    ['10 01', '1001'],
    ['0', 'O'],
    ['1', '10'],
  ])('differs for %s and %s', (left, right) => {
    expect(foldExternalId(left)).not.toBe(foldExternalId(right));
  });
});
