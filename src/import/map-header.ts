import {
  type FieldPath,
  FieldPathError,
  formatFieldPath,
  parseFieldPath,
  unsafeNames,
} from '../orders/field-path.ts';
import { type CellType, type Column, cellTypes, type Mapping } from './column.ts';
import { knownPath, nearMiss } from './known-paths.ts';
import type { Problem, ProblemCode } from './problem.ts';
import { columnLetters } from './table.ts';

const typeSuffix = new RegExp(`:(${cellTypes.join('|')})$`);

/** Header → columns. Nothing is guessed: a header that is nearly a known path is a problem with the suggestion. */
export function mapHeader(header: readonly string[]): Mapping & { problems: Problem[] } {
  const columns: Column[] = [];
  const unsent: string[] = [];
  const problems: Problem[] = [];
  const taken = new Map<string, number>();
  for (const [index, name] of header.entries()) {
    const problem = problemWithName(header, index) ?? mapColumn(name, index, columns, unsent);
    if (problem !== undefined) problems.push(problem);
  }
  for (const column of columns) {
    const path = formatFieldPath(column.path);
    const other = taken.get(path) ?? columns.find((whole) => isPartOf(column.path, whole.path))?.index;
    if (other !== undefined) {
      problems.push(
        atHeader(
          header,
          column.index,
          'header_duplicate',
          `fills ${path}, which column ${columnLetters(other)} fills as well`,
          'keep one of the two',
        ),
      );
    }
    taken.set(path, column.index);
  }
  if (!taken.has('externalOrderId')) {
    problems.push({
      about: 'header',
      severity: 'error',
      code: 'column_missing',
      path: 'externalOrderId',
      problem: 'no column holds your own order ids, which keep an order from being created twice',
      fix: fixForMissingId(header),
    });
  }
  return { columns, unsent, problems };
}

function fixForMissingId(header: readonly string[]): string {
  const names = header.filter((name) => name !== '').join(', ');
  if (names === '') return 'give the file a header line with the names of its columns';
  const delimiter = header.length === 1 ? /[;\t|]/.exec(names)?.[0] : undefined;
  if (delimiter !== undefined)
    return `its cells seem to be separated otherwise; add --delimiter '${delimiter === '\t' ? 'tab' : delimiter}'`;
  return `name that column externalOrderId; the columns are: ${names}`;
}

function unsafePart(name: string): string | undefined {
  const parts = name.split(/[.[\]:]/).map((part) => part.trim());
  return parts.find((part) => unsafeNames.has(part));
}

function mapColumn(name: string, index: number, columns: Column[], unsent: string[]): Problem | undefined {
  const unsafe = unsafePart(name);
  if (unsafe !== undefined) {
    const problem = `"${unsafe}" cannot be part of a field path`;
    return problemAt(name, index, 'header_unsafe', problem, 'rename the column, or take it out');
  }
  if (name === '' || name.startsWith('_')) return undefined;
  const type = (typeSuffix.exec(name)?.[1] ?? 'text') as CellType;
  const text = name.replace(typeSuffix, '').trim();
  const known = knownPath(text);
  const isPath = known !== undefined || /[.[\]]/.test(text) || text !== name;
  const near = known === undefined ? nearMiss(text, isPath) : undefined;
  if (near !== undefined) {
    return problemAt(
      name,
      index,
      'header_near_miss',
      `is not a field of an order`,
      `did you mean ${near}? rename the column`,
    );
  }
  if (!isPath) {
    unsent.push(name);
    return undefined;
  }
  try {
    const path = parseFieldPath(known ?? text);
    columns.push({ index, header: name, path, type, isLine: isLinePath(path), isExtra: known === undefined });
    return undefined;
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    return problemAt(name, index, 'header_invalid', error.message, 'rename the column, or take it out');
  }
}

function problemWithName(header: readonly string[], index: number): Problem | undefined {
  const name = header[index] ?? '';
  const first = header.indexOf(name);
  if (first === index || name === '') return undefined;
  return atHeader(
    header,
    index,
    'header_duplicate',
    `is also the name of column ${columnLetters(first)}`,
    'rename one of the two',
  );
}

/** A column without a name is nobody's business until a row has something in it. */
export function blankHeaderProblem(index: number): Problem {
  return problemAt(
    '',
    index,
    'header_blank',
    'has no name, and there is text in it',
    'name the column, or take it out',
  );
}

/** `customer.phone` is part of `customer`: whichever came second would undo the other. */
function isPartOf(path: FieldPath, whole: FieldPath): boolean {
  return whole.length < path.length && whole.every((step, index) => step === path[index]);
}

function isLinePath(path: FieldPath): boolean {
  return path.includes(null);
}

function atHeader(
  header: readonly string[],
  index: number,
  code: ProblemCode,
  problem: string,
  fix: string,
): Problem {
  return problemAt(header[index] ?? '', index, code, problem, fix);
}

function problemAt(header: string, index: number, code: ProblemCode, problem: string, fix: string): Problem {
  return {
    about: 'header',
    severity: 'error',
    code,
    row: 1,
    line: 1,
    column: columnLetters(index),
    header,
    problem,
    fix,
  };
}
