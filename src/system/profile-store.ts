import { chmodSync, copyFileSync, existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, parse } from 'node:path';
import { CliError } from '../errors.ts';
import { reasonOf } from './file-errors.ts';
import { makePrivateDirectory, ownNames } from './files.ts';
import { checkBeforeWriting, type PrivateDirectory, readPrivateFile } from './private-files.ts';

export interface Profile {
  baseUrl?: string;
  apiKey?: string;
  /** Field → the path as which it is sent, as the user confirmed or set it. */
  fields?: Record<string, string>;
}

export interface Configuration {
  currentProfile?: string;
  profiles: Record<string, Profile>;
}

export interface ProfileStore {
  /** Error: `configuration_invalid` for a file that cannot be read, which is left as it is. */
  read(): Promise<Configuration>;
  /** Error: `configuration_not_writable`; the previous configuration is then still there. */
  write(configuration: Configuration): Promise<void>;
  readonly path: string;
}

/** Profiles in one private file (`conf`), mode 0600 in a directory of mode 0700, whatever the umask. */
export function createProfileStore(directory: PrivateDirectory): ProfileStore {
  const path = join(directory.path, ownNames.configuration);

  const invalid = (reason: string) =>
    new CliError('configuration_invalid', `The configuration file ${path} cannot be read: ${reason}.`, {
      hint: 'It was left as it is. Fix it, or move it away and run: merchant-orders login',
    });

  const read = async (): Promise<Configuration> => {
    directory.check();
    try {
      const text = readPrivateFile(path, directory.warn);
      if (text === undefined) return { profiles: {} };
      const { configurationShape, problemOf } = await import('./configuration-shape.ts');
      const found = configurationShape.safeParse(JSON.parse(text));
      if (found.success) return found.data as Configuration;
      throw invalid(problemOf(found.error));
    } catch (error) {
      if (error instanceof CliError) throw error;
      // The text of the error shows a part of the file.
      throw invalid(
        error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error, 'its target does not exist'),
      );
    }
  };

  const write = async (configuration: Configuration): Promise<void> => {
    await makePrivateDirectory(directory.path);
    const backup = `${path}.previous`;
    let hasBackup = false;
    try {
      checkBeforeWriting(path);
      hasBackup = backUp(path, backup);
      (await openConf(directory.path)).store = { ...configuration };
      chmodSync(path, 0o600);
      // conf reports success on a full disk and leaves a torn file, so the file is read back.
      const written = JSON.parse(readFileSync(path, 'utf8')) as unknown;
      if (JSON.stringify(written) !== JSON.stringify(configuration))
        throw new Error('the file was not written completely');
    } catch (error) {
      if (hasBackup) {
        renameSync(backup, path);
        // Renaming one hard link of a file to another leaves both.
        rmSync(backup, { force: true });
      }
      if (error instanceof CliError) throw error;
      throw new CliError(
        'configuration_not_writable',
        `The configuration file ${path} could not be written.`,
        {
          hint: 'The stored profiles are unchanged. Check the free space and who owns the folder, then try again.',
          cause: error,
        },
      );
    }
    rmSync(backup, { force: true });
  };

  return { path, read, write };
}

/** Loaded only to write: conf adds exit hooks that raise a signal again, so one Ctrl-C would count as two. */
async function openConf(directory: string) {
  const { default: Conf } = await import('conf');
  return new Conf<Record<string, unknown>>({
    cwd: directory,
    configName: parse(ownNames.configuration).name,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
}

/** Returns whether there was a file to back up. A hard link needs no space on the disk, so restoring it cannot fail for that. */
function backUp(path: string, backup: string): boolean {
  rmSync(backup, { force: true });
  if (!existsSync(path)) return false;
  try {
    linkSync(path, backup);
  } catch {
    copyFileSync(path, backup);
  }
  return true;
}
