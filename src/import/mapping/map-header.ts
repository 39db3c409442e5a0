import { t } from '../../advice/advice.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import {
  checkNames,
  columnAt,
  columnsNamed,
  createHeader,
  type Header,
  headerProblem,
  nameOf,
  noColumn,
} from '../columns/header.ts';
import { findUnread, type IgnoredColumn, roleOfHeader, type UnreadColumn } from '../columns/header-roles.ts';
import { profileRows } from '../columns/profile.ts';
import type { Problem } from '../problem.ts';
import { columnIndex, columnLetters, type HeaderRow } from '../read/read-table.ts';
import {
  candidateByHeader,
  candidatesByFile,
  candidatesByFlags,
  candidatesOf,
  declinedFields,
  withHighestPrecedence,
  withIdPrefix,
} from './candidates.ts';
import { type Column, fills } from './column.ts';
import { findColumn, type Lookup, listOf, readRule } from './conditions.ts';
import { guessColumns } from './guesses.ts';
import type { MappingFile, Preset } from './language.ts';
import { createLineReader, numberedColumns } from './lines.ts';
import type { LineReader, MappedFlags, Mapping, MappingSources } from './mapping.ts';
import { missingId, missingNeeds } from './missing-fields.ts';
import { listsPayment, readRules } from './rules.ts';

export interface MappedHeader extends Mapping {
  /** With an error here the rows cannot be read as orders at all. */
  problems: Problem[];
  /** What the orders need and the header does not have; the rows can be read and checked for the rest. */
  missing: Problem[];
  /** The columns with a name that nothing reads, also those with a problem. */
  free: readonly number[];
  /** Those of `free` without a problem of their own, and that no `--leave-out` names. */
  undecided: readonly number[];
  /** Those that `--leave-out` names, and that nothing else reads: their other values may say something, too. */
  partlyRead: readonly number[];
}

/**
 * Precedence: `--map-column`, the mapping file, headers that are field paths, the preset, aliases. Nothing is
 * guessed: a header that is nearly a field is a problem with a suggestion. For a shop's export aliases would read
 * only a part.
 */
export function mapHeader(
  row: HeaderRow,
  flags: MappedFlags,
  preset?: Preset,
  usesAliases = preset === undefined,
): MappedHeader {
  const { mapColumn = [], map, ignoreColumn = [] } = flags;
  const header = createHeader(row);
  const problems = checkNames(header);
  const explicit = [candidatesByFlags(header, mapColumn)];
  if (map !== undefined) explicit.push(candidatesByFile(header, map));
  const ofUser: Lookup = { header, isPreset: false, problems };
  const anyway = new Set([
    ...findIgnored(ofUser, map?.ignore_anyway, 'ignore_anyway'),
    ...findIgnored(ofUser, ignoreColumn, '--ignore-column'),
  ]);
  const said = findIgnored(ofUser, map?.ignore, 'ignore').filter((index) => !anyway.has(index));
  const ofShop = findIgnored({ header, isPreset: true, problems }, preset?.ignore, 'ignore');
  const ignored = new Set([...said, ...anyway, ...ofShop]);
  const taken = indexesIn(explicit.flatMap(({ columns }) => columns));
  const isFree = (index: number) => !taken.has(index) && !ignored.has(index);
  const wrong = new Set(problems.map(({ column }) => column));
  const ofPreset: Lookup = { header, isPreset: true, problems: [] };
  const byPreset = candidatesOf(ofPreset, preset?.columns, isFree);
  const inPreset = indexesIn(byPreset);
  const byHeader = header.cells.flatMap((name, index) => {
    const isNamed = !name.startsWith('_') && !wrong.has(columnLetters(index));
    if (!isNamed || !isFree(index)) return [];
    const own = candidateByHeader(header, index, usesAliases);
    // A shop's header, such as "Customer/Phone", may look like a misspelt field.
    return inPreset.has(index) ? [{ ...own, problems: [] }] : [own];
  });
  const found = [...explicit, ...byHeader, { columns: byPreset, problems: ofPreset.problems }];
  problems.push(...found.flatMap((source) => source.problems));
  const declined = map === undefined ? new Set<string>() : declinedFields(header, map);
  const isDeclined = ({ path, source }: Column) => source !== 'flag' && declined.has(formatFieldPath(path));
  const candidates = found
    .flatMap((source) => source.columns)
    .filter((column) => !isDecidedByRules(column, map) && !isDeclined(column));
  const columns = withHighestPrecedence(candidates).map((column) => withIdPrefix(column, flags.idPrefix));
  problems.push(...findClashes(columns, header));
  if (preset !== undefined) problems.push(...findGrossQuantity(header, preset, columns));

  const sources = [
    ...(map === undefined ? [] : [{ rules: map, isPreset: false }]),
    ...(preset === undefined ? [] : [{ rules: preset, isPreset: true }]),
  ];
  const lines = readLines(header, sources, columns, problems);
  const filled = new Set(columns.map(({ path }) => formatFieldPath(path)));
  const isOpen = (column: Column) =>
    isFree(column.index) && !filled.has(formatFieldPath(column.path)) && !isDeclined(column);
  const inAddress = readAddresses(header, sources, problems);
  const addresses = inAddress.map((set) => set.filter(isOpen)).filter((set) => set.length > 0);
  const {
    rules,
    used,
    namedByFlags,
    problems: ruleProblems,
  } = readRules(header, sources, { ...flags, columns }, ignored);
  const rows = readRowConditions(header, map, problems);
  problems.push(...ruleProblems);

  const isUsed = new Set([
    ...used,
    ...[...columns, ...addresses.flat()].flatMap(indexesOf),
    ...(lines?.indexes ?? []),
    ...[...rows.skipRowsWhen, ...rows.refuseRowsWhen].map(({ index }) => index),
  ]);
  // The preset's columns for a field count as read when another column fills it.
  const read = new Set([...isUsed, ...[...byPreset, ...inAddress.flat()].flatMap(indexesOf), ...ignored]);
  const nowWrong = new Set(problems.map(({ column }) => column));
  const free = [...header.cells.keys()].filter((index) => {
    const name = header.cells[index] ?? '';
    return name !== '' && !name.startsWith('_') && !read.has(index);
  });
  const left = free.filter((index) => !nowWrong.has(columnLetters(index)));
  const guess = () => guessColumns(header, profileRows(header.cells.length, header.below ?? []), left);
  const unused = (all: Iterable<number>): IgnoredColumn[] => {
    const indexes = [...new Set(all)].filter((index) => !isUsed.has(index));
    const meant = new Map(findUnread(header, indexes).map((column) => [column.index, column]));
    return indexes.map((index) => meant.get(index) ?? columnAt(header, index));
  };
  const mapping: Mapping = {
    columns,
    addresses,
    ...(lines === undefined ? {} : { lines }),
    rules,
    unread: [
      ...findUnread(header, left, columns),
      ...(preset === undefined ? statesOfPaid(rules, ignored) : []),
    ],
    unsent: left.map((index) => header.cells[index] ?? ''),
    ignored: unused(said),
    ignoredAnyway: unused(anyway),
    ...rows,
  };
  const hasId = columns.some(fills('externalOrderId'));
  if (!hasId) problems.push(missingId(header, guess));
  problems.sort((before, after) => columnNumber(before) - columnNumber(after));
  return {
    ...mapping,
    problems,
    missing: missingNeeds(mapping, guess, flags),
    free,
    undecided: left.filter((index) => !namedByFlags.has(index) && !isRepeatIn(read, header, index)),
    partlyRead: left.filter((index) => namedByFlags.has(index)),
  };
}

