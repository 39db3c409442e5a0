import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { runProgram } from '../../support/program.ts';
import { folderWith } from './setup.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode';

describe('temporary files of an import', () => {
  it.each<[string, string[], string[], number]>([
    ['scattered rows', ['A,99112233,X,NONE', 'B,99112233,X,NONE', 'A,,Y,'], [], 0],
    ['invalid rows', ['A,99112233,X,NONE', 'B,9.9E+07,X,NONE', 'A,,Y,'], [], 2],
    ['a file that cannot be imported', ['A,99112233,X,NONE', 'B,99112233,X,NONE', 'A,,Y'], [], 2],
    ['rows outside of --rows', ['A,99112233,X,NONE', 'B,99112233,X,NONE', 'A,,Y,'], ['--rows', '99'], 2],
  ])('are removed: %s', async (_, rows, flags, code) => {
    const { csv } = folderWith('orders.csv');
    writeFileSync(csv, [header, ...rows, ''].join('\n'));
    const temporary = temporaryDirectory();
    const env = { TMPDIR: temporary };
    const { exitCode } = await runProgram(['import', csv, '--dry-run', ...flags], { env });
    const piped = await runProgram(['import', '-', '--dry-run', ...flags], {
      env,
      stdin: readFileSync(csv, 'utf8'),
    });
    expect([exitCode, piped.exitCode, readdirSync(temporary)]).toEqual([code, code, []]);
  });
});
