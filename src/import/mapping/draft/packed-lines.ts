import { isJsonObject, type Json, type JsonObject, jsonText, parseJson } from '../../../orders/json.ts';
import { createHeader, type Header, nameOf } from '../../columns/header.ts';
import { rolesOfHeader } from '../../columns/header-roles.ts';
import { type ColumnProfile, profileRows } from '../../columns/profile.ts';
import { roles } from '../../columns/roles.ts';
import { bySign, countsOf, findCounts } from '../../words/quantity.ts';
import { guessColumns } from '../guesses.ts';
import type { LinesMapping } from '../language.ts';
import { createLineParser, quantityTarget } from '../lines.ts';
import type { LinesChoice } from './proposal.ts';

/** The ways to read one column as lines. */
interface PackedColumn {
  /** Each reads other lines; the likeliest is first. */
  choices: readonly LinesChoice[];
  /** All of each cell is the name of one product. */
  whole: LinesChoice;
  hasSeveral: boolean;
  /** Each cell is the name of one product with its count, in one way to read it. */
  isCounted: boolean;
  /** Header and values agree, and there is one reading. */
  isSure: boolean;
}

type PackedLines = Exclude<LinesMapping, { wide: unknown }>;

/** The cells that show how lines are read. */
export const maxSamples = 2;
const maxCellLength = 4096;

/** Undefined when the cells are not lines, or when a way to read them would lose one. */
export function readPackedColumn(
  header: Header,
  index: number,
  profile: ColumnProfile | undefined,
): PackedColumn | undefined {
  if (profile === undefined || profile.filled === 0) return undefined;
  const { shares, examples } = profile;
  const column = { header, index, examples };
  if (shares.json > 0) return jsonLines(column);
  const mayBePacked = shares.packed > 0 || examples.every((text) => /\(\d{1,3}\)/.test(text));
  if (!mayBePacked || examples.some(({ length }) => length > maxCellLength)) return undefined;
  return textLines(column, shares.packed);
}

interface Cells {
  header: Header;
  index: number;
  examples: readonly string[];
}

/** `[{"model":"TEA-001","quantity":2}]`: the keys are columns of a table of their own. */
function jsonLines(cells: Cells): PackedColumn | undefined {
  const { header, index, examples } = cells;
  const lines = examples.flatMap(jsonObjectsIn);
  const keys = [...new Set(lines.flatMap((line) => Object.keys(line)))].slice(0, maxKeys);
  const inner = createHeader({ row: 1, line: 1, cells: keys });
  const isText = (value: Json | undefined): value is Json =>
    value !== undefined && value !== null && !Array.isArray(value) && !isJsonObject(value);
  const textOf = (value: Json | undefined) => (isText(value) ? jsonText(value) : '');
  const rows = lines.map((line) => ({ cells: keys.map((key) => textOf(line[key])) }));
  const profiles = profileRows(keys.length, rows);
  const guesses = guessColumns(inner, profiles, [...keys.keys()]);
  const fields: Record<string, string> = {};
  const fieldOf = (field: string) => {
    const best = guesses.find((found) => found.field === field)?.guesses[0];
    if (best !== undefined) fields[field] = best.header;
    return best;
  };
  const sku = fieldOf('items[].sku');
  const name = fieldOf('items[].name');
  const count = fieldOf(quantityTarget);
  // Where no key is known, its values show what it holds.
  const keyOf = (kind: 'words' | 'count') => keys.find((_, place) => profiles[place]?.shares[kind] === 1);
  if (sku === undefined && name === undefined) {
    const goods = keyOf('words');
    if (goods === undefined) return undefined;
    fields['items[].name'] = goods;
  }
  const pieces = keyOf('count');
  if (count === undefined && pieces !== undefined) fields[quantityTarget] = pieces;
  const mapping: PackedLines = { from: nameOf(header, index), json: true, fields };
  const read = readAll(examples, mapping);
  if (read === undefined) return undefined;
  const isNamed = sku !== undefined || name !== undefined;
  const isSure = isNamed && count !== undefined && count.score >= minKeyScore;
  return {
    choices: [choiceOf(cells, mapping, read)],
    whole: wholeOf(cells),
    hasSeveral: read.some(({ length }) => length > 1),
    isCounted: false,
    isSure,
  };
}

