import { FieldPathError } from '../../orders/field-path.ts';
import type { MappedFlag } from '../choices.ts';
import type { Header } from '../columns/header.ts';
import { nearMiss } from '../columns/known-fields.ts';
import type { Problem } from '../problem.ts';
import { type Candidate, type Candidates, parseTarget, splitType } from './candidate.ts';
import { findColumn, foldCell, type Lookup, listOf, readRule } from './conditions.ts';
import type { MappedColumn, MappingFile, Preset } from './language.ts';

export function candidatesByFlags(header: Header, flags: readonly MappedFlag[]): Candidates {
  const lookup: Lookup = { header, isPreset: false, problems: [] };
  const candidates = flags.flatMap((flag) => candidateOf(lookup, flag.path, flag.header, 'flag'));
  return { candidates, problems: lookup.problems };
}

export function candidatesByFile(header: Header, { columns, group_by: groupBy }: MappingFile): Candidates {
  const lookup: Lookup = { header, isPreset: false, problems: [] };
  const candidates = candidatesOf(lookup, columns);
  const hasId = Object.keys(columns).some((path) => path.toLowerCase() === 'externalorderid');
  if (groupBy !== undefined && !hasId) {
    candidates.push(...candidateOf(lookup, 'externalOrderId', groupBy, 'file'));
  }
  return { candidates, problems: lookup.problems };
}

/** The columns of a preset that the file has and that nothing explicit has taken. */
export function candidatesByPreset(
  header: Header,
  { columns = {} }: Preset,
  isFree: (index: number) => boolean,
): Candidates {
  const lookup: Lookup = { header, isPreset: true, problems: [] };
  const candidates = candidatesOf(lookup, columns).flatMap((candidate): Candidate[] => {
    const [first, ...others] = candidate.indexes.filter(isFree);
    return first === undefined ? [] : [{ ...candidate, indexes: [first, ...others] }];
  });
  return { candidates, problems: lookup.problems };
}

export function candidatesOf(lookup: Lookup, columns: Readonly<Record<string, MappedColumn>>): Candidate[] {
  const source = lookup.isPreset ? 'preset' : 'file';
  return Object.entries(columns).flatMap(([path, column]) => candidateOf(lookup, path, column, source));
}

function candidateOf(
  lookup: Lookup,
  path: string,
  column: MappedColumn,
  source: Candidate['source'],
): Candidate[] {
  const mapped = typeof column === 'string' ? { from: column } : column;
  const names = listOf(mapped.from);
  const option = source === 'flag' ? '--map-column' : `columns.${path}`;
  const problemsBefore = lookup.problems.length;
  const [when = []] = readRule(lookup, mapped.when, `${option}.when`);
  const indexes =
    names.length === 0
      ? when.slice(0, 1).map(({ index }) => index)
      : names.flatMap((name) => findColumn(lookup, name, option) ?? []);
  const minus = findMinus(lookup, mapped.minus, `${option}.minus`);
  const [first, ...others] = indexes;
  const lacksCondition = mapped.when !== undefined && when.length === 0;
  const hasProblem = lookup.problems.length > problemsBefore;
  if (first === undefined || hasProblem || lacksCondition) return [];
  const near = nearMiss(splitType(path).name, true);
  if (near !== undefined) {
    const problem = `${option} does not name a field of an order`;
    lookup.problems.push(invalidPath('header_near_miss', path, problem, `did you mean ${near}?`));
    return [];
  }
  try {
    const target = parseTarget(path);
    const candidate: Candidate = {
      ...target,
      type: mapped.type ?? target.type,
      indexes: [first, ...others],
      source,
    };
    const rule = ruleOf(mapped);
    if (when.length > 0) rule.when = when;
    if (minus !== undefined) rule.minus = minus;
    if (Object.keys(rule).length > 0) candidate.rule = rule;
    return [candidate];
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const problem = `${option} does not name a field: ${error.message}`;
    const fix = 'use a field such as customer.phone or deliveryAddress.city';
    lookup.problems.push(invalidPath('header_invalid', path, problem, fix));
    return [];
  }
}

function findMinus(
  lookup: Lookup,
  minus: Exclude<MappedColumn, string>['minus'],
  option: string,
): NonNullable<Candidate['rule']>['minus'] {
  const isSent = typeof minus === 'object' && 'fulfilled' in minus;
  const names = listOf(isSent ? minus.fulfilled : minus);
  const [index] = names.flatMap((name) => findColumn(lookup, name, option) ?? []);
  if (index === undefined) return undefined;
  return { index, header: lookup.header.cells[index] ?? '', reason: isSent ? 'fulfilled' : 'refunded' };
}

function invalidPath(code: Problem['code'], path: string, problem: string, fix: string): Problem {
  return { about: 'header', severity: 'error', code, path, problem, fix };
}

function ruleOf(mapped: Exclude<MappedColumn, string>): NonNullable<Candidate['rule']> {
  const rule: NonNullable<Candidate['rule']> = {};
  if (mapped.from === undefined) rule.readsNoCell = true;
  if (mapped.join !== undefined) rule.join = mapped.join;
  if (mapped.strip_prefix !== undefined) rule.stripPrefix = mapped.strip_prefix;
  if (mapped.else !== undefined) rule.otherwise = mapped.else;
  if (mapped.default !== undefined) rule.byDefault = mapped.default;
  if (mapped.pick !== undefined) rule.picksFirst = true;
  if (mapped.blank !== undefined) rule.blanks = new Set(listOf(mapped.blank).map(foldCell));
  if (mapped.values !== undefined) {
    rule.values = new Map(Object.entries(mapped.values).map(([cell, text]) => [foldCell(cell), text]));
  }
  return rule;
}
