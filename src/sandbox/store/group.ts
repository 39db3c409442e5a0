import type { Database } from '../../system/sqlite.ts';

interface Waiting {
  work(): unknown;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

/**
 * Writes of requests that came at the same time, in one transaction: each all or nothing by itself, and none
 * resolved before all are committed.
 */
export function createGroup(database: Database) {
  let waiting: Waiting[] = [];

  function writeAll(group: readonly Waiting[]): (() => void)[] {
    return group.map(({ work, resolve, reject }) => {
      database.exec('SAVEPOINT request');
      try {
        const value = work();
        database.exec('RELEASE request');
        return () => resolve(value);
      } catch (error) {
        database.exec('ROLLBACK TO request; RELEASE request');
        return () => reject(error);
      }
    });
  }

  const commit = database.transaction(writeAll).immediate;

  function flush(): void {
    const group = waiting;
    waiting = [];
    try {
      for (const settle of commit(group)) settle();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return <T>(work: () => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ work, resolve: resolve as Waiting['resolve'], reject });
    });
}
