import { describe, expect, it } from 'vitest';
import { isUuid, readingsOf } from '../../src/orders/order-reference.ts';

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
