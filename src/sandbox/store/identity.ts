import type { Database } from '../../system/sqlite.ts';

/** The UUID that tells one sandbox's data from another's, whatever the port or the process. */
export function createIdentity(database: Database) {
  const select = database.prepare('SELECT identity FROM sandbox');
  const upsert = database.prepare(
    'INSERT INTO sandbox (one, identity) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET identity = excluded.identity',
  );
  return {
    read: (): string => (select.get() as { identity: string }).identity,
    renew(identity: string): void {
      upsert.run(identity);
    },
  };
}
