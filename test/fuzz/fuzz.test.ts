import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { canaryKey, type FuzzCase, type RunResult } from './case.ts';
import { fuzz, targets } from './fuzz.ts';
import { judge, showsKey } from './oracle.ts';

/** Another one: FUZZ_SEED=2 npm test */
const seed = Number(process.env.FUZZ_SEED ?? 1);

describe('odd input of every kind', () => {
  it(`crashes nothing, and shows no key (seed ${seed})`, async () => {
    const figures = await fuzz({ targets, seed, max: 10_000, runs: 5, lanes: 2 });
    expect(figures.flatMap(({ findings }) => findings)).toEqual([]);
    expect(figures.map(({ target, runs }) => [target, runs])).toEqual(targets.map(({ name }) => [name, 5]));
    // Most of the runs wait for something, and a busy machine is no reason to fail.
  }, 300_000);
});

describe('a run', () => {
  const fuzzCase: FuzzCase = { args: ['create', '--json'], isSpawned: false, created: 'UB-1' };
  const good: RunResult = {
    stdout: '{"id":"1"}\n',
    stderr: 'Created 1.\n',
    exitCode: 0,
    signal: null,
    milliseconds: 10,
    peakBytes: 1000,
    wasInterrupted: false,
    commits: new Map([['UB-1', 1]]),
    wasDeceived: false,
    written: new Map(),
    leftBehind: [],
  };

  it('may end as documented', () => {
    expect(judge(fuzzCase, good)).toEqual([]);
    expect(judge(fuzzCase, { ...good, exitCode: 5, stdout: '', commits: new Map() })).toEqual([]);
    expect(judge(fuzzCase, { ...good, exitCode: 8, stdout: '' })).toEqual([]);
    const conflict = 'error: Order UB-1 already exists with other content.';
    expect(judge(fuzzCase, { ...good, exitCode: 5, stdout: '', stderr: conflict })).toEqual([]);
    expect(judge(fuzzCase, { ...good, exitCode: 130, stdout: '', wasInterrupted: true })).toEqual([]);
    expect(judge(fuzzCase, { ...good, commits: new Map(), wasDeceived: true })).toEqual([]);
  });

  it.each<[kind: string, result: Partial<RunResult>]>([
    ['crash', { exitCode: null, signal: 'SIGABRT' }],
    ['time', { exitCode: null, signal: 'SIGKILL', killedFor: 'time' }],
    ['memory', { exitCode: null, signal: 'SIGKILL', killedFor: 'memory' }],
    ['memory', { peakBytes: 2 ** 30 }],
    ['bug', { exitCode: 1 }],
    ['stack', { stderr: 'x\n    at run (file:///a/dist/main.js:1:2)\n' }],
    ['stack', { stderr: 'RangeError: Maximum call stack size exceeded' }],
    ['exit code', { exitCode: 9 }],
    ['exit code', { exitCode: 130 }],
    ['output', { stdout: '{"id":' }],
    ['output', { stderr: 'a\u001b[2Jb' }],
    ['output', { stderr: 'a\u202eb' }],
    ['key', { stderr: `the key ${canaryKey}` }],
    ['key', { written: new Map([['/x/orders.results.csv', canaryKey]]) }],
    ['outcome', { commits: new Map() }],
    ['outcome', { exitCode: 5, stdout: '' }],
    ['outcome', { commits: new Map([['UB-1', 2]]) }],
    ['crash', { exitCode: null, signal: 'SIGSEGV' }],
    ['left behind', { leftBehind: ['merchant-orders-x'] }],
  ])('is found to be wrong: %s, %o', (kind, result) => {
    expect(judge(fuzzCase, { ...good, ...result }).map((finding) => finding.kind)).toEqual([kind]);
  });

  it.each([
    canaryKey,
    encodeURIComponent(canaryKey),
    JSON.stringify(`a${canaryKey}`).replace('/', '\\/'),
    ...['', 'a', 'ab', 'key:'].map((before) => Buffer.from(`${before}${canaryKey}:x`).toString('base64')),
    Buffer.from(`x${canaryKey}`).toString('base64url'),
    `${canaryKey.slice(0, 9)}\u200b${canaryKey.slice(9)}`,
  ])('shows the key as %s', (text) => {
    expect(showsKey(`before ${text} after`)).toBe(true);
    expect(showsKey(text.slice(0, 12))).toBe(false);
  });
});
