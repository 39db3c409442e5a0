import { basename, parse } from 'node:path';
import { advice, again, command, t } from '../advice/advice.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { noColumn } from '../import/mapping/header.ts';
import { foldHeader } from '../import/mapping/known-fields.ts';
import { entryOf } from '../import/mapping/marks.ts';
import type { SeenValues } from '../import/orders/plan.ts';
import type { ReadingFlags } from '../import/read/read-table.ts';
import { type ReadSettings, readingFlags, stemOf } from '../import/read/settings.ts';
import { isJsonObject, type JsonObject, member, parseJson, writeJson } from '../orders/json.ts';
import type { StoredMapping, StoredMappings } from '../system/configuration-files.ts';

type Header = { cells: readonly string[] };
type MappingContext = Pick<Context, 'identity' | 'mappings' | 'clock'>;

export interface Remembered {
  name: string;
  mapping: JsonObject;
  seen: SeenValues;
  newColumns: string[];
  missingColumns: string[];
  /** Files of other names have a prefix before their order IDs, and this one has none yet. */
  lacksPrefix: boolean;
}

export interface ToRemember {
  file: string;
  header: Header;
  mapping: JsonObject;
  seen: SeenValues;
}

const minShare = 0.7;
export const maxMappings = 100;
/** What only this file is known to need: the next one may quote its cells, or repeat its rows by accident. */
export const keysOfOneFile = ['quote', 'repeated_rows'];
/** The store reads at most 1 MiB. */
const maxBytes = 900 * 1024;

/**
 * The mapping that the profile in use remembers for a header, in any order of its columns; else the nearest one that
 * shares most of its columns and has the column of the order ID. Error: `configuration_invalid`.
 */
export async function findRemembered(
  { identity, mappings }: MappingContext,
  header: Header,
  file?: string,
): Promise<Remembered | undefined> {
  const { mappings: stored } = await mappings.read();
  if (stored.length === 0) return undefined;
  const { profile } = await identity();
  const columns = columnsOf(header);
  const ranked = stored
    .filter((known) => known.profile === profile && listOf(known) === undefined)
    .map((known) => ({ known, ...compareColumns(known.columns, columns) }))
    .filter(({ share, known }) => share >= (saysOnlyHowToRead(known) ? 1 : minShare))
    .filter(({ known, missingColumns }) => hasNeeded(known, missingColumns))
    .filter((compared) => repeatsAlike(compared.known.columns, columns, compared))
    .toSorted(
      (left, right) => right.share - left.share || right.known.usedAt.localeCompare(left.known.usedAt),
    );
  const [best] = ranked;
  if (best === undefined) return undefined;
  const { known, newColumns, missingColumns } = best;
  const prefix = file === undefined ? undefined : prefixFor(file, known.prefixes);
  const mapping = prefix === undefined ? mappingIn(known) : withPrefix(mappingIn(known), prefix);
  const lacksPrefix = prefix === undefined && known.prefixes !== undefined;
  return { name: known.name, mapping, seen: known.seen, newColumns, missingColumns, lacksPrefix };
}

/** That of the file, or of the one whose rejects it has. */
function prefixFor(file: string, prefixes: StoredMapping['prefixes'] = {}): string | undefined {
  const own = stemOf(file);
  const found = Object.entries(prefixes).find(([name]) => stemOf(name) === own);
  return prefixes[basename(file)] ?? found?.[1];
}

/** How many ways of reading are tried for a file. */
const maxReadings = 5;

interface EarlierReading {
  settings: ReadingFlags;
  /** Whether a table read this way has the columns of a mapping that was remembered with it. */
  isOf(header: Header): boolean;
}

/** How the files of the profile's remembered mappings were read, the most recently used first. */
export async function earlierReadings({
  identity,
  mappings,
}: Pick<MappingContext, 'identity' | 'mappings'>): Promise<EarlierReading[]> {
  const { mappings: stored } = await mappings.read();
  const readings = new Map<string, StoredMapping[]>();
  if (stored.length === 0) return [];
  const { profile } = await identity();
  for (const known of stored.toSorted((left, right) => right.usedAt.localeCompare(left.usedAt))) {
    const read = member(mappingIn(known), 'read');
    if (known.profile !== profile || read === undefined) continue;
    const key = writeJson(read);
    readings.set(key, [...(readings.get(key) ?? []), known]);
  }
  return [...readings].slice(0, maxReadings).map(([read, all]) => ({
    settings: readingFlags(parseJson(read) as ReadSettings),
    isOf: (header) => all.some((known) => isSame(known.columns, columnsOf(header))),
  }));
}

/**
 * Remembers a mapping for the profile in use, in the place of an earlier one for the same columns. Returns its name,
 * and the names of those that were unused for longest and had to go. Errors: those of the store, `usage`, and
 * `file_changed` when it is no longer the one that this command has read.
 */
