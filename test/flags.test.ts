import { describe, expect, it } from 'vitest';
import {
  parseCount,
  parseIdempotencyKey,
  parseMilliseconds,
  parseNames,
  parsePageNumber,
  parsePort,
  parseSeconds,
} from '../src/flags.ts';

describe('the value of a flag', () => {
  it.each<[(text: string) => unknown, string, unknown]>([
    [parseCount, '1', 1],
    [parseCount, '999999999', 999_999_999],
    [parsePageNumber, '0', 0],
    [parsePort, '0', 0],
    [parsePort, '65535', 65_535],
    [parseSeconds, '0.001', 0.001],
    [parseSeconds, '999999', 999_999],
    [parseMilliseconds, '0', 0],
    [parseIdempotencyKey, `!${'a'.repeat(253)}~`, `!${'a'.repeat(253)}~`],
    [parseNames, ' id, customer.phone ', ['id', 'customer.phone']],
  ])('is read by %o from %j', (parse, text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it.each<[(text: string) => unknown, string[], string]>([
    [parseCount, ['', '0', '01', '-1', '1.5', '1e3', ' 1', '1000000000'], 'a whole number from 1'],
    [parsePageNumber, ['', '-1', '1.5', '1234567890'], 'a whole number'],
    [parsePort, ['65536', '100000'], 'a port from 0 to 65535'],
    [parseSeconds, ['', '0', '0.000', '.5', '1.', '-1', '1.0001', '1000000'], 'a number of seconds above 0'],
    [parseMilliseconds, ['', '-1', '0.5', '12345678'], 'a whole number of milliseconds, at most 9999999'],
    [parseIdempotencyKey, ['', 'a b', 'a\n', '\u007f', 'ключ', 'a'.repeat(256)], '1 to 255 letters'],
    [parseNames, ['', 'id,', ',id', 'id,,total'], 'names separated by commas'],
  ])('is rejected by %o from %j', (parse, texts, expected) => {
    for (const text of texts) expect(() => parse(text)).toThrow(`Expected ${expected}`);
  });
});
