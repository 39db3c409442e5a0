import { distance } from 'fastest-levenshtein';
import { unsafeNames } from '../../orders/field-path.ts';
import { once } from '../../words/phrases.ts';
import { unsafeName } from '../file-texts.ts';
import type { Problem, ProblemText } from '../problem.ts';
import { columnLetters, type HeaderRow, type Row } from '../read/read-table.ts';
import { allRoles, namesOf, roles } from './roles.ts';

/** A column of a file. What else is known about one extends this. */
export interface NamedColumn {
  /** Its place in a row, from 0. */
  index: number;
  /** As the file has it, but in drafts and questions as a mapping names it: `City#2`. */
  header: string;
}

/** In place of a header: no column holds this. */
export const noColumn = 'none';

export interface Header extends HeaderRow {
  /** Also those of columns that repeat an earlier one, whose cell is blank. */
  names: readonly string[];
  /**
   * The column with this name, in any case and spacing; `Delivery city#2` is the second of that name, and
   * 'ambiguous' says that there are several and none was chosen.
   */
  indexOf(name: string): number | 'ambiguous' | undefined;
  occurrencesOf(name: string): readonly number[];
}

/** A column that repeats an earlier one is found only as `Name#2`; otherwise it counts as nameless. */
export function createHeader(row: HeaderRow): Header {
  const repeats = new Set(row.repeats);
  const byName = new Map<string, number[]>();
  for (const [index, name] of row.cells.entries()) {
    const folded = foldHeader(name);
    if (folded === '') continue;
    const known = byName.get(folded);
    if (known === undefined) byName.set(folded, [index]);
    else known.push(index);
  }
  const occurrencesOf = (name: string) => byName.get(foldHeader(name)) ?? [];
  return {
    ...row,
    names: row.cells,
    cells: row.cells.map((name, index) => (repeats.has(index) ? '' : name)),
    occurrencesOf,
    indexOf: (name) => {
      const found = occurrencesOf(name).filter((index) => !repeats.has(index));
      if (found.length > 1) return 'ambiguous';
      if (found.length === 1) return found[0];
      const [, bare = '', number] = /^(.*)#(\d{1,3})$/s.exec(name) ?? [];
      return number === undefined ? undefined : occurrencesOf(bare)[Number(number) - 1];
    },
  };
}

export function columnAt({ cells }: Pick<Header, 'cells'>, index: number): NamedColumn {
  return { index, header: cells[index] ?? '' };
}

/** All columns of this name, or the one that `Delivery city#2` names. */
export function columnsNamed({ occurrencesOf, indexOf }: Header, name: string): readonly number[] {
  const all = occurrencesOf(name);
  const one = indexOf(name);
  return all.length === 0 && typeof one === 'number' ? [one] : all;
}

/** `City#2` when the name stands more than once in the header, as mappings write it. */
export function nameOf(header: Header, index: number): string {
  const name = header.names[index] ?? '';
  const all = header.occurrencesOf(name);
  return all.length > 1 ? `${name}#${all.indexOf(index) + 1}` : name;
}

export function checkNames(header: Header): Problem[] {
  return header.cells.flatMap((name, index) => {
    const unsafe = unsafePart(name);
    if (unsafe === undefined) return [];
    return [headerProblem(header, index, unsafeName(unsafe))];
  });
}

/** A problem of the header as a whole, or of a mapping that does not fit it. */
export function mappingProblem(text: ProblemText): Problem {
  return { about: 'header', severity: 'error', ...text };
}

export function headerProblem({ row, line, cells }: Row, index: number, text: ProblemText): Problem {
  const header = cells[index] ?? '';
  const column = columnLetters(index);
  return mappingProblem({ row, line, column, header, ...text });
}

function unsafePart(name: string): string | undefined {
  const parts = name.split(/[.[\]:]/).map((part) => part.trim());
  return parts.find((part) => unsafeNames.has(part));
}

const fieldByAlias = once(
  () =>
    new Map(
      allRoles.flatMap((role) =>
        (namesOf[role]?.aliases ?? []).map((name) => [foldHeader(name), roles[role].field ?? ''] as const),
      ),
    ),
);

/** The fields of the interface that a column may fill. */
export const knownPaths = once(() => [...new Set(fieldByAlias().values())]);

/** The service assigns the order number, so it is never the merchant's order ID, although it looks like an alias. */
const assignedByService = 'orderNumber';

export function pathOfAlias(header: string): string | undefined {
  return header === assignedByService ? undefined : fieldByAlias().get(foldHeader(header));
}

/** Whether a folded name is a known one with a letter more, less or other than it, or with two in a long name. */
export function isMisspelt(name: string, known: string, limit = name.length >= 9 ? 2 : 1): boolean {
  const isNear = known[0] === name[0] && Math.abs(known.length - name.length) <= limit;
  return isNear && distance(name, known) <= limit;
}

/** Header text for comparison: without case, spaces and byte order mark. */
export function foldHeader(header: string): string {
  return header
    .normalize('NFC')
    .replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, '')
    .toLowerCase();
}

const knownByName = once(() => new Map(knownPaths().map((path) => [normalise(path), path])));

/** The known path that a header spells, in any case and spacing; `items[2].sku` counts as `items[].sku`. */
export function knownPath(text: string): string | undefined {
  const name = normalise(text);
  const index = /^items(\[\d+\])/.exec(name)?.[1] ?? '[]';
  return knownByName().get(name.replace(index, '[]'))?.replace('[]', index);
}

/** A known path with a small misspelling; plain words and short names must be closer than dotted paths. */
export function nearMiss(text: string, isPath: boolean): string | undefined {
  if (knownPath(text) !== undefined) return undefined;
  const name = withoutIndexes(normalise(text).replace(/[_-]/g, ''));
  return knownPaths().find((path) => {
    const lastName = path.slice(path.lastIndexOf('.') + 1);
    const limit = isPath && lastName.length > 3 ? 2 : 1;
    return path.length >= 8 && isMisspelt(name, withoutIndexes(normalise(path)), limit);
  });
}

function withoutIndexes(text: string): string {
  return text.replace(/\[\d*\]/g, '');
}

function normalise(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}
