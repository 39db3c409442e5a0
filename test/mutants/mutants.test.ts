import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageRoot } from '../support/cli.ts';
import { applyMutant } from './mutant.ts';
import { mutants } from './mutants.ts';

test('the mutants have names of their own', () => {
  const names = mutants.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test('a mutant applies where its text stands once, however that is formatted', () => {
  const mutant = { name: 'm', promise: '', file: 'a.ts', find: 'f(a, b)', replace: 'g()', tests: [] };
  expect(applyMutant('x = f(\n  a,\n  b,\n);', mutant)).toBe('x = g();');
  expect(() => applyMutant('x = f(a, c);', mutant)).toThrow('stands 0 times in a.ts, not once: f(a, b)');
  expect(() => applyMutant('f(a, b); f(a,b);', mutant)).toThrow('stands 2 times in a.ts');
  expect(() => applyMutant('ff(a, b); f(a, bb);', mutant)).toThrow('stands 0 times in a.ts');
});

test.each(mutants)('$name applies to the source as it is now; otherwise redraw it', (mutant) => {
  const source = readFileSync(new URL(mutant.file, packageRoot), 'utf8');
  expect(applyMutant(source, mutant)).not.toBe(source);
  expect(mutant.tests.filter((path) => !existsSync(new URL(path, packageRoot)))).toEqual([]);
});
