/** By Atomics: a test suite that starts the sandbox may replace every timer, those of node:timers too. */
function startWait(milliseconds?: number) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const { value } = Atomics.waitAsync(cell, 0, 0, milliseconds);
  return { ended: Promise.resolve(value), end: () => void Atomics.notify(cell, 0) };
}

export async function nextTurn(): Promise<void> {
  const { ended, end } = startWait();
  end();
  await ended;
}

/** Resolves early when the signal is aborted; without milliseconds only then. Does not keep the process alive. */
export async function wait(milliseconds: number | undefined, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const { ended, end } = startWait(milliseconds);
  signal?.addEventListener('abort', end);
  await ended;
  signal?.removeEventListener('abort', end);
}

export function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
