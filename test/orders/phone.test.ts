import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import {
  isPhoneLike,
  isPlausiblePhone,
  isSamePhone,
  isScientificNotation,
  phoneToE164,
  rangeBeforeRounding,
} from '../../src/orders/phone.ts';

describe('formats of one number', () => {
  it.each([
    '99112233',
    '9911 2233',
    '9911-2233',
    '99-11-22-33',
    '+97699112233',
    '+976 9911 2233',
    '+976-9911-2233',
    '(976) 99112233',
    '(+976) 9911-2233',
    '97699112233',
    '0097699112233',
    '00976 9911 2233',
    ' 99112233 ',
    ' 00976 99112233 ',
    '９９１１２２３３',
  ])('%j', (text) => {
    expect(isPhoneLike(text)).toBe(true);
    expect(isPlausiblePhone(text)).toBe(true);
    expect(phoneToE164(text)).toBe('+97699112233');
  });
});

describe('isPlausiblePhone', () => {
  it.each(['88112233', '95112233', '86112233', '80112233', '70112233', '11323232'])('accepts %s', (text) => {
    expect(isPlausiblePhone(text)).toBe(true);
  });

  it.each([
    '',
    '12345',
    '9911223',
    '991122334455',
    '9.9112233E+07',
    'none',
    '99112233;88112233',
    '99112233,88112233',
    '99112233/88112233',
    '99112233 | 88112233',
    '+1 212 555 1212',
    '+7 495 123 45 67',
  ])('rejects %j', (text) => {
    expect(isPlausiblePhone(text)).toBe(false);
  });
});

describe('eight-digit numbers', () => {
  it('are plausible exactly when libphonenumber finds them valid', () => {
    const wrong = Array.from(
      { length: 10_000 },
      (_, start) => `${String(start).padStart(4, '0')}1234`,
    ).filter((text) => {
      const known = parsePhoneNumberFromString(text, 'MN');
      return isPlausiblePhone(text) !== (known?.country === 'MN' && known.isValid());
    });
    expect(wrong).toEqual([]);
  });
});

describe('rangeBeforeRounding', () => {
  it.each([
    ['9.91E+07', '99050000', '99149999'],
    ['9,91E+07', '99050000', '99149999'],
    ['5,49755E+11', '549754500000', '549755499999'],
    ['9e7', '85000000', '94999999'],
    ['9.76991E+10', '97699050000', '97699149999'],
  ])('%s: from %s to %s', (text, from, to) => {
    expect(rangeBeforeRounding(text)).toEqual({ from, to });
  });

  it.each(['9.91E+02', '9.9100E+04', '9.91E-07', '99112233', '12.5E+07', 'E+07'])('%s: no range', (text) => {
    expect(rangeBeforeRounding(text)).toBeUndefined();
  });
});

describe('phoneToE164', () => {
  it.each([
    ['', undefined],
    ['none', undefined],
    ['9.9112233E+07', undefined],
    ['99112233;88112233', undefined],
    ['99112233, 88112233', undefined],
    ['(976) 88112233', '+97688112233'],
    ['+1 212 555 1212', '+12125551212'],
    ['001 212 555 1212', '+12125551212'],
  ])('%j: %s', (text, expected) => {
    expect(phoneToE164(text)).toBe(expected);
  });
});

describe('isPhoneLike', () => {
  it.each([
    ['12345', true],
    ['99112233;88112233', true],
    ['+', false],
    ['', false],
    ['  ', false],
    ['--', false],
    ['none', false],
    ['9911ABCD', false],
    ['99112233 дугаар', false],
    ['Ү9112233', false],
    ['9.91E+07', false],
    ['9911****', false],
    ['99••2233', false],
    ['9911 22??', false],
  ])('%j: %s', (text, expected) => {
    expect(isPhoneLike(text)).toBe(expected);
  });
});

describe('isScientificNotation', () => {
  it.each(['9.91E+07', '9,91E+07', '9.9112233E+07', '9.91e+07', '9E+07', '9.91E07', '-9.91E+07', '9.91E-07'])(
    'accepts %s',
    (text) => {
      expect(isScientificNotation(text)).toBe(true);
    },
  );

  it.each([
    '99112233',
    'E+07',
    '9.91',
    '9.91E',
    '9.91E+',
    '9.E+07',
    'x9.91E+07',
    '9.91E+07 x',
    '9.91F+07',
    '',
  ])('rejects %j', (text) => {
    expect(isScientificNotation(text)).toBe(false);
  });
});

describe('isSamePhone', () => {
  it.each([
    ['99112233', '+976 9911-2233', true],
    ['0097699112233', '(976) 99112233', true],
    [' 12345 ', '12345', true],
    ['99112233', '99112234', false],
    ['12345', '12346', false],
    ['утасгүй', '99112233', false],
  ])('%j and %j: %j', (left, right, expected) => {
    expect(isSamePhone(left, right)).toBe(expected);
  });
});
