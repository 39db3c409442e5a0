import { randomUUID } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import type { ZodType, z } from 'zod';
import { advice, again, command, shellCommand, type Text, t } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import type { configurationShape, mappingsShape, skusShape } from './configuration-shape.ts';
import { reasonOf } from './file-errors.ts';
import { mayBeHeld, replaceSeen, untilReplaced } from './files.ts';
import {
  checkBeforeWriting,
  makePrivateDirectory,
  needDirectory,
  ownNames,
  type PrivateDirectory,
  readPrivateFile,
} from './private-files.ts';

export type Configuration = z.infer<typeof configurationShape>;
export type Profile = Configuration['profiles'][string];
export type ProfileStore = JsonStore<Configuration>;

export function createProfileStore(directory: PrivateDirectory): ProfileStore {
  return createJsonStore<Configuration>(directory, {
    fileName: ownNames.configuration,
    empty: { profiles: {} },
    loadShape: async () => (await import('./configuration-shape.ts')).configurationShape,
    what: t`configuration file`,
    cure: t`run: ${command('login')}`,
    unchanged: t`The stored profiles are unchanged.`,
  });
}

export type StoredMappings = z.infer<typeof mappingsShape>;
export type StoredMapping = StoredMappings['mappings'][number];

export function createMappingStore(directory: PrivateDirectory) {
  return createJsonStore<StoredMappings>(directory, {
    fileName: ownNames.mappings,
    empty: { mappings: [] },
    loadShape: async () => (await import('./configuration-shape.ts')).mappingsShape,
    what: t`file of remembered mappings`,
    cure: t`add the mappings again; --map none imports without them`,
    unchanged: t`The remembered mappings are unchanged.`,
  });
}

type UsedSkus = z.infer<typeof skusShape>;
type UsedAt = UsedSkus['used'][number];
type Place = Pick<UsedAt, 'profile' | 'service'>;

const maxPaths = 20;

export function createSkuStore(directory: PrivateDirectory) {
  const store = createJsonStore<UsedSkus>(directory, {
    fileName: ownNames.skus,
    empty: { used: [] },
    loadShape: async () => (await import('./configuration-shape.ts')).skusShape,
    what: t`file of product codes`,
    cure: t`run the same command again.${again()}`,
    unchanged: t`The product codes that were used before are unchanged.`,
  });
  type Asked = { [Key in keyof Place]: string | undefined };
  const isAt = (place: Asked) => (used: Place) =>
    used.profile === place.profile && used.service === place.service;
  return {
    ...store,
    /** Error: `configuration_invalid`. */
    find: async (place: Asked) => (await store.read()).used.find(isAt(place)),
    /** Puts the place first. Errors: those of `update`. */
    change: ({ profile, service }: Place, change: (before: readonly string[]) => string[]) =>
      store.update(({ used }) => {
        const isSame = isAt({ profile, service });
        const changed = { profile, service, skus: change(used.find(isSame)?.skus ?? []) };
        return { used: [changed, ...used.filter((other) => !isSame(other))].slice(0, maxPaths) };
      }),
  };
}

interface JsonStore<Value> {
  /** Error: `configuration_invalid`. The file is left as it is. */
  read(): Promise<Value>;
  /**
   * Changes what is in the file now, also when other processes do so at the same time: `change` may run again. `seen` is
   * what this process has read first, or written since; a decision that was made from it may no longer hold. Errors:
   * `configuration_not_writable`, and that of `read`. The file then stays as it was.
   */
  update(change: (now: Value, seen: Value) => Value): Promise<void>;
  /** For messages; only the file name when there is no configuration directory. */
  readonly path: string;
}

interface JsonStoreOptions<Value> {
  fileName: string;
  empty: Value;
  loadShape(): Promise<ZodType>;
  what: Text;
  /** What to do after moving away a file that cannot be read. */
  cure: Text;
  unchanged: Text;
}

