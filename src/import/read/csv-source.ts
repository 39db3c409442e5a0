import { Readable } from 'node:stream';
import type { Spill } from '../../system/spill.ts';
import type { System } from '../../system/system.ts';
import type { Source } from './sealed-source.ts';

/** A CSV, and where its rows can be put aside for as long as it is read. */
export interface CsvSource extends Source {
  openSpill(): Spill;
}

/**
 * Hands the CSV to `use`, to be read as often as it likes; what can be read only once becomes a private file for
 * that long.
 */
export async function withSource<Result>(
  file: string,
  { stdin, files }: Pick<System, 'stdin' | 'files'>,
  use: (source: CsvSource) => Promise<Result>,
): Promise<Result> {
  const isOnce = file === '-' || (await files.isPipe(file));
  const stream = () => (file === '-' ? stdin : Readable.from(files.readChunks(file)));
  const spooled = isOnce ? await files.spool(stream()) : undefined;
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
