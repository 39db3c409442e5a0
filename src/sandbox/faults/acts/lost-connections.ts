import type { Acts } from '../act.ts';
import { endConnection } from '../scene.ts';

/** The connection goes, and with it the answer. */
export const lostConnections: Pick<Acts, 'reset' | 'close' | 'stall'> = {
  reset: async ({ socket, recorded }) => {
    await recorded();
    await endConnection(socket, 'reset');
    return undefined;
  },
  close: async ({ socket, recorded }) => {
    await recorded();
    await endConnection(socket, 'close');
    return undefined;
  },
  stall: async ({ parts, socket, recorded }, { seconds }) => {
    await recorded();
    const gone = endConnection(socket, 'stall');
    if (seconds !== undefined) {
      await Promise.race([gone, parts.faults.sleep(seconds * 1000)]);
      await endConnection(socket, 'close');
    }
    await gone;
    return undefined;
  },
};
