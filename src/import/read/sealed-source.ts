import { createHash } from 'node:crypto';
import { CliError } from '../../errors.ts';

/** A file that can be read more than once; `name` is what errors call it. */
export interface Source {
  name: string;
  /** The bytes from the beginning, cut at the same places each time. */
  open(): AsyncIterable<Uint8Array>;
}

/**
 * The same source, held to what it was when it was read first: each chunk is compared with the hash it had then
 * before anything is made of it, so that nothing is sent that was not checked. Error: `file_changed`.
 */
export function sealSource({ name, open }: Source): Source {
  const hashes: string[] = [];
  let isComplete = false;
  return {
    name,
    open: async function* () {
      let count = 0;
      for await (const chunk of open()) {
        const hash = createHash('sha1').update(chunk).digest('base64');
        if (count < hashes.length || isComplete) {
          if (hashes[count] !== hash) throw fileChanged(name);
        } else hashes.push(hash);
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
