import { t } from '../../advice/advice.ts';
import { FieldPathError, formatFieldPath, parseFieldPath } from '../../orders/field-path.ts';
import { type CellType, cellTypes, type MappedFlag } from '../choices.ts';
import {
  columnAt,
  type Header,
  headerProblem,
  knownPath,
  knownPaths,
  mappingProblem,
  nearMiss,
  noColumn,
  pathOfAlias,
} from '../columns/header.ts';
import type { Problem } from '../problem.ts';
import { findDamage } from '../read/damage.ts';
import { type CellRule, type Column, fills, mappingSources } from './column.ts';
import { findColumn, foldCell, type Lookup, listOf, readRule } from './conditions.ts';
import type { MappedColumn, MappingFile } from './language.ts';

interface Candidates {
  columns: Column[];
  problems: Problem[];
}

/** Of several columns for one field, those whose source has the highest precedence, in the order of the file. */
export function withHighestPrecedence(columns: readonly Column[]): Column[] {
  const best = new Map<string, number>();
  for (const column of columns) {
    const key = formatFieldPath(column.path);
    best.set(key, Math.min(best.get(key) ?? mappingSources.length, rankOf(column)));
  }
  return columns
    .filter((column) => best.get(formatFieldPath(column.path)) === rankOf(column))
    .toSorted((left, right) => left.index - right.index || rankOf(left) - rankOf(right));
}

function rankOf({ source }: Column): number {
  return source === undefined ? -1 : mappingSources.indexOf(source);
}

const typeSuffix = new RegExp(`:(${cellTypes.join('|')})$`);
const unknownSuffix = /\.[^.:]*:([a-z]+)$/i;

/** `items[].quantity:number` → its name and type, as headers, flags and mapping files write them. */
export function splitType(text: string): { name: string; type: CellType; hasType: boolean } {
  const type = typeSuffix.exec(text)?.[1];
  const name = text.replace(typeSuffix, '').trim();
  return { name, type: (type ?? 'text') as CellType, hasType: type !== undefined };
}

/** Text such as `items[].quantity:number` → the field that it names. Error: FieldPathError. */
export function parseTarget(text: string): Pick<Column, 'path' | 'type' | 'isLine' | 'isExtra'> {
  const { name, type } = splitType(text);
  const [, suffix] = unknownSuffix.exec(name) ?? [];
  if (suffix !== undefined) {
    throw new FieldPathError(t`":${suffix}" is not a type; the types are :${cellTypes.join(', :')}`);
  }
  const known = knownPath(name);
  const path = parseFieldPath(known ?? name);
  return { path, type, isLine: path.includes(null), isExtra: known === undefined };
}

/** A column whose header is a field path (`customer.phone`, any dotted name) or an alias of a known field. */
export function candidateByHeader(header: Header, index: number, usesAliases: boolean): Candidates {
  const name = header.cells[index] ?? '';
  const { name: text, hasType } = splitType(name);
  const known = knownPath(text);
  const isPath = known !== undefined || hasType || (/[.[\]]/.test(text) && !isProse(text));
  const alias = isPath ? undefined : pathOfAlias(text);
  const near = known === undefined && alias === undefined ? nearMiss(text, isPath) : undefined;
  if (near !== undefined) {
    const fix = t`did you mean ${near}? rename the column`;
    return invalid(
      headerProblem(header, index, {
        code: 'header_invalid',
        reason: 'near_miss',
        problem: t`is not a field of an order`,
        fix,
      }),
    );
  }
  const target = isPath ? name : usesAliases ? alias : undefined;
  if (target === undefined) return { columns: [], problems: damageProblems(header, index) };
  try {
    const source = isPath ? 'path' : 'alias';
    return { columns: [{ ...columnAt(header, index), ...parseTarget(target), source }], problems: [] };
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const fix = t`rename the column or remove it`;
    return invalid(headerProblem(header, index, { code: 'header_invalid', problem: error.problem, fix }));
  }
}

