import {
  columnAt,
  foldHeader,
  type Header,
  isMisspelt,
  mappingProblem,
  type NamedColumn,
} from '../columns/header.ts';
import { columnAmbiguous, columnUnknown } from '../file-texts.ts';
import type { Problem } from '../problem.ts';
import { verdict } from '../words/verdict.ts';
import type { Wanted, WantedByHeader } from './language.ts';

export interface Condition extends NamedColumn {
  matches(text: string): boolean;
  /** Undefined when it takes any text or searches in it. */
  values: readonly string[] | undefined;
}

/** Conditions that must all hold; a rule holds when one of its alternatives does. */
export type Rule = readonly (readonly Condition[])[];

/**
 * `*` matches any text but `-` and the like, an empty value a blank cell. Case does not matter. A text that may mean the
 * words in question (`takesUnclear`) meets neither a condition for them nor one against them.
 */
export function createCondition(column: NamedColumn, wanted: Wanted, takesUnclear = false): Condition {
  if (typeof wanted === 'object' && 'not' in wanted) {
    const { matches } = createCondition(column, wanted.not, true);
    return { ...column, matches: (text) => !matches(text), values: undefined };
  }
  if (typeof wanted === 'object' && !Array.isArray(wanted)) {
    return { ...column, matches: createSearch(wanted as Search, takesUnclear), values: undefined };
  }
  const values = listOf(wanted as string | readonly string[]).map(foldCell);
  const takesAny = values.includes('*');
  return {
    ...column,
    matches: (text) => (takesAny && isAnyText(text)) || values.includes(foldCell(text)),
    values: takesAny ? undefined : values,
  };
}

const longestNothing = 40;

/** False for a blank cell, `-`, `N/A` or the date `0000-00-00`. */
export function isAnyText(text: string): boolean {
  return (
    text.length > longestNothing ||
    (verdict('tick', text) !== 'nothing' && !/^0{2,4}[-/.]00[-/.]0{2,4}[0\s.:TZ]*$/i.test(text))
  );
}

type Search = Extract<Wanted, { contains?: unknown }>;

function createSearch(search: Search, takesUnclear: boolean): (text: string) => boolean {
  const parts = listOf(search.contains).map(foldCell);
  const tests = [(text: string) => parts.some((part) => foldCell(text).includes(part))];
  if (search.words === 'pickup') tests.push((text) => verdict('shipping_method', text) === 'pickup');
  if (search.words === 'cash_on_delivery')
    tests.push((text) => {
      const found = verdict('payment_method', text);
      return found === 'on_delivery' || (takesUnclear && found === 'unclear');
    });
  if (search.above_zero) tests.push((text) => /[1-9]/.test(text) && !text.startsWith('-'));
  return (text) => tests.some((test) => test(text));
}

export function listOf<Item>(value: Item | readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as Item];
}

/** Cell text for comparison: NFKC, without case and with single spaces. */
export function foldCell(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

export function meetsAll(conditions: readonly Condition[], cells: readonly string[]): boolean {
  return conditions.every(({ index, matches }) => matches(cells[index] ?? ''));
}

export function meetsRule(rule: Rule, cells: readonly string[]): boolean {
  return rule.some((conditions) => meetsAll(conditions, cells));
}

/** The condition to show when a rule holds. */
export function heldCondition(rule: Rule, cells: readonly string[]): Condition | undefined {
  return rule.find((conditions) => meetsAll(conditions, cells))?.[0];
}

/** Where headers are looked up. Those of a user's mapping must exist; those of a preset may be missing. */
export interface Lookup {
  header: Header;
  isPreset: boolean;
  /** Columns that are taken for absent. */
  ignored?: ReadonlySet<number>;
  problems: Problem[];
}

/** Each guess compares a name with all columns. */
const maxGuesses = 20;

/** Undefined when the file has no such column, which is a problem unless a preset names it. */
export function findColumn(
  { header, isPreset, ignored, problems }: Lookup,
  name: string,
  option: string,
): NamedColumn | undefined {
  const index = header.indexOf(name);
  if (index === 'ambiguous') {
    const count = header.occurrencesOf(name).length;
    problems.push(mappingProblem(columnAmbiguous(name, option, count)));
  } else if (index === undefined && !isPreset) {
    const isMeant = (cell: string) => isMisspelt(foldHeader(name), foldHeader(cell));
    const near = problems.length < maxGuesses ? header.cells.find(isMeant) : undefined;
    problems.push(mappingProblem(columnUnknown(name, option, near)));
  }
  return typeof index === 'number' && !ignored?.has(index) ? columnAt(header, index) : undefined;
}

/** Without its column, an alternative of a preset never holds, unless the cell has to be blank. */
export function readRule(
  lookup: Lookup,
  wanted: WantedByHeader | readonly WantedByHeader[] | undefined,
  option: string,
): Rule {
  return listOf(wanted).flatMap((alternative): (readonly Condition[])[] => {
    const conditions = Object.entries(alternative).flatMap(([name, value]) => {
      const column = findColumn(lookup, name, option);
      if (column !== undefined) return [createCondition(column, value)];
      return lookup.isPreset && value === '' ? [] : [undefined];
    });
    return conditions.length === 0 || conditions.includes(undefined) ? [] : [conditions as Condition[]];
  });
}

/** For each column of these rules that lists values: the texts that one of them lists. */
export function listedValues(rules: readonly Rule[], isMeant: (column: NamedColumn) => boolean): Condition[] {
  const listed = rules.flat(2).filter((one) => one.values !== undefined && isMeant(one));
  return [...new Set(listed.map(({ index }) => index))].map((index) => {
    const [first, ...others] = listed.filter((condition) => condition.index === index) as [Condition];
    return others.length === 0
      ? first
      : { ...first, matches: (text) => [first, ...others].some((one) => one.matches(text)) };
  });
}
