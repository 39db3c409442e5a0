const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Acts when the signal is aborted, at once when it is already; returns what takes that back. A signal has one
 * listener however many wait for it: Node warns of more than a few.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => undefined;
  }
  const acts = waiting.get(signal) ?? listen(signal);
  acts.add(act);
  return () => {
    acts.delete(act);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>();
  waiting.set(signal, acts);
  signal.addEventListener('abort', () => {
    for (const act of acts) act();
  });
  return acts;
}
