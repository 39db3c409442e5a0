import { EventEmitter } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenForInterruption } from '../../src/system/system.ts';

function listen() {
  const process = new EventEmitter();
  const interruption = listenForInterruption(process);
  onTestFinished(() => interruption.release());
  const { stopping, leaving } = interruption;
  const state = () => [interruption.signal(), stopping.aborted, leaving.aborted];
  // A process passes the name of the signal too.
  return { interruption, process, state, send: (signal: string) => process.emit(signal, signal) };
}

describe('an interruption', () => {
  it('has no signal at first', () => {
    expect(listen().state()).toEqual([undefined, false, false]);
  });

  it.each(['SIGINT', 'SIGTERM'])('stops at the first %s and exits at the second', (signal) => {
    const { send, state } = listen();
    send(signal);
    expect(state()).toEqual([signal, true, false]);
    send(signal);
    expect(state()).toEqual([signal, true, true]);
    send(signal);
    expect(state()).toEqual([signal, true, true]);
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

  it('removes its handlers', () => {
    const { interruption, process, send, state } = listen();
    expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]).toEqual([1, 1]);
    interruption.release();
    expect(process.eventNames()).toEqual([]);
    send('SIGINT');
    expect(state()).toEqual([undefined, false, false]);
  });
});