const maxKeys = 60;
const minKeyScore = 0.6;

function jsonObjectsIn(text: string): JsonObject[] {
  try {
    const value = parseJson(text);
    return Array.isArray(value) ? value.filter(isJsonObject) : [];
  } catch {
    return [];
  }
}

/** Separators of lines; with the later ones of these a name may be written as well. */
const separators = [undefined, ';', '；', '\n', ',', '，', '、', '|', '+', '/', '&'] as const;
const safeSeparators: readonly (string | undefined)[] = [undefined, ';', '；', '\n'];

function textLines(cells: Cells, share: number): PackedColumn | undefined {
  const { header, index, examples } = cells;
  const found = separators
    .filter((between) => between === undefined || examples.some((text) => text.includes(between)))
    .flatMap((between) => readText(cells, between) ?? []);
  const fewest = Math.min(...found.map(({ faults }) => faults));
  const best = found.filter(({ faults }) => faults === fewest);
  const [first] = best;
  if (first === undefined) return undefined;
  const other = best.find(({ counts }) => counts !== first.counts);
  const readings = other === undefined ? [first] : [first, other];
  const hasSeveral = readings.some((reading) => reading.hasSeveral);
  const isOnly = other === undefined && !first.isDoubtful;
  const isSure =
    isOnly &&
    share >= minSureShare &&
    isForGoods(nameOf(header, index)) &&
    (hasSeveral || examples.length > 1);
  const isCounted = isOnly && !first.isPlain && !hasSeveral && examples.length > 1;
  const choices = readings.map(({ choice }) => choice);
  return { choices, whole: wholeOf(cells), hasSeveral, isCounted, isSure };
}

/** Undefined when no text has a count, or when one that has none may be a part of a name. */
function readText(cells: Cells, between: string | undefined) {
  const { header, index, examples } = cells;
  const from = nameOf(header, index);
  const found: ReturnType<typeof countsOf> = [];
  const plain: string[] = [];
  for (const cell of examples) {
    const pieces = piecesOf(cell, between);
    for (const piece of pieces) {
      const count = isSize(piece) ? undefined : countsOf(piece)[0];
      if (count !== undefined) found.push(count);
      else if (pieces.length > 1 && !safeSeparators.includes(between)) return undefined;
      else plain.push(piece);
    }
  }
  if (found.length === 0) return undefined;
  const isPlain = plain.length > 0;
  const forms = [...new Set(found.toSorted(bySign).map(({ form }) => form)), ...(isPlain ? ['%'] : [])];
  const mappingFor = (goods: string): PackedLines => {
    const own = forms.map((form) => form.replace('%', `{${goods}}`).replace('#', `{${quantityTarget}}`));
    return { from, ...(between === undefined ? {} : { between }), form: own.length === 1 ? own[0] : own };
  };
  const lines = readAll(examples, mappingFor('items[].name'));
  if (lines === undefined) return undefined;
  const all = lines.flat();
  const isSku = targetOfHeader(from) === 'items[].sku' || all.every(({ text }) => isCode(text));
  const hasFurther = all.some(({ text }) => findCounts(text).length > 0);
  const hasOpenNumber = plain.some((text) => /\d/.test(text));
  // A separator was missed, or a count.
  const faults = 2 * Number(hasFurther) + Number(hasOpenNumber);
  const hasOpenSeparator = plain.some((text) => /[;；\n|]/.test(text));
  const isPack = found.some(({ kind, count }) => kind === 'unit' && count >= minPack);
  return {
    choice: choiceOf(cells, mappingFor(isSku ? 'items[].sku' : 'items[].name'), lines),
    counts: JSON.stringify(lines.map((own) => own.map(({ count }) => count))),
    isPlain,
    hasSeveral: lines.some(({ length }) => length > 1),
    isDoubtful: faults > 0 || hasOpenSeparator || isPack || found.some(({ isDoubtful }) => isDoubtful),
    faults,
  };
}