export async function remember(
  { identity, mappings, clock }: MappingContext,
  { file, header, mapping, seen }: ToRemember,
): Promise<{ name: string; removed: string[] }> {
  const { profile } = await identity();
  const columns = columnsOf(header);
  const { prefix, others } = takePrefix(mapping);
  const remembered = Object.entries(others).filter(([key]) => !keysOfOneFile.includes(key));
  const savedAt = new Date(clock.now()).toISOString();
  let name = '';
  let removed: string[] = [];
  const list = listIn(mapping);
  const text = writeJson(Object.fromEntries(remembered));
  const findSame = ({ mappings: all }: StoredMappings) =>
    all.find(
      (known) => known.profile === profile && listOf(known) === list && isSame(known.columns, columns),
    );
  await mappings.update((now, read) => {
    const { mappings: stored } = now;
    const before = findSame(now);
    if (before?.mapping !== findSame(read)?.mapping && before?.mapping !== text) throw mappingChanged();
    const others = stored.filter((known) => known !== before);
    name = before?.name ?? freeName(file, others);
    const own: StoredMapping = {
      name,
      profile,
      columns,
      mapping: text,
      seen: Object.fromEntries(Object.entries(seen).map(([column, texts]) => [column, [...texts]])),
      ...prefixesWith(before?.prefixes, file, prefix),
      savedAt,
      usedAt: savedAt,
    };
    const kept = keepWithinBounds([...others, own], own);
    removed = others.filter((known) => !kept.includes(known)).map((known) => known.name);
    return { mappings: kept };
  });
  return { name, removed };
}

function mappingChanged(): CliError {
  return new CliError(
    'file_changed',
    t`Another window or program has changed the remembered mapping of these columns meanwhile. It is left as it is now.`,
    { hint: t`Run the same command again.${again()}`, outcome: 'not_sent' },
  );
}

const idField = 'externalOrderId';
const maxPrefixes = 50;

/** The order IDs of another file would be the same with it, so that it belongs to the file of this name. */
function takePrefix(mapping: JsonObject): { prefix?: string; others: JsonObject } {
  const columns = member(mapping, 'columns');
  const entry = member(columns, idField);
  if (!isJsonObject(columns) || !isJsonObject(entry)) return { others: mapping };
  const { prefix, ...id } = entry;
  if (typeof prefix !== 'string' || prefix === noColumn) return { others: mapping };
  return { prefix, others: { ...mapping, columns: { ...columns, [idField]: id } } };
}

function withPrefix(mapping: JsonObject, prefix: string): JsonObject {
  const columns = member(mapping, 'columns');
  const entry = member(columns, idField);
  if (!isJsonObject(columns) || entry === undefined) return mapping;
  return { ...mapping, columns: { ...columns, [idField]: { ...entryOf(entry), prefix } } };
}

function prefixesWith(
  before: StoredMapping['prefixes'] = {},
  file: string,
  prefix: string | undefined,
): Pick<StoredMapping, 'prefixes'> {
  const all = prefix === undefined ? before : { ...before, [basename(file)]: prefix };
  const kept = Object.entries(all).slice(-maxPrefixes);
  return kept.length === 0 ? {} : { prefixes: Object.fromEntries(kept) };
}

/** A list is no file of orders: of a courier, or one whose `status` names the column of the orders. */
type ListKind = (typeof listKinds)[number];
const listKinds = ['cash', 'orders'] as const;

/** What is known of lists of a kind; the most recent first. `isOf`: of a list with these columns. Error: `configuration_invalid`. */
export async function findListMappings(
  { identity, mappings }: Pick<MappingContext, 'identity' | 'mappings'>,
  kind: ListKind,
): Promise<{ name: string; columns: JsonObject; isOf(header: Header): boolean }[]> {
  const { mappings: stored } = await mappings.read();
  if (stored.length === 0) return [];
  const { profile } = await identity();
  return stored
    .filter((known) => known.profile === profile)
    .toSorted((left, right) => right.usedAt.localeCompare(left.usedAt))
    .flatMap((known) => {
      const columns = member(mappingIn(known), kind);
      const isOf = (header: Header) => isSame(known.columns, columnsOf(header));
      return isJsonObject(columns) ? { name: known.name, columns, isOf } : [];
    });
}

/** Drops the least recently used mappings when there are too many. Errors: those of the store. */
export async function markUsed({ mappings, clock }: MappingContext, name: string): Promise<void> {
  const usedAt = new Date(clock.now()).toISOString();
  const { mappings: stored } = await mappings.read();
  const isOfToday = stored.some(
    (known) => known.name === name && known.usedAt.slice(0, 10) === usedAt.slice(0, 10),
  );
  if (isOfToday) return;
  await mappings.update((all) => ({
    mappings: all.mappings.map((known) => (known.name === name ? { ...known, usedAt } : known)),
  }));
}

