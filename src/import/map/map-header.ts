import { type FieldPath, formatFieldPath } from '../../orders/field-path.ts';
import type { Problem } from '../problem.ts';
import { columnIndex, columnLetters, type HeaderRow } from '../table/read-table.ts';
import { type Candidate, candidateByHeader, mappingSources, withHighestPrecedence } from './candidate.ts';
import {
  type Column,
  checkNames,
  createHeader,
  type Header,
  headerProblem,
  type Mapping,
  type NotDeliverableRule,
} from './column.ts';
import {
  candidatesByFile,
  candidatesByFlags,
  type MappedFlag,
  readConditions,
  unknownColumn,
} from './explicit-mapping.ts';
import { headersLikeField, knownPath, pathOfAlias } from './known-fields.ts';
import type { MappingFile } from './mapping-file.ts';
import { candidatesByPreset, looksLikeExportOf, notDeliverableByPreset, type Preset } from './preset.ts';

export interface MappingOptions {
  mapColumn?: readonly MappedFlag[] | undefined;
  map?: MappingFile | undefined;
  preset?: Preset | undefined;
  /** The presets to suggest when the header looks like one of their exports. */
  knownPresets?: readonly Preset[] | undefined;
}

/**
 * Maps the header to columns. Precedence: `--map-column`, the mapping file, headers that are field paths, the
 * preset, aliases. Nothing is guessed: a header that is nearly a field is a problem with a suggestion.
 */
export function mapHeader(row: HeaderRow, options: MappingOptions): Mapping & { problems: Problem[] } {
  const { mapColumn = [], map, preset, knownPresets = [] } = options;
  const header = createHeader(row);
  const problems = checkNames(header);
  const explicit = [candidatesByFlags(header, mapColumn)];
  if (map !== undefined) explicit.push(candidatesByFile(header, map));
  const ignored = new Set((map?.ignore ?? []).flatMap((name) => header.indexOf(name) ?? []));
  const taken = new Set(explicit.flatMap(({ candidates }) => candidates.flatMap(({ indexes }) => indexes)));
  const isFree = (index: number) => !taken.has(index) && !ignored.has(index);
  const wrong = new Set(problems.map(({ column }) => column));
  const byHeader = header.cells.flatMap((name, index) => {
    const isNamed = name !== '' && !name.startsWith('_') && !wrong.has(columnLetters(index));
    return isNamed && isFree(index) ? [candidateByHeader(header, index)] : [];
  });
  const found = [...explicit, ...byHeader];
  problems.push(...found.flatMap((source) => source.problems));
  const candidates = found.flatMap((source) => source.candidates);
  if (preset !== undefined) candidates.push(...candidatesByPreset(header, preset, isFree));
  const columns = toColumns(withHighestPrecedence(candidates), header);
  problems.push(...findClashes(columns, header));
  if (!columns.some(({ path }) => formatFieldPath(path) === idPath)) {
    problems.push(missingId(header, preset === undefined ? knownPresets : []));
  }
  const rows = readRowConditions(header, options);
  problems.push(...rows.problems);
  problems.sort((left, right) => columnNumber(left) - columnNumber(right));
  return { columns, unsent: findUnsent(columns, header, ignored, problems), ...rows, problems };
}

function columnNumber({ column }: Problem): number {
  return column === undefined ? Number.POSITIVE_INFINITY : columnIndex(column);
}

function toColumns(candidates: readonly Candidate[], { cells }: Header): Column[] {
  const rank = ({ source }: Candidate) => mappingSources.indexOf(source);
  return candidates
    .toSorted((left, right) => left.indexes[0] - right.indexes[0] || rank(left) - rank(right))
    .map(({ path, type, isExtra, indexes: [index, ...others], rule }) => {
      const column: Column = {
        index,
        header: cells[index] ?? '',
        path,
        type,
        isLine: path.includes(null),
        isExtra,
      };
      if (rule !== undefined || others.length > 0) {
        column.rule = {
          ...rule,
          others: others.map((other) => ({ index: other, header: cells[other] ?? '' })),
        };
      }
      return column;
    });
}

