import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { sheetOf, workbookOf } from '../../support/workbook.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount';
const amounts = ['45000', '26700', '18900', '99000', '12500', '33000', '45000', '27000', '61000', '15000'];
const row = (place: number, amount: string) => `A-${place + 1},99112233,TEA-1,COLLECT,${amount}`;
const complete = amounts.map((amount, place) => row(place, amount));
const cutOff = [header, ...complete, row(10, '450')].join('\n');
/** With the columns in this order, and these cells in the rows. */
const table = (columns: string[], rows: string[][]) =>
  [columns, ...rows].map((cells) => cells.join(',')).join('\n');
const endingIn = (last: string, cells: string[], cell: string) => {
  const others = ['externalOrderId', 'collectionMode', 'items[].name', 'customer.phone'].filter(
    (name) => name !== last,
  );
  const line = (place: number, text: string) =>
    others
      .map(
        (name) =>
          ({ externalOrderId: `A-${place}`, collectionMode: 'NONE', 'items[].name': 'Tea' })[name] ??
          '99112233',
      )
      .concat(text);
  return table(
    [...others, last],
    [...cells, cell].map((text, place) => line(place, text)),
  );
};
/** All orders but the last one. */
const allCollect = [/NONE(?=.*\n)/g, 'COLLECT'] as const;
const ten = (text: string) => Array.from({ length: 10 }, () => text);
const dryRun = (text: string | Buffer, ...flags: string[]) =>
  runCli(['import', '-', '--dry-run', ...flags], { stdin: text });

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
    ['a phone', endingIn('customer.phone', ten('99112233'), '991122')],
    ['a phone after a +', endingIn('customer.phone', ten('+97699112233'), '+9769911')],
    ['a phone among quoted ones', endingIn('customer.phone', ten('"99112233"'), '9911')],
    ['a date', endingIn('requestedDeliveryDate', ten('2026-12-14'), '2026-12-1')],
    ['a code', endingIn('items[].sku', ten('TEA-001'), 'TEA-0')],
    ['a code without any digit', endingIn('items[].sku', ten('TEA-001'), 'TE')],
    [
      'an order ID',
      endingIn(
        'externalOrderId',
        ten('x').map((_, place) => `UB-100${place}`),
        'UB-10',
      ),
    ],
    ['a row of too few cells', [header, ...complete, 'A-11,99112233,TE'].join('\n')],
    ['a row of too few cells behind a delimiter', [header, ...complete, 'A-11,99112233,'].join('\n')],
    ['a row of too few cells, after one other row', [header, complete[0], 'A-11'].join('\n')],
    ['a later row of an order', [header, ...complete, 'A-10,,TEA-2'].join('\n')],
    ['a row with a quoted last cell', [header, ...complete, 'A-11,"99112233"'].join('\n')],
    ['quotes that are text', endingIn('items[].sku', ten('24"-001'), '2"')],
    [
      'a phone whose beginning looks like another one',
      endingIn('customer.phone', ten('97699112233'), '97699112'),
    ],
    ['a price', endingIn('items[].price', ten('20013'), '200')],
    ['a unit price', endingIn('items[].unitPrice', ten('20013'), '200')],
    ['the price of a line', endingIn('items[0].price', ten('20013'), '200')],
    ['a number', endingIn('total:number', ten('20013'), '200')],
    ['a blank date behind a delimiter', endingIn('requestedDeliveryDate', ten('2030-01-15'), '')],
    [
      'a blank cell behind a delimiter and spaces',
      endingIn('requestedDeliveryDate', ten('2030-01-15'), '  '),
    ],
    ['a blank total behind a delimiter', endingIn('total', ten('45000'), '')],
    ['a blank phone behind a delimiter', endingIn('customer.phone', ten('99112233'), '')],
    ['a blank address behind a delimiter', endingIn('deliveryAddress.street', ten('Peace Avenue'), '')],
    ['a blank quantity behind a delimiter', endingIn('items[].quantity:number', ten('2'), '')],
    ['a blank cell behind quoted ones', endingIn('total', ten('"45000"'), '')],
  ])('is found in %s', async (name, text) => {
    const map = join(temporaryDirectory(), 'map.json');
    writeFileSync(map, '{"quote": "none"}');
    const flags = name === 'quotes that are text' ? ['--map', map] : [];
    const { stderr, exitCode } = await dryRun(text, ...flags);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('file_truncated')]);
    const whole = await dryRun(text, ...flags, '--ends-here');
    expect(whole.stderr).not.toContain('file_truncated');
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
    ['has a whole phone at its end', endingIn('customer.phone', ten('99112233'), '88112233')],
    [
      'has phones with and without a country code',
      endingIn('customer.phone', ['99112233', ...ten('+97699112233')], '88112233'),
    ],
    [
      'has a short amount before its last cell',
      endingIn('items[].sku', ten('TEA-001'), 'TEA-002').replace(/$/, ''),
    ],
    ['has a quantity at its end', endingIn('items[].quantity:number', ten('12'), '1')],
    ['has a name at its end', endingIn('customer.name', ten('Bat 12'), 'B')],
    [
      'has a blank last cell and another one',
      endingIn('requestedDeliveryDate', ['', ...ten('2026-12-14')], ''),
    ],
    ['has a blank last cell and a line end', `${endingIn('requestedDeliveryDate', ten('2026-12-14'), '')}\n`],
    ['has a quoted blank cell at its end', endingIn('requestedDeliveryDate', ten('2026-12-14'), '""')],
    [
      'has a blank last cell after fewer than ten',
      endingIn('requestedDeliveryDate', ten('2026-12-14').slice(1), ''),
    ],
    [
      'has amounts of 0 at its end',
      endingIn('collectionAmount', ten('45000'), '0').replaceAll(...allCollect),
    ],
    ['has 0.00 at its end', endingIn('collectionAmount', ten('45000.00'), '0.00').replaceAll(...allCollect)],
    [
      'has the only phone without a country code at its end',
      endingIn('customer.phone', ten('+97699112233'), '99112233'),
    ],
    [
      'has a closed quote at its end',
      endingIn('collectionAmount', ten('"45000"'), '"450"').replaceAll('NONE', 'COLLECT'),
    ],
    ['has a protected cell at its end', endingIn('items[].sku', ten('="0012345"'), '="0012"')],
    ['ends with the number of records', [header, ...complete, '10 record(s) downloaded'].join('\n')],
    ['ends with a total of fewer cells', [header, ...complete, 'Total,,,'].join('\n')],
    [
      'is a workbook',
      workbookOf({ sheets: [sheetOf([header, ...complete, row(11, '450')].map((line) => line.split(',')))] }),
    ],
  ])('%s', async (_, text) => {
    const { stderr, exitCode } = await dryRun(text);
    expect(stderr).not.toContain('file_truncated');
    expect(exitCode).toBe(0);
  });

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
