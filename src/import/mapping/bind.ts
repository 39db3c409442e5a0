import { FieldPathError, formatFieldPath } from '../../orders/field-path.ts';
import type { MappedFlag } from '../choices.ts';
import {
  checkNames,
  columnAt,
  columnsNamed,
  createHeader,
  type Header,
  headerProblem,
  knownPath,
  knownPaths,
  mappingProblem,
  nameOf,
  nearMiss,
  noColumn,
  pathOfAlias,
} from '../columns/header.ts';
import { findUnread, roleOfHeader } from '../columns/header-roles.ts';
import { profileRows } from '../columns/profile.ts';
import { fieldFilledTwice, misspeltField, noField, quantityOrdered } from '../file-texts.ts';
import type { Problem, ProblemText } from '../problem.ts';
import { findDamage } from '../read/damage.ts';
import { columnIndex, columnLetters, type HeaderRow } from '../read/read-table.ts';
import { type CellRule, type Column, fills, mappingSources, parseTarget, splitType } from './column.ts';
import { findColumn, foldCell, type Lookup, listOf, readRule } from './conditions.ts';
import { guessColumns } from './guesses.ts';
import type { MappedColumn, MappingFile, Preset } from './language.ts';
import { createLineReader, numberedColumns } from './lines.ts';
import {
  indexesOfUse,
  type LineReader,
  type MappedFlags,
  type Mapping,
  type RestColumn,
  type Use,
} from './mapping.ts';
import { missingId, missingNeeds } from './missing-fields.ts';
import { listsPayment, type RuleSource, readRules } from './rules.ts';

/** A mapping of the columns of one file. */
export interface Bound extends Mapping {
  /** With an error here the rows cannot be read as orders at all. */
  problems: Problem[];
  /** What the orders need and the header does not have; the rows can be read and checked for the rest. */
  missing: Problem[];
}

/**
 * Precedence: `--map-column`, the mapping file, headers that are field paths, the preset, aliases. Nothing is
 * guessed: a header that is nearly a field is a problem with a suggestion. For a shop's export aliases would read
 * only a part.
 */
