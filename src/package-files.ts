import { readdirSync, readFileSync } from 'node:fs';

export type PackageFiles = ReturnType<typeof packageFilesIn>;

/** What comes with the program, by the paths in its package. */
export function packageFilesIn(root: URL) {
  return {
    readText: (path: string) => readFileSync(new URL(path, root), 'utf8'),
    /** The names of what is in a folder, sorted. */
    list: (folder: string) => readdirSync(new URL(folder, root)).sort(),
  };
}

export function readVersion({ readText }: PackageFiles): string {
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  return version;
}
