import { describe, expect, it } from 'vitest';
import { checkKeyFor, labelOf, parseBaseUrl, resolveIdentity } from '../src/identity.ts';
import { type GlobalFlags, resolveSettings } from '../src/settings.ts';
import type { Configuration, Profile, ProfileStore } from '../src/system/configuration-files.ts';
import { asText } from './support/advice.ts';

const shop = { baseUrl: 'https://shop.mn/a', apiKey: 'mk_shop' };
const stored: Configuration = {
  currentProfile: 'shop',
  profiles: { shop, other: { baseUrl: 'https://other.mn', apiKey: 'mk_other' }, empty: {} },
};

function resolve(flags: GlobalFlags, env: Record<string, string> = {}, configuration = stored) {
  const profiles: ProfileStore = {
    path: '',
    read: async () => configuration,
    update: () => Promise.reject(new Error('nothing should be stored')),
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
    expect(await resolve(flags, env)).toEqual({ ...expected, hasOtherProfiles: true });
  });
});

describe('an identity', () => {
  const profiles = {
    shop,
    keyless: { baseUrl: 'https://keyless.mn' },
    fieldsOnly: { fields: { note: 'remark' } },
  };
  const key = (value: string) => ({ MERCHANT_ORDERS_API_KEY: value });
  const url = (value: string) => ({ MERCHANT_ORDERS_BASE_URL: value });
  const inProfile = (value: string) => ({ MERCHANT_ORDERS_PROFILE: value });
  const sandboxOn = { MERCHANT_ORDERS_SANDBOX: '1' };
  const identify = async (flags: GlobalFlags, env: Record<string, string>) => {
    const { baseUrl, apiKey, conflict } = await resolve(flags, env, { currentProfile: 'shop', profiles });
    return conflict?.message ?? `${baseUrl?.value} ${apiKey?.value}`;
  };
  const contradicts = (variables: string) => `--profile shop names another service or key than ${variables}.`;
  const strayKey = 'MERCHANT_ORDERS_API_KEY is not the key of profile shop, and no address was given for it.';

  it.each<[GlobalFlags, Record<string, string>, string]>([
    // -p NAME and the environment.
    [{ profile: 'shop' }, {}, 'https://shop.mn/a mk_shop'],
    [{ profile: 'shop' }, key('mk_shop'), 'https://shop.mn/a mk_shop'],
    [{ profile: 'shop' }, key('mk_env'), contradicts('MERCHANT_ORDERS_API_KEY')],
    [{ profile: 'shop' }, url('https://SHOP.mn:443/a/'), 'https://SHOP.mn:443/a/ mk_shop'],
    [{ profile: 'shop' }, url('https://shop.mn/b'), contradicts('MERCHANT_ORDERS_BASE_URL')],
    [{ profile: 'shop' }, url('https://env.mn'), contradicts('MERCHANT_ORDERS_BASE_URL')],
    [{ profile: 'shop' }, url('no address'), contradicts('MERCHANT_ORDERS_BASE_URL')],
    [{ profile: 'shop' }, sandboxOn, contradicts('MERCHANT_ORDERS_SANDBOX')],
    [
      { profile: 'shop' },
      { ...key('mk_env'), ...url('https://env.mn'), ...sandboxOn },
      contradicts('MERCHANT_ORDERS_API_KEY, MERCHANT_ORDERS_BASE_URL and MERCHANT_ORDERS_SANDBOX'),
    ],
    [{ profile: 'shop' }, { ...key('mk_shop'), ...url('https://shop.mn/a') }, 'https://shop.mn/a mk_shop'],
    [{ profile: 'shop' }, { MERCHANT_ORDERS_SANDBOX: '0' }, 'https://shop.mn/a mk_shop'],
    [{ profile: 'shop' }, inProfile('keyless'), 'https://shop.mn/a mk_shop'],
    // -p NAME and --base-url, which comes before the address of the environment.
    [{ profile: 'shop', baseUrl: 'https://shop.mn/b' }, url('https://env.mn'), 'https://shop.mn/b mk_shop'],
    [{ profile: 'shop', baseUrl: 'https://flag.mn' }, {}, 'https://flag.mn undefined'],
    [{ profile: 'shop', baseUrl: 'https://flag.mn' }, key('mk_env'), contradicts('MERCHANT_ORDERS_API_KEY')],
    // -p NAME of a profile without a key.
    [{ profile: 'keyless' }, key('mk_env'), 'https://keyless.mn mk_env'],
    [
      { profile: 'keyless' },
      { ...key('mk_env'), ...url('https://keyless.mn/') },
      'https://keyless.mn/ mk_env',
    ],
    [
      { profile: 'keyless' },
      { ...key('mk_env'), ...url('https://env.mn') },
      '--profile keyless names another service or key than MERCHANT_ORDERS_BASE_URL.',
    ],
    [{ profile: 'keyless', baseUrl: 'https://flag.mn' }, key('mk_env'), 'https://flag.mn mk_env'],
    [{ profile: 'fieldsOnly' }, { ...key('mk_env'), ...url('https://env.mn') }, 'https://env.mn mk_env'],
    // -p NAME of no profile.
    [{ profile: 'sohp' }, {}, 'undefined undefined'],
    [{ profile: 'sohp' }, key('mk_env'), 'There is no profile "sohp".'],
    [{ profile: 'sohp' }, url('https://env.mn'), 'There is no profile "sohp".'],
    [{ profile: 'sohp', baseUrl: 'https://flag.mn' }, key('mk_env'), 'There is no profile "sohp".'],
    [{ profile: 'toString' }, key('mk_env'), 'There is no profile "toString".'],
    // The profile that MERCHANT_ORDERS_PROFILE names, or `profiles use`: each variable overrides its part of it.
    ...[{}, inProfile('shop')].flatMap((env): [GlobalFlags, Record<string, string>, string][] => [
      [{}, env, 'https://shop.mn/a mk_shop'],
      [{}, { ...env, ...key('mk_shop') }, 'https://shop.mn/a mk_shop'],
      [{}, { ...env, ...key('mk_env') }, strayKey],
      [{}, { ...env, ...key('mk_env'), ...url('https://env.mn') }, 'https://env.mn mk_env'],
      [{}, { ...env, ...key('mk_env'), ...url('https://shop.mn/a') }, 'https://shop.mn/a mk_env'],
      [{}, { ...env, ...url('https://env.mn') }, 'https://env.mn undefined'],
      [{}, { ...env, ...url('https://shop.mn/b') }, 'https://shop.mn/b mk_shop'],
      [{ baseUrl: 'https://flag.mn' }, { ...env, ...key('mk_env') }, 'https://flag.mn mk_env'],
      [{ baseUrl: 'https://shop.mn/b' }, { ...env, ...url('https://env.mn') }, 'https://shop.mn/b mk_shop'],
    ]),
    [{}, { ...inProfile('keyless'), ...key('mk_env') }, 'https://keyless.mn mk_env'],
    [{}, { ...inProfile('sohp'), ...key('mk_env') }, 'undefined mk_env'],
    [{}, { ...inProfile('sohp'), ...key('mk_env'), ...url('https://env.mn') }, 'https://env.mn mk_env'],
  ])('of the flags %j and the variables %j: %s', async (flags, env, expected) => {
    expect(await identify(flags, env)).toBe(expected);
  });

  it('never sends a key to an address that it does not belong to, in any combination', async () => {
    const choices = [
      [{}, { profile: 'shop' }, { profile: 'keyless' }, { profile: 'fieldsOnly' }, { profile: 'sohp' }],
      [{}, { baseUrl: 'https://shop.mn/b' }, { baseUrl: 'https://flag.mn' }],
      [{}, inProfile('shop'), inProfile('keyless'), inProfile('sohp')],
      [{}, key('mk_shop'), key('mk_env')],
      [{}, url('https://shop.mn/a'), url('https://env.mn')],
    ] as const;
    const all = choices.reduce<object[]>(
      (before, next) => before.flatMap((left) => next.map((right) => ({ ...left, ...right }))),
      [{}],
    );
    let sent = 0;
    for (const each of all) {
      const { profile, baseUrl: flag, ...env } = each as GlobalFlags & Record<string, string>;
      const flags = { ...(profile ? { profile } : {}), ...(flag ? { baseUrl: flag } : {}) };
      const identity = await resolve(flags, env, { currentProfile: 'shop', profiles });
      const { baseUrl, apiKey, conflict } = identity;
      if (conflict !== undefined || baseUrl === undefined || apiKey === undefined) continue;
      sent += 1;
      const stored: Profile | undefined = new Map<string, Profile>(Object.entries(profiles)).get(
        identity.profile,
      );
      const isFree = baseUrl.source !== 'profile' || [undefined, apiKey.value].includes(stored?.apiKey);
      const isOfProfile = apiKey.value === stored?.apiKey && /^https:\/\/shop\.mn\//.test(baseUrl.value);
      expect([each, apiKey.source === 'environment' ? isFree : isOfProfile]).toEqual([each, true]);
      if (profile !== undefined && stored?.apiKey !== undefined) expect(apiKey.value).toBe(stored.apiKey);
    }
    expect([all.length, sent > 50]).toEqual([540, true]);
  });
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
    'https://shop.mn:8443',
    'http://shop.mn',
    'https://a.shop.mn',
    'https://127.0.0.1',
    'https://other.mn',
  ])('is not sent to another origin: %s', async (baseUrl) => {
    expect((await resolve({ baseUrl })).apiKey).toBeUndefined();
    expect((await resolve({}, { MERCHANT_ORDERS_BASE_URL: baseUrl })).apiKey).toBeUndefined();
  });

  it('is not looked for when the address may contain a password', async () => {
    const baseUrl = 'https://shop.mn@evil.mn';
    await expect(resolve({ baseUrl })).rejects.toThrow('--base-url has a user, password, ? or #.');
    await expect(resolve({}, { MERCHANT_ORDERS_BASE_URL: baseUrl })).rejects.toThrow(
      'MERCHANT_ORDERS_BASE_URL has a user, password, ? or #.',
    );
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
    ['https://shop.mn/api/v1/merchant/orders', /address of the orders, not the base URL/],
    ['https://shop.mn/x/api/v1/merchant/orders/', /address of the orders, not the base URL/],
    ['http://127.0.0.1.shop.mn', /is not https/],
    ['http://localhost.shop.mn', /is not https/],
    ['http://128.0.0.1', /is not https/],
    ['http://0.0.0.0', /is not https/],
    ['http://[::2]', /is not https/],
    ['ftp://127.0.0.1', /is not https/],
    ['file:///etc/passwd', /is not https/],
    ['localhost:4010', /is not https/],
    ['shop.mn', /is not a base URL/],
    ['', /is not a base URL/],
    ['https://', /is not a base URL/],
    ['http://127.0.0.999', /is not a base URL/],
    ['http://127.0.0.1@shop.mn', /no user, password/],
    ['https://user@shop.mn', /no user, password/],
    ['https://:pass@shop.mn', /no user, password/],
    ['https://shop.mn?a=b', /no user, password/],
    ['https://shop.mn#a', /no user, password/],
  ])('rejects %j and says what to write', (text, message) => {
    const details = expect.objectContaining({ hint: asText(/http/) });
    expect(() => parseBaseUrl(text)).toThrow(expect.objectContaining({ code: 'usage', details }));
    expect(() => parseBaseUrl(text)).toThrow(message);
  });
});

describe('checkKeyFor', () => {
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
    ['sandbox_1', 'SANDBOX'],
    ['mk_live', 'LIVE'],
    ['my_sandbox_1', 'LIVE'],
    ['Sandbox_1', 'LIVE'],
  ])('%s is %s', (apiKey, label) => {
    expect(labelOf(apiKey)).toBe(label);
  });
});
