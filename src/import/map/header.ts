import { unsafeNames } from '../../orders/field-path.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { columnLetters, type HeaderRow, type Row } from '../table/table.ts';
import { foldHeader } from './known-fields.ts';

export interface Header extends HeaderRow {
  /** The column with this name, in any case and spacing. */
  indexOf(name: string): number | undefined;
}

export function createHeader(row: HeaderRow): Header {
  const byName = new Map<string, number>();
  for (const [index, name] of row.cells.entries()) {
    const folded = foldHeader(name);
    if (folded !== '' && !byName.has(folded)) byName.set(folded, index);
  }
  return { ...row, indexOf: (name) => byName.get(foldHeader(name)) };
}

export function checkNames(header: Header): Problem[] {
  return header.cells.flatMap((name, index) => {
    const unsafe = unsafePart(name);
    if (unsafe !== undefined) {
      const problem = `"${unsafe}" cannot be part of a field path`;
      return [headerProblem(header, index, 'header_unsafe', problem, 'rename the column or remove it')];
    }
    const first = header.cells.indexOf(name);
    if (first === index || name === '') return [];
    const problem = `is also the name of column ${columnLetters(first)}`;
    return [headerProblem(header, index, 'header_duplicate', problem, 'rename one of the two')];
  });
}

/** The problem of a column without a name in which a row has text; an empty one is ignored. */
export function blankHeaderProblem(header: Row, index: number): Problem {
  const problem = 'has no name, but some of its cells have text';
  return headerProblem(header, index, 'header_blank', problem, 'name the column or remove it');
}

export function headerProblem(
  { row, line, cells }: Row,
  index: number,
  code: ProblemCode,
  problem: string,
  fix: string,
): Problem {
  const header = cells[index] ?? '';
  const column = columnLetters(index);
  return { about: 'header', severity: 'error', code, row, line, column, header, problem, fix };
}

function unsafePart(name: string): string | undefined {
  const parts = name.split(/[.[\]:]/).map((part) => part.trim());
  return parts.find((part) => unsafeNames.has(part));
}
