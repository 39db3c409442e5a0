import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../../src/api/http/address.ts';

const proxy = 'http://proxy.example:3128/';
const proxyOf = (baseUrl: string, env: Record<string, string>) => proxyFor(new URL(baseUrl), env)?.href;

describe('the proxy of a service', () => {
  it.each<[Record<string, string>, string | undefined]>([
    [{}, undefined],
    [{ HTTPS_PROXY: '' }, undefined],
    [{ HTTPS_PROXY: proxy }, proxy],
    [{ https_proxy: proxy }, proxy],
    [{ HTTP_PROXY: proxy }, proxy],
    [{ http_proxy: proxy }, proxy],
    [{ https_proxy: proxy, HTTPS_PROXY: 'http://a', http_proxy: 'http://b', HTTP_PROXY: 'http://c' }, proxy],
    [{ https_proxy: '', HTTPS_PROXY: proxy, HTTP_PROXY: 'http://c' }, proxy],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, proxy],
    [{ HTTPS_PROXY: 'https://user:p%40ss@proxy.example' }, 'https://user:p%40ss@proxy.example/'],
  ])('%j', (env, expected) => {
    expect(proxyOf('https://shop.example', env)).toBe(expected);
  });

  it.each(['http://localhost:4010', 'http://127.0.0.1:4010', 'https://127.9.9.9', 'http://[::1]:4010'])(
    'is not used for a loopback address: %s',
    (baseUrl) => {
      expect(proxyOf(baseUrl, { HTTPS_PROXY: proxy, HTTP_PROXY: 'no proxy at all' })).toBeUndefined();
    },
  );

  it.each([
    ['shop.example', true],
    ['SHOP.example', true],
    ['example', true],
    ['.example', true],
    ['*.example', true],
    ['*', true],
    ['a.example, shop.example b.example', true],
    ['shop.example:443', true],
    ['shop.example:8443', false],
    ['hop.example', false],
    ['api.shop.example', false],
    ['', false],
    [' , ,', false],
    ['*:8443', false],
  ])('NO_PROXY=%j', (noProxy, isExcepted) => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      const found = proxyOf('https://shop.example', { HTTPS_PROXY: proxy, [name]: noProxy });
      expect([name, found === undefined]).toEqual([name, isExcepted]);
    }
  });

  it('may be excluded for one port only', () => {
    const env = { HTTPS_PROXY: proxy, NO_PROXY: 'shop.example:8443' };
    expect(proxyOf('https://shop.example:8443', env)).toBeUndefined();
    expect(proxyOf('https://shop.example', env)).toBe(proxy);
  });
});

describe('a variable without the address of a proxy', () => {
  it.each([
    'http://',
    'http://secret word',
    'ftp://proxy.example',
    'socks5://proxy.example:1080',
    'http://user:se%cret@proxy.example',
    'http://proxy.example:99999',
    'proxy.example:port',
    '://secret',
  ])('%j: the error names the variable without its value', (value) => {
    for (const name of ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']) {
      expect(() => proxyOf('https://shop.example', { [name]: value })).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: `The environment variable ${name} does not hold the address of a proxy.`,
          details: { hint: expect.not.stringContaining('secret'), outcome: 'not_sent' },
        }),
      );
    }
  });
});
