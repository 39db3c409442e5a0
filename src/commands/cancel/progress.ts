import type { PauseReason } from '../../api/pacing/admission.ts';
import type { Context } from '../../context.ts';
import { createProgress, type Progress } from '../../output/progress.ts';

/** Shows on stderr how far the reading, and then the cancelling, of many orders is. */
export function createCancelProgress(context: Context) {
  let progress: Progress | undefined;
  return {
    /** Shows the work with so many orders until it is done; `see` counts one order. */
    during: async <Result>(
      total: number,
      work: (see: (what: string) => void) => Promise<Result>,
    ): Promise<Result> => {
      const counts: Record<string, number> = {};
      progress = createProgress(context, total);
      try {
        return await work((what) => {
          counts[what] = (counts[what] ?? 0) + 1;
          progress?.update(counts);
        });
      } finally {
        progress.stop();
      }
    },
    pause: (milliseconds: number, reason: PauseReason) => progress?.pause(milliseconds, reason),
  };
}
