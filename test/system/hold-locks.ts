import process from 'node:process';
import { createRunLocks } from '../../src/system/sqlite.ts';

// Takes the locks of runs, one for each message, in the folder of the first argument, until it is killed or told to let go.
const [, , directory = ''] = process.argv;
const locks = await createRunLocks(directory);
process.on('message', (run: string) => {
  if (run === 'release') locks.release();
  else locks.take(run);
  process.send?.(run);
});
process.send?.('ready');
