import { basename, parse } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { again, command, t } from '../advice/advice.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { createHeader, foldHeader, nameOf, noColumn } from '../import/columns/header.ts';
import { entryOf, listIn } from '../import/mapping/entries.ts';
import type { SeenValues } from '../import/orders/plan.ts';
import { stemOf } from '../import/read/settings.ts';
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

export const maxMappings = 100;
/** What only this file is known to need: the next one may quote its cells, or repeat its rows by accident. */
export const keysOfOneFile = ['quote', 'repeated_rows'];
/** The store reads at most 1 MiB. */
const maxBytes = 900 * 1024;

/**
 * The mapping that the profile in use remembers for these columns, in any order; else one whose columns that decide are
 * all there: all but those that it ignores, and that say nothing about the orders. Error: `configuration_invalid`.
 */
export async function findRemembered(
  context: Pick<MappingContext, 'identity' | 'mappings'>,
  header: Header,
  file?: string,
): Promise<Remembered | undefined> {
  const [best] = (await storedOfProfile(context))
    .map((known) => ({ known, ...compareColumns(known.columns, columnsOf(header)) }))
    .filter(({ known, missingColumns, isInOrder }) => isInOrder && areIgnored(known, missingColumns))
    .filter(({ known, newColumns }) => newColumns.length === 0 || !saysOnlyHowToRead(known))
    .toSorted((left, right) => differences(left) - differences(right));
  if (best === undefined) return undefined;
  const { known, newColumns, missingColumns } = best;
  const prefix = file === undefined ? undefined : prefixFor(file, known.prefixes);
  const mapping = prefix === undefined ? mappingIn(known) : withPrefix(mappingIn(known), prefix);
  const lacksPrefix = prefix === undefined && known.prefixes !== undefined;
  return { name: known.name, mapping, seen: known.seen, newColumns, missingColumns, lacksPrefix };
}

/** The most recently used first. */
async function storedOfProfile({
  identity,
  mappings,
}: Pick<MappingContext, 'identity' | 'mappings'>): Promise<StoredMapping[]> {
  const { mappings: stored } = await mappings.read();
  if (stored.length === 0) return [];
  const { profile } = await identity();
  return stored
    .filter((known) => known.profile === profile)
    .toSorted((left, right) => right.usedAt.localeCompare(left.usedAt));
}

/** That of the file, or of the one whose rejects it has. */
function prefixFor(file: string, prefixes: StoredMapping['prefixes'] = {}): string | undefined {
  const own = stemOf(file);
  const found = Object.entries(prefixes).find(([name]) => stemOf(name) === own);
  return prefixes[basename(file)] ?? found?.[1];
}

/** How many ways of reading are tried for a file. */
const maxReadings = 5;

/** `read` of the profile's remembered mappings, the most recently used first. Error: `configuration_invalid`. */
export async function earlierReadings(
  context: Pick<MappingContext, 'identity' | 'mappings'>,
): Promise<JsonObject[]> {
  const readings = (await storedOfProfile(context)).flatMap((known) => {
    const read = member(mappingIn(known), 'read');
    return isJsonObject(read) ? [writeJson(read)] : [];
  });
  return [...new Set(readings)].slice(0, maxReadings).map((read) => parseJson(read) as JsonObject);
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
  const text = writeJson(Object.fromEntries(remembered));
  const findSame = ({ mappings: all }: StoredMappings) =>
    all.find((known) => known.profile === profile && isSame(known.columns, columns));
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
    { hint: t`Run the same command again.${again()}` },
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

/** Errors: those of the store. */
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
  throw new CliError('configuration_invalid', t`The remembered mapping ${name} is not an object.`, {
    hint: t`Remove it with: ${command('mappings', 'remove', name)}`,
  });
}

/** Without blank columns and those that we add to a rejects file, such as `_row`; `City#2` when the name stands more than once. */
function columnsOf({ cells: all }: Header): string[] {
  const cells = all.map((name) => name.trim()).filter((name) => name !== '' && !name.startsWith('_'));
  const header = createHeader({ row: 1, line: 1, cells });
  return cells.map((_, index) => nameOf(header, index));
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  const compared = compareColumns(left, right);
  return compared.isInOrder && differences(compared) === 0;
}

type Compared = Pick<Remembered, 'newColumns' | 'missingColumns'>;

function differences({ newColumns, missingColumns }: Compared): number {
  return newColumns.length + missingColumns.length;
}

/** Columns with the same name are distinguished by position, so beside such ones the order must match. */
function compareColumns(before: readonly string[], now: readonly string[]) {
  const [old, current] = [before.map(foldHeader), now.map(foldHeader)];
  const shared = old.filter((name) => current.includes(name));
  const isAlone = new Set(shared.map(withoutNumber)).size === shared.length;
  return {
    missingColumns: before.filter((name) => !current.includes(foldHeader(name))),
    newColumns: now.filter((name) => !old.includes(foldHeader(name))),
    isInOrder:
      isAlone ||
      isDeepStrictEqual(
        shared,
        current.filter((name) => old.includes(name)),
      ),
  };
}

/** Whether an order is the same without these columns: they are ignored, and their values do not say for which orders the mapping holds. */
function areIgnored(known: StoredMapping, columns: readonly string[]): boolean {
  const unread = ['ignore', 'ignore_anyway'].flatMap((key) => listIn(mappingIn(known), key));
  const ignored = new Set(unread.map((name) => foldHeader(String(name))));
  const watched = Object.entries(known.seen).flatMap(([name, texts]) =>
    texts.includes('*') ? [] : [foldHeader(name)],
  );
  return columns.map(foldHeader).every((name) => {
    return !watched.includes(name) && (ignored.has(name) || ignored.has(withoutNumber(name)));
  });
}

/** `city#2` → `city` */
function withoutNumber(name: string): string {
  return name.replace(/#\d{1,3}$/, '');
}

function saysOnlyHowToRead(known: StoredMapping): boolean {
  return Object.keys(mappingIn(known)).every((key) => key === 'read');
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
      throw new CliError('usage', t`The mapping of ${own.name} is too large to be remembered.`, {
        hint: t`Keep it in a file, and import with --map FILE.`,
      });
    }
    kept = kept.filter((known) => known !== gone);
  }
  return kept;
}
