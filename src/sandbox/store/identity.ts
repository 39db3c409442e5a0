import type { Database } from '../../system/sqlite.ts';

/** Where a sandbox is served to other programs, and the name of its behaviour. */
export interface Serving {
  baseUrl: string;
  behaviour: string;
}

/** The UUID of the data, which does not depend on port or process, and the address where it is served. */
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
    /** The last address; it may have stopped since. */
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
