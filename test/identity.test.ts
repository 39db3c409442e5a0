import { describe, expect, it } from 'vitest';
import { checkKeyFor, labelOf, maskKey, parseBaseUrl, resolveIdentity } from '../src/identity.ts';
import { type GlobalFlags, resolveSettings } from '../src/settings.ts';
import type { Configuration, ProfileStore } from '../src/system/profile-store.ts';

const shop = { baseUrl: 'https://shop.mn/a', apiKey: 'mk_shop' };
const stored: Configuration = {
  currentProfile: 'shop',
  profiles: { shop, other: { baseUrl: 'https://other.mn', apiKey: 'mk_other' }, empty: {} },
};

function resolve(flags: GlobalFlags, env: Record<string, string> = {}, configuration = stored) {
  const profiles: ProfileStore = {
    path: '',
    read: async () => configuration,
    write: () => Promise.reject(new Error('nothing should be stored')),
  };
  return resolveIdentity(resolveSettings(flags, env), profiles);
}

const environment = {
  MERCHANT_ORDERS_PROFILE: 'other',
  MERCHANT_ORDERS_BASE_URL: 'https://env.mn',
  MERCHANT_ORDERS_API_KEY: 'mk_env',
};

describe('resolveIdentity', () => {
  it.each<[string, GlobalFlags, Record<string, string>, object]>([
    [
      'the current profile',
      {},
      {},
      {
        profile: 'shop',
        profileSource: 'profile',
        baseUrl: { value: shop.baseUrl, source: 'profile' },
        apiKey: { value: shop.apiKey, source: 'profile' },
      },
    ],
    [
      'the environment over the profile',
      {},
      environment,
      {
        profile: 'other',
        profileSource: 'environment',
        baseUrl: { value: 'https://env.mn', source: 'environment' },
        apiKey: { value: 'mk_env', source: 'environment' },
      },
    ],
    [
      'flags over the environment',
      { profile: 'empty', baseUrl: 'https://flag.mn' },
      environment,
      {
        profile: 'empty',
        profileSource: 'flag',
        baseUrl: { value: 'https://flag.mn', source: 'flag' },
        apiKey: { value: 'mk_env', source: 'environment' },
      },
    ],
    [
      'the profile of the flag, with its stored values',
      { profile: 'other' },
      { MERCHANT_ORDERS_PROFILE: 'shop' },
      {
        profile: 'other',
        profileSource: 'flag',
        baseUrl: { value: 'https://other.mn', source: 'profile' },
        apiKey: { value: 'mk_other', source: 'profile' },
      },
    ],
    [
      'an empty profile',
      { profile: 'empty' },
      {},
      { profile: 'empty', profileSource: 'flag', baseUrl: undefined, apiKey: undefined },
    ],
    [
      'empty variables',
      {},
      { MERCHANT_ORDERS_PROFILE: '', MERCHANT_ORDERS_BASE_URL: '', MERCHANT_ORDERS_API_KEY: ' ' },
      {
        profile: 'shop',
        profileSource: 'profile',
        baseUrl: { value: shop.baseUrl, source: 'profile' },
        apiKey: { value: shop.apiKey, source: 'profile' },
      },
    ],
  ])('%s', async (_name, flags, env, expected) => {
    expect(await resolve(flags, env)).toEqual(expected);
  });

  it('uses the profile "default" when nothing is given or stored', async () => {
    const nothing = { profile: 'default', profileSource: 'default', baseUrl: undefined, apiKey: undefined };
    expect(await resolve({}, {}, { profiles: {} })).toEqual(nothing);
    const { baseUrl } = await resolve({}, {}, { profiles: { default: shop } });
    expect(baseUrl).toEqual({ value: shop.baseUrl, source: 'profile' });
  });

  it.each(['constructor', '__proto__', 'toString', 'unknown'])(
    'has no values for a profile %s',
    async (profile) => {
      expect(await resolve({ profile })).toMatchObject({ baseUrl: undefined, apiKey: undefined });
    },
  );
});

