import { dirname } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { importsOf, readSources, type Sources } from './sources.ts';

/** Small files with one importer, which is beside them, and why each stays a file of its own. */
const smallFiles: Record<string, string> = {
  'src/commands/completion/scripts.ts': 'It is in the languages of the shells.',
  'src/system/configuration-shape.ts': 'Loaded only with a file, because zod takes long to load.',
  'src/system/machine.ts': 'What the machine offers is looked up by itself.',
  'src/system/prompts/inquirer.ts': 'Loaded only to ask, because @inquirer/prompts takes long to load.',
};

const maxFilesInFolder = 15;
const maxLines = 600;
/** A file with fewer lines belongs in its only importer when that is beside it. */
const minPrivateLines = 80;

function linesOf(source: string): number {
  return source.split('\n').length - 1;
}

function wrongSizes(sources: Sources): string[] {
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  for (const [path, source] of sources) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    if (linesOf(source) > maxLines) wrong.push(`${path} has ${linesOf(source)} lines`);
    if (/\b(?:utils?|helpers?|common|shared|misc)\b/.test(path)) wrong.push(`${path} could hold anything`);
  }
  for (const [folder, count] of counts) {
    if (count > maxFilesInFolder) wrong.push(`${folder} has ${count} files`);
  }
  return wrong;
}

/** Small files whose only importer is beside them. */
function privateFiles(sources: Sources): string[] {
  const importers = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    for (const { target } of importsOf(path, source)) {
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return [...sources].flatMap(([path, source]) => {
    const [importer, ...others] = importers.get(path) ?? [];
    const isPrivate = importer !== undefined && others.length === 0 && dirname(importer) === dirname(path);
    return isPrivate && dirname(path) !== 'src' && linesOf(source) < minPrivateLines ? [path] : [];
  });
}

describe('the files of src', () => {
  const sources = readSources('src');

  it(`have at most ${maxLines} lines, are at most ${maxFilesInFolder} in a folder, and have a subject`, () => {
    expect(wrongSizes(sources)).toEqual([]);
  });

  it('are part of their only importer where they are small and beside it, but for those with a reason', () => {
    expect(privateFiles(sources).sort()).toEqual(Object.keys(smallFiles).sort());
  });
});
