import { describe, expect, it } from 'vitest';
import { applyChange, mutate } from './mutators.ts';
import { inOrderOf, type Mutant, withCounters } from './sample.ts';

const changed = (source: string) => mutate(source).map((change) => applyChange(source, change));

describe('mutate', () => {
  it.each([
    ['a < b', ['a <= b', 'a >= b']],
    ['a === b', ['a !== b']],
    ['a + b', ['a - b']],
    ['a && b', ['a || b']],
    ['a ?? b', ['a', 'b']],
    ['a ??= b', ['a = b']],
    ['!a', ['a']],
    ['i++', ['i--']],
    ['a ? b : c', ['true ? b : c', 'false ? b : c']],
    ['true', ['false']],
    ["'a'", ["''"]],
    ["''", ["'mutant'"]],
    ['`a\n`', ['``']],
    ['[a, b]', ['[]']],
    ['/^a+$/iu', ['/^a+$/u', '/^a+$/i', '/a+$/iu', '/^a+/iu']],
    ['a?.b', ['a.b']],
    ['a?.[b]', ['a[b]']],
    ['a?.()', ['a()']],
    ['a.some(b)', ['a.every(b)']],
    ['a.filter(b)', ['a']],
    ['a.slice(1, b)', ['a', 'a.slice(2, b)']],
    ['a.at(-1)', ['a.at(0)', 'a.at(1)']],
  ])('changes %s', (expression, expected) => {
    const [before, after] = ['const value = ', ';'];
    const expressions = changed(before + expression + after).map((source) =>
      source.slice(before.length, -after.length),
    );
    expect(expressions.sort()).toEqual(expected.toSorted());
  });

  it.each([
    ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
    ['while (a) b();', ['while (false) b();', 'while (a) ;']],
    ['for (const a of b) continue;', ['for (const a of b) ;']],
  ])('changes the statement %s', (statement, expected) => {
    expect(changed(statement).sort()).toEqual(expected.toSorted());
  });

  it.each([
    "import { a } from './a.ts';",
    "export { a } from './a.ts';",
    "type A = 'a' | true;",
    "const a = { 'b': c };",
    'const a = b as unknown;',
    'const a = b.toString();',
  ])('leaves %s as it is', (source) => {
    expect(changed(source)).toEqual([]);
  });
});

describe('a sample', () => {
  it('counts what is reached, before a statement and in a short function', () => {
    const source = 'const a = (b) => !b;\nfunction c(d) {\n  if (!d) return;\n}\nconst e = !a;';
    const mutants = mutate(source)
      .filter(({ start }) => source[start] === '!')
      .map((change, index) => ({ ...change, key: `k${index}` }));
    expect(withCounters(source, mutants as Mutant[])).toBe(
      [
        "const a = (b) => (globalThis.mutantReached?.('k0'), !b);",
        'function c(d) {',
        "  globalThis.mutantReached?.('k1', 'k2', 'k3');if (!d) return;",
        '}',
        'const e = !a;',
      ].join('\n'),
    );
  });

  it('is the same for the same seed, and stays so when others are added', () => {
    const mutants = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ({ key }) as Mutant);
    const order = (seed: string, from: Mutant[]) =>
      inOrderOf(seed, from)
        .map(({ key }) => key)
        .join('');
    expect(order('1', mutants.toReversed())).toBe(order('1', mutants));
    expect(order('1', mutants.slice(1))).toBe(order('1', mutants).replace('a', ''));
    expect(order('2', mutants)).not.toBe(order('1', mutants));
  });
});
