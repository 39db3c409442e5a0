import type { Assignment } from '../../orders/assignment.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import type { PlanFlags } from '../choices.ts';
import type { Problem } from '../problem.ts';
import { columnIndex, columnLetters, type HeaderRow } from '../read/read-table.ts';
import {
  type Candidate,
  candidateByHeader,
  candidatesByFile,
  candidatesByFlags,
  candidatesByPreset,
  candidatesOf,
  mappingSources,
  withHighestPrecedence,
} from './candidates.ts';
import { type Column, fills } from './column.ts';
import { findColumn, type Lookup, listOf, readRule } from './conditions.ts';
import { listsPayment } from './decided-columns.ts';
import { profileRows } from './guess/column-profile.ts';
import { type FieldGuesses, guessColumns } from './guess/guesses.ts';
import { checkNames, createHeader, type Header, headerProblem } from './header.ts';
import type { MappingFile, Preset } from './language.ts';
import { createLineReader } from './lines.ts';
import type { LineReader, Mapping } from './mapping.ts';
import { findMeanings, meaningOfHeader, type UnreadColumn } from './meanings.ts';
import { missingId, missingNeeds } from './missing-fields.ts';
import { readRules } from './rules.ts';

export interface MappingOptions
  extends Partial<Pick<PlanFlags, 'mapColumn' | 'ignoreColumn' | 'leaveOut' | 'include' | 'checks'>> {
  map?: MappingFile | undefined;
  constants?: readonly Assignment[] | undefined;
}

interface ShopExport {
  preset?: Preset;
  /** Whether usual names of the fields are read (the default). For a shop's export they would read only a part. */
  usesAliases?: boolean;
}

export interface MappedHeader extends Mapping {
  /** With an error here the rows cannot be read as orders at all. */
  problems: Problem[];
  /** What the orders need and the header does not have; the rows can be read and checked for the rest. */
  missing: Problem[];
  /** The columns with a name that nothing reads, also those with a problem. */
  free: readonly number[];
}

/**
 * Precedence: `--map-column`, the mapping file, headers that are field paths, the preset, aliases. Nothing is
 * guessed: a header that is nearly a field is a problem with a suggestion.
 */
