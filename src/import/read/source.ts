import { again, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import type { StartThread, System } from '../../system/system.ts';
import type { Spill } from '../../system/temporary-file.ts';

export interface CsvSource extends Source {
  openSpill(): Spill;
  /** Of the file before it was first read. */
  stamp: string;
  /** Error: `file_changed`, when the file is no longer as it was before it was first read. */
  checkUnchanged(): Promise<void>;
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
  const before = await files.stampOf(file);
  const checkUnchanged = async () => {
    if (spooled === undefined && (await files.stampOf(file)).stamp !== before.stamp) throw fileChanged(name);
  };
  try {
    const { bytes } = spooled ?? before;
    return await use({
      name,
      open: spooled?.open ?? ((first) => files.readChunks(file, first)),
      bytes,
      startThread: bytes < minBytesForThread ? undefined : startThread,
      openSpill,
      stamp: before.stamp,
      checkUnchanged,
    });
  } finally {
    for (const spill of spills) spill.remove();
    spooled?.remove();
  }
}

function fileChanged(name: string): CliError {
  return new CliError(
    'file_changed',
    t`${name} was changed, replaced or removed while it was imported. Nothing was sent.`,
    {
      hint: t`Run the same command again when no other program writes to it.${again()}`,
    },
  );
}

export interface Source {
  name: string;
  /** The bytes from one of its chunks on; they are cut at the same places each time. */
  open(firstChunk?: number): AsyncIterable<Uint8Array>;
  bytes?: number;
  /** For a file that is large enough to be read with a second thread. */
  startThread?: StartThread | undefined;
}
