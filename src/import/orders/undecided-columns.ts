import { columnsNamed, createHeader, mappingProblem, nameOf } from '../mapping/header.ts';
import type { MappedHeader } from '../mapping/map-header.ts';
import { clip, ownCopy } from '../mapping/meanings.ts';
import type { Problem } from '../problem.ts';
import { columnLetters, type HeaderRow } from '../read/read-table.ts';
import type { PlanOptions } from './plan.ts';

const maxSampleLength = 40;

/** Columns with values about which neither a field nor a rule nor a person has decided. */
export function createUndecidedColumns(
  row: HeaderRow,
  { undecided: all }: Pick<MappedHeader, 'undecided'>,
  { ignoreRest, remembered }: Pick<PlanOptions, 'ignoreRest' | 'remembered'>,
) {
  const header = createHeader(row);
  const isNew = (index: number) =>
    remembered === undefined ||
    remembered.newColumns.some((name) => columnsNamed(header, name).includes(index));
  const undecided = all.filter(isNew);
  const samples = new Map<number, string>();
  let empty = [...undecided];
  return {
    indexes: undecided,
    addRow: (cells: readonly string[]): void => {
      for (const index of empty) {
        const text = cells[index] ?? '';
        if (text !== '') samples.set(index, ownCopy(text.slice(0, maxSampleLength + 1)));
      }
      if (empty.some((index) => samples.has(index))) empty = empty.filter((index) => !samples.has(index));
    },
    /** `unread`: the problems of single columns, which say more. `--ignore-rest` covers the others. */
    value: (unread: readonly Problem[]): { problems: Problem[]; ignoredRest: string[] } => {
      const said = new Set(unread.flatMap(({ severity, column }) => (severity === 'error' ? column : [])));
      const left = undecided.filter((index) => samples.has(index) && !said.has(columnLetters(index)));
      const names = left.map((index) => nameOf(header, index));
      if (ignoreRest || left.length === 0) return { problems: [], ignoredRest: names };
      const shown = left.map((index) => `${clip(nameOf(header, index))} (${clip(samples.get(index) ?? '')})`);
      return { problems: [columnsUndecided(shown)], ignoredRest: [] };
    },
  };
}

const maxShown = 12;

function columnsUndecided(shown: readonly string[]): Problem {
  const count = shown.length;
  const more = count > maxShown ? ` and ${count - maxShown} more` : '';
  const [columns, them] = count === 1 ? ['this column', 'it does'] : [`these ${count} columns`, 'they do'];
  return mappingProblem({
    code: 'columns_undecided',
    problem: `nothing says what ${columns} hold${count === 1 ? 's' : ''}: ${shown.slice(0, maxShown).join(', ')}${more}`,
    fix: `if ${them} not matter, add --ignore-rest; otherwise name the field of a column with --map-column 'Header=path', or describe it in a mapping file (--map)`,
    cures: [['--ignore-rest']],
  });
}