export function mapHeader(
  row: HeaderRow,
  options: MappingOptions,
  { preset, usesAliases = true }: ShopExport = {},
): MappedHeader {
  const { mapColumn = [], map, ignoreColumn = [] } = options;
  const header = createHeader(row);
  const problems = checkNames(header);
  const explicit = [candidatesByFlags(header, mapColumn)];
  if (map !== undefined) explicit.push(candidatesByFile(header, map));
  const ignored = new Set([
    ...findIgnored({ header, isPreset: false, problems }, map?.ignore, 'ignore'),
    ...findIgnored({ header, isPreset: false, problems }, ignoreColumn, '--ignore-column'),
    ...findIgnored({ header, isPreset: true, problems }, preset?.ignore, 'ignore'),
  ]);
  const taken = new Set(explicit.flatMap(({ candidates }) => candidates.flatMap(({ indexes }) => indexes)));
  const isFree = (index: number) => !taken.has(index) && !ignored.has(index);
  const wrong = new Set(problems.map(({ column }) => column));
  const byPreset = preset === undefined ? [] : [candidatesByPreset(header, preset, isFree)];
  const inPreset = new Set(
    byPreset.flatMap(({ candidates }) => candidates.flatMap(({ indexes }) => indexes)),
  );
  const byHeader = header.cells.flatMap((name, index) => {
    const isNamed = !name.startsWith('_') && !wrong.has(columnLetters(index));
    if (!isNamed || !isFree(index)) return [];
    const own = candidateByHeader(header, index, usesAliases);
    // A shop's header, such as "Customer/Phone", may look like a misspelt field.
    return inPreset.has(index) ? [{ ...own, problems: [] }] : [own];
  });
  const found = [...explicit, ...byHeader, ...byPreset];
  problems.push(...found.flatMap((source) => source.problems));
  const candidates = found
    .flatMap((source) => source.candidates)
    .filter((candidate) => !isDecidedByRules(candidate, map));
  const columns = toColumns(withHighestPrecedence(candidates), header);
  problems.push(...findClashes(columns, header));
  if (preset !== undefined) problems.push(...findGrossQuantity(header, preset, columns));

  const sources = [
    ...(map === undefined ? [] : [{ rules: map, isPreset: false }]),
    ...(preset === undefined ? [] : [{ rules: preset, isPreset: true }]),
  ];
  const lines = readLines(header, sources, columns, problems);
  const filled = new Set(columns.map(({ path }) => formatFieldPath(path)));
  const isOpen = ({ index, path }: Column) => isFree(index) && !filled.has(formatFieldPath(path));
  const addresses = readAddresses(header, sources, isOpen, problems);
  const { rules, used, problems: ruleProblems } = readRules(header, sources, { ...options, ignored });
  const rows = readRowConditions(header, map, problems);
  problems.push(...ruleProblems);

  for (const column of [...columns, ...addresses.flat()])
    for (const index of indexesOf(column)) used.add(index);
  for (const index of lines?.indexes ?? []) used.add(index);
  for (const { index } of [...rows.skipRowsWhen, ...rows.refuseRowsWhen]) used.add(index);
  for (const index of ignored) used.add(index);
  const nowWrong = new Set(problems.map(({ column }) => column));
  const free = [...header.cells.keys()].filter((index) => {
    const name = header.cells[index] ?? '';
    return name !== '' && !name.startsWith('_') && !used.has(index);
  });
  const left = free.filter((index) => !nowWrong.has(columnLetters(index)));
  const meanings = findMeanings(header, left, columns);
  const guess = () => guessColumns(header, profileRows(header.cells.length, header.below ?? []), left);
  const mapping: Mapping = {
    columns,
    addresses,
    ...(lines === undefined ? {} : { lines }),
    rules,
    unread: [
      ...meanings,
      ...(map === undefined && preset === undefined ? quantitiesByValues(meanings, columns, guess) : []),
      ...(preset === undefined ? statesOfPaid(rules, ignored) : []),
    ],
    unsent: left.map((index) => header.cells[index] ?? ''),
    ...rows,
  };
  const hasId = columns.some(fills('externalOrderId'));
  if (!hasId) problems.push(missingId(header, guess));
  problems.sort((before, after) => columnNumber(before) - columnNumber(after));
  return { ...mapping, problems, missing: missingNeeds(header, mapping, guess, options), free };
}

/** Small numbers under a header that says nothing, in a file without other quantities. */
function quantitiesByValues(
  meanings: readonly UnreadColumn[],
  columns: readonly Column[],
  guess: () => FieldGuesses[],
): UnreadColumn[] {
  if (columns.some(({ path }) => path.includes('quantity'))) return [];
  if (meanings.some(({ meaning }) => meaning === 'quantity')) return [];
  const found = guess().find(({ field }) => field === 'items[].quantity:number')?.guesses ?? [];
  const known = new Set(meanings.map(({ index }) => index));
  return found
    .filter(({ index }) => !known.has(index))
    .map(({ index, name }) => ({ index, header: name, meaning: 'quantity' }));
}

const paymentKeys = ['paid', 'partly_paid', 'open', 'on_delivery', 'payment_method', 'amount_due'] as const;

/** With rules in a mapping file, what the courier collects follows from them, whatever the header is called. */
function isDecidedByRules({ path, source }: Candidate, map: MappingFile | undefined): boolean {
  const isByHeader = source === 'path' || source === 'alias';
  const isCollection = path[0] === 'collectionMode' || path[0] === 'collectionAmount';
  const decides = listsPayment(map?.values) || paymentKeys.some((key) => map?.[key] !== undefined);
  return isByHeader && isCollection && decides;
}

/** Columns that say both whether an order is paid, which a rule reads, and whether it is to be delivered. */
function statesOfPaid({ payment, states }: Mapping['rules'], ignored: ReadonlySet<number>): UnreadColumn[] {
  const isRead = (index: number) => ignored.has(index) || states.some((column) => column.index === index);
  return (payment?.states ?? [])
    .filter(({ index, header }) => meaningOfHeader(header) === 'state' && !isRead(index))
    .map(({ index, header }) => ({ index, header, meaning: 'state' }));
}

function columnNumber({ column }: Problem): number {
  return column === undefined ? Number.POSITIVE_INFINITY : columnIndex(column);
}

