import { basename, dirname, extname, join } from 'node:path';
import type { Shard } from '../orders/select-orders.ts';

/** What an import writes beside its CSV: `orders.csv` → `orders.results.csv`; standard input has the working directory. */
export function fileBeside(file: string, what: 'results' | 'rejects', shard?: Shard): string {
  const stem = file === '-' ? 'stdin' : join(dirname(file), basename(file, extname(file)));
  const own = shard === undefined ? stem : `${stem}.${shard.number}of${shard.count}`;
  return `${own}.${what}.csv`;
}
