/** A test of one cell of a row. */
export interface Condition {
  index: number;
  header: string;
  /** Whether this is the text that is meant. */
  matches(text: string): boolean;
}

/** What a mapping file may ask of a cell: a value, one of several, `*` for any text, or nothing for a blank. */
export type Wanted = string | readonly string[];

export function createCondition(index: number, header: string, wanted: Wanted): Condition {
  const values = (typeof wanted === 'string' ? [wanted] : wanted).map(fold);
  return {
    index,
    header,
    matches: (text) => values.some((value) => (value === '*' ? text !== '' : value === fold(text))),
  };
}

/** Whether a row fulfils all conditions. */
export function isFulfilled(conditions: readonly Condition[], cells: readonly string[]): boolean {
  return conditions.every(({ index, matches }) => matches(cells[index] ?? ''));
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
