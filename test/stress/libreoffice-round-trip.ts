/**
 * Opens a rejects file in LibreOffice, saves it as CSV and as a workbook, and checks that import reads every cell as
 * before and that no formula ran. Needs `soffice`, and fails with a message when it is missing.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { sayInEnglish } from '../../src/advice/advice.ts';
import { readTable } from '../../src/import/read/read-table.ts';
import { createRejectsFormat } from '../../src/import/results/files.ts';
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
  const table = await readTable(
    { name: path, open: (first) => systemFiles.readChunks(path, first) },
    {},
    { forOrders: true },
  );
  const found: string[][] = [];
  for await (const rows of table.batches()) found.push(...rows.map((row) => row.cells.slice(0, 2)));
  return found;
}

try {
  const path = join(directory, 'orders.rejects.csv');
  const format = createRejectsFormat(
    {
      header: { row: 1, line: 1, cells: ['externalOrderId', 'x.note'] },
      above: [],
      delimiter: ',',
      isUnquoted: false,
    },
    sayInEnglish,
  );
  const rows = cells.map((cell, index) => ({
    row: index + 2,
    cells: [`A-${index}`, cell],
    code: '',
    error: '',
    fix: '',
  }));
  writeFileSync(path, [...format.head(), ...rows.map(format.row)].join(''));

  const before = await read(path);
  const saved = join(directory, 'saved');
  const convert = (filter: string) => {
    const { error, status, stderr } = spawnSync(
      'soffice',
      ['--headless', '--infilter=CSV:44,34,76,1', '--convert-to', filter, '--outdir', saved, path],
      { encoding: 'utf8', env: { ...process.env, HOME: directory } },
    );
    if (error !== undefined || status !== 0)
      throw new Error(`soffice did not run: ${error?.message ?? stderr}`);
  };
  // Text as shown, UTF-8, commas, quotes where needed; columns keep the types that LibreOffice chooses.
  convert('csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false');
  convert('xlsx');
  for (const name of ['orders.rejects.csv', 'orders.rejects.xlsx']) {
    const after = await read(join(saved, name));
    const changed = before.flatMap(([id, cell], index) => {
      const [otherId, other] = after[index] ?? [];
      return id === otherId && cell === other ? [] : [`${id}: ${cell} became ${other}`];
    });
    if (changed.length > 0 || before.length !== after.length) process.exitCode = 1;
    process.stdout.write(
      `${[`${name}: ${after.length} cells, ${changed.length} changed`, ...changed].join('\n')}\n`,
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
