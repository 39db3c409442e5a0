import type { Database } from '../../system/sqlite.ts';
import { createStatements } from './statements.ts';

/** A UUID for the data, whatever the port and process, and the addresses where it is served. */
export function createIdentity(database: Database) {
  const { change, value, all } = createStatements(database);
  const select = value<[], string>('SELECT identity FROM sandbox');
  const serve = change<[baseUrl: string, behaviour: string]>(
    'INSERT OR REPLACE INTO serving (base_url, behaviour) VALUES (?, ?)',
  );
  const forget = change<[]>(
    'DELETE FROM serving WHERE id NOT IN (SELECT id FROM serving ORDER BY id DESC LIMIT 100)',
  );
  return {
    /** Newest first; the sandboxes there may have stopped. */
    servings: all<[], { baseUrl: string; behaviour: string }>(
      'SELECT base_url AS baseUrl, behaviour FROM serving ORDER BY id DESC',
    ),
    serve(baseUrl: string, behaviour: string): void {
      serve(baseUrl, behaviour);
      forget();
    },
    // Without its arguments: node:sqlite refuses a value that the statement has no place for.
    read: () => select() as string,
    renew: change<[identity: string]>('INSERT OR REPLACE INTO sandbox (one, identity) VALUES (1, ?)'),
  };
}
