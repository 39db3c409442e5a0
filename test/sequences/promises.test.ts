import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatPromise, promisesOf } from '../stress/promises.ts';

const promised = { text: 'Nothing is lost', scripts: ['one.ts', 'two.ts'], tests: 'test/three.test.ts' };
const figures = { kills: 12, lost: 0 };

it('formats a promise with the figures of its scripts only', () => {
  const reports = new Map([
    [
      'one.ts',
      [
        { promise: 1, figures, isKept: true },
        { promise: 2, figures: { calls: 7 }, isKept: false },
      ],
    ],
    ['two.ts', [{ promise: 1, figures: { share: '0.97' }, isKept: true }]],
  ]);
  expect(formatPromise(1, promised, reports)).toEqual({
    line: '1. Nothing is lost: one.ts kills 12, lost 0; two.ts share 0.97; see test/three.test.ts',
    isKept: true,
  });
});

it('reports a promise as broken when one script does', () => {
  const reports = new Map([
    ['one.ts', [{ promise: 1, figures, isKept: true }]],
    ['two.ts', [{ promise: 1, figures: { lost: 3 }, isKept: false }]],
  ]);
  const { scripts, text } = promised;
  expect(formatPromise(1, { text, scripts }, reports)).toEqual({
    line: '1. BROKEN: Nothing is lost: one.ts kills 12, lost 0; two.ts failed: lost 3',
    isKept: false,
  });
});

it('reports a promise as broken when a script has no figures for it', () => {
  const reports = new Map([['one.ts', [{ promise: 2, figures, isKept: true }]]]);
  expect(formatPromise(1, { text: 'Nothing is lost', scripts: ['one.ts', 'two.ts'] }, reports)).toEqual({
    line: '1. BROKEN: Nothing is lost: one.ts shows nothing; two.ts shows nothing',
    isKept: false,
  });
});

it.each([false, true])(
  'has an existing script or test for each of the ten promises (full run: %j)',
  (isFull) => {
    const all = promisesOf(isFull);
    expect(all).toHaveLength(10);
    for (const { scripts, tests } of all) {
      const proof = [...scripts.map((script) => `test/stress/${script}`), ...(tests ? [tests] : [])];
      expect(proof).not.toEqual([]);
      expect(proof.filter((path) => !existsSync(path))).toEqual([]);
    }
  },
);
