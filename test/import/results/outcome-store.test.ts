import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createOutcomeStore,
  type OrderOutcome,
  type Reject,
} from '../../../src/import/results/order-outcome.ts';
import { openSpill, type Spill } from '../../../src/system/temporary-file.ts';

const outcomeOf = (place: number): OrderOutcome => ({
  row: place + 2,
  externalOrderId: `Захиалга "${place}"`,
  outcome: 'rejected',
  attempts: 1,
  code: 'SKU',
});
const rejectOf = (place: number): Reject => ({
  row: place + 2,
  cells: [`${place}`, 'a,"b"\nc', ''],
  code: 'SKU',
  error: 'no such SKU',
  fix: 'fix it',
});

/** A spill on a disk that is full after this many writes. */
function spillWithRoomFor(maxWrites: number): Spill {
  const spill = openSpill();
  onTestFinished(() => spill.remove());
  let writes = 0;
  return {
    ...spill,
    write: (text) => {
      writes += 1;
      if (writes > maxWrites) throw new Error('ENOSPC: no space left on device');
      return spill.write(text);
    },
  };
}

const read = (store: ReturnType<typeof createOutcomeStore>) => [[...store.outcomes()], [...store.rejects()]];

describe.each([
  ['a disk with room', Number.POSITIVE_INFINITY],
  ['a disk that fills up', 3],
  ['a full disk', 0],
])('outcomes on %s', (_, maxWrites) => {
  it('are read in file order, repeatedly', () => {
    const store = createOutcomeStore(spillWithRoomFor(maxWrites));
    for (const place of [4, 0, 2, 3, 1, 5]) store.add(place, outcomeOf(place), [rejectOf(place)]);
    const places = [0, 1, 2, 3, 4, 5];
    const expected = [places.map(outcomeOf), places.map((place) => [rejectOf(place)])];
    expect(read(store)).toEqual(expected);
    expect(read(store)).toEqual(expected);
  });

  it('may be missing for some places', () => {
    const store = createOutcomeStore(spillWithRoomFor(maxWrites));
    for (const place of [7, 3]) store.add(place, outcomeOf(place), []);
    expect(read(store)).toEqual([[outcomeOf(3), outcomeOf(7)], []]);
  });

  it('are read while others are added', () => {
    const store = createOutcomeStore(spillWithRoomFor(maxWrites));
    const reads: string[] = [];
    for (let place = 0; place < 5; place += 1) {
      store.add(place, outcomeOf(place), []);
      reads.push([...store.outcomes()].map(({ row }) => row).join());
    }
    expect(reads).toEqual(['2', '2,3', '2,3,4', '2,3,4,5', '2,3,4,5,6']);
  });
});
