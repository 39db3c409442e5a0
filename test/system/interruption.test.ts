import { EventEmitter } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenForInterruption } from '../../src/system/system.ts';

function listen() {
  const process = new EventEmitter();
  const interruption = listenForInterruption(process);
  onTestFinished(() => interruption.release());
  const { stopping, leaving } = interruption;
  const state = () => [interruption.signal(), stopping.aborted, leaving.aborted];
  // As a process does: the name of the signal goes along.
  return { interruption, process, state, send: (signal: string) => process.emit(signal, signal) };
}

describe('an interruption', () => {
  it('has not come at first', () => {
    expect(listen().state()).toEqual([undefined, false, false]);
  });

  it.each(['SIGINT', 'SIGTERM'])('stops at the first %s and leaves at the second', (signal) => {
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
  ])('%s remains the one that came first when %s comes', (first, second) => {
    const { send, state } = listen();
    send(first);
    send(second);
    expect(state()).toEqual([first, true, true]);
  });

  it('takes its handlers away', () => {
    const { interruption, process, send, state } = listen();
    expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]).toEqual([1, 1]);
    interruption.release();
    expect(process.eventNames()).toEqual([]);
    send('SIGINT');
    expect(state()).toEqual([undefined, false, false]);
  });
});
