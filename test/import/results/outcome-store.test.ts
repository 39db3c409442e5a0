import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutcomeStore, type OrderOutcome } from '../../../src/import/results/order-outcome.ts';
import type { Reject } from '../../../src/import/results/rejects.ts';
import { openSpill, type Spill } from '../../../src/system/spill.ts';

const outcomeOf = (place: number): OrderOutcome => ({
  ...{
    row: place + 2,
    externalOrderId: `Захиалга "${place}"`,
    outcome: 'rejected',
    attempts: 1,
    code: 'SKU',
  },
});
const rejectOf = (place: number): Reject => ({
  ...{
    row: place + 2,
    cells: [`${place}`, 'a,"b"\nc', ''],
    code: 'SKU',
    error: 'no such SKU',
    fix: 'mend it',
  },
});

/** A spill on the disk; from the second number of writes on it is full. */
function spillThatTakes(most: number): Spill {
  const spill = openSpill();
  onTestFinished(() => spill.remove());
  let writes = 0;
  return {
    ...spill,
    write: (text) => {
      writes += 1;
      if (writes > most) throw new Error('ENOSPC: no space left on device');
      return spill.write(text);
    },
  };
}

const read = (store: ReturnType<typeof createOutcomeStore>) => [[...store.outcomes()], [...store.rejects()]];

describe.each([
  ['a disk with room', Number.POSITIVE_INFINITY],
  ['a disk that is full in between', 3],
  ['a disk that is full', 0],
])('outcomes on %s', (_, most) => {
  it('are read in the order of the file, whichever came first, and as often as one likes', () => {
    const store = createOutcomeStore(spillThatTakes(most));
    for (const place of [4, 0, 2, 3, 1, 5]) store.add(place, outcomeOf(place), [rejectOf(place)]);
    const places = [0, 1, 2, 3, 4, 5];
    const expected = [places.map(outcomeOf), places.map((place) => [rejectOf(place)])];
    expect(read(store)).toEqual(expected);
    expect(read(store)).toEqual(expected);
  });

  it('are told of those that came, also when others did not', () => {
    const store = createOutcomeStore(spillThatTakes(most));
    for (const place of [7, 3]) store.add(place, outcomeOf(place), []);
    expect(read(store)).toEqual([[outcomeOf(3), outcomeOf(7)], []]);
  });

  it('are none before any came', () => {
    expect(read(createOutcomeStore(spillThatTakes(most)))).toEqual([[], []]);
  });

  it('may be read while others come', () => {
    const store = createOutcomeStore(spillThatTakes(most));
    const seen: string[] = [];
    for (let place = 0; place < 5; place += 1) {
      store.add(place, outcomeOf(place), []);
      seen.push([...store.outcomes()].map(({ row }) => row).join());
    }
    expect(seen).toEqual(['2', '2,3', '2,3,4', '2,3,4,5', '2,3,4,5,6']);
  });
});

it('keeps rows as they were, whatever becomes of the list they came in', () => {
  const store = createOutcomeStore(spillThatTakes(0));
  const rejects = [rejectOf(0)];
  store.add(0, outcomeOf(0), rejects);
  rejects.pop();
  expect([...store.rejects()]).toEqual([[rejectOf(0)]]);
});

it('holds very many', () => {
  const store = createOutcomeStore(spillThatTakes(Number.POSITIVE_INFINITY));
  const count = 20_000;
  for (let place = count - 1; place >= 0; place -= 1) store.add(place, outcomeOf(place), []);
  let place = 0;
  for (const outcome of store.outcomes()) expect(outcome).toEqual(outcomeOf(place++));
  expect(place).toBe(count);
});