export function bind(
  row: HeaderRow,
  flags: MappedFlags,
  preset?: Preset,
  usesAliases = preset === undefined,
): Bound {
  const { mapColumn = [], map, ignoreColumn = [] } = flags;
  const header = createHeader(row);
  const problems = checkNames(header);
  const ofUser: Lookup = { header, isPreset: false, problems };
  const ofShop: Lookup = { header, isPreset: true, problems };
  const useOf = new Map<number, Use>();
  const ignore = (use: Use, lookup: Lookup, names: readonly string[] | undefined, option: string) => {
    for (const index of findIgnored(lookup, names, option)) useOf.set(index, use);
  };
  ignore('read', ofShop, preset?.ignore, 'ignore');
  ignore('ignored', ofUser, map?.ignore, 'ignore');
  ignore('ignored_anyway', ofUser, map?.ignore_anyway, 'ignore_anyway');
  ignore('ignored_anyway', ofUser, ignoreColumn, '--ignore-column');
  const ignored = new Set(useOf.keys());
  const explicit = [...columnsOfFlags(ofUser, mapColumn), ...columnsOfFile(ofUser, map)];
  const taken = indexesIn(explicit);
  const isFree = (index: number) => !taken.has(index) && !ignored.has(index);
  const byPreset = columnsOf(ofShop, preset?.columns, isFree);
  const inPreset = indexesIn(byPreset);
  const wrong = new Set(problems.map(({ column }) => column));
  const byHeader = [...header.cells.keys()].flatMap((index) => {
    if (!isNamed(header, index) || wrong.has(columnLetters(index)) || !isFree(index)) return [];
    // A shop's header, such as "Customer/Phone", may look like a misspelt field.
    return columnByHeader(header, index, usesAliases, inPreset.has(index) ? [] : problems);
  });
  const declined = declinedFields(header, map);
  const isDeclined = ({ path, source }: Column) => source !== 'flag' && declined.has(formatFieldPath(path));
  const candidates = [...explicit, ...byHeader, ...byPreset].filter(
    (column) => !isDecidedByRules(column, map) && !isDeclined(column),
  );
  const columns = withHighestPrecedence(candidates).map((column) => withIdPrefix(column, flags.idPrefix));
  problems.push(...findClashes(columns, header));
  if (preset !== undefined) problems.push(...findGrossQuantity(header, preset, columns));

  const sources: RuleSource[] = [];
  if (map !== undefined) sources.push({ ...ofUser, rules: map });
  if (preset !== undefined) sources.push({ ...ofShop, ignored, rules: preset });
  const lines = readLines(sources, columns);
  const filled = new Set(columns.map(({ path }) => formatFieldPath(path)));
  const isOpen = (column: Column) =>
    isFree(column.index) && !filled.has(formatFieldPath(column.path)) && !isDeclined(column);
  const inAddress = readAddresses(sources);
  const addresses = inAddress.map((set) => set.filter(isOpen)).filter((set) => set.length > 0);
  const { rules, used, namedByFlags } = readRules(ofUser, sources, { ...flags, columns }, ignored);
  const skipRowsWhen = readRule(ofUser, map?.skip_rows_when, 'skip_rows_when').at(0) ?? [];
  const refuseRowsWhen = readRule(ofUser, map?.refuse_rows_when, 'refuse_rows_when').at(0) ?? [];

  const sent = [...columns, ...(lines?.columns ?? []), ...addresses.flat()];
  const read = [
    ...used,
    ...[...columns, ...addresses.flat()].flatMap(indexesOf),
    ...(lines?.indexes ?? []),
    ...[...skipRowsWhen, ...refuseRowsWhen].map(({ index }) => index),
  ];
  for (const index of read) useOf.set(index, 'read');
  // The preset's columns for a field count as read when another column fills it.
  for (const index of [...byPreset, ...inAddress.flat()].flatMap(indexesOf))
    if (!ignored.has(index)) useOf.set(index, 'read');
  for (const { index } of preset === undefined ? onlyPaid(rules, ignored) : []) useOf.set(index, 'payment');
  for (const index of header.cells.keys()) {
    if (useOf.has(index) || !isNamed(header, index)) continue;
    const isCopy = isRepeatOf(header, index, (other) => useOf.get(other) === 'read');
    useOf.set(index, isCopy ? 'read' : namedByFlags.has(index) ? 'values' : 'open');
  }
  const left = [...header.cells.keys()].filter((index) => (useOf.get(index) ?? 'read') !== 'read');
  const meant = new Map(findUnread(header, left, columns).map(({ index, role }) => [index, role]));
  const rest = left.map((index): RestColumn => {
    const use = useOf.get(index) as RestColumn['use'];
    const role = use === 'payment' ? 'state' : meant.get(index);
    return { ...columnAt(header, index), use, ...(role && { role }) };
  });
  const mapping: Mapping = {
    header,
    columns,
    addresses,
    ...(lines === undefined ? {} : { lines }),
    rules,
    rest,
    filled: new Set([...sent, ...(flags.constants ?? [])].map(({ path }) => formatFieldPath(path))),
    declined,
    skipRowsWhen,
    refuseRowsWhen,
  };
  const guess = () =>
    guessColumns(
      header,
      profileRows(header.cells.length, header.below ?? []),
      indexesOfUse(mapping, 'open', 'values'),
    );
  if (!columns.some(fills('externalOrderId'))) problems.push(mappingProblem(missingId(header, guess)));
  problems.sort((before, after) => columnNumber(before) - columnNumber(after));
  return { ...mapping, problems, missing: missingNeeds(mapping, guess, flags) };
}

/** Of several columns for one field, those whose source has the highest precedence, in the order of the file. */
function withHighestPrecedence(columns: readonly Column[]): Column[] {
  const rankOf = ({ source }: Column) => (source === undefined ? -1 : mappingSources.indexOf(source));
  const best = new Map<string, number>();
  for (const column of columns) {
    const key = formatFieldPath(column.path);
    best.set(key, Math.min(best.get(key) ?? mappingSources.length, rankOf(column)));
  }
  return columns
    .filter((column) => best.get(formatFieldPath(column.path)) === rankOf(column))
    .toSorted((left, right) => left.index - right.index || rankOf(left) - rankOf(right));
}

function isNamed({ cells }: Header, index: number): boolean {
  const name = cells[index] ?? '';
  return name !== '' && !name.startsWith('_');
}