describe('a stored key', () => {
  it.each(['https://shop.mn', 'https://shop.mn/', 'https://SHOP.mn:443/b', 'https://shop.mn/a'])(
    'is sent to its own origin: %s',
    async (baseUrl) => {
      expect((await resolve({ baseUrl })).apiKey).toEqual({ value: 'mk_shop', source: 'profile' });
      const { apiKey } = await resolve({}, { MERCHANT_ORDERS_BASE_URL: baseUrl });
      expect(apiKey?.value).toBe('mk_shop');
    },
  );

  it.each([
    'https://shop.mn.evil.mn',
    'https://evil.mn/shop.mn',
    'https://shop.mn@evil.mn',
    'https://shop.mn:8443',
    'http://shop.mn',
    'https://a.shop.mn',
    'https://127.0.0.1',
    'https://other.mn',
  ])('is not sent to another origin: %s', async (baseUrl) => {
    expect((await resolve({ baseUrl })).apiKey).toBeUndefined();
    expect((await resolve({}, { MERCHANT_ORDERS_BASE_URL: baseUrl })).apiKey).toBeUndefined();
  });

  it('is not sent to a given address when it was stored without one', async () => {
    const profiles = { shop: { apiKey: 'mk_shop' } };
    const { apiKey } = await resolve({ baseUrl: 'https://shop.mn' }, {}, { ...stored, profiles });
    expect(apiKey).toBeUndefined();
  });

  it('does not hide the key of the environment', async () => {
    const env = { MERCHANT_ORDERS_API_KEY: ' mk_env\n' };
    expect((await resolve({ baseUrl: 'https://evil.mn' }, env)).apiKey).toEqual({
      value: 'mk_env',
      source: 'environment',
    });
  });
});

describe('parseBaseUrl', () => {
  it.each([
    'https://shop.mn',
    'https://shop.mn:8443/a/b/',
    'https://127.0.0.1',
    'http://127.0.0.1:4010',
    'http://127.255.255.254',
    'http://127.1',
    'http://localhost:4010',
    'http://LOCALHOST',
    'http://[::1]:4010',
  ])('accepts %s', (text) => {
    expect(parseBaseUrl(text).href).toBe(new URL(text).href);
  });

  it.each([
    ['http://shop.mn', /is not https/],
    ['http://127.0.0.1.shop.mn', /is not https/],
    ['http://localhost.shop.mn', /is not https/],
    ['http://128.0.0.1', /is not https/],
    ['http://0.0.0.0', /is not https/],
    ['http://[::2]', /is not https/],
    ['http://127.0.0.1@shop.mn', /is not https/],
    ['ftp://127.0.0.1', /is not https/],
    ['file:///etc/passwd', /is not https/],
    ['localhost:4010', /is not https/],
    ['shop.mn', /is not a base URL/],
    ['', /is not a base URL/],
    ['https://', /is not a base URL/],
    ['http://127.0.0.999', /is not a base URL/],
    ['https://user@shop.mn', /no user, password/],
    ['https://:pass@shop.mn', /no user, password/],
    ['https://shop.mn?a=b', /no user, password/],
    ['https://shop.mn#a', /no user, password/],
  ])('rejects %j', (text, message) => {
    expect(() => parseBaseUrl(text)).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(() => parseBaseUrl(text)).toThrow(message);
  });
});

describe('checkKeyFor', () => {
  it.each([
    ['https://shop.mn', 'mk_live'],
    ['http://127.0.0.1:4010', 'mk_live'],
    ['http://127.0.0.1:4010', 'sandbox_1'],
    ['http://localhost', 'sandbox_1'],
    ['https://[::1]', 'sandbox_1'],
    ['https://shop.mn', 'SANDBOX_1'],
    ['https://shop.mn', 'my_sandbox_1'],
  ])('%s accepts %s', (baseUrl, apiKey) => {
    expect(() => checkKeyFor(new URL(baseUrl), apiKey)).not.toThrow();
  });

  it.each(['https://shop.mn', 'https://localhost.shop.mn', 'https://10.0.0.1'])(
    'does not send a sandbox key to %s, and does not print it',
    (baseUrl) => {
      expect(() => checkKeyFor(new URL(baseUrl), 'sandbox_1')).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: `A sandbox key is not sent to ${new URL(baseUrl).host}.`,
        }),
      );
    },
  );

  it.each(['', 'mk live', 'mk\nlive', 'mk_live\r', 'mk_ключ', 'mk\u0000', 'mk\u007f'])(
    'rejects the key %j',
    (apiKey) => {
      expect(() => checkKeyFor(new URL('https://shop.mn'), apiKey)).toThrow(/This is not an API key/);
    },
  );
});

describe('a key in the output', () => {
  it.each([
    ['mk_live_a1b2', '…a1b2'],
    ['123456789', '…6789'],
    ['12345678', '…'],
    ['', '…'],
  ])('%s: %s', (apiKey, masked) => {
    expect(maskKey(apiKey)).toBe(masked);
  });

  it.each([
    ['sandbox_1', 'SANDBOX'],
    ['mk_live', 'LIVE'],
    ['my_sandbox_1', 'LIVE'],
    ['Sandbox_1', 'LIVE'],
  ])('%s is %s', (apiKey, label) => {
    expect(labelOf(apiKey)).toBe(label);
  });
});
