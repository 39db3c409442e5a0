import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CliError } from '../../errors.ts';
import type { Spill } from '../../system/spill.ts';
import type { System } from '../../system/system.ts';

export interface CsvSource extends Source {
  openSpill(): Spill;
}

/** Standard input and pipes are copied to a private file while `use` runs, so that they can be read more than once. */
export async function withSource<Result>(
  file: string,
  { stdin, files }: Pick<System, 'stdin' | 'files'>,
  use: (source: CsvSource) => Promise<Result>,
): Promise<Result> {
  const isReadOnce = file === '-' || (await files.isPipe(file));
  const stream = () => (file === '-' ? stdin : Readable.from(files.readChunks(file)));
  const spooled = isReadOnce ? await files.spool(stream()) : undefined;
  const spills: Spill[] = [];
  const openSpill = () => {
    const spill = files.openSpill();
    spills.push(spill);
    return spill;
  };
  try {
    const path = spooled?.path ?? file;
    const name = file === '-' ? 'Standard input' : file;
    return await use({ name, open: () => files.readChunks(path), openSpill });
  } finally {
    for (const spill of spills) spill.remove();
    await spooled?.remove();
  }
}

/** `name` is what errors call it. */
export interface Source {
  name: string;
  /** The bytes from the beginning, cut at the same places each time. */
  open(): AsyncIterable<Uint8Array>;
}

/** Throws `file_changed` before it passes on a chunk that differs from the first time, since it was not checked. */
export function rejectChanges({ name, open }: Source): Source {
  const hashes: string[] = [];
  let isComplete = false;
  return {
    name,
    open: async function* () {
      let count = 0;
      for await (const chunk of open()) {
        const hash = createHash('sha1').update(chunk).digest('base64');
        const isNew = count === hashes.length && !isComplete;
        if (isNew) hashes.push(hash);
        else if (hashes[count] !== hash) throw fileChanged(name);
        count += 1;
        yield chunk;
      }
      if (count < hashes.length) throw fileChanged(name);
      isComplete = true;
    },
  };
}

function fileChanged(name: string): CliError {
  return new CliError('file_changed', `${name} changed while it was read.`, {
    hint: 'Run the same command again when nothing writes to it any more.',
  });
}