/** A column whose header is a field path (`customer.phone`, any dotted name) or an alias of a known field. */
function columnByHeader(header: Header, index: number, usesAliases: boolean, problems: Problem[]): Column[] {
  const name = header.cells[index] ?? '';
  const invalid = (text: ProblemText) => {
    problems.push(headerProblem(header, index, text));
    return [];
  };
  const { name: text, hasType } = splitType(name);
  const known = knownPath(text);
  const isPath = known !== undefined || hasType || (/[.[\]]/.test(text) && !isProse(text));
  const alias = isPath ? undefined : pathOfAlias(text);
  const near = known === undefined && alias === undefined ? nearMiss(text, isPath) : undefined;
  if (near !== undefined) return invalid(misspeltField(near));
  const target = isPath ? name : usesAliases ? alias : undefined;
  if (target === undefined) {
    // A header with damaged letters may be the name of any field, so it must not go unread.
    const damage = findDamage(name);
    return damage?.code === 'text_damaged' ? invalid(damage) : [];
  }
  try {
    return [{ ...columnAt(header, index), ...parseTarget(target), source: isPath ? 'path' : 'alias' }];
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    return invalid(noField(error.problem));
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

function columnsOfFlags(lookup: Lookup, flags: readonly MappedFlag[]): Column[] {
  return flags.flatMap(({ path, header }) => columnOf(lookup, path, header, 'flag'));
}

function columnsOfFile(lookup: Lookup, map: MappingFile | undefined): Column[] {
  if (map === undefined) return [];
  const columns = columnsOf(lookup, map.columns);
  const hasId = Object.keys(map.columns).some((path) => path.toLowerCase() === 'externalorderid');
  if (map.group_by === undefined || hasId) return columns;
  return [...columns, ...columnOf(lookup, 'externalOrderId', map.group_by, 'file')];
}

/** The fields that no column fills, as a mapping file says with `none`. */
function declinedFields(header: Header, map: MappingFile | undefined): ReadonlySet<string> {
  const { columns = {} } = map ?? {};
  const names = Object.keys(columns).filter((field) => isNone(header, columns[field]));
  return new Set(names.map((field) => knownPath(splitType(field).name) ?? splitType(field).name));
}

function isNone(header: Header, column: MappedColumn | undefined): boolean {
  return column === noColumn && header.indexOf(noColumn) === undefined;
}

/** `isFree`: the columns that nothing explicit has taken. */
function columnsOf(
  lookup: Lookup,
  columns: Readonly<Record<string, MappedColumn>> = {},
  isFree?: (index: number) => boolean,
): Column[] {
  const source = lookup.isPreset ? 'preset' : 'file';
  return Object.entries(columns).flatMap(([path, column]) =>
    isNone(lookup.header, column) ? [] : columnOf(lookup, path, column, source, isFree),
  );
}

function columnOf(
  lookup: Lookup,
  path: string,
  column: MappedColumn,
  source: NonNullable<Column['source']>,
  isFree = (_: number) => true,
): Column[] {
  const mapped = typeof column === 'string' ? { from: column } : column;
  const option = source === 'flag' ? '--map-column' : `columns.${path}`;
  const problemsBefore = lookup.problems.length;
  const columnsIn = (names: string | readonly string[] | undefined, key = '') =>
    listOf(names).flatMap((name) => findColumn(lookup, name, `${option}${key}`) ?? []);
  const [when = []] = readRule(lookup, mapped.when, `${option}.when`);
  const found = mapped.from === undefined ? when.slice(0, 1) : columnsIn(mapped.from);
  const { minus } = mapped;
  const sentAlready = typeof minus === 'object' && 'fulfilled' in minus ? minus.fulfilled : undefined;
  const gone = columnsIn(sentAlready ?? (minus as Exclude<typeof minus, { fulfilled: unknown }>), '.minus');
  const [first, ...others] = found.filter(({ index }) => isFree(index));
  const lacksCondition = mapped.when !== undefined && when.length === 0;
  if (first === undefined || lacksCondition || lookup.problems.length > problemsBefore) return [];
  const invalid = (text: ProblemText) => {
    lookup.problems.push(mappingProblem({ ...text, path }));
    return [];
  };
  const near = nearMiss(splitType(path).name, true);
  if (near !== undefined) return invalid(misspeltField(near, option));
  try {
    const target = parseTarget(path);
    const rule = ruleOf(mapped, others);
    if (when.length > 0) rule.when = when;
    if (gone.length > 0)
      rule.minus = { columns: gone, reason: sentAlready === undefined ? 'refunded' : 'fulfilled' };
    const hasRule = others.length > 0 || Object.keys(rule).length > 1;
    const { index, header } = first;
    const type = mapped.type ?? target.type;
    return [{ index, header, ...target, type, source, ...(hasRule ? { rule } : {}) }];
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    return invalid(noField(error.problem, option));
  }
}

/** `none` is no prefix, for order IDs that are the shop's own. */
function prefixOf(text: string): string {
  return text === noColumn ? '' : text;
}

/** The order ID with the prefix of `--id-prefix`. */
function withIdPrefix(column: Column, idPrefix: string | undefined): Column {
  if (idPrefix === undefined || !fills('externalOrderId')(column)) return column;
  return { ...column, rule: { others: [], ...column.rule, prefix: prefixOf(idPrefix) } };
}

function ruleOf(mapped: Exclude<MappedColumn, string>, others: CellRule['others']): CellRule {
  const rule: CellRule = { others };
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

/** Whether another column that repeats this one, by its name and values, is read. */
function isRepeatOf(header: Header, index: number, isRead: (index: number) => boolean): boolean {
  const others = header.occurrencesOf(header.cells[index] ?? '').filter((other) => other !== index);
  return others.every((other) => header.repeats?.includes(other)) && others.some(isRead);
}

const paymentKeys = ['paid', 'partly_paid', 'open', 'on_delivery', 'payment_method', 'amount_due'] as const;

/** With rules in a mapping file, what the courier collects follows from them, whatever the header is called. */
function isDecidedByRules({ path, source }: Column, map: MappingFile | undefined): boolean {
  const isByHeader = source === 'path' || source === 'alias';
  const isCollection = path[0] === 'collectionMode' || path[0] === 'collectionAmount';
  const decides = listsPayment(map?.values) || paymentKeys.some((key) => map?.[key] !== undefined);
  return isByHeader && isCollection && decides;
}

/** Columns that say both whether an order is paid, which a rule reads, and whether it is to be delivered. */
function onlyPaid({ payment, states }: Mapping['rules'], ignored: ReadonlySet<number>) {
  const isRead = (index: number) => ignored.has(index) || states.some((column) => column.index === index);
  return (payment?.states ?? []).filter(
    ({ index, header }) => roleOfHeader(header) === 'state' && !isRead(index),
  );
}

function columnNumber({ column }: Problem): number {
  return column === undefined ? Number.POSITIVE_INFINITY : columnIndex(column);
}

function findIgnored(lookup: Lookup, names: readonly string[] = [], option: string): readonly number[] {
  return names.flatMap((name) => {
    if (lookup.isPreset && name.includes('{n}')) {
      const numbered = numberedColumns({ ...lookup, problems: [] }, name);
      return [...(numbered?.values() ?? [])].map(({ index }) => index);
    }
    const all = columnsNamed(lookup.header, name);
    if (all.length === 0) findColumn(lookup, name, option);
    return all;
  });
}

/** The columns that fill a field: the column itself, and those that are read after it. */
function indexesIn(columns: readonly Column[]): Set<number> {
  return new Set(
    columns.flatMap((column) => [column, ...(column.rule?.others ?? [])]).map(({ index }) => index),
  );
}

function indexesOf(column: Column): number[] {
  const { when = [], minus } = column.rule ?? {};
  return [...indexesIn([column]), ...[...when, ...(minus?.columns ?? [])].map(({ index }) => index)];
}

function findClashes(columns: readonly Column[], header: Header): Problem[] {
  const taken = new Map<string, number>();
  const indexes = new Map(
    columns.map(({ path }, index) => [formatFieldPath(path), index] as const).reverse(),
  );
  // `customer.phone` is part of `customer`: sending both would overwrite the first.
  const wholeOf = ({ path }: Column) => {
    const found = path.flatMap((_, length) => indexes.get(formatFieldPath(path.slice(0, length))) ?? []);
    return columns[Math.min(...found, columns.length)]?.index;
  };
  return columns.flatMap((column) => {
    const path = formatFieldPath(column.path);
    const other = taken.get(path) ?? wholeOf(column);
    taken.set(path, column.index);
    if (other === undefined) return [];
    const text = fieldFilledTwice(nameOf(header, column.index), path, columnLetters(other));
    return [headerProblem(header, column.index, text)];
  });
}

const quantityPath = 'items[].quantity';

/** A quantity from another column than the preset's, which has refunds subtracted. */
function findGrossQuantity(header: Header, preset: Preset, columns: readonly Column[]): Problem[] {
  const isQuantity = fills(quantityPath);
  const [net] = columnsOf({ header, isPreset: true, problems: [] }, preset.columns).filter(isQuantity);
  const mapped = columns.find(isQuantity);
  if (net === undefined || mapped === undefined || net.index === mapped.index) return [];
  return [headerProblem(header, mapped.index, quantityOrdered(quantityPath, net.header))];
}

/** Lines side by side are read only when no column holds the lines one by one. */
function readLines(sources: readonly RuleSource[], columns: readonly Column[]): LineReader | undefined {
  const source = sources.find(({ rules }) => rules.lines !== undefined);
  const { lines } = source?.rules ?? {};
  if (source === undefined || lines === undefined || lines === noColumn) return undefined;
  if (source.isPreset && columns.some(({ isLine }) => isLine)) return undefined;
  const problems: Problem[] = [];
  const lookup = { header: source.header, isPreset: source.isPreset, problems };
  const reader = listOf(lines)
    .map((each) => createLineReader(lookup, each))
    .find((found) => found !== undefined);
  if (reader === undefined) source.problems.push(...problems);
  return reader;
}

function readAddresses(sources: readonly RuleSource[]): Column[][] {
  const source = sources.find(({ rules: { address } }) => typeof address === 'object');
  const { address } = source?.rules ?? {};
  if (source === undefined || typeof address !== 'object') return [];
  const { ignored: _, ...lookup } = source;
  return address.flatMap((set) => {
    const found = columnsOf(lookup, set).toSorted((left, right) => left.index - right.index);
    // Without its first field, the street, a set of a preset is only part of an address.
    const [first = ''] = Object.keys(set);
    return found.some(fills(first)) ? [found] : [];
  });
}
