import type { PauseReason } from '../../api/pacing/admission.ts';
import type { Context } from '../../context.ts';
import { countOutcomes, type OrderOutcome } from '../../import/results/order-outcome.ts';
import { createProgress } from '../../output/progress.ts';
import { formatHold } from '../../output/progress-line.ts';

/** The progress of the sending on stderr, and each outcome on stdout where the format shows it. */
export function watchProgress(
  { report, system, clock, settings, interruption, print }: Context,
  total: number,
) {
  const counts = countOutcomes([]);
  let heldUntil: number | undefined;
  const { stderr, terminal } = system;
  const isShown = !(settings.quiet || settings.verbose);
  const options = {
    isTerminal: terminal.stderr,
    width: terminal.width,
    now: () => clock.now(),
    colour: false,
  };
  const progress = isShown ? createProgress({ stream: stderr, total, ...options }) : undefined;
  // What is written while a bar is drawn goes above it.
  const aside = (write: () => void) => (progress === undefined ? write() : progress.aside(write));
  const onStop = () =>
    aside(() => print.note('Stopping: waiting for the orders in flight. Ctrl-C again leaves at once.'));
  interruption.stopping.addEventListener('abort', onStop);
  return {
    see: (outcome: OrderOutcome) => {
      counts[outcome.outcome] += 1;
      // What was under way when it began may still come.
      if (heldUntil !== undefined && clock.now() >= heldUntil) {
        heldUntil = undefined;
        progress?.resume();
      }
      aside(() => report.outcome({ ...outcome }));
      progress?.update(counts);
    },
    /** Nothing leaves for so long; the first outcome after that ends it. */
    hold: (milliseconds: number, reason: PauseReason) => {
      heldUntil = clock.now() + milliseconds;
      progress?.pause(formatHold(reason, milliseconds));
    },
    stop: () => {
      interruption.stopping.removeEventListener('abort', onStop);
      progress?.stop();
    },
  };
}
