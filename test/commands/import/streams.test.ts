import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { program, startProgram } from '../../support/program.ts';

const csv = 'externalOrderId,customer.phone,items[].sku,collectionMode\nA,99112233,TEA-001,NONE\n';

function newPipe(): string {
  const path = join(temporaryDirectory(), 'orders');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Opens the pipe to write as soon as a program reads it. */
async function openReadPipe(pipe: string): Promise<number> {
  for (;;) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch {
      await delay(20);
    }
  }
}

describe.runIf(process.platform !== 'win32')('a pipe', () => {
  it('is imported as standard input is', async () => {
    const pipe = newPipe();
    const temporary = temporaryDirectory();
    const { ended } = startProgram(['import', pipe, '--dry-run', '--json'], { env: { TMPDIR: temporary } });
    writeFileSync(pipe, csv);
    const { stdout, exitCode } = await ended;
    expect([JSON.parse(stdout).orders.total, exitCode, readdirSync(temporary)]).toEqual([1, 0, []]);
  });

  it.each([
    ['an import', (pipe: string) => ['import', pipe, '--dry-run']],
    ['a mapping', (pipe: string) => ['import', 'fixtures/orders.csv', '--dry-run', '--map', pipe]],
    ['an order', (pipe: string) => ['create', '--sandbox', '--file', pipe]],
  ])('into which nothing comes ends at the first Ctrl-C: %s', async (_, argsFor) => {
    const pipe = newPipe();
    const { child, ended } = startProgram(argsFor(pipe));
    onTestFinished(() => void child.kill('SIGKILL'));
    const descriptor = await openReadPipe(pipe);
    onTestFinished(() => closeSync(descriptor));
    child.kill('SIGINT');
    expect(await ended).toEqual({ stdout: '', stderr: 'Stopped before anything was sent.\n', exitCode: 130 });
  });
});

describe.runIf(process.platform !== 'win32')('the results and the rejects', () => {
  /** Imports one good order and one that is rejected, in a shell, in a folder with these links. */
  const importInShell = (flags: string, links: Record<string, string> = {}) => {
    const folder = temporaryDirectory();
    const path = (name: string) => join(folder, name);
    writeFileSync(path('orders.csv'), `${csv}B,99112233,SEA-001,NONE\n`);
    for (const [name, target] of Object.entries(links)) symlinkSync(target, path(name));
    const command = `exec "$0" "$1" import orders.csv --sandbox --yes ${flags}`;
    const env = { ...process.env, MERCHANT_ORDERS_CONFIG_DIR: temporaryDirectory() };
    const options = { cwd: folder, env, encoding: 'utf8' } as const;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', command, process.execPath, program], options);
    const files = () => readdirSync(folder).sort();
    return { stdout, stderr, status, path, files, read: (name: string) => readFileSync(path(name), 'utf8') };
  };
  const isResults = /^row,external_order_id,.*\n2,A,created,.*\n3,B,rejected,.*\n/;
  const counts = /outcome\torders\ncreated\t1\nrejected\t1\ntotal\t2\n$/;

  it('do not replace the file that standard output goes to', () => {
    const { read, files } = importInShell('--results log.txt > log.txt');
    expect(files()).toEqual(['log.txt', 'orders.csv', 'orders.rejects.csv']);
    expect(read('log.txt')).toMatch(isResults);
    expect(read('log.txt')).toMatch(counts);
  });

  it('are written to a pipe of the shell', () => {
    const { stdout } = importInShell('--results >(cat)');
    expect(stdout).toMatch(/^2,A,created,.*\n3,B,rejected,/m);
    expect(stdout).toMatch(/^created\t1\nrejected\t1\ntotal\t2\n/m);
  });

  it('are not written where a link leads to a file of somebody else, and nothing is sent', () => {
    const other = join(temporaryDirectory(), 'other.csv');
    writeFileSync(other, 'kept');
    const { status, stdout, stderr, files } = importInShell('--results link.csv', { 'link.csv': other });
    expect([status, stdout, stderr, readFileSync(other, 'utf8'), files()]).toEqual([
      2,
      '',
      `error: link.csv cannot be written: it is a link to ${other}, which has other content.\nMove that file away, or name another file.\n`,
      'kept',
      ['link.csv', 'orders.csv'],
    ]);
  });

  it('follow a link to results of an earlier run', () => {
    const far = join(temporaryDirectory(), 'far.csv');
    const { files, path } = importInShell('--results link.csv', { 'link.csv': far });
    expect(files()).toEqual(['link.csv', 'orders.csv', 'orders.rejects.csv']);
    expect([readlinkSync(path('link.csv')), readdirSync(dirname(far))]).toEqual([far, ['far.csv']]);
    expect(readFileSync(far, 'utf8')).toMatch(isResults);
  });
});

describe.runIf(process.platform !== 'win32')('standard input', () => {
  it('does not fit in the folder for temporary files', () => {
    // A limit on the file size cuts a write short, as a full disk does, and applies to root too.
    const folder = temporaryDirectory();
    const command = 'ulimit -f 8; exec "$0" "$1" import - --dry-run';
    const env = { ...process.env, TMPDIR: folder, MERCHANT_ORDERS_CONFIG_DIR: temporaryDirectory() };
    const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command, process.execPath, program], {
      env,
      input: csv.repeat(1000),
      encoding: 'utf8',
    });
    expect({ stdout, stderr, status }).toEqual({
      stdout: '',
      stderr: expectedError(
        folder,
        'the file would be larger than the system allows',
        'Free some space there, or name another folder',
      ),
      status: 2,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is a file that the results would overwrite', () => {
    const path = join(temporaryDirectory(), 'orders.csv');
    writeFileSync(path, csv);
    const command = 'exec "$0" "$1" import - --sandbox --yes --results "$2" < "$2"';
    const env = { ...process.env, MERCHANT_ORDERS_CONFIG_DIR: temporaryDirectory() };
    const args = ['-c', command, process.execPath, program, path];
    const { stderr, status } = spawnSync('/bin/sh', args, { env, encoding: 'utf8' });
    expect([stderr.split('\n')[0], status, readFileSync(path, 'utf8')]).toEqual([
      'error: The results would overwrite /dev/stdin. Nothing was sent.',
      2,
      csv,
    ]);
  });
});

function expectedError(folder: string, reason: string, cure = 'Name another folder'): string {
  return [
    `error: No temporary file can be written to ${folder}: ${reason}.`,
    `${cure} with TMPDIR=/path/to/folder, and run the same command again.`,
    '  merchant-orders import - --dry-run',
    '',
  ].join('\n');
}
