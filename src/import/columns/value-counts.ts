import { startsWithDay } from '../../orders/calendar-date.ts';

const maxShown = 5;
/** With more different values a column holds names, amounts or notes. */
const maxValues = 50;
const maxValueLength = 200;

export interface CountedValue {
  text: string;
  count: number;
}

export type ValueCounts = ReturnType<typeof createCounts>;

/** The different values of a column, and how often each occurs. Long values that begin alike count as one. */
export function createCounts(counted: readonly CountedValue[] = []) {
  const values = new Map(counted.slice(0, maxValues).map((value) => [value.text, { ...value }]));
  let others = counted.length - values.size;
  const list = (): CountedValue[] => [...values.values()].sort((left, right) => right.count - left.count);
  return {
    get areDates() {
      return [...values.keys()].every(startsWithDay);
    },
    add: (cell: string) => {
      const start = cell.slice(0, maxValueLength + 1);
      const known = values.get(start);
      if (known !== undefined) known.count += 1;
      else if (values.size < maxValues) {
        const text = ownCopy(start);
        values.set(text, { text, count: 1 });
      } else others += 1;
    },
    get isEmpty() {
      return values.size === 0;
    },
    /** Without those that were too long to keep. */
    get whole() {
      return [...values.keys()].filter(({ length }) => length <= maxValueLength);
    },
    /** The most frequent first. */
    list,
    /** `cancelled (12), refunded (3)`, the most frequent first. */
    format: () => {
      const all = list();
      const shown = all.slice(0, maxShown).map(({ text, count }) => `${clip(text)} (${count})`);
      return shown.join(', ') + (all.length > maxShown || others > 0 ? ', ...' : '');
    },
  };
}

/** A slice of a string keeps the whole string in memory. */
export function ownCopy(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

/** At most 40 characters, to show. */
export function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
