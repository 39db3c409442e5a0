import { execFile } from 'node:child_process';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { program } from '../support/program.ts';
import { startService } from '../support/service.ts';

const get = ['get', 'A-1'];

/** Runs a command with limits of the shell, and with this code loaded before it. */
async function runLimited(limits: string, args: string[], code = '') {
  const { env: service } = await startService();
  const shell = ['-c', `${limits}; exec "$0" "$@"`, process.execPath, program, ...args];
  const env = {
    ...service,
    MERCHANT_ORDERS_CONFIG_DIR: temporaryDirectory(),
    NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(code)}"`,
  };
  return new Promise<{ stdout: string; stderr: string; exitCode: number | null }>((resolve) => {
    const child = execFile('sh', shell, { env }, (_error, stdout, stderr) =>
      resolve({ stdout, stderr, exitCode: child.exitCode }),
    );
  });
}

/** Opens all the files that it may have whenever a connection is to be opened, until that has failed. */
const opensFiles = `
  import { subscribe } from 'node:diagnostics_channel';
  import { closeSync, openSync } from 'node:fs';
  subscribe('net.client.socket', () => {
    const open = [];
    try {
      for (;;) open.push(openSync('/dev/null'));
    } catch {
      setImmediate(() => open.forEach((file) => closeSync(file)));
    }
  });`;

const again = 'then run the same command again. Nothing was sent.\n  merchant-orders get A-1\n';

describe.runIf(process.platform === 'linux')('a limit of this computer', () => {
  it('on open files is not a service that cannot be reached', async () => {
    expect(await runLimited('ulimit -n 64', get, opensFiles)).toEqual({
      stdout: '',
      stderr: `error: This computer could not connect to the service: this program has too many files open (EMFILE).
Allow it more (ulimit -n 4096), or lower --concurrency of an import, ${again}`,
      exitCode: 7,
    });
  });

  // V8 needs gigabytes of addresses for WebAssembly before Node.js 24 only.
  it.runIf(Number.parseInt(process.versions.node, 10) < 24)('on memory is not one either', async () => {
    expect(await runLimited('ulimit -v 4000000', get)).toEqual({
      stdout: '',
      stderr: `error: This computer could not connect to the service: there is not enough memory for WebAssembly.
Close other programs, or allow this one more memory (ulimit -v unlimited), or set NODE_OPTIONS=--disable-wasm-trap-handler, ${again}`,
      exitCode: 7,
    });
  });
});