/** Whether dots and brackets are ordinary text: `Address No. 1`, `Qty.`, `Price (v1.0)`, `Total [MNT]`, `Бараа[]`. */
function isProse(name: string): boolean {
  const lastClosed = name.lastIndexOf(')') + 1;
  const outside = name.slice(0, lastClosed).replace(/\([^)]*(?:\)|$)/g, '') + name.slice(lastClosed);
  const isForeign = !outside.includes('.') && /\P{ASCII}/u.test(outside);
  return (
    !/[.[\]]/.test(outside) || /[.\]]\s|\s[.[]|:\/\//.test(outside) || isForeign || isAbbreviation(outside)
  );
}

/** `Qty.`, `P.U.`, `Art.Nr` and `Q.tà` are abbreviations; `customer.` is an incomplete path. */
function isAbbreviation(name: string): boolean {
  const isIncompletePath = knownPaths().some((path) => path.startsWith(name));
  const isShort = /^(?:[^.[\]]+|(?:[^.[\]]{1,5}\.){1,3}[^.[\]]{1,5})\.$/.test(name);
  const isBegun = /^(?!item)(?:\p{Lu}|\P{ASCII})[^.[\]]{0,3}\.[^.[\]]+$/iu.test(name) && !/^[a-z]/.test(name);
  return (isShort || isBegun) && !isIncompletePath;
}

/** A header with damaged letters may be the name of any field, so it must not go unread. */
function damageProblems(header: Header, index: number): Problem[] {
  const damage = findDamage(header.cells[index] ?? '');
  if (damage?.code !== 'text_damaged') return [];
  return [headerProblem(header, index, damage)];
}

function invalid(problem: Problem): Candidates {
  return { columns: [], problems: [problem] };
}

export function candidatesByFlags(header: Header, flags: readonly MappedFlag[]): Candidates {
  const lookup: Lookup = { header, isPreset: false, problems: [] };
  const columns = flags.flatMap((flag) => candidateOf(lookup, flag.path, flag.header, 'flag'));
  return { columns, problems: lookup.problems };
}

export function candidatesByFile(
  header: Header,
  { columns: mapped, group_by: groupBy }: MappingFile,
): Candidates {
  const lookup: Lookup = { header, isPreset: false, problems: [] };
  const columns = candidatesOf(lookup, mapped);
  const hasId = Object.keys(mapped).some((path) => path.toLowerCase() === 'externalorderid');
  if (groupBy !== undefined && !hasId)
    columns.push(...candidateOf(lookup, 'externalOrderId', groupBy, 'file'));
  return { columns, problems: lookup.problems };
}

/** The fields that no column fills, as a mapping file says with `none`. */
export function declinedFields(
  header: Header,
  { columns }: Pick<MappingFile, 'columns'>,
): ReadonlySet<string> {
  const fields = Object.keys(columns).filter((field) => isNone(header, columns[field]));
  return new Set(fields.map((field) => knownPath(splitType(field).name) ?? splitType(field).name));
}

function isNone(header: Header, column: MappedColumn | undefined): boolean {
  return column === noColumn && header.indexOf(noColumn) === undefined;
}

/** `isFree`: the columns that nothing explicit has taken. */
export function candidatesOf(
  lookup: Lookup,
  columns: Readonly<Record<string, MappedColumn>> = {},
  isFree?: (index: number) => boolean,
): Column[] {
  const source = lookup.isPreset ? 'preset' : 'file';
  return Object.entries(columns).flatMap(([path, column]) =>
    isNone(lookup.header, column) ? [] : candidateOf(lookup, path, column, source, isFree),
  );
}

