import { createHash } from 'node:crypto';
import { advice, again } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import type { StartThread, System } from '../../system/system.ts';
import type { Spill } from '../../system/temporary-file.ts';

export interface CsvSource extends Source {
  openSpill(): Spill;
}

type SourceSystem = Pick<System, 'stdin' | 'files' | 'interruption' | 'startThread'>;

/** For smaller files, starting a second thread takes longer than it saves. */
const minBytesForThread = 4 * 1024 * 1024;

/** Standard input and pipes are copied to a private file, so that they can be read more than once. */
export async function withSource<Result>(
  file: string,
  { stdin, files, interruption, startThread }: SourceSystem,
  use: (source: CsvSource) => Promise<Result>,
): Promise<Result> {
  const name = file === '-' ? 'Standard input' : file;
  const stream = file === '-' ? stdin : await files.openPipe(file, interruption.stopping);
  const spooled = stream && (await files.spool(stream, name));
  const spills: Spill[] = [];
  const openSpill = () => {
    const spill = files.openSpill();
    spills.push(spill);
    return spill;
  };
  try {
    const bytes = spooled?.bytes ?? (await files.sizeOf(file));
    return await use({
      name,
      open: spooled?.open ?? ((first) => files.readChunks(file, first)),
      bytes,
      startThread: bytes < minBytesForThread ? undefined : startThread,
      openSpill,
    });
  } finally {
    for (const spill of spills) spill.remove();
    spooled?.remove();
  }
}

export interface Source {
  name: string;
  /** The bytes from one of its chunks on; they are cut at the same places each time. */
  open(firstChunk?: number): AsyncIterable<Uint8Array>;
  bytes?: number;
  /** For a file that is large enough to be read with a second thread. */
  startThread?: StartThread | undefined;
}

/** Throws `file_changed` before it passes on a chunk that differs from the first time and so is unchecked. */
export function rejectChanges({ open, ...source }: Source): Source {
  const { name } = source;
  const hashes: string[] = [];
  let isComplete = false;
  return {
    ...source,
    open: async function* (firstChunk = 0) {
      let count = firstChunk;
      for await (const chunk of open(firstChunk)) {
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
    hint: advice`Run the same command again when no other program writes to it.${again()}`,
  });
}
