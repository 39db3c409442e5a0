import { startsWithDay } from '../../../orders/calendar-date.ts';
import { ownCopy } from '../../problem.ts';
import { foldCell } from '../conditions.ts';

/** In how many orders the values of some columns come together. Dates count as one text, `*`. */
export interface JointValues {
  indexes: readonly number[];
  counts: readonly { texts: readonly string[]; count: number }[];
}

/** With more of them the columns hold free text. */
const maxCombinations = 1000;
const maxLength = 200;

export function createJointValues(indexes: readonly number[]) {
  const counts = new Map<string, { texts: string[]; count: number }>();
  let texts: string[] | undefined;
  let isFree = false;
  const endOrder = () => {
    if (texts === undefined || isFree) return;
    const key = JSON.stringify(texts);
    const known = counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (counts.size < maxCombinations) counts.set(key, { texts: texts.map(ownCopy), count: 1 });
    else isFree = true;
  };
  return {
    addRow: (cells: readonly string[], beginsOrder: boolean): void => {
      if (indexes.length < 2) return;
      if (beginsOrder) endOrder();
      if (beginsOrder || texts === undefined) texts = indexes.map(() => '');
      for (const [place, index] of indexes.entries()) texts[place] ||= jointText(cells[index] ?? '');
    },
    /** Undefined for fewer than two columns, and for free text. */
    value: (): JointValues | undefined => {
      endOrder();
      return indexes.length < 2 || isFree ? undefined : { indexes, counts: [...counts.values()] };
    },
  };
}

export function jointText(text: string): string {
  return startsWithDay(text) ? '*' : foldCell(text.slice(0, maxLength));
}
