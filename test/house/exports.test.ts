import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { importsOf, readSources, roomOf, type Sources } from './sources.ts';

/** What is exported for the packed program, and for the test suites that use the packed library. */
const entries = ['src/main.ts', 'src/library/sandbox.ts', 'src/library/types.ts'];
const listOfTypes = new URL('exported-types.txt', import.meta.url);

interface Export {
  path: string;
  name: string;
  isType: boolean;
}

function exportsOf(path: string, source: string): Export[] {
  const declared =
    /^export (?:async )?(?:abstract )?(function\*?|const|let|class|interface|type) (?:(\w+)|\{([^}]*)\})/gm;
  return Array.from(source.matchAll(declared), ([, kind = '', name, names = '']) =>
    (name === undefined ? (names.match(/\w+/g) ?? []) : [name]).map((one) => ({
      path,
      name: one,
      isType: kind === 'interface' || kind === 'type',
    })),
  ).flat();
}

/** Exports of src that no other file names which imports from there. */
function unusedExports(src: Sources, others: Sources): string[] {
  const used = new Set<string>();
  for (const [path, source] of [...src, ...others]) {
    for (const { target, names = source.match(/\w+/g) ?? [] } of importsOf(path, source)) {
      for (const name of names) used.add(`${target} ${name}`);
    }
  }
  return [...src]
    .filter(([path]) => !entries.includes(path))
    .flatMap(([path, source]) => exportsOf(path, source))
    .map(({ path, name }) => `${path} ${name}`)
    .filter((one) => !used.has(one));
}

function exportedTypes(src: Sources): string {
  const types = [...src].flatMap(([path, source]) => exportsOf(path, source).filter(({ isType }) => isType));
  const lines = types.map(({ path, name }) => `${roomOf(path)} ${name}\n`);
  return lines.sort().join('');
}

describe('the exports of src', () => {
  const src = readSources('src');

  it('are all imported', () => {
    expect(unusedExports(src, readSources('test'))).toEqual([]);
  });

  it('have the types of exported-types.txt, which UPDATE_TYPES=1 writes', () => {
    const types = exportedTypes(src);
    if (env.UPDATE_TYPES) writeFileSync(listOfTypes, types);
    expect(types).toBe(readFileSync(listOfTypes, 'utf8'));
  });
});
