import { execFileSync, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenForInterruption } from '../../src/system/shell.ts';
import { runScript } from '../support/program.ts';
import { newDirectory } from './private-mode.ts';

function listen() {
  const process = new EventEmitter();
  const ended: string[] = [];
  const interruption = listenForInterruption(process, (signal) => ended.push(signal));
  onTestFinished(() => interruption.release());
  const { stopping, leaving } = interruption;
  const state = () => [interruption.signal(), stopping.aborted, leaving.aborted];
  // A process passes the name of the signal too.
  return { interruption, process, state, ended, send: (signal: string) => process.emit(signal, signal) };
}

describe('an interruption', () => {
  it('has no signal at first', () => {
    expect(listen().state()).toEqual([undefined, false, false]);
  });

  it.each(['SIGINT', 'SIGTERM'])('stops at the first %s and exits at the second', (signal) => {
    const { send, state, ended } = listen();
    send(signal);
    expect(state()).toEqual([signal, true, false]);
    send(signal);
    expect([state(), ended]).toEqual([[signal, true, true], []]);
    send(signal);
    expect([state(), ended]).toEqual([[signal, true, true], [signal]]);
  });

  it.each([
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
  ])('reports %s when %s follows', (first, second) => {
    const { send, state } = listen();
    send(first);
    send(second);
    expect(state()).toEqual([first, true, true]);
  });

  it('stops when the terminal is closed, which the shell may say again', () => {
    const { send, state } = listen();
    send('SIGHUP');
    send('SIGHUP');
    expect(state()).toEqual(['SIGHUP', true, false]);
    send('SIGTERM');
    expect(state()).toEqual(['SIGHUP', true, true]);
  });

  it('removes its handlers', () => {
    const { interruption, process, send, state } = listen();
    expect(process.eventNames()).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
    interruption.release();
    expect(process.eventNames()).toEqual([]);
    send('SIGINT');
    expect(state()).toEqual([undefined, false, false]);
  });
});

describe.runIf(process.platform !== 'win32')('a second signal', () => {
  it('ends a process of which a thread hangs in the system', async () => {
    const pipe = join(newDirectory(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const child = fork(runScript, ['test/system/hang.ts', pipe]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'message');
    child.kill('SIGINT');
    // Two signals that are sent at once may arrive in either order.
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
  });
});
