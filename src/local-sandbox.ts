import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { advice, again, command } from './advice/advice.ts';
import { CliError, isDiskFull } from './errors.ts';
import type { SandboxOptions } from './sandbox/sandbox.ts';
import { makePrivateDirectory, needDirectory, ownNames } from './system/private-files.ts';
import { type Database, openDatabase } from './system/sqlite.ts';
import type { System } from './system/system.ts';

interface LocalSandboxOptions
  extends Omit<
    SandboxOptions,
    'database' | 'catalogue' | 'defaultCatalogue' | 'behaviour' | 'seed' | 'now' | 'randomUuid'
  > {
  /** A SQLite file or `:memory:`; by default in the configuration directory. */
  databasePath?: string | undefined;
  /** CSV or JSON; by default the catalogue of the package. */
  cataloguePath?: string | undefined;
  /** A JSON file of customers, products and orders. */
  seedPath?: string | undefined;
  /** A behaviour file, or the name of one that comes with the package. */
  behaviour?: string | undefined;
}

export function createLocalSandbox(system: System) {
  const { configDirectory } = system;
  const ownDatabase = () => join(needDirectory(configDirectory), ownNames.sandbox);
  const isOwn = (path: string) => configDirectory !== undefined && path === ownDatabase();
  const readText = (path: string) => system.files.readText(path, system.interruption.stopping);
  const open = async (path: string): Promise<Database> => {
    try {
      if (isOwn(path)) makePrivateDirectory(needDirectory(configDirectory));
      const { sandboxSchema } = await import('./sandbox/sandbox.ts');
      const database = await openDatabase(path, sandboxSchema(system.randomUuid));
      database.prepare('SELECT count(*) FROM sqlite_master').get();
      return database;
    } catch (error) {
      if (error instanceof CliError || isDiskFull(error)) throw error;
      const folder = dirname(path);
      if (path !== ':memory:' && !existsSync(folder)) {
        throw new CliError('file_not_writable', `There is no folder ${folder} for the sandbox database.`, {
          hint: 'Create it, or give another file with --db.',
          cause: error,
        });
      }
      const reason = (error as Error).message;
      throw new CliError('configuration_invalid', `The sandbox database ${path} cannot be used: ${reason}.`, {
        hint: advice`It contains only rehearsal orders: move it away, then run the same command again.${again()}`,
        cause: error,
      });
    }
  };
  const withExisting = <Result>(path = ownDatabase(), work: (database: Database) => Promise<Result>) =>
    namingFullDisk(path, async () => {
      if (!isOwn(path) && !existsSync(path)) {
        throw new CliError('file_not_readable', `There is no sandbox database ${path}.`, {
          hint: advice`Check the name, or create it with: ${command('sandbox', 'start', '--db', 'FILE')}`,
        });
      }
      const database = await open(path);
      try {
        return await work(database);
      } finally {
        database.close();
      }
    });
  return {
    /** Error: `configuration_invalid` without a configuration directory. */
    get databasePath() {
      return ownDatabase();
    },
    start: async ({
      databasePath: path = ownDatabase(),
      behaviour,
      cataloguePath,
      seedPath,
      ...options
    }: LocalSandboxOptions) => {
      const { startSandbox, readInputs, packagedCatalogue } = await import('./sandbox/sandbox.ts');
      const { packageFiles, clock } = system;
      const given = { behaviour, catalogue: cataloguePath, seed: seedPath };
      const inputs = await readInputs(given, { packageFiles, readText });
      return namingFullDisk(path, async () =>
        startSandbox({
          ...options,
          ...inputs,
          defaultCatalogue: () => packagedCatalogue(packageFiles),
          database: await open(path),
          now: () => clock.now(),
          randomUuid: () => system.randomUuid(),
        }),
      );
    },
    /** Deletes orders and customers; `everything` also removes added keys, and restores the catalogue of the package. */
    reset: async (path: string | undefined, { everything }: { everything: boolean }) => {
      const { resetSandbox, packagedCatalogue } = await import('./sandbox/sandbox.ts');
      const catalogue = everything ? packagedCatalogue(system.packageFiles) : undefined;
      await withExisting(path, async (database) => {
        const randomUuid = () => system.randomUuid();
        resetSandbox(database, randomUuid, catalogue && { everything: { catalogue } });
      });
    },
    describe: async (path?: string) => {
      const { describeSandbox } = await import('./sandbox/sandbox.ts');
      return withExisting(path, describeSandbox);
    },
    behaviours: async () => {
      const { packagedBehaviours } = await import('./sandbox/sandbox.ts');
      return packagedBehaviours(system.packageFiles);
    },
  };
}

/** Error: `file_not_writable` when the disk of the database is full. */
async function namingFullDisk<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new CliError(
      'file_not_writable',
      `The sandbox database ${path} cannot be written: the disk is full.`,
      { hint: advice`Free some space, then run the same command again.${again()}`, cause: error },
    );
  }
}
