import { CliError } from '../../errors.ts';
import type { Database } from '../../system/sqlite.ts';
import { migrate, type OlderVersion } from './migrate.ts';
import { seed } from './seed.ts';
import { accountTables, keyTable, orderTables, recordTables } from './tables.ts';

const version = 3;

/** Makes and seeds the tables in a database that has none, or brings older ones up; several processes may try at once. */
export function prepareSchema(database: Database, randomUuid: () => string): void {
  if (storedVersion(database) === version) return;
  const prepare = database.transaction(() => {
    const found = storedVersion(database);
    if (found > version) throw newerDatabase();
    if (found === version) return;
    if (found === 0) {
      database.exec(accountTables + orderTables + keyTable + recordTables);
      seed(database, randomUuid);
    } else migrate(database, found as OlderVersion);
    database.exec(`PRAGMA user_version = ${version}`);
  });
  prepare.immediate();
}

function storedVersion(database: Database): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

function newerDatabase(): CliError {
  return new CliError('configuration_invalid', 'The sandbox database was made by a newer merchant-orders.', {
    hint: 'Update merchant-orders, or give another database with --db FILE.',
  });
}
