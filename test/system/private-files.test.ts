import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { CliError } from '../../src/errors.ts';
import { createProfileStore } from '../../src/system/configuration-files.ts';
import {
  checkBeforeWriting,
  createPrivateDirectory,
  findDistrust,
  makePrivateDirectory,
  readPrivateFile,
} from '../../src/system/private-files.ts';
import { textOf } from '../support/advice.ts';
import { actAsNobody, clearUmask, isRoot, modeOf, newDirectory } from './private-mode.ts';

const configuration = { profiles: { shop: { baseUrl: 'https://shop.mn', apiKey: 'mk_shop' } } };
const text = JSON.stringify(configuration);

/** A configuration file with this mode in a directory of mode 0700. */
function newFile(mode = 0o600) {
  const directory = newDirectory();
  const path = join(directory, 'config.json');
  writeFileSync(path, text);
  chmodSync(path, mode);
  const warnings: string[] = [];
  const privateDirectory = createPrivateDirectory(
    directory,
    (warning) => void warnings.push(textOf(warning)),
  );
  return {
    directory,
    path,
    warnings,
    store: createProfileStore(privateDirectory),
    read: () => readPrivateFile(path, (warning) => void warnings.push(textOf(warning)))?.text,
  };
}

const refusal = (code: string, path: string, reason: string) =>
  expect.objectContaining({ code, exitCode: 2, message: `${path} is not used: ${reason}.` });

function hintOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return textOf((error as CliError).details.hint);
  }
  return undefined;
}

describe('findDistrust', () => {
  it.each<[string, number, number, string | undefined]>([
    ['own file', 1000, 0o100600, undefined],
    ['own file that others can read', 1000, 0o100644, undefined],
    ['own file that the group can write', 1000, 0o100620, 'other users can write to it'],
    ['own file that all can write', 1000, 0o100602, 'other users can write to it'],
    ['mounted secret', 0, 0o100444, undefined],
    ['root file that all can write', 0, 0o100666, 'other users can write to it'],
    ['foreign file', 1001, 0o100600, 'it belongs to another user (1001)'],
    ['own directory', 1000, 0o040755, undefined],
    ['emptyDir', 0, 0o040777, 'other users can write to it'],
    ['sticky directory', 0, 0o041777, 'other users can write to it'],
  ])('%s', (_name, uid, mode, expected) => {
    expect(findDistrust({ uid, mode }, 1000)).toEqual(expected);
    expect(findDistrust({ uid: uid === 1000 ? 0 : uid, mode }, 0)).toEqual(expected);
  });
});

