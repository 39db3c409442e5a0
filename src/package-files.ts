import { readdirSync, readFileSync } from 'node:fs';

/** What comes with the program, by the paths in its package. */
export interface PackageFiles {
  readText(path: string): string;
  /** The names of what is in a folder, sorted. */
  list(folder: string): string[];
}

export function packageFilesIn(root: URL): PackageFiles {
  return {
    readText: (path) => readFileSync(new URL(path, root), 'utf8'),
    list: (folder) => readdirSync(new URL(folder, root)).sort(),
  };
}

export function readVersion({ readText }: PackageFiles): string {
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  return version;
}
