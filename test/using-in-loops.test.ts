import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { packageRoot } from './support/cli.ts';

/**
 * How many `using` declarations stand in a loop of the same function. esbuild keeps the error of one round in a `var`,
 * so that a later round which succeeds throws it again.
 */
function countInLoops(source: string): number {
  let count = 0;
  const visit = (node: unknown, isInLoop: boolean): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, isInLoop);
    if (typeof node !== 'object' || node === null || !('type' in node)) return;
    const type = String(node.type);
    const isLoop = type.startsWith('For') || type.endsWith('WhileStatement');
    const isIn = type.includes('Function') ? false : isInLoop || isLoop;
    if (isIn && 'kind' in node && String(node.kind).endsWith('using')) count += 1;
    for (const child of Object.values(node)) visit(child, isIn);
  };
  visit(parseAst(source, { lang: 'ts' }), false);
  return count;
}

describe('a declaration with using', () => {
  it('is in no loop', () => {
    const folder = new URL('src/', packageRoot);
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    const sources = paths.map((path) => [path, readFileSync(new URL(path, folder), 'utf8')] as const);
    const found = sources.filter(([, source]) => /\busing \w+ =/.test(source) && countInLoops(source) > 0);
    expect(found.map(([path]) => path)).toEqual([]);
  });

  it.each([
    ['for (;;) { using a = f(); }', 1],
    ['async () => { while (x) { if (y) { await using a = f(); } } }', 1],
    ['for (const a of b) { c(() => { using d = f(); }); }', 0],
    ['using a = f(); for (;;) {}', 0],
  ])('is counted in %s', (source, count) => {
    expect(countInLoops(source)).toBe(count);
  });
});
