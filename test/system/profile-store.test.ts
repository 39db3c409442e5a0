import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Configuration, createProfileStore } from '../../src/system/profile-store.ts';
import { clearUmask, modeOf, newDirectory } from './private-mode.ts';

const stored: Configuration = {
  currentProfile: 'shop',
  profiles: {
    shop: { baseUrl: 'https://e.mn', apiKey: 'mk_live_Ө' },
    'a.b': { baseUrl: 'https://b.mn' },
    '7': {},
  },
};
const other: Configuration = { profiles: { other: { apiKey: 'mk_other' } } };

/** A store whose file holds this text; without text there is no file. */
function open(text?: string) {
  const directory = join(newDirectory(), 'config');
  const store = createProfileStore(directory);
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
  it('are none at first, and looking for them makes nothing', async () => {
    const { store, directory } = open();
    expect(await store.read()).toEqual({ profiles: {} });
    expect(existsSync(directory)).toBe(false);
  });

  it('are read as they were written, by another process too', async () => {
    const { store, directory } = open();
    await store.write(stored);
    expect(await store.read()).toEqual(stored);
    expect(await createProfileStore(directory).read()).toEqual(stored);
    await store.write(other);
    expect(await createProfileStore(directory).read()).toEqual(other);
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  it('are in one private file in a private directory, whatever the umask', async () => {
    clearUmask();
    const { store, directory } = open();
    for (const configuration of [stored, other]) {
      await store.write(configuration);
      expect([modeOf(directory), modeOf(store.path)]).toEqual(['700', '600']);
    }
  });

  it('are made private again when they are read and everybody could', async () => {
    const { store } = open(JSON.stringify(stored));
    chmodSync(store.path, 0o644);
    expect(await store.read()).toEqual(stored);
    expect(modeOf(store.path)).toBe('600');
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['is torn', '{"profiles":{"shop":{"apiKey":"mk_li'],
    ['is empty', ''],
    ['is no JSON', 'shop=mk_live'],
    ['is no object', '[]'],
    ['has no profiles', '{}'],
    ['has keys that nobody knows', '{"profiles":{},"plugins":[]}'],
    ['has keys in a profile that nobody knows', '{"profiles":{"shop":{"apiKey":"a","token":"b"}}}'],
    ['has a key that is no text', '{"profiles":{"shop":{"apiKey":7}}}'],
    ['has a profile that is no object', '{"profiles":{"shop":"mk_live"}}'],
    ['names no text as its profile', '{"profiles":{},"currentProfile":7}'],
  ])('because it %s is reported and left alone', async (_name, text) => {
    const { store, files } = open(text);
    await expect(store.read()).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: `The configuration file ${store.path} cannot be read.`,
    });
    expect(files()).toEqual({ 'config.json': text });
  });

  it('is not told with what is in it', async () => {
    const { store } = open('{"profiles":{"shop":{"apiKey":"mk_secret","token":"mk_secret"}}}');
    const error = (await store.read().catch((thrown: unknown) => thrown)) as Error;
    expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toContain('mk_secret');
  });
});

describe('a write that fails', () => {
  /** Text whose JSON is another one each time it is written: what is read back is never what was to be there. */
  const changing = () => {
    let turn = 0;
    return { toJSON: () => `mk_${turn++}` } as unknown as string;
  };

  it.each<[string, () => Configuration]>([
    ['what is read back is not what was written', () => ({ profiles: { shop: { apiKey: changing() } } })],
    ['it cannot be written at all', () => ({ profiles: { shop: { apiKey: 7n as unknown as string } } })],
  ])('keeps what was stored: %s', async (_name, configuration) => {
    const { store, files } = open();
    await store.write(stored);
    const before = files();
    await expect(store.write(configuration())).rejects.toMatchObject({
      code: 'configuration_not_writable',
      message: `The configuration file ${store.path} could not be written.`,
    });
    expect(files()).toEqual(before);
    expect(await store.read()).toEqual(stored);
    expect(modeOf(store.path)).toBe('600');
  });

  it('keeps a folder that is in place of the file', async () => {
    const { store, files } = open();
    mkdirSync(join(store.path, 'kept'), { recursive: true });
    await expect(store.write(stored)).rejects.toMatchObject({ code: 'configuration_not_writable' });
    expect(readdirSync(store.path)).toEqual(['kept']);
    expect(() => files()).toThrow(/EISDIR/);
  });

  it('is told when there can be no directory', async () => {
    const parent = newDirectory();
    writeFileSync(join(parent, 'file'), 'kept');
    const store = createProfileStore(join(parent, 'file/config'));
    await expect(store.write(stored)).rejects.toMatchObject({ exitCode: 2 });
    expect(read(join(parent, 'file'))).toBe('kept');
  });

  it('leaves a file alone that it could not read', async () => {
    const { store, files } = open('{"profiles":{"shop":{"apiKey":"mk_li');
    await expect(store.write(stored)).rejects.toMatchObject({ code: 'configuration_not_writable' });
    expect(files()).toEqual({ 'config.json': '{"profiles":{"shop":{"apiKey":"mk_li' });
  });
});
