import type { Database } from '../../system/sqlite.ts';

interface Serving {
  baseUrl: string;
  behaviour: string;
}

/** Those that have stopped count too. */
const maxServings = 100;

/** A UUID for the data, whatever the port and process, and the addresses where it is served. */
export function createIdentity(database: Database) {
  const select = database.prepare('SELECT identity FROM sandbox');
  const upsert = database.prepare(
    'INSERT INTO sandbox (one, identity) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET identity = excluded.identity',
  );
  const selectServings = database.prepare(
    'SELECT base_url AS baseUrl, behaviour FROM serving ORDER BY id DESC',
  );
  const replaceServing = database.prepare(
    'INSERT OR REPLACE INTO serving (base_url, behaviour) VALUES (?, ?)',
  );
  const forgetServings = database.prepare(
    'DELETE FROM serving WHERE id NOT IN (SELECT id FROM serving ORDER BY id DESC LIMIT ?)',
  );
  return {
    /** Newest first; the sandboxes there may have stopped. */
    servings: (): Serving[] => selectServings.all() as Serving[],
    serve({ baseUrl, behaviour }: Serving): void {
      replaceServing.run(baseUrl, behaviour);
      forgetServings.run(maxServings);
    },
    read: (): string => (select.get() as { identity: string }).identity,
    renew(identity: string): void {
      upsert.run(identity);
    },
  };
}
