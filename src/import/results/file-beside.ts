import { basename, dirname, extname, join } from 'node:path';
import type { Shard } from '../orders/select-orders.ts';

/** The default path of a file that an import writes: `orders.csv` → `orders.results.csv`; for standard input in the working directory. */
export function fileBeside(file: string, what: 'results' | 'rejects', shard?: Shard): string {
  const stem = file === '-' ? 'stdin' : join(dirname(file), basename(file, extname(file)));
  const part = shard === undefined ? '' : `.${shard.number}of${shard.count}`;
  return `${stem}${part}.${what}.csv`;
}
