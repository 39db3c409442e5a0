import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { dryRunRows } from './dry-run-rows.ts';
import { importRows } from './import-rows.ts';
import { describeMachine } from './measure.ts';
import { processRows } from './process-rows.ts';
import type { Bench, Hold, Result } from './row.ts';
import { serviceRows } from './service-rows.ts';

/*
 * What docs/performance.md reports: npm run bench -- [names of rows] [--quick | --full] [--rounds N] [--json FILE].
 * Each row runs our program and its floor in turns; its figure is the median of the ratios. Prints a Markdown table, and
 * exits with 1 when a figure misses what it is held to by more than 15 %, which is what these machines do by themselves.
 */
const rows = [...processRows, ...importRows, ...dryRunRows, ...serviceRows];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
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
const size = values.quick ? 'quick' : values.full ? 'full' : 'usual';
const bench: Bench = { folder, rounds: Number(values.rounds ?? (values.quick ? 3 : 5)), size };
const results: (Result & { name: string })[] = [];
console.log(`${describeMachine()}\n`);
console.log('| what | against | measured | hold | floor and ours |\n|---|---|---|---|---|');
try {
  for (const { name, isQuick = false, measure } of rows) {
    if (positionals.length > 0 ? !positionals.includes(name) : values.quick && !isQuick) continue;
    for (const result of await measure(bench)) {
      results.push({ name, ...result });
      console.log(format(result));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ machine: describeMachine(), results }, undefined, 2)}\n`);
}

const missed = results.filter(misses);
const seconds = (performance.now() / 1000).toFixed(0);
console.log(`\n${results.length} figures in ${seconds} s, ${missed.length} missed by more than 15 %`);
for (const { what, against } of missed)
  console.log(`missed: ${what}${against === '' ? '' : `, against ${against}`}`);
if (missed.length > 0) process.exitCode = 1;

function misses({ figure, hold }: Result): boolean {
  if (hold === undefined || Number.isNaN(figure)) return false;
  return 'atMost' in hold ? figure > hold.atMost * 1.15 : figure < hold.atLeast / 1.15;
}

function format({ what, against, figure, unit, hold, details }: Result): string {
  const show = (value: number) => `${unit === ' MiB' ? Math.round(value) : value.toFixed(2)}${unit ?? ''}`;
  const measured = Number.isNaN(figure) ? 'missing' : show(figure);
  return `| ${[what, against, measured, hold === undefined ? '' : formatHold(hold, show), details].join(' | ')} |`;
}

function formatHold(hold: Hold, show: (value: number) => string): string {
  return 'atMost' in hold ? `<= ${show(hold.atMost)}` : `>= ${show(hold.atLeast)}`;
}
