import { readdirSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutant.ts';

const folder = new URL('rooms/', import.meta.url);

/** Every mutant, named `room/name`. */
export const mutants: readonly Mutant[] = readdirSync(folder).flatMap((file) =>
  readFileSync(new URL(file, folder), 'utf8')
    .trimEnd()
    .split('\n\n')
    .map((text) => parseMutant(file.replace('.txt', ''), text)),
);

/** A name, and below it the promise, the file, the text (`-`), what stands in its place (`+`), and the tests. */
function parseMutant(room: string, text: string): Mutant {
  const [name, ...lines] = text.split('\n');
  const starting = (mark: string) =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const [promise = '', file = '', ...tests] = starting('  ').filter((line) => !line.startsWith('known: '));
  const [known] = starting('  known: ');
  return {
    name: `${room}/${name}`,
    promise,
    file,
    find: starting('- ').join('\n'),
    replace: starting('+ ').join('\n'),
    tests,
    ...(known === undefined ? {} : { known }),
  };
}