function candidateOf(
  lookup: Lookup,
  path: string,
  column: MappedColumn,
  source: NonNullable<Column['source']>,
  isFree = (_: number) => true,
): Column[] {
  const mapped = typeof column === 'string' ? { from: column } : column;
  const names = listOf(mapped.from);
  const option = source === 'flag' ? '--map-column' : `columns.${path}`;
  const problemsBefore = lookup.problems.length;
  const [when = []] = readRule(lookup, mapped.when, `${option}.when`);
  const [condition] = when;
  const found =
    names.length > 0
      ? names.flatMap((name) => findColumn(lookup, name, option) ?? [])
      : condition === undefined
        ? []
        : [columnAt(lookup.header, condition.index)];
  const minus = findMinus(lookup, mapped.minus, `${option}.minus`);
  const [first, ...others] = found.filter(({ index }) => isFree(index));
  const lacksCondition = mapped.when !== undefined && when.length === 0;
  const hasProblem = lookup.problems.length > problemsBefore;
  if (first === undefined || hasProblem || lacksCondition) return [];
  const near = nearMiss(splitType(path).name, true);
  if (near !== undefined) {
    const problem = t`${option} does not name a field of an order`;
    lookup.problems.push(
      mappingProblem({
        code: 'header_invalid',
        reason: 'near_miss',
        path,
        problem,
        fix: t`did you mean ${near}?`,
      }),
    );
    return [];
  }
  try {
    const target = parseTarget(path);
    const rule: CellRule = { others, ...ruleOf(mapped) };
    if (when.length > 0) rule.when = when;
    if (minus !== undefined) rule.minus = minus;
    const hasRule = others.length > 0 || Object.keys(rule).length > 1;
    return [{ ...first, ...target, type: mapped.type ?? target.type, source, ...(hasRule ? { rule } : {}) }];
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const problem = t`${option} does not name a field: ${error.problem}`;
    const fix = t`use a field such as customer.phone or deliveryAddress.city`;
    lookup.problems.push(mappingProblem({ code: 'header_invalid', path, problem, fix }));
    return [];
  }
}

function findMinus(
  lookup: Lookup,
  minus: Exclude<MappedColumn, string>['minus'],
  option: string,
): CellRule['minus'] {
  const isSent = typeof minus === 'object' && 'fulfilled' in minus;
  const names = listOf(isSent ? minus.fulfilled : minus);
  const columns = names.flatMap((name) => findColumn(lookup, name, option) ?? []);
  return columns.length === 0 ? undefined : { columns, reason: isSent ? 'fulfilled' : 'refunded' };
}

/** `none` is no prefix, for order IDs that are the shop's own. */
function prefixOf(text: string): string {
  return text === noColumn ? '' : text;
}

/** The order ID with the prefix of `--id-prefix`. */
export function withIdPrefix(column: Column, idPrefix: string | undefined): Column {
  if (idPrefix === undefined || !fills('externalOrderId')(column)) return column;
  return { ...column, rule: { others: [], ...column.rule, prefix: prefixOf(idPrefix) } };
}

/** What is put before each order ID; blank when the mapping says that nothing is. */
export function idPrefixIn(columns: readonly Column[]): string | undefined {
  return columns.find(fills('externalOrderId'))?.rule?.prefix;
}

function ruleOf(mapped: Exclude<MappedColumn, string>): Omit<CellRule, 'others'> {
  const rule: Omit<CellRule, 'others'> = {};
  if (mapped.from === undefined) rule.readsNoCell = true;
  if (mapped.join !== undefined) rule.join = mapped.join;
  if (mapped.strip_prefix !== undefined) rule.stripPrefix = mapped.strip_prefix;
  if (mapped.else !== undefined) rule.otherwise = mapped.else;
  if (mapped.default !== undefined) rule.byDefault = mapped.default;
  if (mapped.pick !== undefined && mapped.pick !== noColumn) rule.pick = mapped.pick;
  if (mapped.sum !== undefined) rule.sums = true;
  if (mapped.prefix !== undefined) rule.prefix = prefixOf(mapped.prefix);
  if (mapped.blank !== undefined) rule.blanks = new Set(listOf(mapped.blank).map(foldCell));
  if (mapped.values !== undefined) {
    rule.values = new Map(Object.entries(mapped.values).map(([cell, text]) => [foldCell(cell), text]));
  }
  return rule;
}