/** Columns that fill the same field, or a part of what another column fills whole. */
function findClashes(columns: readonly Column[], header: Header): Problem[] {
  const taken = new Map<string, number>();
  return columns.flatMap((column) => {
    const path = formatFieldPath(column.path);
    const other = taken.get(path) ?? columns.find((whole) => isPartOf(column.path, whole.path))?.index;
    taken.set(path, column.index);
    if (other === undefined) return [];
    const problem = `fills ${path}, which column ${columnLetters(other)} also fills`;
    const fix = `keep one of the two, or choose one: --map-column '${column.header}=${path}'`;
    return [headerProblem(header, column.index, 'header_duplicate', problem, fix)];
  });
}

/** `customer.phone` is part of `customer`: the second of the two would overwrite the first. */
function isPartOf(path: FieldPath, whole: FieldPath): boolean {
  return whole.length < path.length && whole.every((step, index) => step === path[index]);
}

function readRowConditions(header: Header, { map, preset }: MappingOptions) {
  const skip = readConditions(header, map?.skip_rows_when ?? {}, 'skip_rows_when');
  const refuse = readConditions(header, map?.refuse_rows_when ?? {}, 'refuse_rows_when');
  const unknown = (map?.ignore ?? []).filter((name) => header.indexOf(name) === undefined);
  const notDeliverableWhen: NotDeliverableRule[] = [];
  if (refuse.conditions.length > 0) {
    notDeliverableWhen.push({ reason: 'mapping', conditions: refuse.conditions });
  }
  if (preset !== undefined) notDeliverableWhen.push(...notDeliverableByPreset(preset, header));
  const currency = preset?.currency.flatMap((name) => header.indexOf(name) ?? []).at(0);
  return {
    skipRowsWhen: skip.conditions,
    notDeliverableWhen,
    ...(currency === undefined
      ? {}
      : { currency: { index: currency, header: header.cells[currency] ?? '' } }),
    problems: [
      ...skip.problems,
      ...refuse.problems,
      ...unknown.map((name) => unknownColumn(header, name, 'ignore')),
    ],
  };
}

function findUnsent(
  columns: readonly Column[],
  { cells }: Header,
  ignored: Set<number>,
  problems: Problem[],
): string[] {
  const sent = new Set(
    columns.flatMap(({ index, rule }) => [index, ...(rule?.others ?? []).map((other) => other.index)]),
  );
  const wrong = new Set(problems.map(({ column }) => column));
  return cells.filter((name, index) => {
    const isAccountedFor = sent.has(index) || ignored.has(index) || wrong.has(columnLetters(index));
    return name !== '' && !name.startsWith('_') && !isAccountedFor;
  });
}

const idPath = 'externalOrderId';
const maxListed = 40;
/** Characters that separate cells in files for which another delimiter was detected. */
const separators = /[,;\t|^~]/g;

function missingId(header: Header, suggested: readonly Preset[]): Problem {
  return {
    about: 'header',
    severity: 'error',
    code: 'column_missing',
    path: idPath,
    problem: 'no column holds your order IDs, which prevent an order from being created twice',
    fix: fixForMissingId(header, suggested),
  };
}

function fixForMissingId(header: Header, suggested: readonly Preset[]): string {
  const names = header.cells.filter((name) => name !== '');
  if (names.length === 0) return 'add a header line with the names of the columns';
  const lower = (header.below ?? []).find(({ cells }) => cells.some(isNameOfId));
  if (lower !== undefined) return `row ${lower.row} looks like the header: add --header-row ${lower.row}`;
  const [only = '', ...others] = names;
  const delimiter = others.length === 0 ? mostFrequentSeparator(only) : undefined;
  if (delimiter !== undefined) {
    const flag = delimiter === '\t' ? 'tab' : `'${delimiter}'`;
    return `it was read as one column; if that is wrong, add --delimiter ${flag}`;
  }
  const shop = suggested.find((preset) => looksLikeExportOf(preset, header));
  const [similar] = headersLikeField(idPath, names);
  const suggestions = [
    ...(shop === undefined ? [] : [`if this is an export of that shop, add --preset ${shop.name}`]),
    ...(similar === undefined
      ? []
      : [`if "${similar}" is that column, add --map-column '${similar}=${idPath}'`]),
  ];
  const listed = names.slice(0, maxListed).join(', ');
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  const fix = [`name that column ${idPath}`, ...suggestions].join(', or ');
  return `${fix}; the columns are: ${listed}${more}`;
}

function isNameOfId(cell: string): boolean {
  return (knownPath(cell) ?? pathOfAlias(cell)) === idPath;
}

function mostFrequentSeparator(name: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [character] of name.matchAll(separators)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}