function findIgnored(lookup: Lookup, names: readonly string[] = [], option: string): readonly number[] {
  return names.flatMap((name) => {
    const all = lookup.header.occurrencesOf(name);
    return all.length > 0 ? all : (findColumn(lookup, name, option) ?? []);
  });
}

function indexesOf({ index, rule }: Column): number[] {
  const others = rule?.others.map((other) => other.index) ?? [];
  const conditions = rule?.when?.map((condition) => condition.index) ?? [];
  return [index, ...others, ...conditions, ...(rule?.minus === undefined ? [] : [rule.minus.index])];
}

function toColumns(candidates: readonly Candidate[], { cells }: Header): Column[] {
  const rank = ({ source }: Candidate) => mappingSources.indexOf(source);
  return candidates
    .toSorted((left, right) => left.indexes[0] - right.indexes[0] || rank(left) - rank(right))
    .map(({ path, type, isExtra, indexes: [index, ...others], rule, source }) => {
      const column: Column = {
        index,
        header: cells[index] ?? '',
        path,
        type,
        isLine: path.includes(null),
        isExtra,
      };
      if (source === 'preset' || source === 'alias') column.isPathAssumed = true;
      if (rule !== undefined || others.length > 0) {
        column.rule = {
          ...rule,
          others: others.map((other) => ({ index: other, header: cells[other] ?? '' })),
        };
      }
      return column;
    });
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
    const problem = `fills ${path}, which column ${columnLetters(other)} also fills`;
    const isTwin = header.cells[other] === column.header;
    const name = isTwin
      ? `${column.header}#${header.occurrencesOf(column.header).indexOf(column.index) + 1}`
      : column.header;
    const fix = `keep one of the two, or choose one: --map-column '${name}=${path}'`;
    return [headerProblem(header, column.index, { code: 'header_duplicate', problem, fix })];
  });
}

const quantityPath = 'items[].quantity';

/** A quantity from another column than the preset's, which has refunds subtracted. */
function findGrossQuantity(header: Header, preset: Preset, columns: readonly Column[]): Problem[] {
  const isQuantity = fills(quantityPath);
  const [net] = candidatesByPreset(header, preset, () => true).candidates.filter(isQuantity);
  const mapped = columns.find(isQuantity);
  if (net === undefined || mapped === undefined || net.indexes[0] === mapped.index) return [];
  const name = header.cells[net.indexes[0]] ?? '';
  const problem = `holds the quantities that were ordered; those that are left to deliver are in "${name}"`;
  const fix = `leave out its mapping to ${quantityPath}`;
  return [headerProblem(header, mapped.index, { code: 'quantities_not_final', problem, fix })];
}

type Sources = readonly { rules: MappingFile | Preset; isPreset: boolean }[];

/** Lines side by side are read only when no column holds the lines one by one. */
function readLines(
  header: Header,
  sources: Sources,
  columns: readonly Column[],
  problems: Problem[],
): LineReader | undefined {
  const source = sources.find(({ rules }) => rules.lines !== undefined);
  if (source?.rules.lines === undefined) return undefined;
  if (source.isPreset && columns.some(({ isLine }) => isLine)) return undefined;
  const { isPreset } = source;
  const missing: Problem[] = [];
  const reader = listOf(source.rules.lines)
    .map((lines) => createLineReader({ header, isPreset, problems: missing }, lines))
    .find((found) => found !== undefined);
  if (reader === undefined) problems.push(...missing);
  if (reader === undefined || !isPreset) return reader;
  return { ...reader, columns: reader.columns.map((column) => ({ ...column, isPathAssumed: true })) };
}

function readAddresses(
  header: Header,
  sources: Sources,
  isOpen: (column: Column) => boolean,
  problems: Problem[],
): Column[][] {
  const source = sources.find(({ rules }) => rules.address !== undefined);
  return (source?.rules.address ?? []).flatMap((set) => {
    const lookup: Lookup = { header, isPreset: source?.isPreset ?? false, problems };
    const found = toColumns(candidatesOf(lookup, set), header);
    // Without its first field, the street, a set of a preset is only part of an address.
    const [first = ''] = Object.keys(set);
    if (!found.some(fills(first))) return [];
    const open = found.filter(isOpen);
    return open.length === 0 ? [] : [open];
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
