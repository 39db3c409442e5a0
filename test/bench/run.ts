import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { dryRunRows } from './dry-run-rows.ts';
import { importRows } from './import-rows.ts';
import { describeMachine } from './measure.ts';
import { processRows } from './process-rows.ts';
import type { Bench, Result } from './row.ts';
import { serviceRows } from './service-rows.ts';

/*
 * What docs/performance.md reports: npm run bench -- [names of rows] [--rounds N] [--full] [--json FILE].
 * Each row runs our program and its floor in turns; its figure is the median of the ratios. Prints a Markdown table.
 */
const rows = [...processRows, ...importRows, ...dryRunRows, ...serviceRows];
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
console.log(`${describeMachine()}\n`);
console.log('| what | against | measured | goal | floor and ours |\n|---|---|---|---|---|');
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
  return `| ${[what, against, value, goal, details].join(' | ')} |`;
}
