import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { sheetOf, workbookOf } from '../../support/workbook.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount';
const amounts = ['45000', '26700', '18900', '99000', '12500', '33000', '45000', '27000', '61000', '15000'];
const row = (place: number, amount: string) => `A-${place + 1},99112233,TEA-1,COLLECT,${amount}`;
const complete = amounts.map((amount, place) => row(place, amount));
const cutOff = [header, ...complete, row(10, '450')].join('\n');

const usual: Record<string, string> = {
  'customer.phone': '99112233',
  collectionMode: 'NONE',
  'items[].name': 'Tea',
};
/** `24 x9|25`: nine cells with 24, then one with 25; `#` is the number of the row. */
const cellsIn = (text: string) =>
  text.split('|').flatMap((part, _, { length }) => {
    const [, cell = '', count] = /^(.*?)(?: x(\d+))?$/.exec(part) ?? [];
    return Array.from({ length: Number(count ?? (length === 1 ? 10 : 1)) }, (_, at) =>
      cell.replace('#', `${at}`),
    );
  });
/** Rows whose last column has these cells. */
function endingIn(last: string, cells: string[]) {
  const columns = [...['externalOrderId', ...Object.keys(usual)].filter((name) => name !== last), last];
  const rows = cells.map((cell, at) => {
    const isCollected = last === 'collectionAmount' && !/^0/.test(cell);
    const all = { ...usual, externalOrderId: `A-${at}`, ...(isCollected && { collectionMode: 'COLLECT' }) };
    return columns.map((name) => ({ ...all, [last]: cell })[name]);
  });
  return [columns, ...rows].map((row) => row.join(',')).join('\n');
}
const dryRun = (text: string | Buffer, ...flags: string[]) =>
  runCli(['import', '-', '--dry-run', ...flags], { stdin: text });

async function expectFound(text: string, flags: string[]) {
  const { stderr, exitCode } = await dryRun(text, ...flags);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('file_truncated')]);
  const whole = await dryRun(text, ...flags, '--ends-here');
  expect(whole.stderr).not.toContain('file_truncated');
}

async function expectWhole(text: string | Buffer) {
  const { stderr, exitCode } = await dryRun(text);
  expect(stderr).not.toContain('file_truncated');
  expect(exitCode).toBe(0);
}

const table = readFileSync(new URL('cut-off.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1);

it.each(table.map((line) => line.split('\t')))(
  'an end %s %s',
  async (how, what, last = '', cells = '', cell = '') => {
    const text = endingIn(last, [...cellsIn(cells), cell]);
    if (how !== 'is found in') return expectWhole(text);
    const map = join(temporaryDirectory(), 'map.json');
    writeFileSync(map, '{"quote": "none"}');
    await expectFound(text, what === 'quotes that are text' ? ['--map', map] : []);
  },
);

function fileOf(text: string) {
  const directory = temporaryDirectory();
  const csv = join(directory, 'orders.csv');
  writeFileSync(csv, text);
  return { directory, csv };
}

describe('a file that is cut off', () => {
  it('is refused as a whole, with the cell, and what to do', async () => {
    const { directory, csv } = fileOf(cutOff);
    const { stderr, exitCode } = await runCli(['import', csv, '--sandbox', '--yes', '--on-invalid', 'skip']);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      `row 12  order A-11  column E collectionAmount  file_truncated
  value    450
  problem  the file ends without a line end in this cell, and all other rows have more digits there: it seems to be cut off
  fix      export or copy the file again; if it really ends there, add --ends-here

error: ${csv} cannot be imported as it is. Nothing was sent.
Export or copy the file again and run:\n  merchant-orders import ${csv} --sandbox --yes --on-invalid skip
If it really ends there:\n  merchant-orders import ${csv} --sandbox --yes --on-invalid skip --ends-here
`,
    );
    expect(readdirSync(directory)).toEqual(['orders.csv']);
  });

  it.each([
    ['an amount', cutOff],
    ['a row of too few cells', [header, ...complete, 'A-11,99112233,TE'].join('\n')],
    ['a row of too few cells behind a delimiter', [header, ...complete, 'A-11,99112233,'].join('\n')],
    ['a row of too few cells, after one other row', [header, complete[0], 'A-11'].join('\n')],
    ['a later row of an order', [header, ...complete, 'A-10,,TEA-2'].join('\n')],
    ['a row with a quoted last cell', [header, ...complete, 'A-11,"99112233"'].join('\n')],
  ])('is found in %s', async (_, text) => {
    await expectFound(text, []);
  });

  it('is found in a file that a second thread splits', async () => {
    // More than 4 MiB.
    const wide = (place: number, amount: string) => `${'Green tea '.repeat(15)},${row(place, amount)}`;
    const rows = Array.from({ length: 25_000 }, (_, place) => wide(place, '45000'));
    const text = [`items[].name,${header}`, ...rows, wide(25_000, '450')].join('\n');
    const { stderr, exitCode } = await dryRun(text);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('row 25002  order A-25001')]);
  });

  it('is sent with --ends-here', async () => {
    const { exitCode, stdout } = await dryRun(cutOff, '--ends-here', '--json');
    expect([exitCode, JSON.parse(stdout).orders.total]).toEqual([0, 11]);
  });

  it('is found in the last row of an order whose rows are apart', async () => {
    const text = cutOff.replace(row(0, '45000'), `${row(10, '45000')}\n${row(0, '45000')}`);
    const { stderr, exitCode } = await dryRun(text);
    expect([exitCode, /row 13 .* file_truncated/.test(stderr)]).toEqual([2, true]);
  });
});

