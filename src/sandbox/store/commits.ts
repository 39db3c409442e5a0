import type { Database } from '../../system/sqlite.ts';

export type Commits = { externalOrderId: string | null; commits: number };

export function createCommits(database: Database) {
  const select = database.prepare(`
    SELECT external_order_id AS externalOrderId, COUNT(*) AS commits
    FROM orders GROUP BY client_id, external_order_id ORDER BY MIN(sequence)
  `);
  return (): Commits[] => select.all() as Commits[];
}
