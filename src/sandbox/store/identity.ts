import type { Database } from '../../system/sqlite.ts';

/** The UUID that tells one sandbox's data from another's, whatever the port or the process, and where they are served. */
export function createIdentity(database: Database) {
  const select = database.prepare('SELECT identity FROM sandbox');
  const upsert = database.prepare(
    'INSERT INTO sandbox (one, identity) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET identity = excluded.identity',
  );
  const selectAddress = database.prepare('SELECT base_url AS baseUrl FROM serving');
  const upsertAddress = database.prepare(
    'INSERT INTO serving (one, base_url) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET base_url = excluded.base_url',
  );
  return {
    /** Where it was served last; whether it still is, only that address knows. */
    servedAt: (): string | undefined => (selectAddress.get() as { baseUrl: string } | undefined)?.baseUrl,
    serveAt(baseUrl: string): void {
      upsertAddress.run(baseUrl);
    },
    read: (): string => (select.get() as { identity: string }).identity,
    renew(identity: string): void {
      upsert.run(identity);
    },
  };
}
