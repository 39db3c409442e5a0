import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatPromise, promises } from '../stress/promises.ts';

const figures = { kills: 12, lost: 0 };

it('reports a promise as broken when a script has no figures for it', () => {
  const reports = new Map([['one.ts', [{ promise: 2, figures, isKept: true }]]]);
  expect(formatPromise(1, { text: 'Nothing is lost', scripts: ['one.ts', 'two.ts'] }, reports)).toEqual({
    line: '1. BROKEN: Nothing is lost: one.ts shows nothing; two.ts shows nothing',
    isKept: false,
  });
});

it('each of the ten promises has an existing script or test', () => {
  expect(promises).toHaveLength(10);
  for (const { scripts, tests } of promises) {
    const proof = [...scripts.map((script) => `test/stress/${script}`), ...(tests ? [tests] : [])];
    expect(proof).not.toEqual([]);
    expect(proof.filter((path) => !existsSync(path))).toEqual([]);
  }
});
