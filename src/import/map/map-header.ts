import { type FieldPath, formatFieldPath } from '../../orders/field-path.ts';
import type { Problem } from '../problem.ts';
import { isPickup, type Preset, type PresetName, presets } from '../shops/preset.ts';
import { columnIndex, columnLetters, type HeaderRow } from '../table/table.ts';
import { authorities, type Claim, claimByPath, claimByPreset, strongest } from './claims.ts';
import type { Column, Mapping, RowRefusal } from './column.ts';
import { type Condition, createCondition } from './condition.ts';
import {
  claimByFile,
  claimByFlags,
  type MappedFlag,
  readConditions,
  unknownColumn,
} from './explicit-mapping.ts';
import { checkNames, createHeader, type Header, problemAt } from './header.ts';
import type { MappingFile } from './mapping-file.ts';
import { missingId } from './missing-id.ts';

/** What the caller says of the columns. */
export interface MappingFlags {
  mapColumn?: readonly MappedFlag[] | undefined;
  map?: MappingFile | undefined;
  preset?: PresetName | undefined;
}

/**
 * Header → columns, by authority: flags, the mapping file, names that are fields, the preset, names that are known.
 * Nothing is guessed: a header that is nearly a field is a problem with the suggestion.
 */
export function mapHeader(row: HeaderRow, flags: MappingFlags): Mapping & { problems: Problem[] } {
  const header = createHeader(row);
  const problems = checkNames(header);
  const told = [claimByFlags(header, flags.mapColumn ?? [])];
  if (flags.map !== undefined) told.push(claimByFile(header, flags.map));
  const ignored = new Set((flags.map?.ignore ?? []).flatMap((name) => header.indexOf(name) ?? []));
  const spokenFor = new Set(told.flatMap(({ claims }) => claims.flatMap(({ indexes }) => indexes)));
  const isFree = (index: number) => !spokenFor.has(index) && !ignored.has(index);
  const wrong = new Set(problems.map(({ column }) => column));
  const byName = header.cells.flatMap((name, index) => {
    const isNamed = name !== '' && !name.startsWith('_') && !wrong.has(columnLetters(index));
    return isNamed && isFree(index) ? [claimByPath(header, index)] : [];
  });
  const byPreset = flags.preset === undefined ? [] : claimByPreset(header, flags.preset, isFree);
  problems.push(...[...told, ...byName].flatMap((claims) => claims.problems));
  const claims = strongest([...[...told, ...byName].flatMap((claims) => claims.claims), ...byPreset]);
  const columns = toColumns(claims, header);
  problems.push(...findClashes(columns, header), ...missingId(columns, header, flags.preset));
  const rows = readRowConditions(header, flags);
  problems.push(...rows.problems);
  problems.sort((left, right) => placeOf(left) - placeOf(right));
  return { columns, unsent: unsentOf(columns, header, ignored, problems), ...rows, problems };
}

/** From the first column to the last, then what no column has. */
function placeOf({ column }: Problem): number {
  return column === undefined ? Number.POSITIVE_INFINITY : columnIndex(column);
}

function toColumns(claims: readonly Claim[], { cells }: Header): Column[] {
  const rank = ({ authority }: Claim) => authorities.indexOf(authority);
  return claims
    .toSorted((left, right) => left.indexes[0] - right.indexes[0] || rank(left) - rank(right))
    .map(({ path, type, isExtra, indexes: [index, ...others], rule }) => ({
      ...{ index, header: cells[index] ?? '', path, type, isLine: path.includes(null), isExtra },
      ...(rule === undefined && others.length === 0
        ? {}
        : {
            rule: { ...rule, others: others.map((other) => ({ index: other, header: cells[other] ?? '' })) },
          }),
    }));
}

/** Columns that fill one field, and columns that fill a part of what another fills: the second would undo the first. */
function findClashes(columns: readonly Column[], header: Header): Problem[] {
  const taken = new Map<string, number>();
  return columns.flatMap((column) => {
    const path = formatFieldPath(column.path);
    const other = taken.get(path) ?? columns.find((whole) => isPartOf(column.path, whole.path))?.index;
    taken.set(path, column.index);
    if (other === undefined) return [];
    const problem = `fills ${path}, which column ${columnLetters(other)} fills as well`;
    const fix = `keep one of the two, or say which: --map-column '${column.header}=${path}'`;
    return [problemAt(header, column.index, 'header_duplicate', problem, fix)];
  });
}

function readRowConditions(header: Header, { map, preset }: MappingFlags) {
  const skip = readConditions(header, map?.skip_rows_when ?? {}, 'skip_rows_when');
  const refuse = readConditions(header, map?.refuse_rows_when ?? {}, 'refuse_rows_when');
  const ignore = (map?.ignore ?? []).filter((name) => header.indexOf(name) === undefined);
  const told: RowRefusal[] =
    refuse.conditions.length === 0 ? [] : [{ reason: 'mapping', conditions: refuse.conditions }];
  const shop = preset === undefined ? undefined : presets[preset];
  const currency = shop?.currency.flatMap((name) => header.indexOf(name) ?? []).at(0);
  return {
    skipRowsWhen: skip.conditions,
    refuseRowsWhen: [...told, ...(shop === undefined ? [] : refusalsOf(shop, header))],
    ...(currency === undefined
      ? {}
      : { currency: { index: currency, header: header.cells[currency] ?? '' } }),
    problems: [
      ...skip.problems,
      ...refuse.problems,
      ...ignore.map((name) => unknownColumn(header, name, 'ignore')),
    ],
  };
}

/** The orders that a shop knows not to be delivered. */
function refusalsOf({ shippingMethod, cancelled }: Preset, header: Header): RowRefusal[] {
  const refusal = (name: string, reason: RowRefusal['reason'], more: Partial<Condition>): RowRefusal[] => {
    const index = header.indexOf(name);
    if (index === undefined) return [];
    const condition = createCondition(index, header.cells[index] ?? '', cancelled.when);
    return [{ reason, conditions: [{ ...condition, ...more }] }];
  };
  return [
    ...shippingMethod.flatMap((name) => refusal(name, 'pickup', { matches: isPickup })),
    ...cancelled.columns.flatMap((name) => refusal(name, 'cancelled', {})),
  ];
}

function unsentOf(columns: readonly Column[], { cells }: Header, ignored: Set<number>, problems: Problem[]) {
  const sent = new Set(
    columns.flatMap(({ index, rule }) => [index, ...(rule?.others ?? []).map((other) => other.index)]),
  );
  const wrong = new Set(problems.map(({ column }) => column));
  return cells.filter((name, index) => {
    const isSpokenOf = sent.has(index) || ignored.has(index) || wrong.has(columnLetters(index));
    return name !== '' && !name.startsWith('_') && !isSpokenOf;
  });
}

/** `customer.phone` is part of `customer`: whichever came second would undo the other. */
function isPartOf(path: FieldPath, whole: FieldPath): boolean {
  return whole.length < path.length && whole.every((step, index) => step === path[index]);
}
