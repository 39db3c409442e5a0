import { EventEmitter } from 'node:events';
import process from 'node:process';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createShell } from '../../src/system/shell.ts';
import { createSystem } from '../../src/system/system.ts';
import { packageFiles } from '../support/cli.ts';

/** The system of a process with its own streams; `failsWith` is the error of a write to standard output. */
function systemOf(env: Record<string, string> = {}, failsWith?: string) {
  const written: string[] = [];
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      setTimeout(
        () => done(failsWith === undefined ? null : Object.assign(new Error(), { code: failsWith })),
        1,
      );
    },
  });
  const stderr = new PassThrough();
  const { argv, versions, platform } = process;
  const parts = { argv, versions, platform, env, stdin: new PassThrough(), stdout, stderr };
  const own = Object.assign(new EventEmitter(), parts) as unknown as NodeJS.Process;
  const system = createSystem(createShell(own, packageFiles), own);
  onTestFinished(() => system.interruption.release());
  return { system, stdout, stderr, written };
}

describe('standard output', () => {
  it('has not failed when the last write arrives late, and is not written to again', async () => {
    const { system, stdout, written } = systemOf();
    stdout.write('orders');
    expect(await system.outputFailure()).toBeUndefined();
    const before = written.length;
    expect(await system.outputFailure()).toBeUndefined();
    expect([written[0], written.length]).toEqual(['orders', before]);
  });

  it.each([
    ['ENOSPC', { code: 'ENOSPC' }],
    ['EPIPE', undefined],
  ])('fails with %s: %o', async (code, failure) => {
    const { system, stdout } = systemOf({}, code);
    stdout.write('orders');
    const found = await system.outputFailure();
    expect(found && { code: (found as NodeJS.ErrnoException).code }).toEqual(failure);
    expect(system.isOutputClosed()).toBe(code === 'EPIPE');
  });
});

it('goes on when standard error fails', () => {
  const { stderr } = systemOf();
  expect(() => stderr.emit('error', new Error('closed'))).not.toThrow();
});
