import { setMaxListeners } from 'node:events';

/** How a run is asked to end: the first Ctrl-C or SIGTERM, then the second or the end of the grace time. */
export interface Interruption {
  /** Aborted at the first signal: begin nothing new. */
  readonly stopping: AbortSignal;
  /** Aborted at the second signal, or when the grace time is over: leave now. */
  readonly leaving: AbortSignal;
  /** The signal that came first. */
  signal(): 'SIGINT' | 'SIGTERM' | undefined;
  /** Takes the handlers away again. */
  release(): void;
}

const graceMilliseconds = 10_000;

export function listenForInterruption(process: NodeJS.EventEmitter): Interruption {
  const stopping = new AbortController();
  const leaving = new AbortController();
  // Every request in flight listens to them.
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
