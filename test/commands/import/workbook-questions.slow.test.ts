import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { runProgram } from '../../support/program.ts';
import { rowXml, sheetOf, workbookOf } from '../../support/workbook.ts';
import { type Keys, runAtTerminal } from './questions/terminal.ts';
import { rowsOf } from './setup.ts';

const header = ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode'];
const order = (id: string) => [id, '99112233', 'TEA-001', 'NONE'];
const longName = `${'Захиалга '.repeat(20)}2026`;

/** An import of a workbook with two sheets, of which one has hidden rows. */
function startImport() {
  const cwd = temporaryDirectory();
  const configDirectory = join(temporaryDirectory(), 'configuration');
  mkdirSync(configDirectory, { mode: 0o700 });
  const rows = [2, 3, 4, 5, 6, 7, 8, 9, 10].map((row) =>
    rowXml(row, order(`A-${row}`), row > 2 ? ' hidden="1"' : ''),
  );
  const sheets = [
    sheetOf([
      ['sku', 'name', 'price'],
      ['TEA-001', 'Tea', 8900],
    ]),
    { name: longName, xml: `<sheetData>${rowXml(1, header)}${rows.join('')}</sheetData>` },
  ];
  writeFileSync(join(cwd, 'orders.xlsx'), workbookOf({ sheets }));
  return {
    files: () => readdirSync(cwd).sort(),
    importWith: (answers: readonly Keys[]) =>
      runAtTerminal(['import', 'orders.xlsx', '--sandbox'], { configDirectory, cwd, answers }),
    results: () => rowsOf(join(cwd, 'orders.results.csv')),
    list: () => runProgram(['list', '--all', '--format', 'ndjson', '--sandbox'], { configDirectory }),
  };
}

const questionsOf = (frames: readonly string[][]) => frames.map((lines) => lines.join('\n'));

describe('at a terminal of 80 columns, the sheet and its hidden rows', () => {
  it.each<[answer: string, rows: string[]]>([
    ['no, leave them out', ['2']],
    ['yes, send their orders', ['2', '3', '4', '5', '6', '7', '8', '9', '10']],
  ])('are asked about: %s', async (answer, rows) => {
    const { importWith, results, list, files } = startImport();
    const { frames, screen, exitCode } = await importWith([{ pick: 'Захиалга' }, { pick: answer }, 'y']);
    expect({ exitCode, screen }).toMatchObject({ exitCode: 0 });
    const [sheet = '', hidden = '', ...others] = questionsOf(frames);
    expect(others).toHaveLength(1);
    expect(sheet).toContain('? Which sheet has the orders?');
    expect(hidden.replace(/\n {2}/g, ' ')).toContain(
      `8 rows of sheet "${longName}" are hidden (3, 4, 5, 6, 7, 8, ...). Read them too?`,
    );
    expect(frames.flatMap((lines) => lines.filter((line) => line.length > 80))).toEqual([]);
    expect(results().map(({ row, outcome }) => [row, outcome])).toEqual(rows.map((row) => [row, 'created']));
    expect((await list()).stdout.trimEnd().split('\n')).toHaveLength(rows.length);
    expect(files()).toEqual(['orders.results.csv', 'orders.xlsx']);
  });
});
