import type { Database } from '../../system/sqlite.ts';

/** How a sandbox is served to other programs. */
export interface Serving {
  baseUrl: string;
  /** The name of it. */
  behaviour: string;
}

/** The UUID that tells one sandbox's data from another's, whatever the port or the process, and where they are served. */
export function createIdentity(database: Database) {
  const select = database.prepare('SELECT identity FROM sandbox');
  const upsert = database.prepare(
    'INSERT INTO sandbox (one, identity) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET identity = excluded.identity',
  );
  const selectServing = database.prepare('SELECT base_url AS baseUrl, behaviour FROM serving');
  const upsertServing = database.prepare(`
    INSERT INTO serving (one, base_url, behaviour) VALUES (1, ?, ?)
    ON CONFLICT (one) DO UPDATE SET base_url = excluded.base_url, behaviour = excluded.behaviour
  `);
  return {
    /** Where it was served last; whether it still is, only that address knows. */
    lastServing: (): Serving | undefined => selectServing.get() as Serving | undefined,
    serve({ baseUrl, behaviour }: Serving): void {
      upsertServing.run(baseUrl, behaviour);
    },
    read: (): string => (select.get() as { identity: string }).identity,
    renew(identity: string): void {
      upsert.run(identity);
    },
  };
}
