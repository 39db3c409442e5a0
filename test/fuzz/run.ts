import process from 'node:process';
import { parseArgs } from 'node:util';
import { fuzz, targets } from './fuzz.ts';

/*
 * npm run fuzz -- [--minutes N] [--seed S] [--only TARGET] [--runs N] [--max LENGTH]: runs the program on long, deep,
 * wide, slow and damaged input of every kind, and exits with 1 when a run crashed, took too long or too much memory,
 * called itself a bug, showed the API key or misreported what the service did.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
    runs: { type: 'string' },
    max: { type: 'string', default: '3000000' },
  },
});
const wanted = targets.filter(({ name }) => values.only === undefined || values.only === name);
if (wanted.length === 0) throw new Error(`the targets are ${targets.map(({ name }) => name).join(', ')}`);
console.log(`seed ${values.seed}`);
const started = performance.now();
const figures = await fuzz({
  targets: wanted,
  seed: Number(values.seed),
  max: Number(values.max),
  ...(values.runs === undefined
    ? { milliseconds: Number(values.minutes) * 60_000 }
    : { runs: Number(values.runs) }),
  lanes: 3,
  onFinding: (line) => console.log(`${((performance.now() - started) / 1000).toFixed(0)} s ${line}`),
});
console.table(
  figures.map(({ target, runs, findings, known, longestMilliseconds, peakBytes, milliseconds }) => ({
    target,
    runs,
    findings: findings.length,
    known,
    'longest, s': Number((longestMilliseconds / 1000).toFixed(1)),
    seconds: Math.round(milliseconds / 1000),
    'memory, MiB': Math.round(peakBytes / 2 ** 20),
  })),
);
if (figures.some(({ findings }) => findings.length > 0)) process.exitCode = 1;
