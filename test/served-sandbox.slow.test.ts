import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/cli.ts';
import { runProgram, startProgram } from './support/program.ts';

describe('Ctrl-C while reading standard input', () => {
  it.each([[['import', '-', '--dry-run']], [['create', '--file', '-', '--dry-run']]])(
    'stops %j',
    async (args) => {
      const { child, ended } = startProgram(args, { stdin: null });
      // A pipe holds less: when it has drained, the program is reading.
      child.stdin?.write('x'.repeat(1024 * 1024));
      if (child.stdin) await once(child.stdin, 'drain');
      child.kill('SIGINT');
      const { exitCode, stderr } = await ended;
      expect([exitCode, stderr]).toEqual([130, 'Stopped before anything was sent.\n']);
    },
  );
});

describe('sandbox start', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends with 0 at %s, and says where the orders are',
    async (signal) => {
      const path = join(temporaryDirectory(), 'shop.db');
      const { child, ended } = startProgram(['sandbox', 'start', '--port', '0', '--db', path]);
      await new Promise<void>((resolve) => {
        child.stderr?.on('data', (chunk) => String(chunk).includes('Press Ctrl-C') && resolve());
      });
      child.kill(signal);
      const { stderr, exitCode } = await ended;
      expect([exitCode, stderr.split('\n').slice(-2)]).toEqual([
        0,
        [`The sandbox has stopped. Its orders are in ${path}.`, ''],
      ]);
    },
  );
});

describe('a sandbox database that cannot be used', () => {
  it('is reported', async () => {
    const configDirectory = temporaryDirectory();
    const path = join(configDirectory, 'sandbox.db');
    writeFileSync(path, 'this was never a database, and it is long enough to be looked at as one'.repeat(20));
    const { stderr, exitCode } = await runProgram(['list', '--sandbox'], { configDirectory });
    expect(stderr).toBe(
      `error: The sandbox database ${path} cannot be used: file is not a database.\n` +
        'It contains only rehearsal orders: move it away, then run the same command again.\n' +
        '  merchant-orders list --sandbox\n',
    );
    expect(exitCode).toBe(2);
  });
});
