/**
 * Remembers what was read for as long as one turn of the event loop: requests that come at the same time read it
 * once, and what another process writes is seen in the next turn.
 */
export function createTurnMemory<T>() {
  const known = new Map<string, T>();
  const forget = () => known.clear();
  return {
    recall(name: string, read: () => T): T {
      const found = known.get(name);
      if (found !== undefined) return found;
      if (known.size === 0) setImmediate(forget);
      const value = read();
      known.set(name, value);
      return value;
    },
    /** What was remembered is no longer so. */
    forget,
  };
}
