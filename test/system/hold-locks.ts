import process from 'node:process';
import { createRunLocks } from '../../src/system/run-locks.ts';

// Takes the lock of the run in each message, in the folder of the first argument; `release` frees them, and `sweep`
// removes those of dead processes.
const [, , directory = ''] = process.argv;
const locks = await createRunLocks(directory, () => undefined);
process.on('message', (run: string) => {
  if (run === 'release') locks.release();
  else if (run === 'sweep') locks.removeUnused();
  else locks.take(run);
  process.send?.(run);
});
process.send?.('ready');