/** Returns the names of the removed mappings. Errors: those of the store. */
export async function forgetMappings(
  { mappings }: Pick<Context, 'mappings'>,
  isChosen: (known: StoredMapping) => boolean,
): Promise<string[]> {
  const { mappings: stored } = await mappings.read();
  if (!stored.some(isChosen)) return [];
  let removed: string[] = [];
  await mappings.update((all) => {
    removed = all.mappings.filter(isChosen).map(({ name }) => name);
    return { mappings: all.mappings.filter((known) => !isChosen(known)) };
  });
  return removed;
}

export function mappingIn({ name, mapping }: StoredMapping): JsonObject {
  const parsed = parseJson(mapping);
  if (isJsonObject(parsed)) return parsed;
  throw new CliError('configuration_invalid', `The remembered mapping ${name} is not an object.`, {
    hint: advice`Remove it with: ${command('mappings', 'remove', name)}`,
    outcome: 'not_sent',
  });
}

/** Without blank columns and those that we add to a rejects file, such as `_row`. */
function columnsOf({ cells }: Header): string[] {
  return cells.map((name) => name.trim()).filter((name) => name !== '' && !name.startsWith('_'));
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return compareColumns(left, right).share === 1;
}

type Compared = Pick<Remembered, 'newColumns' | 'missingColumns'>;

function compareColumns(before: readonly string[], now: readonly string[]): Compared & { share: number } {
  const missingColumns = without(before, now);
  const newColumns = without(now, before);
  const shared = before.length - missingColumns.length;
  return { share: shared / Math.max(before.length, now.length, 1), missingColumns, newColumns };
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others.map(foldHeader)) left.set(other, (left.get(other) ?? 0) + 1);
  return names.filter((name) => {
    const folded = foldHeader(name);
    const count = left.get(folded) ?? 0;
    left.set(folded, count - 1);
    return count <= 0;
  });
}

/**
 * Whether a file has the columns of the order ID, and those whose values say for which orders the mapping holds: without
 * them it may be the file of another shop. A mapping without an order ID adds to a preset, which knows the column.
 */
function hasNeeded(known: StoredMapping, missingColumns: readonly string[]): boolean {
  const mapping = mappingIn(known);
  const columns = member(mapping, 'columns');
  const id = member(columns, 'externalOrderId') ?? member(mapping, 'group_by');
  const from = isJsonObject(id) ? member(id, 'from') : id;
  const names = Array.isArray(from) ? from : [from];
  const missing = new Set(missingColumns.map(foldHeader));
  const watched = Object.entries(known.seen).flatMap(([name, texts]) => (texts.includes('*') ? [] : [name]));
  return [...names, ...watched].every(
    (name) => typeof name !== 'string' || !missing.has(foldHeader(name.replace(/#\d+$/, ''))),
  );
}

function listOf(known: StoredMapping): ListKind | undefined {
  return listIn(mappingIn(known));
}

function listIn(mapping: JsonObject): ListKind | undefined {
  return listKinds.find((kind) => member(mapping, kind) !== undefined);
}

function saysOnlyHowToRead(known: StoredMapping): boolean {
  return Object.keys(mappingIn(known)).every((key) => key === 'read');
}

/** Columns with the same name are distinguished by position, so the order must match. */
function repeatsAlike(before: readonly string[], now: readonly string[], compared: Compared): boolean {
  const old = without(before, compared.missingColumns).map(foldHeader);
  if (new Set(old).size === old.length) return true;
  const current = without(now, compared.newColumns).map(foldHeader);
  return old.every((name, index) => name === current[index]);
}

const maxNameLength = 60;

/** A name that needs no quotes in a shell; `orders-2` when `orders` is taken. */
function freeName(file: string, others: readonly StoredMapping[]): string {
  const plain = parse(file === '-' ? 'stdin' : file)
    .name.normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._]+/gu, '-')
    .slice(0, maxNameLength)
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '');
  const base = plain === '' ? 'mapping' : plain;
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  let name = base;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}-${number}`;
  return name;
}

/** Error: `usage` for a mapping that alone is too large. */
function keepWithinBounds(all: StoredMapping[], own: StoredMapping): StoredMapping[] {
  const sizeOf = (mappings: StoredMapping[]) =>
    Buffer.byteLength(JSON.stringify({ mappings } satisfies StoredMappings, null, '\t'));
  const oldest = all
    .filter((known) => known !== own)
    .toSorted((left, right) => left.usedAt.localeCompare(right.usedAt));
  let kept = all;
  while (kept.length > maxMappings || sizeOf(kept) > maxBytes) {
    const gone = oldest.shift();
    if (gone === undefined) {
      throw new CliError('usage', `The mapping of ${own.name} is too large to be remembered.`, {
        hint: 'Keep it in a file, and import with --map FILE.',
        outcome: 'not_sent',
      });
    }
    kept = kept.filter((known) => known !== gone);
  }
  return kept;
}
