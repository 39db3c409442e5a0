import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { runProgram } from '../../support/program.ts';
import { folderWith } from './setup.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode';

describe('what an import puts aside', () => {
  it.each<[string, string[], string[], number]>([
    ['rows that lie far apart', ['A,99112233,X,NONE', 'B,99112233,X,NONE', 'A,,Y,'], [], 0],
    ['rows that need mending', ['A,99112233,X,NONE', 'B,9.9E+07,X,NONE', 'A,,Y,'], [], 2],
    ['a file that cannot be imported', ['A,99112233,X,NONE', 'B,99112233,X,NONE', 'A,,Y'], [], 2],
    ['rows that nobody asked for', ['A,99112233,X,NONE', 'B,99112233,X,NONE', 'A,,Y,'], ['--rows', '99'], 2],
  ])('is gone afterwards: %s', async (_, rows, flags, code) => {
    const { csv } = folderWith('orders.csv');
    writeFileSync(csv, [header, ...rows, ''].join('\n'));
    const place = temporaryDirectory();
    const env = { TMPDIR: place };
    const { exitCode } = await runProgram(['import', csv, '--dry-run', ...flags], { env });
    const piped = await runProgram(['import', '-', '--dry-run', ...flags], {
      env,
      stdin: readFileSync(csv, 'utf8'),
    });
    expect([exitCode, piped.exitCode, readdirSync(place)]).toEqual([code, code, []]);
  });
});
