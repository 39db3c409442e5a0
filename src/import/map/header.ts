import { unsafeNames } from '../../orders/field-path.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { columnLetters, type HeaderRow, type Row } from '../table/table.ts';
import { foldHeader } from './aliases.ts';

/** The header of a file, and where it stands in it. */
export interface Header extends HeaderRow {
  /** The column of a name, written in any case and with any spaces. */
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

/** What is wrong with the names themselves, whatever they are mapped to. */
export function checkNames(header: Header): Problem[] {
  return header.cells.flatMap((name, index) => {
    const unsafe = unsafePart(name);
    if (unsafe !== undefined) {
      const problem = `"${unsafe}" cannot be part of a field path`;
      return [problemAt(header, index, 'header_unsafe', problem, 'rename the column, or take it out')];
    }
    const first = header.cells.indexOf(name);
    if (first === index || name === '') return [];
    const problem = `is also the name of column ${columnLetters(first)}`;
    return [problemAt(header, index, 'header_duplicate', problem, 'rename one of the two')];
  });
}

/** A column without a name is nobody's business until a row has something in it. */
export function blankHeaderProblem(header: Row, index: number): Problem {
  const problem = 'has no name, and there is text in it';
  return problemAt(header, index, 'header_blank', problem, 'name the column, or take it out');
}

export function problemAt(
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
