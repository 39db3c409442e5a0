import type { Spill } from '../../system/spill.ts';
import type { OrderOutcome } from './order-outcome.ts';
import type { Reject } from './rejects.ts';

/** Outcomes as they come, to be read in the order of the file; they wait in a spill, so a million need little memory. */
export interface OutcomeStore {
  /** `place` is that of the order among those of the file, from 0. */
  add(place: number, outcome: OrderOutcome, rejects: readonly Reject[]): void;
  outcomes(): Iterable<OrderOutcome>;
  /** The rows to be mended, of one order at a time. */
  rejects(): Iterable<Reject[]>;
}

interface Entry {
  outcome: OrderOutcome;
  rejects: Reject[];
}

/** Places are kept in parts, so that none has to be copied to grow. */
const partLength = 65_536;

export function createOutcomeStore(spill: Spill): OutcomeStore {
  // One more than where it begins in the spill; 0 for a place of which nothing came.
  const starts: Float64Array[] = [];
  // What the disk had no room for: it must be told all the same.
  const kept = new Map<number, Entry>();
  function* entries(): Generator<Entry> {
    for (let place = 0; place < starts.length * partLength; place += 1) {
      const start = starts[Math.floor(place / partLength)]?.[place % partLength] ?? 0;
      const entry = kept.get(place);
      if (entry !== undefined) yield entry;
      else if (start > 0) yield JSON.parse(spill.read(start - 1)) as Entry;
    }
  }
  return {
    add: (place, outcome, rejects) => {
      while (starts.length * partLength <= place) starts.push(new Float64Array(partLength));
      const entry = { outcome, rejects: [...rejects] };
      try {
        const start = spill.write(JSON.stringify(entry)) + 1;
        starts[Math.floor(place / partLength)]?.set([start], place % partLength);
      } catch {
        kept.set(place, entry);
      }
    },
    outcomes: function* () {
      for (const { outcome } of entries()) yield outcome;
    },
    rejects: function* () {
      for (const { rejects } of entries()) if (rejects.length > 0) yield rejects;
    },
  };
}
