import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageRoot } from '../support/cli.ts';
import { applyMutant } from './mutant.ts';
import { mutants } from './mutants.ts';

test('the mutants have names of their own', () => {
  const names = mutants.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test.each(mutants)('$name applies to the source as it is now; otherwise redraw it', (mutant) => {
  const source = readFileSync(new URL(mutant.file, packageRoot), 'utf8');
  expect(applyMutant(source, mutant)).not.toBe(source);
  expect(mutant.tests.filter((path) => !existsSync(new URL(path, packageRoot)))).toEqual([]);
});