/** So many `ш` may be those of a pack: `Eggs 30 ш`. */
const minPack = 10;

/** With fewer counts among its cells a column is of names, some of which end in a number. */
const minSureShare = 0.2;

function piecesOf(cell: string, between: string | undefined): string[] {
  const pieces = between === undefined ? [cell] : cell.split(between);
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** `Rug 120 x 180`, but not the SKU in `10012 x 2`. */
function isSize(piece: string): boolean {
  return /\s\d+(?:[.,]\d+)?\s?[xх×*]\s?\d/i.test(piece) || /^\d{1,3}(?:[.,]\d+)?\s?[xх×*]\s?\d/i.test(piece);
}

interface ReadLine {
  text: string;
  count: string;
}

function readAll(cells: readonly string[], mapping: PackedLines): ReadLine[][] | undefined {
  const { targets, parse } = createLineParser(mapping);
  const goods = ['items[].sku', 'items[].name'].map((target) => targets.indexOf(target));
  const count = targets.indexOf(quantityTarget);
  const all: ReadLine[][] = [];
  for (const cell of cells) {
    const lines = parse(cell);
    if (lines === undefined || lines.length === 0) return undefined;
    all.push(
      lines.map((texts) => ({
        text: goods.flatMap((place) => texts[place] || []).join(' '),
        count: texts[count] || '1',
      })),
    );
  }
  return all;
}

/** The different names of goods in the cells of a column; undefined when some cell is not in the form. */
export function namesIn(cells: readonly string[], mapping: PackedLines): Set<string> | undefined {
  const lines = readAll(cells, mapping);
  return lines && new Set(lines.flat().map(({ text }) => text));
}

function choiceOf(
  { header, index }: Cells,
  mapping: PackedLines,
  lines: readonly (readonly ReadLine[])[],
): LinesChoice {
  return {
    lines: mapping as JsonObject,
    columns: [index],
    name: nameOf(header, index),
    samples: lines.slice(0, maxSamples).map((own) => own.map(({ text, count }) => `${count} × ${text}`)),
  };
}

function wholeOf({ header, index, examples }: Cells): LinesChoice {
  const name = nameOf(header, index);
  return {
    lines: { from: name, form: '{items[].name}' },
    columns: [index],
    name,
    samples: examples.slice(0, maxSamples).map((cell) => [cell]),
  };
}

/** The field of a line that a name stands for, whatever number is in it. */
export function targetOfHeader(name: string): string | undefined {
  const words = name.replace(/[#_()[\].:№-]+/g, ' ').trim();
  const found = [...rolesOfHeader(words)].toSorted(([, left], [, right]) => right.score - left.score);
  const [role, { score } = { score: 0 }] = found[0] ?? [];
  const isOfLine = role === 'sku' || role === 'product' || role === 'quantity';
  return isOfLine && score >= 0.5 ? roles[role].field : undefined;
}

/** In capitals, or in letters that have none, with a digit or a hyphen. */
export function isCode(text: string): boolean {
  return /^[\p{Lu}\p{Lo}\d][\p{Lu}\p{Lo}\d._/-]*$/u.test(text) && /[\d-]/.test(text);
}

function isForGoods(name: string): boolean {
  const found = rolesOfHeader(name);
  const words =
    /^(?:line ?)?(?:items?|products?|goods|articles?|art[ií]culos?|productos?|артикул|товары?|бараа(?:нууд)?|artikel|positionen|lines?|order items|contents?|sku'?s?)$/i;
  return found.has('sku') || found.has('product') || words.test(name.trim());
}