describe('a file that is read', () => {
  it.each([0o600, 0o400])('is used as it is with the mode %o', (mode) => {
    const { read, path, warnings } = newFile(mode);
    expect([read(), modeOf(path), warnings]).toEqual([text, mode.toString(8), []]);
  });

  it.each([
    [0o644, '600'],
    [0o640, '600'],
    [0o604, '600'],
    [0o444, '400'],
    [0o755, '600'],
  ])('is made private, with a warning, when others could read it: %o', (mode, expected) => {
    const { read, path, warnings } = newFile(mode);
    expect([read(), read(), modeOf(path)]).toEqual([text, text, expected]);
    expect(warnings).toEqual([
      `other users could read ${path}; now only you can. If others use this machine, replace the key.`,
    ]);
  });

  it.each([0o620, 0o602, 0o666])('is refused when others could have written it: %o', (mode) => {
    const { read, path } = newFile(mode);
    expect(read).toThrow(refusal('configuration_invalid', path, 'other users can write to it'));
    expect(modeOf(path)).toBe(mode.toString(8));
  });

  it.each<[string, (path: string) => unknown]>([
    ['a FIFO', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ])('is a regular file, not %s', (_name, create) => {
    const path = join(newDirectory(), 'config.json');
    create(path);
    const read = () => readPrivateFile(path, () => undefined);
    expect(read).toThrow(refusal('configuration_invalid', path, 'it is not a regular file'));
  });

  it('has at most 1 MiB', () => {
    const { read, path } = newFile();
    writeFileSync(path, ' '.repeat(1024 * 1024));
    expect(read()).toHaveLength(1024 * 1024);
    writeFileSync(path, ' '.repeat(1024 * 1024 + 1));
    expect(read).toThrow(refusal('configuration_invalid', path, 'it is larger than 1 MiB'));
  });

  it('may be a link, as in a mounted secret, and what it names is checked and left as it is', async () => {
    const { directory, path, store, warnings } = newFile();
    const mounted = join(directory, 'mounted');
    mkdirSync(join(mounted, '..2026'), { recursive: true });
    writeFileSync(join(mounted, '..2026/config.json'), text, { mode: 0o644 });
    symlinkSync('..2026', join(mounted, '..data'));
    symlinkSync('..data/config.json', join(mounted, 'config.json'));
    const linked = createProfileStore(
      createPrivateDirectory(mounted, (warning) => void warnings.push(textOf(warning))),
    );
    expect(await linked.read()).toEqual(configuration);
    expect([modeOf(join(mounted, '..2026/config.json')), warnings]).toEqual(['644', []]);
    chmodSync(join(mounted, '..2026/config.json'), 0o666);
    const refused = refusal('configuration_invalid', linked.path, 'other users can write to it');
    await expect(linked.read()).rejects.toEqual(refused);
    expect([await store.read(), modeOf(path)]).toEqual([configuration, '600']);
  });

  it('is reported when it is a link to nothing', async () => {
    const { directory, path, store } = newFile();
    execFileSync('rm', [path]);
    symlinkSync(join(directory, 'missing'), path);
    await expect(store.read()).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it.runIf(isRoot)('is refused when it, or the link to it, belongs to another user', () => {
    const { directory, read, path } = newFile();
    chownSync(path, 1001, 1001);
    const refused = (at: string) => refusal('configuration_invalid', at, 'it belongs to another user (1001)');
    expect(read).toThrow(refused(path));
    chownSync(path, 0, 0);
    const link = join(directory, 'link');
    symlinkSync(path, link);
    expect(readPrivateFile(link, () => undefined)?.text).toBe(text);
    lchownSync(link, 1001, 1001);
    expect(() => readPrivateFile(link, () => undefined)).toThrow(refused(link));
  });

  it.runIf(isRoot)('works read-only, when root owns it and everybody can read it', async () => {
    const { directory, path, store, warnings } = newFile(0o444);
    chmodSync(directory, 0o555);
    actAsNobody();
    expect([await store.read(), warnings]).toEqual([configuration, []]);
    await expect(store.update(() => ({ profiles: {} }))).rejects.toMatchObject({
      code: 'configuration_not_writable',
    });
    expect([readFileSync(path, 'utf8'), modeOf(path), readdirSync(directory)]).toEqual([
      text,
      '444',
      ['config.json'],
    ]);
  });
});

describe('a file that is written', () => {
  it('is not written through a link', async () => {
    const { directory, store } = newFile();
    const folder = join(directory, 'linked');
    mkdirSync(folder);
    symlinkSync(store.path, join(folder, 'config.json'));
    const linked = createProfileStore(createPrivateDirectory(folder, () => undefined));
    const reason = `it is a link to ${store.path}, and links are not written through`;
    await expect(linked.update(() => ({ profiles: {} }))).rejects.toEqual(
      refusal('configuration_not_writable', linked.path, reason),
    );
    expect([lstatSync(linked.path).isSymbolicLink(), await store.read()]).toEqual([true, configuration]);
  });

  it('is made private first', () => {
    const { path } = newFile(0o644);
    checkBeforeWriting(path);
    expect(modeOf(path)).toBe('600');
  });

  it.runIf(isRoot)('does not belong to another user', () => {
    const { path } = newFile();
    chownSync(path, 1001, 1001);
    const refused = refusal('configuration_not_writable', path, 'it belongs to another user (1001)');
    expect(() => checkBeforeWriting(path)).toThrow(refused);
    expect(hintOf(() => checkBeforeWriting(path))).toBe(
      'Run the command as that user, or set MERCHANT_ORDERS_CONFIG_DIR to a directory of your own.',
    );
  });

  it.runIf(isRoot)('is not one that others can write, with the command that changes it', () => {
    const { directory, path } = newFile(0o666);
    chmodSync(directory, 0o755);
    expect(hintOf(() => checkBeforeWriting(path))).toBe(`Run: chmod 600 ${path}`);
    actAsNobody();
    expect(hintOf(() => checkBeforeWriting(path))).toBe(
      'Set MERCHANT_ORDERS_CONFIG_DIR to a directory of your own.',
    );
  });
});

describe('a directory', () => {
  it.each([
    [0o700, false],
    [0o755, false],
    [0o500, false],
    [0o770, true],
    [0o777, true],
    [0o1777, true],
  ])('of mode %o', async (mode, warns) => {
    const { directory, store, warnings } = newFile();
    chmodSync(directory, mode);
    expect([await store.read(), await store.read()]).toEqual([configuration, configuration]);
    const warning = `other users can write to ${directory} and could replace the files in it. Run: chmod 700 ${directory}`;
    expect(warnings).toEqual(warns ? [warning] : []);
  });

  it.runIf(isRoot)('that cannot be opened is reported when a file in it is needed', async () => {
    const { directory, store } = newFile();
    chmodSync(directory, 0o600);
    actAsNobody();
    await expect(store.read()).rejects.toMatchObject({ code: 'configuration_invalid' });
    await expect(store.update(() => configuration)).rejects.toMatchObject({
      code: 'configuration_not_writable',
    });
  });

  it.runIf(isRoot)('of another user is a warning, and one of root is none', () => {
    const { directory, warnings } = newFile();
    const check = () =>
      createPrivateDirectory(directory, (warning) => void warnings.push(textOf(warning))).check();
    chownSync(directory, 1001, 1001);
    check();
    expect(warnings).toEqual([
      `${directory} belongs to another user (1001), who could replace the files in it. ` +
        'Set MERCHANT_ORDERS_CONFIG_DIR to a directory of your own.',
    ]);
    chownSync(directory, 0, 0);
    chmodSync(directory, 0o755);
    actAsNobody();
    check();
    expect(warnings).toHaveLength(1);
    process.seteuid?.(0);
    chmodSync(directory, 0o777);
    actAsNobody();
    check();
    expect(warnings[1]).toBe(
      `other users can write to ${directory} and could replace the files in it. ` +
        'Set MERCHANT_ORDERS_CONFIG_DIR to a new directory inside it.',
    );
  });
});

describe('makePrivateDirectory', () => {
  it('creates the directory and its parents for the owner only', () => {
    const directory = newDirectory();
    clearUmask();
    makePrivateDirectory(join(directory, 'a/b'));
    expect([modeOf(join(directory, 'a')), modeOf(join(directory, 'a/b'))]).toEqual(['700', '700']);
  });

  it.each(['a', 'a/b', 'a/b/c'])('fails for %s where a is a file', (name) => {
    const directory = newDirectory();
    const path = join(directory, name);
    writeFileSync(join(directory, 'a'), 'kept');
    expect(() => makePrivateDirectory(path)).toThrow(
      expect.objectContaining({
        code: 'file_not_writable',
        message: `${path} cannot be written: a file has the name of its folder.`,
      }),
    );
    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('kept');
  });
});
