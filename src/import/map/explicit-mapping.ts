import { FieldPathError } from '../../orders/field-path.ts';
import type { Problem } from '../problem.ts';
import { likelyNames } from './aliases.ts';
import { type Claim, type Claims, readTarget, splitType } from './claims.ts';
import { type Condition, createCondition, type Wanted } from './condition.ts';
import type { Header } from './header.ts';
import { knownPath, nearMiss } from './known-paths.ts';
import type { MappedColumn, MappingFile } from './mapping-file.ts';

/** `--map-column 'Header=path'`. */
export interface MappedFlag {
  header: string;
  path: string;
}

/** What flags say of columns. */
export function claimByFlags(header: Header, flags: readonly MappedFlag[]): Claims {
  return collect(flags.map((flag) => claim(header, flag.path, flag.header, 'flag')));
}

/** What a mapping file says of columns. */
export function claimByFile(header: Header, { columns, group_by: groupBy }: MappingFile): Claims {
  const told = Object.entries(columns).map(([path, column]) => claim(header, path, column, 'file'));
  const hasId = Object.keys(columns).some((path) => path.toLowerCase() === 'externalorderid');
  return collect(
    groupBy === undefined || hasId ? told : [...told, claim(header, 'externalOrderId', groupBy, 'file')],
  );
}

/** Conditions on columns by name; a name that no column has is a problem. */
export function readConditions(
  header: Header,
  wanted: Readonly<Record<string, Wanted>>,
  what: string,
): { conditions: Condition[]; problems: Problem[] } {
  const conditions: Condition[] = [];
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    const index = header.indexOf(name);
    if (index === undefined) problems.push(unknownColumn(header, name, what));
    else conditions.push(createCondition(index, name, value));
  }
  return { conditions, problems };
}

/** A name that no column has. */
export function unknownColumn(header: Header, name: string, what: string): Problem {
  const [near] = likelyNames(name, header.cells);
  return {
    about: 'header',
    severity: 'error',
    code: 'column_unknown',
    header: name,
    problem: `${what} names a column that the file does not have`,
    fix: near === undefined ? 'name one of its columns' : `did you mean "${near}"?`,
  };
}

function claim(header: Header, path: string, column: MappedColumn, authority: Claim['authority']): Claims {
  const told = typeof column === 'string' ? { from: column } : column;
  const names = typeof told.from === 'string' ? [told.from] : (told.from ?? []);
  const what = authority === 'flag' ? '--map-column' : `columns.${path}`;
  const problems = names
    .filter((name) => header.indexOf(name) === undefined)
    .map((name) => unknownColumn(header, name, what));
  const when = readConditions(header, told.when ?? {}, `${what}.when`);
  problems.push(...when.problems);
  const named = names.flatMap((name) => header.indexOf(name) ?? []);
  const [first, ...others] =
    names.length === 0 ? when.conditions.map(({ index }) => index).slice(0, 1) : named;
  if (first === undefined || problems.length > 0) return { claims: [], problems };
  const near = nearMissOf(path);
  if (near !== undefined) {
    const problem = `${what} names no field of an order`;
    const fix = `did you mean ${near}?`;
    return {
      claims: [],
      problems: [{ about: 'header', severity: 'error', code: 'header_near_miss', path, problem, fix }],
    };
  }
  try {
    const target = readTarget(path);
    const rule = ruleOf(told, when.conditions);
    return {
      claims: [
        {
          ...{ ...target, type: told.type ?? target.type, indexes: [first, ...others], authority },
          ...(rule === undefined ? {} : { rule }),
        },
      ],
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const fix = 'write a field such as customer.phone or deliveryAddress.city';
    const problem = `${what} names no field: ${error.message}`;
    return {
      claims: [],
      problems: [{ about: 'header', severity: 'error', code: 'header_invalid', path, problem, fix }],
    };
  }
}

function nearMissOf(path: string): string | undefined {
  const { name } = splitType(path);
  return knownPath(name) === undefined ? nearMiss(name, true) : undefined;
}

function ruleOf(told: Exclude<MappedColumn, string>, conditions: Condition[]): Claim['rule'] | undefined {
  const rule = {
    ...(told.from === undefined ? { readsNoCell: true } : {}),
    ...(told.join === undefined ? {} : { join: told.join }),
    ...(told.strip_prefix === undefined ? {} : { stripPrefix: told.strip_prefix }),
    ...(conditions.length === 0 ? {} : { when: conditions }),
    ...(told.else === undefined ? {} : { otherwise: told.else }),
    ...(told.default === undefined ? {} : { byDefault: told.default }),
  };
  return Object.keys(rule).length === 0 ? undefined : rule;
}

function collect(all: Claims[]): Claims {
  return {
    claims: all.flatMap(({ claims }) => claims),
    problems: all.flatMap(({ problems }) => problems),
  };
}
