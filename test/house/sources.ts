import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { packageRoot } from '../support/cli.ts';

/** The text of each file by its path in the project. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  target: string;
  kind: 'value' | 'type' | 'lazy';
  /** What is imported; undefined for a whole module. */
  names: readonly string[] | undefined;
}

export function readSources(folder: string): Sources {
  const names = readdirSync(new URL(folder, packageRoot), { recursive: true, encoding: 'utf8' });
  const paths = names
    .filter((name) => /\.(?:ts|js|mjs)$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, packageRoot), 'utf8')]));
}

export function importsOf(path: string, source: string): Import[] {
  const at = (target: string) => normalize(join(dirname(path), target));
  const eager = source.matchAll(/^(?:import|export) (type )?([^;]*?) from '(\.[^']+)';/gms);
  const lazy = source.matchAll(/(?:\{([^{}]*)\} = await )?\bimport\('(\.[^']+)'\)/g);
  return [
    ...Array.from(eager, ([, type, clause = '', target = '']): Import => {
      const names = clause.startsWith('{') ? (clause.match(/\w+/g) ?? []) : undefined;
      return { target: at(target), kind: type ? 'type' : 'value', names };
    }),
    ...Array.from(
      lazy,
      ([, clause, target = '']): Import => ({
        target: at(target),
        kind: 'lazy',
        names: clause?.match(/\w+/g) ?? undefined,
      }),
    ),
  ];
}

/** The room of a file: the folder or the file that is directly in src. */
export function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}
