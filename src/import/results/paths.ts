import { basename, dirname, extname, join } from 'node:path';
import type { System } from '../../system/system.ts';
import type { Shard } from '../choices.ts';

export interface ImportFiles {
  results: string;
  rejects: string;
}

/** What the shell opened, such as `/dev/fd/63` for `<(zcat orders.csv.gz)`. */
const openedByShell = /^\/(?:dev|proc)\//;

const rejectsName = /^(.*\.rejects)(?:\.(\d{1,6}))?$/s;

/** `orders.csv` → `orders.results.csv`; in the working directory for standard input and what the shell opened. */
export function fileBeside(file: string, what: keyof ImportFiles, shard?: Shard): string {
  const part = shard === undefined ? '' : `.${shard.number}of${shard.count}`;
  const stem = stemOf(file);
  const [, rejects, number = '1'] = what === 'rejects' ? (rejectsName.exec(stem) ?? []) : [];
  // Another name: the rejects that were read may still have orders to send.
  if (rejects !== undefined) return `${rejects}.${Number(number) + 1}${part}.csv`;
  return `${stem}${part}.${what}.csv`;
}

export function stemOf(file: string): string {
  const isStream = file === '-' || openedByShell.test(file);
  const stem = isStream ? 'stdin' : join(dirname(file), basename(file, extname(file)));
  // `join` takes off the ./ that tells a file from a flag.
  return stem.startsWith('-') ? `./${stem}` : stem;
}

/** The file that writing to this path would replace, among those that are read and the configuration. */
export async function findOverwritten(
  path: string,
  read: readonly string[],
  { configDirectory, files }: Pick<System, 'configDirectory' | 'files'>,
): Promise<string | undefined> {
  for (const other of read) if (await files.isSameFile(path, other)) return other;
  return files.findOwnFile(path, configDirectory);
}
