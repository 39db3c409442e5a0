import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { type Configuration, createProfileStore } from '../../src/system/configuration-files.ts';
import { createPrivateDirectory } from '../../src/system/private-files.ts';
import { asText, textOf } from '../support/advice.ts';
import { modeOf, newDirectory } from './private-mode.ts';

const stored: Configuration = {
  currentProfile: 'shop',
  profiles: {
    shop: { baseUrl: 'https://e.mn', apiKey: 'mk_live_Ө' },
    'a.b': { baseUrl: 'https://b.mn' },
    '7': {},
  },
};
const other: Configuration = { profiles: { other: { apiKey: 'mk_other' } } };

const openStore = (directory: string, warnings: string[] = []) =>
  createProfileStore(createPrivateDirectory(directory, (text) => void warnings.push(textOf(text))));

/** A store whose file has this text; without text there is no file. */
function open(text?: string) {
  const directory = join(newDirectory(), 'config');
  const store = openStore(directory);
  if (text !== undefined) {
    mkdirSync(directory);
    writeFileSync(store.path, text);
  }
  const files = () =>
    Object.fromEntries(readdirSync(directory).map((name) => [name, read(join(directory, name))]));
  return { store, directory, files };
}

const read = (path: string) => readFileSync(path, 'utf8');

describe('profiles', () => {
  it('leave nothing of a write that was killed, and take no file of one that may still run', async () => {
    const { store, directory } = open(JSON.stringify(stored));
    const longAgo = new Date(0);
    for (const name of ['config.json.tmp-1', 'config.json.tmp-2', 'config.json.bak', 'other.json.tmp-1'])
      writeFileSync(join(directory, name), '{');
    for (const name of ['config.json.tmp-1', 'config.json.bak', 'other.json.tmp-1'])
      utimesSync(join(directory, name), longAgo, longAgo);
    await store.update(() => other);
    expect(readdirSync(directory).sort()).toEqual([
      'config.json',
      'config.json.bak',
      'config.json.tmp-2',
      'other.json.tmp-1',
    ]);
  });
});

describe('a change', () => {
  const add = (name: string) => (now: Configuration) => ({
    ...now,
    profiles: { ...now.profiles, [name]: {} },
  });

  it('is made to what is in the file then, whatever was read before', async () => {
    const { store, directory } = open();
    const windows = Array.from({ length: 12 }, () => openStore(directory));
    await Promise.all(windows.map((window) => window.read()));
    await Promise.all(windows.map((window, index) => window.update(add(`shop-${index}`))));
    const names = Object.keys((await store.read()).profiles);
    expect(names.sort()).toEqual(windows.map((_, index) => `shop-${index}`).sort());
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  it('can compare that with what was read first, or written since', async () => {
    const { store, directory } = open();
    await store.read();
    await openStore(directory).update(add('other'));
    await store.read();
    const seen: string[][] = [];
    for (const name of ['one', 'two']) {
      await store.update((now, before) => {
        seen.push([now, before].map(({ profiles }) => Object.keys(profiles).join(' ')));
        return add(name)(now);
      });
    }
    expect(seen).toEqual([
      ['other', ''],
      ['other one', 'other one'],
    ]);
  });

  it('that fails leaves the file as it is', async () => {
    const { store, files } = open(JSON.stringify(stored));
    const before = files();
    const change = () => {
      throw new CliError('file_changed', 'The profile was changed.');
    };
    await expect(store.update(change)).rejects.toMatchObject({ code: 'file_changed' });
    expect(files()).toEqual(before);
  });
});

describe('a file that cannot be read', () => {
  it('names its version when a newer program wrote it, and is left as it is', async () => {
    const text = JSON.stringify({ version: 2, profiles: { shop: { keys: ['mk_live'] } } });
    const { store, files } = open(text);
    await expect(store.update(() => other)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: `The configuration file ${store.path} is of version 2, which is newer.`,
    });
    expect(files()).toEqual({ 'config.json': text });
  });

  it.each([
    ['is torn', '{"profiles":{"shop":{"apiKey":"mk_li', 'it is not JSON'],
    ['is empty', '', 'it is not JSON'],
    ['is not JSON', 'shop=mk_live', 'it is not JSON'],
    ['is not an object', '[]', 'it is not an object'],
    ['has no profiles', '{}', 'profiles is not an object'],
    ['has unknown keys', '{"profiles":{},"plugins":[]}', 'it has an unknown name'],
    [
      'has unknown keys in a profile',
      '{"profiles":{"shop":{"apiKey":"a","token":"b"}}}',
      'profiles.shop has an unknown name',
    ],
    [
      'has an API key that is not text',
      '{"profiles":{"shop":{"apiKey":7}}}',
      'profiles.shop.apiKey is not text',
    ],
    [
      'has a password in an address',
      '{"profiles":{"shop":{"baseUrl":"https://a:b@shop.mn"}}}',
      'profiles.shop.baseUrl has a user, password, ? or #',
    ],
    [
      'has a profile that is not an object',
      '{"profiles":{"shop":"mk_live"}}',
      'profiles.shop is not an object',
    ],
    [
      'has a current profile that is not text',
      '{"profiles":{},"currentProfile":7}',
      'currentProfile is not text',
    ],
  ])('is reported and left unchanged: %s', async (_name, text, reason) => {
    const { store, files } = open(text);
    await expect(store.read()).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: `The configuration file ${store.path} cannot be read: ${reason}.`,
      details: {
        hint: asText('It was left as it is. Fix it, or move it away and run: merchant-orders login'),
      },
    });
    expect(files()).toEqual({ 'config.json': text });
  });
});

describe('a write that fails', () => {
  /** Text whose JSON changes with each write, so that what is read back never matches. */
  const changing = () => {
    let writes = 0;
    return { toJSON: () => `mk_${writes++}` } as unknown as string;
  };

  it.each<[string, () => Configuration, string]>([
    [
      'the text read back differs',
      () => ({ profiles: { shop: { apiKey: changing() } } }),
      'the disk is full',
    ],
    [
      'the value cannot be written',
      () => ({ profiles: { shop: { apiKey: 7n as unknown as string } } }),
      'TypeError: Do not know how to serialize a BigInt',
    ],
  ])('keeps the stored configuration: %s', async (_name, configuration, reason) => {
    const { store, files } = open();
    await store.update(() => stored);
    const before = files();
    await expect(store.update(() => configuration())).rejects.toMatchObject({
      code: 'configuration_not_writable',
      message: `The configuration file ${store.path} could not be written: ${reason}.`,
    });
    expect(files()).toEqual(before);
    expect(await store.read()).toEqual(stored);
    expect(modeOf(store.path)).toBe('600');
  });

  it('leaves a folder in place of the file', async () => {
    const { store, files } = open();
    mkdirSync(join(store.path, 'kept'), { recursive: true });
    await expect(store.update(() => stored)).rejects.toMatchObject({ code: 'configuration_not_writable' });
    expect(readdirSync(store.path)).toEqual(['kept']);
    expect(() => files()).toThrow(/EISDIR/);
  });
});
