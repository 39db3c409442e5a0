const maxValues = 50;
const maxShown = 5;
/** Of each value: a cell may have as much as a megabyte. */
const maxValueLength = 200;

interface ValueCount {
  text: string;
  count: number;
}

export type ValueCounts = ReturnType<typeof createCounts>;

export function isDateLike(text: string): boolean {
  return /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(text);
}

/** The different values of a column, and how often each occurs. Long values that begin alike count as one. */
export function createCounts() {
  const values = new Map<string, ValueCount>();
  let others = 0;
  return {
    get areDates() {
      return [...values.keys()].every(isDateLike);
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
    /** `cancelled (12), refunded (3)`, the most frequent first. */
    format: () => {
      const all = [...values.values()].sort((left, right) => right.count - left.count);
      const shown = all.slice(0, maxShown).map(({ text, count }) => `${clip(text)} (${count})`);
      return shown.join(', ') + (all.length > maxShown || others > 0 ? ', ...' : '');
    },
  };
}

/** A slice of a string keeps the whole string in memory. */
export function ownCopy(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
