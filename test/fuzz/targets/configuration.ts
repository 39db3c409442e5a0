import fc, { type Arbitrary } from 'fast-check';
import { canaryKey, type FileContent, type FuzzCase, type Target } from '../case.ts';
import { damage, length, oddJson, oddObject, oddText } from '../text.ts';
import words from '../words.json' with { type: 'json' };

const service = {
  baseUrl: '"http://127.0.0.1:9/"',
  apiKey: JSON.stringify(canaryKey),
  fields: '{"quantity":"items[].quantity"}',
};
const commands = words.commands;
const variables = words.variables;

function address(max: number): Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      '{url}',
      '{url}/',
      '{url}/a/b//',
      '{url}?a=b',
      '{url}#x',
      'http://user:pass-word@127.0.0.1:9',
      'http://localhost:9',
      'http://[::1]:9',
      'https://127.0.0.1:9',
      'ftp://x',
      'http://x',
      '//x',
      'file:///etc/passwd',
      'http://127.0.0.1:99999',
      'https://[',
      'HTTP://127.1:9',
      'http://0x7f.1:9',
      'http://127.0.0.1.:9',
      'javascript:1',
    ),
    length(max).map((count) => `{url}${'/'.repeat(count)}`),
    length(max).map((count) => `{url}${'/a'.repeat(count)}`),
    length(max).map((count) => `https://${'a.'.repeat(count)}invalid`),
    oddText(max),
  );
}

function variable(max: number): Arbitrary<[string, string]> {
  const name = fc.constantFrom(...variables);
  const noProxy = length(max).map((count): [string, string] => ['NO_PROXY', `${'a.'.repeat(count)},*.x:`]);
  const url = address(max).map((text): [string, string] => ['MERCHANT_ORDERS_BASE_URL', text]);
  return fc.oneof(fc.tuple(name, oddText(max)), fc.tuple(name, address(max)), url, noProxy);
}

/** The bytes of the configuration file, and the environment. */
export const configuration: Target = {
  name: 'configuration',
  cases: (max) => {
    const profile = oddObject(service, max);
    const store = fc.tuple(profile, oddText(max), oddJson(max), fc.nat(9)).map(([one, name, odd, way]) => {
      const current = way === 0 ? odd : way < 4 ? JSON.stringify(name) : '"default"';
      const second = way > 6 ? `,${JSON.stringify(name)}:${odd}` : '';
      return Buffer.from(`{"currentProfile":${current},"profiles":{"default":${one}${second}}}`);
    });
    const content: Arbitrary<FileContent> = fc.oneof(
      { weight: 5, arbitrary: store },
      { weight: 1, arbitrary: oddJson(max).map((text) => Buffer.from(text)) },
      {
        weight: 2,
        arbitrary: store.chain((bytes) => (bytes.length < 5000 ? damage(bytes) : fc.constant(bytes))),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom<FileContent>(
          { kind: 'directory' },
          { kind: 'link', to: 'config.json' },
          { kind: 'link', to: '/dev/null' },
          { kind: 'link', to: '../work/x' },
        ),
      },
    );
    return fc
      .record({
        command: fc.constantFrom(...commands),
        content: fc.option(content, { freq: 3 }),
        env: fc.array(variable(max / 10), { maxLength: 3 }),
        isInEnv: fc.boolean(),
        draw: fc.nat(11),
        cut: fc.constantFrom([], ['--profile', 'default'], ['--sandbox']),
      })
      .map(({ command, content: file, env, isInEnv, draw, cut }): FuzzCase => {
        const set = {
          ...(isInEnv ? {} : { MERCHANT_ORDERS_API_KEY: '', MERCHANT_ORDERS_BASE_URL: '' }),
          ...Object.fromEntries(env),
        };
        return {
          args: [...command, ...cut],
          env: set,
          ...(file === null ? {} : { configuration: { 'config.json': file } }),
          isSpawned: draw === 0,
        };
      });
  },
};
