import { appendFileSync } from 'node:fs';
import process from 'node:process';

const reached = new Set();
globalThis.mutantReached = (...keys) => {
  for (const key of keys) reached.add(key);
};
process.on('exit', () => appendFileSync(process.env.MUTANT_COUNTS_FILE, `${[...reached].join('\n')}\n`));
