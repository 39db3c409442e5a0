import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { cleanCell } from '../../../src/csv/read-csv.ts';
import { formatCsvRow } from '../../../src/csv/write-csv.ts';
import { parseCatalogue } from '../../../src/sandbox/inputs.ts';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { fixture } from '../../import/tables.ts';
import { type CliOptions, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

export const catalogue = parseCatalogue(readFileSync(fixture('catalogue.csv'), 'utf8'), 'catalogue.csv');

export type Cells = Record<string, string>;

/** Copies a fixture to a new folder, with a configuration directory for its imports. */
export function folderWith(source: string) {
  const directory = temporaryDirectory();
  const configDirectory = join(temporaryDirectory(), 'configuration');
  const path = (name: string) => join(directory, name);
  const name = source.replace(/^.*\//, '');
  copyFileSync(fixture(source), path(name));
  return {
    directory,
    configDirectory,
    path,
    csv: path(name),
    /** Writes a mapping file; returns the flags that read the file with it. */
    mapping: (mapping: object) => {
      writeFileSync(path('map.json'), JSON.stringify(mapping));
      return ['--map', path('map.json')];
    },
    results: path(name.replace('.csv', '.results.csv')),
    rejects: path(name.replace('.csv', '.rejects.csv')),
    files: () => readdirSync(directory).sort(),
    edit: (from: string, to: string) => {
      const before = readFileSync(path(name), 'utf8');
      expect(before).toContain(from);
      writeFileSync(path(name), before.replace(from, to));
    },
  };
}

/** Also starts a service with the catalogue of the fixtures. */
export async function start(source: string, options: Partial<SandboxOptions> = {}) {
  const folder = folderWith(source);
  const { sandbox, cli, env } = await startService({ catalogue, ...options });
  const { configDirectory, csv } = folder;
  const run = (args: string[], more: CliOptions = {}) => cli(args, { configDirectory, ...more });
  return {
    ...folder,
    sandbox,
    env,
    run,
    import: (args: string[] = [], more: CliOptions = {}) => run(['import', csv, ...args], more),
    /** All orders of the service. */
    listed: async (): Promise<(Cells & { items: Cells[] })[]> => {
      const { stdout } = await run(['list', '--all', '--format', 'ndjson']);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
  };
}

/** The rows of a CSV file, with its cells as an import reads them. */
export function rowsOf(path: string, delimiter = ','): Cells[] {
  return cellsOf(readFileSync(path), delimiter);
}

export function cellsOf(csv: string | Buffer, delimiter = ','): Cells[] {
  const rows: Cells[] = parse(csv, { columns: true, bom: true, delimiter });
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, cleanCell(cell)])),
  );
}

export function countBy(rows: Cells[], column: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row[column] ?? ''] = (counts[row[column] ?? ''] ?? 0) + 1;
  return counts;
}

/** Changes cells of a rejects file, by external order ID. */
export function fixRejects(path: string, fixes: Record<string, Cells>): void {
  const rows = rowsOf(path);
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => ({ ...row, ...fixes[`${row.externalOrderId}`] }));
  const text = [columns, ...lines.map((row: Cells) => columns.map((column) => row[column] ?? ''))];
  writeFileSync(path, `\uFEFF${text.map((cells) => `${formatCsvRow(cells)}\r\n`).join('')}`);
}

export const noOrders = {
  total: 0,
  created: 0,
  already_exists: 0,
  rejected: 0,
  invalid: 0,
  conflict: 0,
  unknown: 0,
  not_sent: 0,
};
export const sum = ({ total, ...counts }: Record<string, number>) => [
  total,
  Object.values(counts).reduce((sum, count) => sum + count, 0),
];