/** Whether a column that has the same name and values is read. */
function isRepeatIn(read: ReadonlySet<number>, header: Header, index: number): boolean {
  const all = header.occurrencesOf(header.cells[index] ?? '');
  const isOnly = all.every((other) => other === index || header.repeats?.includes(other));
  return isOnly && all.some((other) => read.has(other));
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
function statesOfPaid({ payment, states }: Mapping['rules'], ignored: ReadonlySet<number>): UnreadColumn[] {
  const isRead = (index: number) => ignored.has(index) || states.some((column) => column.index === index);
  return (payment?.states ?? [])
    .filter(({ index, header }) => roleOfHeader(header) === 'state' && !isRead(index))
    .map((column) => ({ ...column, role: 'state' }));
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
  return [
    ...indexesIn([column]),
    ...when.map(({ index }) => index),
    ...(minus?.columns ?? []).map(({ index }) => index),
  ];
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
    const problem = t`fills ${path}, which column ${columnLetters(other)} also fills`;
    const fix = t`keep one of the two, or choose one: --map-column '${nameOf(header, column.index)}=${path}'`;
    return [headerProblem(header, column.index, { code: 'header_duplicate', problem, fix })];
  });
}

const quantityPath = 'items[].quantity';

/** A quantity from another column than the preset's, which has refunds subtracted. */
function findGrossQuantity(header: Header, preset: Preset, columns: readonly Column[]): Problem[] {
  const isQuantity = fills(quantityPath);
  const [net] = candidatesOf({ header, isPreset: true, problems: [] }, preset.columns).filter(isQuantity);
  const mapped = columns.find(isQuantity);
  if (net === undefined || mapped === undefined || net.index === mapped.index) return [];
  const problem = t`holds the quantities that were ordered; those that are left to deliver are in "${net.header}"`;
  const fix = t`leave out its mapping to ${quantityPath}`;
  return [
    headerProblem(header, mapped.index, { code: 'partly_fulfilled', reason: 'refunded', problem, fix }),
  ];
}

/** Lines side by side are read only when no column holds the lines one by one. */
function readLines(
  header: Header,
  sources: MappingSources,
  columns: readonly Column[],
  problems: Problem[],
): LineReader | undefined {
  const source = sources.find(({ rules }) => rules.lines !== undefined);
  if (source?.rules.lines === undefined || source.rules.lines === noColumn) return undefined;
  if (source.isPreset && columns.some(({ isLine }) => isLine)) return undefined;
  const { isPreset } = source;
  const missing: Problem[] = [];
  const reader = listOf(source.rules.lines)
    .map((lines) => createLineReader({ header, isPreset, problems: missing }, lines))
    .find((found) => found !== undefined);
  if (reader === undefined) problems.push(...missing);
  return reader;
}

function readAddresses(header: Header, sources: MappingSources, problems: Problem[]): Column[][] {
  const source = sources.find(({ rules: { address } }) => typeof address === 'object');
  const { address } = source?.rules ?? {};
  return (typeof address === 'object' ? address : []).flatMap((set) => {
    const lookup: Lookup = { header, isPreset: source?.isPreset ?? false, problems };
    const found = candidatesOf(lookup, set).toSorted((left, right) => left.index - right.index);
    // Without its first field, the street, a set of a preset is only part of an address.
    const [first = ''] = Object.keys(set);
    return found.some(fills(first)) ? [found] : [];
  });
}

function readRowConditions(header: Header, map: MappingFile | undefined, problems: Problem[]) {
  const lookup: Lookup = { header, isPreset: false, problems };
  const read = (wanted: MappingFile['skip_rows_when'], option: string) =>
    readRule(lookup, wanted, option).at(0) ?? [];
  return {
    skipRowsWhen: read(map?.skip_rows_when, 'skip_rows_when'),
    refuseRowsWhen: read(map?.refuse_rows_when, 'refuse_rows_when'),
  };
}
