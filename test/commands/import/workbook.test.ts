import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CliOptions } from '../../support/cli.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { rowXml, type SheetParts, sheetOf, type WorkbookParts, workbookOf } from '../../support/workbook.ts';
import { catalogue, rowsOf } from './setup.ts';

const header = ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode', 'collectionAmount'];
const orders = sheetOf([
  header,
  ['A-1', 97_699_112_233, 'TEA-001', 'COLLECT', 45_000.5],
  ['A-2', '88112233', 'TEA-002', 'NONE', ''],
]);
const other = {
  ...sheetOf([
    ['x', 'y', 'z'],
    ['a', 'b', 1],
  ]),
  name: '\u202eNotes',
};

function folder(workbook: WorkbookParts, name = 'orders.xlsx') {
  const directory = temporaryDirectory();
  const file = `${directory}/${name}`;
  writeFileSync(file, workbookOf(workbook));
  return { file, path: (other: string) => `${directory}/${other}` };
}

async function start(workbook: WorkbookParts, name?: string) {
  const { cli } = await startService({ catalogue });
  const configDirectory = temporaryDirectory();
  const { file, path } = folder(workbook, name);
  const run = (args: string[], more: CliOptions = {}) => cli(args, { configDirectory, ...more });
  return {
    file,
    path,
    run,
    import: (args: string[] = [], more: CliOptions = {}) => run(['import', file, ...args], more),
    ids: async () => {
      const { stdout } = await run(['list', '--all', '--format', 'ndjson']);
      const lines = stdout.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line).externalOrderId).sort();
    },
  };
}

const dryRun = (sheets: SheetParts[], flags: string[] = [], options: CliOptions = {}) =>
  runCli(['import', folder({ sheets }).file, '--dry-run', ...flags], options);

describe('an import of a workbook', () => {
  it.each(['orders.xlsx', 'orders.xlsm', 'orders.csv'])('named %s sends its orders', async (name) => {
    const shop = await start({ sheets: [orders] }, name);
    const { stdout, stderr, exitCode } = await shop.import(['--yes']);
    expect([stdout, exitCode]).toEqual(['outcome\torders\ncreated\t2\ntotal\t2\n', 0]);
    expect(stderr).toContain('45000.5 is sent as 45000.50.\n');
    expect(
      rowsOf(shop.path('orders.results.csv')).map(({ row, external_order_id: id }) => [row, id]),
    ).toEqual([
      ['2', 'A-1'],
      ['3', 'A-2'],
    ]);
    expect(await shop.ids()).toEqual(['A-1', 'A-2']);
  });

  it('has rejects as CSV with the rows of the sheet, and a command that imports them', async () => {
    const rows = [
      rowXml(1, ['Orders of November']),
      rowXml(3, header),
      rowXml(4, ['A-1', 99, 'TEA-001', 'NONE', '']),
      rowXml(5, ['A-3', '99112233', 'TEA-001', 'NONE', ''], ' hidden="1"'),
      rowXml(9, ['A-2', '88112233', '=TEA', 'COLLECT', '1,5']),
    ];
    const shop = await start({
      sheets: [{ name: 'Orders', xml: `<sheetData>${rows.join('')}</sheetData>` }, other],
    });
    const flags = ['--header-row', '3', '--decimal', 'comma', '--yes'];
    const { stderr, exitCode } = await shop.import([
      '--sheet',
      'Orders',
      '--hidden-rows=leave-out',
      ...flags,
    ]);
    const rejects = shop.path('orders.rejects.csv');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`row 4  order A-1  column B customer.phone  phone_invalid\n  value    99\n`);
    expect(stderr).toContain(`run:\n  merchant-orders import ${rejects} ${flags.join(' ')}\n`);
    const text = readFileSync(rejects, 'utf8');
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual(['\uFEFFOrders of November,,,,', '""']);
    expect(lines[3]).toMatch(/^A-1,99,TEA-001,NONE,,4,phone_invalid,/);
    writeFileSync(rejects, text.replace(',99,', ',99112233,'));
    const again = await shop.run(['import', rejects, ...flags]);
    expect([again.exitCode, await shop.ids()]).toEqual([0, ['A-1']]);
  });

  it('reports cells that a spreadsheet has damaged, formulas without a value, and dates with a time', async () => {
    const cells = [
      '<c r="A2"><v>1234567890123456</v></c><c r="B2" t="str"><v>99112233</v></c><c r="C2" t="e"><v>#N/A</v></c>',
      '<c r="D2" t="str"><f>D1</f><v>NONE</v></c><c r="E2"><f>A1*2</f></c><c r="F2" s="1"><v>46351.5</v></c>',
    ].join('');
    const xml = `<sheetData>${rowXml(1, [...header, 'requestedDeliveryDate'])}<row r="2">${cells}</row></sheetData>`;
    const { file } = folder({ sheets: [{ name: 'Orders', xml }], formats: ['yyyy-mm-dd hh:mm'] });
    const { stderr, exitCode } = await runCli(['import', file, '--dry-run']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('externalOrderId  number_damaged (digits)\n  value    1.23456789012346E+15\n');
    expect(stderr).toContain('items[0].sku  value_lost (error)\n  value    #N/A\n');
    expect(stderr).toContain('collectionAmount  value_lost (formula)\n  value    #FORMULA!\n');
    expect(stderr).toContain('requestedDeliveryDate  date_invalid\n  value    2026-11-25 12:00:00\n');
  });
});

describe('what only a person knows of a workbook', () => {
  const hidden = {
    name: 'Orders',
    xml: `<sheetData>${rowXml(1, header)}${rowXml(2, ['A-1', '99112233', 'TEA-001', 'NONE', ''])}${rowXml(3, ['A-2', '99112233', 'TEA-001', 'NONE', ''], ' hidden="1"')}</sheetData>`,
  };

  it('needs a flag elsewhere, and names no control characters', async () => {
    const { stdout, stderr, exitCode } = await dryRun([other, hidden]);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(
      /^error: .*orders\.xlsx has 2 sheets with data, and only one is read\. Nothing was sent\.\nChoose it with --sheet: "Notes", "Orders"\.\n {2}merchant-orders import .* --sheet \$'\\U0000202eNotes'\n {2}merchant-orders import .* --sheet Orders\n$/,
    );
    expect((await dryRun([other, hidden], ['--sheet', 'notes'])).stderr).toContain('column_missing');
    const json = await dryRun([other, hidden], ['--sheet', 'orders', '--json']);
    expect([JSON.parse(json.stderr).error.code, json.exitCode]).toEqual(['rows_hidden', 2]);
    const left = await dryRun([other, hidden], ['--sheet', 'orders', '--hidden-rows', 'leave-out', '--json']);
    expect([JSON.parse(left.stdout).orders.total, left.exitCode]).toEqual([1, 0]);
  });
});
