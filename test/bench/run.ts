import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { describeMachine } from './measure.ts';
import { type Bench, type Result, rows } from './rows.ts';

/*
 * What docs/performance.md reports: npm run bench -- [names of rows] [--rounds N] [--full] [--json FILE].
 * Each row runs our program and its floor in turns and prints the median of the ratios.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    full: { type: 'boolean', default: false },
    json: { type: 'string', default: 'bench.json' },
  },
});
const unknown = positionals.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no row ${unknown.join(', ')}. The rows are: ${rows.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const bench: Bench = { folder, rounds: Number(values.rounds), isFull: values.full };
const results: (Result & { name: string })[] = [];
console.log(describeMachine());
try {
  for (const { name, measure } of rows) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    for (const result of await measure(bench)) {
      results.push({ name, ...result });
      console.log(format(result));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ machine: describeMachine(), results }, undefined, 2)}\n`);
}

function format({ what, against, value, goal, details }: Result): string {
  const figures = [what.padEnd(46), value.padEnd(9), `goal ${goal}`.padEnd(14), `against ${against}`];
  return `${figures.join('  ')}\n    ${details}`;
}
