import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../../src/import/read/read-table.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { planFile } from '../../support/plan-file.ts';
import { fixture, sourceOf } from '../tables.ts';

const complete = ['customer.phone=99112233', 'items[0].sku=TEA-001', 'collectionMode=NONE'];
const flags = complete.flatMap((field) => ['--set', field]);
const read = (text: string | Uint8Array, more: string[] = []) => planFile({ text }, [...flags, ...more]);
const width =
  'Check that row for a missing or extra delimiter, or a cell that needs quotes; if every row looks wrong, name the --delimiter.';

describe('a file', () => {
  it('may have letters and line ends that stand in two chunks', async () => {
    const note = 'Ө'.repeat(200_001);
    const { orders } = await read(`externalOrderId,x.note\nA,x${note}\n`);
    expect(orders[0]?.order?.x).toEqual({ note: `x${note}` });
    const lines = Array.from(
      { length: 20 },
      (_, place) => `A-${place},${'x'.repeat(8187 - `${place}`.length)}`,
    );
    const header = 'externalOrderId,x.note';
    const text = `${header}\r\n${lines.join('\r\n')}\r\n`;
    // Files are read in chunks of 64 KiB.
    const moved = `${header}${' '.repeat(65_535 - text.lastIndexOf('\r', 65_535))}${text.slice(header.length)}`;
    expect(moved.charCodeAt(65_535)).toBe(13);
    const found = await read(moved);
    expect(found.orders.map(({ row, id }) => [row, id])).toEqual(
      lines.map((_, index) => [index + 2, `A-${index}`]),
    );
  });

  const long = 'longer than any order; a quote may not be closed there.';
  const cutOff = 'It may have been cut off. Save it as "CSV UTF-8".';
  it.each<[string, string | Uint8Array, string, string?]>([
    [
      'a line that is too long',
      `a,b\n${'x'.repeat(11_000_000)}`,
      `orders.csv has a record on line 2 that is ${long}`,
    ],
    [
      'a quote around too much',
      `id,note\nA,"x\ny"\nB,"${'order after order\n'.repeat(700_000)}`,
      `orders.csv has a record on line 4 that is ${long}`,
    ],
    ['bytes', Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 0]), 'orders.csv is not text.'],
    ['a zero byte', `id,total\n${'A-1,100\n'.repeat(99)}A\0,100\n`, 'orders.csv is not text.'],
    [
      'half a letter',
      Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le').subarray(0, -1),
      'orders.csv is not utf-16le text to its end.',
      cutOff,
    ],
    ['blank rows only', '\n\n , \n', 'orders.csv has nothing in it.'],
  ])('is refused for %s', async (_, text, message, hint) => {
    const { error, exitCode } = await read(text);
    expect([error?.code, error?.message, exitCode]).toEqual(['file_invalid', message, 2]);
    if (hint !== undefined) expect(error?.hint).toBe(hint);
  });

  it('is refused when it is missing, a folder, or has no such header row', async () => {
    const directory = temporaryDirectory();
    for (const [name, reason] of [
      ['none.csv', 'it does not exist'],
      ['', 'it is a folder'],
    ] as const) {
      const path = join(directory, name);
      const { stderr, exitCode } = await runCli(['import', path, '--dry-run']);
      expect([stderr, exitCode]).toEqual([
        expect.stringContaining(`error: ${path} cannot be read: ${reason}.`),
        2,
      ]);
    }
    const { error } = await planFile(fixture('import/exports/title-lines.csv'), ['--header-row', '9']);
    expect(error?.message).toBe('title-lines.csv has no row 9.');
  });
});

describe('a file of a command other than import', () => {
  const rowsOf = async (name: string) => readTable(sourceOf(fixture(`import/${name}`)), {});
  it.each([
    ['row-too-wide.csv', 'has 3 cells in row 3 (line 4), but the header has 2', width],
    ['row-too-narrow.csv', 'has 2 cells in row 3 (line 3), but the header has 3', width],
    [
      'unquoted-inches.csv',
      'has a quoted cell that contains the rows below it in row 2 (line 2), column D',
      'Fix the quotes there, or export the file again.',
    ],
  ])('%s %s', async (name, problem, hint) => {
    const read = async () => {
      const table = await rowsOf(name);
      for await (const _ of table.batches());
    };
    await expect(read()).rejects.toMatchObject({
      code: 'file_invalid',
      message: expect.stringContaining(`${problem}.`),
      details: { hint, outcome: 'not_sent' },
    });
  });
});
