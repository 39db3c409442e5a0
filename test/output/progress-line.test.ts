import { expect, test } from 'vitest';
import { formatDuration, formatProgressLine } from '../../src/output/progress-line.ts';

test.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [59.5, '1 min 0 s'],
  [125, '2 min 5 s'],
  [3599, '59 min 59 s'],
  [4321, '1 h 12 min'],
  [360_000, '100 h 0 min'],
])('%d seconds read %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

const state = { total: 10, counts: { created: 10 }, perSecond: 2, pausedBy: undefined };

test.each([
  [state, '10/10 orders  created 10  2.0/s'],
  [{ ...state, counts: { created: 4, unknown: 1 } }, '5/10 orders  created 4, unknown 1  2.0/s  3 s left'],
  [{ ...state, counts: {}, perSecond: 0 }, '0/10 orders  0.0/s'],
  [{ ...state, counts: {}, perSecond: undefined }, '0/10 orders'],
  [{ ...state, pausedBy: 'no network' }, '10/10 orders  created 10  paused: no network'],
])('%j', (progress, line) => {
  expect(formatProgressLine(progress)).toBe(line);
});
