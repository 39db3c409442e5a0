import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Product } from './sandbox/catalogue/product.ts';
import type { Sandbox, SandboxDescription } from './sandbox/sandbox.ts';
import { makePrivateDirectory, readTextFile } from './system/files.ts';
import { openDatabase } from './system/sqlite.ts';
import type { System } from './system/system.ts';

export interface SandboxStart {
  port?: number;
  /** A SQLite file or `:memory:`; the one of the configuration directory when absent. */
  databasePath?: string;
  /** A catalogue in CSV or JSON; the one that comes with the package when absent. */
  cataloguePath?: string;
  anySku?: boolean;
  latencyMilliseconds?: number;
}

/** The sandbox and its database, loaded only when one of these is called. */
export interface SandboxHost {
  databasePath: string;
  start(options: SandboxStart): Promise<Sandbox>;
  reset(databasePath?: string): Promise<void>;
  describe(databasePath?: string): Promise<SandboxDescription>;
}

export function createSandboxHost(system: System): SandboxHost {
  const databasePath = join(system.configDirectory, 'sandbox.db');
  const packagedCatalogue = fileURLToPath(new URL('fixtures/catalogue.csv', system.packageRoot));
  const open = async (path = databasePath) => {
    if (path === databasePath) await makePrivateDirectory(system.configDirectory);
    return openDatabase(path);
  };
  return {
    databasePath,
    start: async ({ port, databasePath: path, cataloguePath, anySku, latencyMilliseconds }) => {
      const { startSandbox, describeSandbox } = await import('./sandbox/sandbox.ts');
      const given = cataloguePath === undefined ? undefined : await readCatalogue(cataloguePath);
      const database = await open(path);
      const isNew = describeSandbox(database).products === 0;
      const catalogue = given ?? (isNew ? await readCatalogue(packagedCatalogue) : undefined);
      return startSandbox({
        database,
        ...(catalogue === undefined ? {} : { catalogue }),
        port: port ?? 0,
        anySku: anySku ?? false,
        latencyMs: latencyMilliseconds ?? 0,
        now: () => system.clock.now(),
        randomUuid: () => system.randomUuid(),
      });
    },
    reset: async (path) => {
      const { resetSandbox } = await import('./sandbox/sandbox.ts');
      const database = await open(path);
      try {
        resetSandbox(database, () => system.randomUuid());
      } finally {
        database.close();
      }
    },
    describe: async (path) => {
      const { describeSandbox } = await import('./sandbox/sandbox.ts');
      const database = await open(path);
      try {
        return describeSandbox(database);
      } finally {
        database.close();
      }
    },
  };
}

async function readCatalogue(path: string): Promise<Product[]> {
  const { parseCatalogue } = await import('./sandbox/catalogue.ts');
  return parseCatalogue(await readTextFile(path), path);
}
