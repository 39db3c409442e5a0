import { isJsonObject, type Json, type JsonObject, jsonText, parseJson } from '../../../orders/json.ts';
import { createHeader, type Header, nameOf } from '../../columns/header.ts';
import { rolesOfHeader } from '../../columns/header-roles.ts';
import { type ColumnProfile, profileRows } from '../../columns/profile.ts';
import { roles } from '../../columns/roles.ts';
import { findCounts, pieceUnits } from '../../words/quantity.ts';
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
function jsonLines({ header, index, examples }: Cells): PackedColumn | undefined {
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
  const choice = choiceOf({ header, index, examples }, { from: nameOf(header, index), json: true, fields });
  if (choice === undefined) return undefined;
  const whole = wholeOf({ header, index, examples });
  const isNamed = sku !== undefined || name !== undefined;
  const isSure = isNamed && count !== undefined && count.score >= minKeyScore;
  const hasSeveral = choice.samples.some(({ length }) => length > 1);
  return { choices: [choice], whole, hasSeveral, isCounted: false, isSure };
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

interface CountForm {
  /** `%` stands for the goods, `#` for the quantity. */
  form: string;
  /** A number that may be a size. */
  isDoubtful?: boolean;
}

const signs = ['x', 'х', '×', '*', '✕', '·'];

/** The forms that the cells may have, those that take most of a text for the count first. */
function countForms(examples: readonly string[]): CountForm[] {
  const found = new Set<string>();
  for (const text of examples) {
    for (const [, unit = ''] of text.matchAll(/\d ?(\p{L}{1,10}\.?)(?!\p{L})/gu)) {
      const isPieces = pieceUnits.includes(unit.replace('.', '').toLowerCase());
      if (isPieces && found.size < maxUnits) found.add(unit.toLowerCase());
    }
  }
  const ofUnits = [...found];
  const doubtful = [...ofUnits.map((unit) => `% (#${unit})`), '% (#)', '% [#]', '% - #', '%: #', '# %'];
  return [
    ...signs.flatMap((sign) => [`% (${sign}#)`, `% (#${sign})`, `%: ${sign}#`, `% - ${sign}#`]),
    ...ofUnits.flatMap((unit) => [`% x #${unit}`]),
    ...signs.flatMap((sign) => [`% ${sign} #`, `# ${sign} %`]),
    ...ofUnits.flatMap((unit) => [
      `% - #${unit}`,
      `%: #${unit}`,
      `%, #${unit}`,
      `% #${unit}`,
      `%#${unit}`,
      `#${unit} %`,
    ]),
    ...doubtful.map((form) => ({ form, isDoubtful: true })),
  ].map((form) => (typeof form === 'string' ? { form } : form));
}

const maxUnits = 6;
const plainForm = '%';

interface Reading {
  forms: readonly string[];
  isDoubtful: boolean;
  /** Some text without a count has a number, which may be one in another form. */
  hasOpenNumber: boolean;
}

function textLines(cells: Cells, share: number): PackedColumn | undefined {
  const { header, index, examples } = cells;
  const name = nameOf(header, index);
  const forms = countForms(examples).map(({ form, isDoubtful = false }) => ({
    form,
    isDoubtful,
    parse: createLineParser({ from: '', form: filled(form, 'items[].name') }).parse,
  }));
  const formOf = (piece: string) => {
    if (isSize(piece)) return undefined;
    const form = forms.find(({ parse }) => parse(piece) !== undefined);
    return form?.isDoubtful && signedCount.test(piece) ? undefined : form;
  };
  const readingOf = (between: string | undefined): Reading | undefined => {
    const used = new Set<(typeof forms)[number]>();
    let isPlain = false;
    let hasOpenNumber = false;
    let hasOpenSeparator = false;
    for (const cell of examples) {
      const pieces = piecesOf(cell, between);
      for (const piece of pieces) {
        const form = formOf(piece);
        if (form !== undefined) used.add(form);
        else if (pieces.length > 1 && !safeSeparators.includes(between)) return undefined;
        else {
          isPlain = true;
          hasOpenNumber ||= /\d/.test(piece);
          hasOpenSeparator ||= /[;；\n|]/.test(piece);
        }
      }
    }
    if (used.size === 0) return undefined;
    const own = forms.filter((form) => used.has(form));
    return {
      forms: [...own.map(({ form }) => form), ...(isPlain ? [plainForm] : [])],
      isDoubtful: hasOpenNumber || hasOpenSeparator || own.some(({ isDoubtful }) => isDoubtful),
      hasOpenNumber,
    };
  };
  const byReading = new Map<string, PackedReading>();
  for (const between of separators) {
    if (between !== undefined && !examples.some((text) => text.includes(between))) continue;
    const reading = readingOf(between);
    if (reading === undefined) continue;
    const texts = reading.forms.map((form) => filled(form, 'items[].name'));
    const lines = readAll(examples, { from: '', ...withBetween(between), form: texts });
    if (lines === undefined) continue;
    const key = JSON.stringify(lines);
    if (byReading.has(key)) continue;
    const goods =
      targetOfHeader(name) === 'items[].sku' || lines.flat().every(({ text }) => isCode(text))
        ? 'items[].sku'
        : 'items[].name';
    const own = reading.forms.map((form) => filled(form, goods));
    const form = own.length === 1 ? (own[0] ?? '') : own;
    const choice = choiceOf(cells, { from: name, ...withBetween(between), form });
    if (choice === undefined) continue;
    const isPack = lines.flat().some(({ count }) => Number(count) >= minPack) && texts.some(hasUnit);
    byReading.set(key, {
      choice,
      isDoubtful: reading.isDoubtful || isPack,
      hasFurther: lines.flat().some(({ text }) => findCounts(text).length > 0),
      hasOpenNumber: reading.hasOpenNumber,
      isPlain: reading.forms.includes(plainForm),
      hasSeveral: lines.some(({ length }) => length > 1),
    });
  }
  const all = [...byReading.values()];
  const split = all.filter(({ hasFurther }) => !hasFurther);
  const left = split.length > 0 ? split : all;
  const whole = left.filter(({ hasOpenNumber }) => !hasOpenNumber);
  const readings = whole.length > 0 ? whole : left;
  const hasSeveral = readings.some((reading) => reading.hasSeveral);
  const [first, ...others] = readings;
  if (first === undefined) return undefined;
  const isSure =
    others.length === 0 &&
    !first.isDoubtful &&
    share >= minSureShare &&
    isForGoods(name) &&
    (hasSeveral || examples.length > 1);
  const isCounted =
    others.length === 0 && !first.isDoubtful && !first.isPlain && !hasSeveral && examples.length > 1;
  const choices = readings.map(({ choice }) => choice);
  return { choices, whole: wholeOf(cells), hasSeveral, isCounted, isSure };
}

/** So many `ш` may be those of a pack: `Eggs 30 ш`. */
const minPack = 10;

function hasUnit(form: string): boolean {
  return /\}\p{L}/u.test(form);
}

interface PackedReading {
  choice: LinesChoice;
  isDoubtful: boolean;
  /** The name of some goods has a further count: a separator was missed. */
  hasFurther: boolean;
  hasOpenNumber: boolean;
  /** Some line has no count. */
  isPlain: boolean;
  hasSeveral: boolean;
}

/** With fewer counts among its cells a column is of names, some of which end in a number. */
const minSureShare = 0.2;

const withBetween = (between: string | undefined) => (between === undefined ? {} : { between });

function filled(form: string, goods: string): string {
  return form.replace('%', `{${goods}}`).replace('#', `{${quantityTarget}}`);
}

function piecesOf(cell: string, between: string | undefined): string[] {
  const pieces = between === undefined ? [cell] : cell.split(between);
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

const signedCount = /\d ?[xх×*✕]|[xх×*✕] ?\d/i;

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

function choiceOf({ header, index, examples }: Cells, mapping: PackedLines): LinesChoice | undefined {
  const read = readAll(examples, mapping);
  if (read === undefined) return undefined;
  return {
    lines: mapping as JsonObject,
    columns: [index],
    name: nameOf(header, index),
    samples: read.slice(0, maxSamples).map((lines) => lines.map(({ text, count }) => `${count} × ${text}`)),
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