/** One JSON file of mode 0600 in a directory of mode 0700, whatever the umask. */
function createJsonStore<Value extends object>(
  directory: PrivateDirectory,
  { fileName, empty, loadShape, what, cure, unchanged }: JsonStoreOptions<Value>,
): JsonStore<Value> {
  const path = join(directory.path ?? '', fileName);

  const invalid = (reason: Text) =>
    new CliError('configuration_invalid', t`The ${what} ${path} cannot be read: ${reason}.`, {
      hint: t`It was left as it is. Fix it, or move it away and ${cure}`,
    });

  /** Only files of later releases have a version number. */
  const newer = (version: number) =>
    new CliError('configuration_invalid', t`The ${what} ${path} is of version ${version}, which is newer.`, {
      hint: t`It was left as it is. Update merchant-orders: ${shellCommand('npm install -g merchant-orders@latest')}`,
    });

  const readStamped = async (): Promise<{ value: Value; stamp: string }> => {
    if (directory.path === undefined) return { value: empty, stamp: '' };
    directory.check();
    try {
      const file = readPrivateFile(path, directory.warn);
      if (file === undefined) return { value: empty, stamp: '' };
      const shape = await loadShape();
      const stored = JSON.parse(file.text);
      const found = shape.safeParse(stored);
      if (found.success) return { value: found.data as Value, stamp: file.stamp };
      if (typeof stored?.version === 'number') throw newer(stored.version);
      const { problemOf } = await import('./configuration-shape.ts');
      throw invalid(problemOf(found.error));
    } catch (error) {
      if (error instanceof CliError) throw error;
      // The message of a SyntaxError quotes the file, which may hold a key.
      throw invalid(
        error instanceof SyntaxError ? t`it is not JSON` : reasonOf(error, t`its target does not exist`),
      );
    }
  };

  let seen: Value | undefined;
  const read = async (): Promise<Value> => {
    const { value } = await readStamped();
    seen ??= value;
    return value;
  };

  /** Whether the file was still the one with this stamp. */
  const replace = async (value: Value, stamp: string): Promise<boolean> => {
    // conf always adds .json to the name.
    const next = `${path}.tmp-${randomUUID()}.json`;
    try {
      (await openConf(next)).store = { ...value } as Record<string, unknown>;
      chmodSync(next, 0o600);
      // On a full disk conf leaves a truncated file and reports success.
      if (!holds(next, value)) throw Object.assign(new Error(), { code: 'ENOSPC' });
      const isReplaced = await replaceSeen(path, next, stamp).catch((error) => {
        throw mayBeHeld(error) ? new NotReplaced('', { cause: error }) : error;
      });
      if (!isReplaced) discard(next);
      return isReplaced;
    } catch (error) {
      throw failed(error, discard(next));
    }
  };

  const failed = (error: unknown, left: readonly string[] = []) =>
    error instanceof CliError
      ? error
      : notWritable(t`The ${what} ${path} could not be written`, unchanged, error, left);

  const update = async (change: (now: Value, seen: Value) => Value): Promise<void> => {
    makePrivateDirectory(needDirectory(directory.path));
    try {
      await untilReplaced(async () => {
        checkBeforeWriting(path);
        const { value, stamp } = await readStamped();
        const changed = change(structuredClone(value), seen ?? value);
        if (!(await replace(changed, stamp))) return undefined;
        seen = changed;
        return changed;
      });
    } catch (error) {
      throw failed(error);
    }
    removeUnfinished(path);
  };

  return { path, read, update };
}

function holds(path: string, value: object): boolean {
  try {
    return JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))) === JSON.stringify(value);
  } catch {
    return false;
  }
}

class NotReplaced extends Error {}

function notWritable(failed: Text, unchanged: Text, cause: unknown, left: readonly string[] = []): CliError {
  const isHeld = cause instanceof NotReplaced;
  const reason = isHeld
    ? t`another program has it open, or it is protected from changes`
    : reasonOf(cause, t`its folder does not exist`);
  const cure = isHeld
    ? t`Close it in other programs, such as an editor or a virus scanner`
    : t`Check the free space and who owns the folder`;
  return new CliError('configuration_not_writable', advice`${failed}: ${reason}.`, {
    hint:
      left.length === 0
        ? t`${unchanged} ${cure}, then try again.`
        : t`${unchanged} ${cure}, then try again. Delete what could not be removed: ${left}`,
    cause,
  });
}

/** Loaded only to write: the exit hooks of conf raise a signal again, so one Ctrl-C would count as two. */
async function openConf(path: string) {
  const { default: Conf } = await import('conf');
  return new Conf<Record<string, unknown>>({
    cwd: dirname(path),
    configName: parse(path).name,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
}

/** Removes a file and the temporary ones that conf wrote beside it. Returns those that could not be removed. */
function discard(file: string): string[] {
  const folder = dirname(file);
  const left: string[] = [];
  for (const name of namesIn(folder).filter((each) => each.startsWith(basename(file)))) {
    const path = join(folder, name);
    try {
      rmSync(path, { force: true });
    } catch {
      left.push(path);
    }
  }
  return left;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const longestWriteMilliseconds = 60_000;

function removeUnfinished(path: string): void {
  const directory = dirname(path);
  try {
    const startedBefore = statSync(path).mtimeMs - longestWriteMilliseconds;
    for (const name of readdirSync(directory)) {
      if (!name.startsWith(`${basename(path)}.tmp-`)) continue;
      const unfinished = join(directory, name);
      if (statSync(unfinished).mtimeMs < startedBefore) rmSync(unfinished);
    }
  } catch {
    // Only a clean-up: the file itself has been written.
  }
}
