import type { PauseReason } from '../../api/pacing/admission.ts';
import type { Context } from '../../context.ts';
import { createProgress } from '../../output/progress.ts';
import { formatHold } from '../../output/progress-line.ts';

/** Shows on stderr how far the reading, and then the cancelling, of many orders is. */
export function createCancelProgress({ system, clock, settings, interruption, print }: Context) {
  const { stderr, terminal } = system;
  let progress: ReturnType<typeof createProgress> | undefined;
  let heldUntil: number | undefined;
  const onStop = () => {
    const tell = () => print.note('Stopping: waiting for what is in flight. Ctrl-C again leaves at once.');
    if (progress === undefined) tell();
    else progress.aside(tell);
  };
  return {
    /** Shows the work with so many orders until it is done; `see` counts one order. */
    during: async <Result>(
      total: number,
      work: (see: (what: string) => void) => Promise<Result>,
    ): Promise<Result> => {
      const counts: Record<string, number> = {};
      const look = { isTerminal: terminal.stderr, width: terminal.width, colour: false };
      const isShown = !(settings.quiet || settings.verbose);
      const now = () => clock.now();
      progress = isShown ? createProgress({ stream: stderr, total, now, ...look }) : undefined;
      interruption.stopping.addEventListener('abort', onStop);
      try {
        return await work((what) => {
          counts[what] = (counts[what] ?? 0) + 1;
          if (heldUntil !== undefined && clock.now() >= heldUntil) {
            heldUntil = undefined;
            progress?.resume();
          }
          progress?.update(counts);
        });
      } finally {
        interruption.stopping.removeEventListener('abort', onStop);
        progress?.stop();
        progress = undefined;
      }
    },
    /** Nothing leaves for so long; the first order after that ends it. */
    hold: (milliseconds: number, reason: PauseReason) => {
      heldUntil = clock.now() + milliseconds;
      progress?.pause(formatHold(reason, milliseconds));
    },
  };
}
