import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import {
  isPhoneLike,
  isSamePhone,
  isScientificNotation,
  kindOfPhone,
  phoneToE164,
  rangeBeforeRounding,
} from '../../src/orders/phone.ts';
import cases from './phone.json' with { type: 'json' };

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
    expect(kindOfPhone(text.trim())).toBe('mongolian');
    expect(phoneToE164(text)).toBe('+97699112233');
  });
});

describe('kindOfPhone', () => {
  it.each([
    ...(cases.kinds as [string, string][]),
    ['1 '.repeat(200_000), 'impossible'],
    ['1;'.repeat(200_000), 'impossible'],
  ])('%j: %s', (text, kind) => {
    expect(kindOfPhone(text)).toBe(kind);
  });
});

describe('the shortcut for common numbers', () => {
  it.each(['', '976', '+976', '976 ', '+976-', '00976', '00976 '])(
    'finds what libphonenumber finds after "%s"',
    (code) => {
      // The code changes nothing about a number: each of the others is tried with every seventh.
      const step = code === '' ? 1 : 7;
      const numbers = Array.from(
        { length: Math.ceil(10_000 / step) },
        (_, index) => `${code}${String(index * step).padStart(4, '0')}1234`,
      );
      const wrong = numbers.filter((text) => {
        const known = parsePhoneNumberFromString(text.replace(/^00/, '+'), 'MN');
        const isValid = known?.country === 'MN' && known.isValid();
        return (kindOfPhone(text) === 'mongolian') !== isValid || phoneToE164(text) !== known?.number;
      });
      expect(wrong).toEqual([]);
    },
  );
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
