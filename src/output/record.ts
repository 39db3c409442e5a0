import { cleanCell } from './clean-text.ts';
import type { Style } from './colour.ts';
import type { Field } from './fields.ts';
import { drawRows, measureColumns } from './text-grid.ts';

/** One record down the page: a line for each field, values whole and in one column. */
export function formatRecord(fields: Field[], style: Style): string {
  const names = fields.map(({ path }) => [cleanCell(path)]);
  return drawRows(names, measureColumns(names))
    .map((name, index) => {
      const value = cleanCell(fields[index]?.text ?? '');
      return value === '' ? style.bold(name.trimEnd()) : `${style.bold(name)}  ${value}`;
    })
    .join('\n');
}
