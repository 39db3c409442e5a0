import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { promisesOf, tellPromise } from '../stress/promises.ts';

const promised = { says: 'Nothing is lost', scripts: ['one.ts', 'two.ts'], tests: 'test/three.test.ts' };
const figures = { kills: 12, lost: 0 };

it('a promise is told with the figures of all its scripts, and of no other promise', () => {
  const shown = new Map([
    [
      'one.ts',
      [
        { promise: 1, figures, isKept: true },
        { promise: 2, figures: { calls: 7 }, isKept: false },
      ],
    ],
    ['two.ts', [{ promise: 1, figures: { share: '0.97' }, isKept: true }]],
  ]);
  expect(tellPromise(1, promised, shown)).toEqual({
    line: '1. Nothing is lost: one.ts kills 12, lost 0; two.ts share 0.97; see npm test (test/three.test.ts)',
    isKept: true,
  });
});

it('a promise that one script shows broken is broken', () => {
  const shown = new Map([
    ['one.ts', [{ promise: 1, figures, isKept: true }]],
    ['two.ts', [{ promise: 1, figures: { lost: 3 }, isKept: false }]],
  ]);
  const { scripts, says } = promised;
  expect(tellPromise(1, { says, scripts }, shown)).toEqual({
    line: '1. BROKEN: Nothing is lost: one.ts kills 12, lost 0; two.ts failed: lost 3',
    isKept: false,
  });
});

it('a promise that a script ended without showing is broken', () => {
  const shown = new Map([['one.ts', [{ promise: 2, figures, isKept: true }]]]);
  expect(tellPromise(1, { says: 'Nothing is lost', scripts: ['one.ts', 'two.ts'] }, shown)).toEqual({
    line: '1. BROKEN: Nothing is lost: one.ts shows nothing; two.ts shows nothing',
    isKept: false,
  });
});

it.each([false, true])('each of the nine has something to show, which is there (in full: %j)', (isFull) => {
  const all = promisesOf(isFull);
  expect(all).toHaveLength(9);
  for (const { scripts, tests } of all) {
    const proof = [...scripts.map((script) => `test/stress/${script}`), ...(tests ? [tests] : [])];
    expect(proof).not.toEqual([]);
    expect(proof.filter((path) => !existsSync(path))).toEqual([]);
  }
});
