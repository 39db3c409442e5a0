import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from './errors.ts';
import type { Behaviour } from './sandbox/behaviour/schema.ts';
import type { Sandbox, SandboxDescription, SandboxOptions } from './sandbox/sandbox.ts';
import type { Product } from './sandbox/store/products.ts';
import { makePrivateDirectory, ownNames } from './system/files.ts';
import { type Database, openDatabase } from './system/sqlite.ts';
import type { System } from './system/system.ts';

export interface SandboxStart
  extends Omit<SandboxOptions, 'database' | 'catalogue' | 'behaviour' | 'now' | 'randomUuid'> {
  /** A SQLite file or `:memory:`; the one of the configuration directory when absent. */
  databasePath?: string;
  /** A catalogue in CSV or JSON; the one that comes with the package when absent. */
  cataloguePath?: string;
  /** A behaviour file, or the name of one that comes with the package. */
  behaviour?: string;
}

/** The sandbox and its database, loaded only when one of these is called. */
export interface SandboxHost {
  databasePath: string;
  start(options: SandboxStart): Promise<Sandbox>;
  /** Deletes orders and customers; `everything` also removes added keys, and restores the catalogue of the package. */
  reset(databasePath: string | undefined, what: { everything: boolean }): Promise<void>;
  describe(databasePath?: string): Promise<SandboxDescription>;
  /** The behaviours that come with the package, by name. */
  behaviours(): Promise<{ name: string; description: string }[]>;
}

export function createSandboxHost(system: System): SandboxHost {
  const databasePath = join(system.configDirectory, ownNames.sandbox);
  const readText = (path: string) => system.files.readText(path, system.interruption.stopping);
  const packagedCatalogue = fileURLToPath(new URL('fixtures/catalogue.csv', system.packageRoot));
  /** Opens the database and checks that it can be read. Error: `configuration_invalid`. */
  const open = async (path = databasePath): Promise<Database> => {
    if (path === databasePath) await makePrivateDirectory(system.configDirectory);
    try {
      const { sandboxSchema } = await import('./sandbox/sandbox.ts');
      const database = await openDatabase(path, sandboxSchema(system.randomUuid));
      database.prepare('SELECT count(*) FROM sqlite_master').get();
      return database;
    } catch (error) {
      if (error instanceof CliError) throw error;
      const reason = (error as Error).message;
      throw new CliError('configuration_invalid', `The sandbox database ${path} cannot be used: ${reason}.`, {
        hint: 'It only has orders of rehearsals: move it away and run the same command again.',
        cause: error,
      });
    }
  };
  const openExisting = async (path?: string): Promise<Database> => {
    if (path === undefined || existsSync(path)) return open(path);
    throw new CliError('file_not_readable', `There is no sandbox database ${path}.`, {
      hint: `Check the name, or create it with: merchant-orders sandbox start --db ${path}`,
    });
  };
  return {
    databasePath,
    start: async ({ databasePath: path, cataloguePath, behaviour: named, ...options }) => {
      const { startSandbox, lacksCatalogue } = await import('./sandbox/sandbox.ts');
      const behaviour =
        named === undefined ? undefined : await readBehaviour(named, system.packageRoot, readText);
      const given = cataloguePath === undefined ? undefined : await readCatalogue(cataloguePath, readText);
      const database = await open(path);
      const catalogue =
        given ?? (lacksCatalogue(database) ? await readCatalogue(packagedCatalogue, readText) : undefined);
      return startSandbox({
        ...options,
        database,
        ...(catalogue === undefined ? {} : { catalogue }),
        ...(behaviour === undefined ? {} : { behaviour }),
        now: () => system.clock.now(),
        randomUuid: () => system.randomUuid(),
      });
    },
    reset: async (path, { everything }) => {
      const { resetSandbox } = await import('./sandbox/sandbox.ts');
      const catalogue = everything ? await readCatalogue(packagedCatalogue, readText) : undefined;
      const database = await openExisting(path);
      try {
        const randomUuid = () => system.randomUuid();
        resetSandbox(database, randomUuid, catalogue && { everything: { catalogue } });
      } finally {
        database.close();
      }
    },
    describe: async (path) => {
      const { describeSandbox } = await import('./sandbox/sandbox.ts');
      const database = await openExisting(path);
      try {
        return await describeSandbox(database);
      } finally {
        database.close();
      }
    },
    behaviours: async () => {
      const folder = behavioursFolder(system.packageRoot);
      const names = (await readdir(folder)).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? []);
      const describe = async (name: string) => {
        const { description = '' } = JSON.parse(await readText(join(folder, `${name}.json`))) as Behaviour;
        return { name, description };
      };
      return Promise.all(names.sort().map(describe));
    },
  };
}

function behavioursFolder(packageRoot: URL): string {
  return fileURLToPath(new URL('fixtures/behaviours/', packageRoot));
}

type ReadText = (path: string) => Promise<string>;

async function readBehaviour(nameOrPath: string, packageRoot: URL, readText: ReadText): Promise<Behaviour> {
  const { parseBehaviourFile, findPackaged } = await import('./sandbox/behaviour/parse.ts');
  const folder = behavioursFolder(packageRoot);
  const packaged = await findPackaged(nameOrPath, () => readdir(folder));
  const path = packaged === undefined ? nameOrPath : join(folder, packaged);
  return parseBehaviourFile(await readText(path), path);
}

async function readCatalogue(path: string, readText: ReadText): Promise<Product[]> {
  const { parseCatalogue } = await import('./sandbox/catalogue.ts');
  return parseCatalogue(await readText(path), path);
}
