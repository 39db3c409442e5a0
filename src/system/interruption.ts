import { setMaxListeners } from 'node:events';

/** Ctrl-C and SIGTERM: the first signal stops the run gracefully, the second one or the end of the grace period at once. */
export interface Interruption {
  /** Aborted at the first signal: start nothing new. */
  readonly stopping: AbortSignal;
  /** Aborted at the second signal, or after the grace period: exit now. */
  readonly leaving: AbortSignal;
  /** The first signal. */
  signal(): 'SIGINT' | 'SIGTERM' | undefined;
  /** Removes the handlers. */
  release(): void;
}

const graceMilliseconds = 10_000;

export function listenForInterruption(process: NodeJS.EventEmitter): Interruption {
  const stopping = new AbortController();
  const leaving = new AbortController();
  // Every request in flight adds a listener.
  setMaxListeners(0, stopping.signal, leaving.signal);
  let first: 'SIGINT' | 'SIGTERM' | undefined;
  let grace: NodeJS.Timeout | undefined;
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => {
    if (first !== undefined) return leaving.abort();
    first = signal;
    grace = setTimeout(() => leaving.abort(), graceMilliseconds);
    stopping.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stopping: stopping.signal,
    leaving: leaving.signal,
    signal: () => first,
    release: () => {
      clearTimeout(grace);
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
