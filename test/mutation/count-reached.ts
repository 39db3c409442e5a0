import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, expect } from 'vitest';

// Which mutants each test file reaches, here and in the programs that it starts.
const reached = new Set<string>();
const name = (expect.getState().testPath ?? '').replace(/.*\/(?=test\/)/, '').replaceAll('/', '+');
const file = `${process.env.MUTANT_COUNTS}/${name}`;
process.env.MUTANT_COUNTS_FILE = file;
process.env.NODE_OPTIONS = `--import ${pathToFileURL('test/mutation/count-in-program.js').href}`;
Object.assign(globalThis, {
  mutantReached: (...keys: string[]) => keys.forEach((key) => void reached.add(key)),
});
afterAll(() => appendFileSync(file, `${[...reached].join('\n')}\n`));
