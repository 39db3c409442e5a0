/**
 * Opens a rejects file in LibreOffice, saves it as CSV again, and checks that import reads every cell as before and
 * that no formula ran. Needs `soffice`, and fails with a message when it is missing.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createRejectsFormat } from '../../src/import/results/files.ts';
import { readTable } from '../../src/import/table/read-table.ts';
import { systemFiles } from '../../src/system/files.ts';

const cells = [
  ...[
    '0012',
    '+97699112233',
    '9.91E+07',
    '1234567890123456',
    '=1+1',
    '=HYPERLINK("http://127.0.0.1")',
    '-5',
    '@SUM(1)',
  ],
  ...[
    "'quoted",
    "''twice",
    'Өргөө, 5',
    'two\nlines',
    'say "hi"',
    '2030-01-05',
    '01/02/2030',
    '1,250.50',
    'TRUE',
    '1-2',
    '25000.50',
    '10.0',
    '12:30',
    '5%',
    '2026.11.25',
    '3/4',
    '5 Mar',
    '12 хороо',
    '99112233',
  ],
];
const directory = mkdtempSync(join(tmpdir(), 'libreoffice-round-trip-'));

async function read(path: string): Promise<string[][]> {
  const table = await readTable({ name: path, open: () => systemFiles.readChunks(path) }, {});
  const found: string[][] = [];
  for await (const rows of table.batches()) found.push(...rows.map((row) => row.cells.slice(0, 2)));
  return found;
}

try {
  const path = join(directory, 'orders.rejects.csv');
  const format = createRejectsFormat({
    header: ['externalOrderId', 'x.note'],
    above: [],
    delimiter: ',',
    isUnquoted: false,
  });
  const rows = cells.map((cell, index) => ({
    row: index + 2,
    cells: [`A-${index}`, cell],
    code: '',
    error: '',
    fix: '',
  }));
  writeFileSync(path, format.head() + rows.map(format.row).join(''));

  // Text as shown, UTF-8, commas, quotes where needed; columns keep the types that LibreOffice chooses.
  const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false';
  const saved = join(directory, 'saved');
  const { error, status, stderr } = spawnSync(
    'soffice',
    ['--headless', '--infilter=CSV:44,34,76,1', '--convert-to', filter, '--outdir', saved, path],
    { encoding: 'utf8', env: { ...process.env, HOME: directory } },
  );
  if (error !== undefined || status !== 0)
    throw new Error(`soffice did not run: ${error?.message ?? stderr}`);

  const [before, after] = [await read(path), await read(join(saved, 'orders.rejects.csv'))];
  const changed = before.flatMap(([id, cell], index) => {
    const [otherId, other] = after[index] ?? [];
    return id === otherId && cell === other ? [] : [`${id}: ${cell} became ${other}`];
  });
  process.exitCode = changed.length === 0 && before.length === after.length ? 0 : 1;
  process.stdout.write(
    `${before.length} cells, ${changed.length} changed by LibreOffice\n${changed.join('\n')}\n`,
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
