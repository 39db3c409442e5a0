import { describe, expect, it } from 'vitest';
import {
  errorFormat,
  type GlobalFlags,
  resolveSettings,
  type Settings,
  serviceFlags,
} from '../src/settings.ts';

describe('columns', () => {
  it.each(['json', 'ndjson'] as const)('cannot be chosen in %s', (format) => {
    expect(() => resolveSettings({ format, columns: ['id'] }, {})).toThrow('--columns chooses columns');
  });
});

describe('resolveSettings', () => {
  it.each([
    [{ TERM: 'dumb' }, true],
    [{ ACCESSIBLE: '1' }, true],
    [{ ACCESSIBLE: '0', TERM: 'xterm' }, false],
  ])('draws nothing again with %j: %s', (env, isPlain) => {
    expect(resolveSettings({}, env).isPlain).toBe(isPlain);
  });

  it.each<[GlobalFlags, Record<string, string>, Partial<Settings>]>([
    [{ profile: 'a' }, { MERCHANT_ORDERS_PROFILE: 'b' }, { profile: { value: 'a', source: 'flag' } }],
    [{}, { MERCHANT_ORDERS_PROFILE: 'b' }, { profile: { value: 'b', source: 'environment' } }],
    [{ baseUrl: 'a' }, { MERCHANT_ORDERS_BASE_URL: 'b' }, { baseUrl: { value: 'a', source: 'flag' } }],
    [{}, { MERCHANT_ORDERS_BASE_URL: 'b' }, { baseUrl: { value: 'b', source: 'environment' } }],
    [{}, { MERCHANT_ORDERS_API_KEY: ' k\n' }, { apiKey: { value: 'k', source: 'environment' } }],
    [{}, { MERCHANT_ORDERS_API_KEY: ' ' }, { apiKey: undefined }],
    [{ sandbox: true }, {}, { sandbox: true }],
    [{}, { MERCHANT_ORDERS_SANDBOX: '1' }, { sandbox: true }],
    [{}, { MERCHANT_ORDERS_SANDBOX: 'true' }, { sandbox: true }],
    [{}, { MERCHANT_ORDERS_SANDBOX: '' }, { sandbox: false }],
    [{}, { MERCHANT_ORDERS_SANDBOX: '0' }, { sandbox: false }],
    [{}, { MERCHANT_ORDERS_SANDBOX: 'No' }, { sandbox: false }],
    [{ baseUrl: 'https://e.mn' }, { MERCHANT_ORDERS_SANDBOX: '1' }, { sandbox: false }],
    [{ profile: 'shop' }, { MERCHANT_ORDERS_SANDBOX: '1' }, { sandbox: false, contradictsSandbox: true }],
    [
      { profile: 'shop', sandbox: true },
      { MERCHANT_ORDERS_SANDBOX: '1' },
      { sandbox: true, contradictsSandbox: false },
    ],
    [
      { profile: 'shop', baseUrl: 'https://e.mn' },
      { MERCHANT_ORDERS_SANDBOX: '1' },
      { sandbox: false, contradictsSandbox: false },
    ],
    [
      {},
      { MERCHANT_ORDERS_SANDBOX: '1', MERCHANT_ORDERS_PROFILE: 'shop' },
      { sandbox: true, contradictsSandbox: false },
    ],
    [{ json: true }, {}, { format: 'json' }],
    [{ json: true, format: 'json' }, {}, { format: 'json' }],
    [{ format: 'csv' }, {}, { format: 'csv' }],
    [{ columns: ['id', 'a.b'] }, {}, { columns: ['id', 'a.b'] }],
    [{ header: false }, {}, { header: false }],
    [{ quiet: true, verbose: true, yes: true }, {}, { quiet: true, verbose: true, yes: true }],
    [{ color: false }, {}, { noColour: true }],
    [{ color: true }, {}, { noColour: false }],
    [{ input: false }, {}, { noInput: true }],
    [{ input: true }, { MERCHANT_ORDERS_NO_INPUT: '1' }, { noInput: true }],
    [{}, { MERCHANT_ORDERS_NO_INPUT: 'false' }, { noInput: false }],
    [{ timeout: 5 }, {}, { timeoutMilliseconds: 5000 }],
  ])('%j %j', (flags, env, expected) => {
    expect(resolveSettings(flags, env)).toMatchObject(expected);
  });

  it.each<[GlobalFlags, string]>([
    [{ sandbox: true, baseUrl: 'https://e.mn' }, '--sandbox and --base-url name two different services.'],
    [{ json: true, format: 'csv' }, '--json and --format csv contradict each other.'],
  ])('rejects the contradiction %j', (flags, message) => {
    expect(() => resolveSettings(flags, {})).toThrow(expect.objectContaining({ code: 'usage', message }));
  });
});

describe('serviceFlags', () => {
  it.each<[GlobalFlags, string[][]]>([
    [{}, []],
    [{ sandbox: true }, [['--sandbox']]],
    [
      { profile: 'shop', baseUrl: 'https://e.mn/v1' },
      [
        ['--profile', 'shop'],
        ['--base-url', 'https://e.mn/v1'],
      ],
    ],
  ])('of %j: %j', (flags, expected) => {
    expect(serviceFlags(flags)).toEqual(expected);
  });
});

describe('errorFormat', () => {
  it.each([
    [{}, 'table'],
    [{ json: true }, 'json'],
    [{ json: true, format: 'csv' }, 'json'],
    [{ format: 'ndjson' }, 'ndjson'],
    [{ format: 'yaml' }, 'table'],
  ])('%j: %s', (flags, expected) => {
    expect(errorFormat(flags as GlobalFlags)).toBe(expected);
  });
});