describe('a file that is not cut off', () => {
  it.each<[string, string | Buffer, string[]?]>([
    ['ends with a line end', `${cutOff}\n`],
    ['ends with \\r', `${cutOff}\r`],
    ['ends with a blank line of spaces', `${cutOff}\n  `],
    ['ends with Ctrl-Z', `${cutOff}\n\u001a`],
    [
      'has amounts with more and with fewer digits',
      [header, row(20, '450'), ...complete, row(11, '450')].join('\n'),
    ],
    ['has a larger amount at its end', [header, ...complete, row(11, '450000')].join('\n')],
    ['has fewer than ten other rows', [header, ...complete.slice(1), row(11, '450')].join('\n')],
    [
      'has a blank last cell and a line end',
      `${endingIn('requestedDeliveryDate', [...cellsIn('2026-12-14'), ''])}\n`,
    ],
    ['ends with the number of records', [header, ...complete, '10 record(s) downloaded'].join('\n')],
    ['ends with a total of fewer cells', [header, ...complete, 'Total,,,'].join('\n')],
    [
      'is a workbook',
      workbookOf({ sheets: [sheetOf([header, ...complete, row(11, '450')].map((line) => line.split(',')))] }),
    ],
  ])('%s', (_, text) => expectWhole(text));

  it('is a rejects file', async () => {
    const { csv } = fileOf([header, ...complete, 'A-11,99112233,TEA-1,SOME,450'].join('\n'));
    const first = await runCli(['import', csv, '--ends-here', '--sandbox', '--yes']);
    expect([first.exitCode, first.stderr]).toEqual([2, expect.stringContaining('orders.rejects.csv')]);
    const again = await runCli(['import', csv.replace('.csv', '.rejects.csv'), '--dry-run']);
    expect(again.stderr).toContain('collection_mode_invalid');
    expect(again.stderr).not.toContain('file_truncated');
  });

  const rows = amounts.map((_, place) => `A-${place + 1},99112233,TEA-1,NONE`);
  const file = (...last: string[]) =>
    ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows, ...last].join('\n');

  it.each([
    ['beside its order', file('A-10,,MUG-1,')],
    ['apart from its order', file('A-1,,MUG-1,')],
  ])('may end in a later row of an order, which leaves cells of the order blank: %s', async (_, text) => {
    expect((await dryRun(text)).exitCode).toBe(0);
  });
});
