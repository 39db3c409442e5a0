import { FieldPathError } from '../../orders/field-path.ts';
import type { Problem } from '../problem.ts';
import { type Candidate, type Candidates, parseTarget, splitType } from './candidate.ts';
import { type Condition, createCondition, type Header } from './column.ts';
import { closestHeaders, knownPath, nearMiss } from './known-fields.ts';
import type { MappedColumn, MappingFile, WantedByHeader } from './mapping-file.ts';

/** `--map-column 'Header=path'`. */
export interface MappedFlag {
  header: string;
  path: string;
}

export function candidatesByFlags(header: Header, flags: readonly MappedFlag[]): Candidates {
  return concatenate(flags.map((flag) => candidateOf(header, flag.path, flag.header, 'flag')));
}

export function candidatesByFile(header: Header, { columns, group_by: groupBy }: MappingFile): Candidates {
  const mapped = Object.entries(columns).map(([path, column]) => candidateOf(header, path, column, 'file'));
  const hasId = Object.keys(columns).some((path) => path.toLowerCase() === 'externalorderid');
  if (groupBy !== undefined && !hasId) mapped.push(candidateOf(header, 'externalOrderId', groupBy, 'file'));
  return concatenate(mapped);
}

/** Headers and wanted values → conditions; a header that the file does not have is a problem. `option` is named in it. */
export function readConditions(
  header: Header,
  wanted: WantedByHeader,
  option: string,
): { conditions: Condition[]; problems: Problem[] } {
  const conditions: Condition[] = [];
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    const index = header.indexOf(name);
    if (index === undefined) problems.push(unknownColumn(header, name, option));
    else conditions.push(createCondition(index, name, value));
  }
  return { conditions, problems };
}

export function unknownColumn(header: Header, name: string, option: string): Problem {
  const [near] = closestHeaders([name], header.cells);
  return {
    about: 'header',
    severity: 'error',
    code: 'column_unknown',
    header: name,
    problem: `${option} names a column that the file does not have`,
    fix: near === undefined ? 'use the name of one of its columns' : `did you mean "${near}"?`,
  };
}

function candidateOf(
  header: Header,
  path: string,
  column: MappedColumn,
  source: 'flag' | 'file',
): Candidates {
  const mapped = typeof column === 'string' ? { from: column } : column;
  const names = typeof mapped.from === 'string' ? [mapped.from] : (mapped.from ?? []);
  const option = source === 'flag' ? '--map-column' : `columns.${path}`;
  const problems = names
    .filter((name) => header.indexOf(name) === undefined)
    .map((name) => unknownColumn(header, name, option));
  const when = readConditions(header, mapped.when ?? {}, `${option}.when`);
  problems.push(...when.problems);
  const indexes =
    names.length === 0
      ? when.conditions.map(({ index }) => index).slice(0, 1)
      : names.flatMap((name) => header.indexOf(name) ?? []);
  const [first, ...others] = indexes;
  if (first === undefined || problems.length > 0) return { candidates: [], problems };
  const near = nearMissOf(path);
  if (near !== undefined) {
    const problem = `${option} does not name a field of an order`;
    return invalidPath('header_near_miss', path, problem, `did you mean ${near}?`);
  }
  try {
    const target = parseTarget(path);
    const candidate: Candidate = {
      ...target,
      type: mapped.type ?? target.type,
      indexes: [first, ...others],
      source,
    };
    const rule = ruleOf(mapped, when.conditions);
    if (rule !== undefined) candidate.rule = rule;
    return { candidates: [candidate], problems: [] };
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const problem = `${option} does not name a field: ${error.message}`;
    const fix = 'use a field such as customer.phone or deliveryAddress.city';
    return invalidPath('header_invalid', path, problem, fix);
  }
}

function invalidPath(code: Problem['code'], path: string, problem: string, fix: string): Candidates {
  return {
    candidates: [],
    problems: [{ about: 'header', severity: 'error', code, path, problem, fix }],
  };
}

function nearMissOf(path: string): string | undefined {
  const { name } = splitType(path);
  return knownPath(name) === undefined ? nearMiss(name, true) : undefined;
}

function ruleOf(
  mapped: Exclude<MappedColumn, string>,
  conditions: Condition[],
): Candidate['rule'] | undefined {
  const rule: NonNullable<Candidate['rule']> = {};
  if (mapped.from === undefined) rule.readsNoCell = true;
  if (mapped.join !== undefined) rule.join = mapped.join;
  if (mapped.strip_prefix !== undefined) rule.stripPrefix = mapped.strip_prefix;
  if (conditions.length > 0) rule.when = conditions;
  if (mapped.else !== undefined) rule.otherwise = mapped.else;
  if (mapped.default !== undefined) rule.byDefault = mapped.default;
  return Object.keys(rule).length === 0 ? undefined : rule;
}

function concatenate(all: Candidates[]): Candidates {
  return {
    candidates: all.flatMap(({ candidates }) => candidates),
    problems: all.flatMap(({ problems }) => problems),
  };
}
