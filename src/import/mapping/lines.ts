import { isJsonObject, jsonText, member, parseJson } from '../../orders/json.ts';
import { columnAt, headerProblem, mappingProblem, type NamedColumn } from '../columns/header.ts';
import { columnsUnknown, lineNumberRepeated, lineNumberTooLarge } from '../file-texts.ts';
import { columnLetters, type Row } from '../read/read-table.ts';
import type { Column } from './column.ts';
import { parseTarget, splitType } from './column.ts';
import { findColumn, type Lookup, listOf } from './conditions.ts';
import type { LinesMapping } from './language.ts';
import type { LineReader } from './mapping.ts';

/** The line of every order, where no column holds products. */
export const parcel = 'Parcel';
/** The field of the quantity of a line. */
export const quantityTarget = 'items[].quantity:number';

/** In place of a field of a line: its number is taken off the quantity. */
export const minusTarget = 'minus';

export function createLineReader(lookup: Lookup, mapping: LinesMapping): LineReader | undefined {
  return 'wide' in mapping ? readWide(lookup, mapping.wide) : readPacked(lookup, mapping);
}

function readPacked(lookup: Lookup, mapping: PackedLines): LineReader | undefined {
  const { header, isPreset, problems } = lookup;
  const isNumbered = mapping.from.includes('{n}');
  const numbered = isNumbered ? numberedColumns(lookup, mapping.from) : new Map<number, NamedColumn>();
  if (numbered === undefined) return undefined;
  const found = isNumbered
    ? [...numbered].sort(([left], [right]) => left - right).map(([, column]) => column)
    : [findColumn(lookup, mapping.from, 'lines.from')].filter((column) => column !== undefined);
  const [first] = found;
  if (first === undefined) {
    if (isNumbered && !isPreset) problems.push(mappingProblem(columnsUnknown([mapping.from], 'lines.from')));
    return undefined;
  }
  const width = header.cells.length;
  const { targets, parse } = createLineParser(mapping);
  return {
    columns: targets.map((target, place) => lineColumn(lookup, target, place, first)),
    indexes: found.map(({ index }) => index),
    read: (row) => {
      const rows: Row[] = [];
      const unread: NamedColumn[] = [];
      for (const column of found) {
        const cell = row.cells[column.index] ?? '';
        if (cell === '') continue;
        const lines = parse(cell);
        if (lines === undefined) unread.push(column);
        else rows.push(...toRows(row, width, lines));
      }
      return { rows, unread };
    },
  };
}

const maxNumber = 999;

/** Lines in columns of their own, as `SKU #1` and `SKU #2`. */
function readWide(lookup: Lookup, wide: Record<string, string>): LineReader | undefined {
  const { header, isPreset, problems } = lookup;
  const every: { target: string; byNumber: Map<number, NamedColumn>; pattern: string }[] = [];
  for (const [pattern, target] of Object.entries(wide)) {
    const byNumber = numberedColumns(lookup, pattern);
    if (byNumber === undefined) return undefined;
    every.push({ target, byNumber, pattern });
  }
  const all = every.filter(({ target }) => target !== minusTarget);
  const minus = every.filter(({ target, byNumber }) => target === minusTarget && byNumber.size > 0);
  const firstOf = (target: string) =>
    all.find((other) => other.target === target && other.byNumber.size > 0)?.byNumber;
  const targets = all.filter(({ target, byNumber }) => firstOf(target) === byNumber);
  const numbers = [...new Set(targets.flatMap(({ byNumber }) => [...byNumber.keys()]))].sort((a, b) => a - b);
  if (numbers.length === 0) {
    if (!isPreset) problems.push(mappingProblem(columnsUnknown(Object.keys(wide), 'lines.wide')));
    return undefined;
  }
  const width = header.cells.length;
  const gone = minus.map(({ pattern }, place) => ({
    header: pattern,
    index: width + targets.length + place,
  }));
  const takenOff: Column['rule'] = { others: [], minus: { columns: gone, reason: 'refunded' } };
  return {
    columns: targets.map(({ target, byNumber, pattern }, place) => {
      const index = byNumber.values().next().value?.index ?? 0;
      const column = lineColumn(lookup, target, place, { index, header: pattern });
      return gone.length > 0 && isQuantity(target) ? { ...column, rule: takenOff } : column;
    }),
    // A later pattern for the same field counts as read for the lines that the first one has.
    indexes: [
      ...all.flatMap(({ target, byNumber }) =>
        [...byNumber].flatMap(([number, { index }]) => (firstOf(target)?.has(number) ? [index] : [])),
      ),
      ...minus.flatMap(({ byNumber }) =>
        [...byNumber].flatMap(([number, { index }]) => (numbers.includes(number) ? [index] : [])),
      ),
    ],
    read: (row) => {
      const lines = numbers
        .map((number) =>
          [...targets, ...minus].map(({ byNumber }) => row.cells[byNumber.get(number)?.index ?? -1] ?? ''),
        )
        .filter((cells) => cells.slice(0, targets.length).some((cell) => cell !== ''));
      return { rows: toRows(row, width, lines), unread: [] };
    },
  };
}

/** Number for `{n}` → the column whose header is the pattern with it; undefined after a problem. */
export function numberedColumns(
  { header, problems }: Lookup,
  pattern: string,
): Map<number, NamedColumn> | undefined {
  const [before = '', after = ''] = pattern.toLowerCase().split('{n}');
  const found = new Map<number, NamedColumn>();
  for (const [index, name] of header.cells.entries()) {
    const folded = name.trim().toLowerCase();
    if (!folded.startsWith(before) || !folded.endsWith(after)) continue;
    const text = folded.slice(before.length, folded.length - after.length);
    if (!/^\d+$/.test(text)) continue;
    const number = Number(text);
    if (number > maxNumber) {
      problems.push(headerProblem(header, index, lineNumberTooLarge(maxNumber)));
      return undefined;
    }
    const other = found.get(number);
    if (other !== undefined) {
      problems.push(headerProblem(header, index, lineNumberRepeated(columnLetters(other.index))));
      return undefined;
    }
    found.set(number, columnAt(header, index));
  }
  return found;
}

/** A column beside those of the file; `shown` has its texts. */
function lineColumn({ header, isPreset }: Lookup, target: string, place: number, shown: NamedColumn): Column {
  const index = header.cells.length + place;
  const source = isPreset ? 'preset' : 'file';
  return { ...shown, ...parseTarget(target), index, source, shownIndex: shown.index };
}

function toRows({ row, line, cells }: Row, width: number, lines: readonly string[][]): Row[] {
  const own = cells.length > width ? cells.slice(0, width) : cells;
  return lines.map((texts) => ({ row, line, cells: [...own, ...texts] }));
}

type PackedLines = Exclude<LinesMapping, { wide: unknown }>;

type Parse = (cell: string) => string[][] | undefined;

const maxLength = 65_536;

/** The lines in one cell: the texts of each for the fields that `targets` names. */
export function createLineParser(mapping: PackedLines): { targets: string[]; parse: Parse } {
  const { targets, parse } = createParser(mapping);
  return { targets, parse: (cell) => (cell.length > maxLength ? undefined : parse(cell)) };
}

function createParser(mapping: PackedLines): { targets: string[]; parse: Parse } {
  const { between, form, fields = {} } = mapping;
  const split = (cell: string) =>
    (between === undefined ? [cell] : splitUnescaped(cell, between))
      .map((text) => text.trim())
      .filter((text) => text !== '');
  if (form !== undefined) {
    const { targets, read } = createFormReader(listOf(form));
    return { targets, parse: (cell) => everyLine(split(cell), read) };
  }
  const targets = Object.keys(fields);
  const pick = createPick(fields);
  const names = Object.values(fields).flatMap(listOf);
  if (mapping.json) {
    const once = new Set(names);
    return { targets, parse: (cell) => parseJsonLines(cell, pick, once) };
  }
  const { parts = '' } = mapping;
  const mapped = new Set(names.map(foldName));
  const parse: Parse = (cell) =>
    everyLine(split(cell), (line) => {
      const values = readParts(line, parts, mapped);
      const texts = values && pick((name) => values.get(foldName(name)));
      return texts?.some((text) => text !== '') ? texts : undefined;
    });
  return { targets, parse };
}

type Pick = (find: (name: string) => string | undefined) => string[] | undefined;

/** Undefined for a line without a quantity, or with neither a SKU nor a name. */
function createPick(fields: NonNullable<PackedLines['fields']>): Pick {
  const names = Object.values(fields).map(listOf);
  const parts = Object.keys(fields).map((target, index) => ({ index, name: splitType(target).name }));
  const quantities = parts.filter(({ name }) => isQuantity(name));
  const goods = parts.filter(({ name }) => /\.(?:sku|name)$/i.test(name));
  return (find) => {
    const texts = names.map((alternatives) => alternatives.map(find).find((text) => text !== undefined));
    const lacks = (wanted: typeof parts) =>
      wanted.length > 0 && wanted.every(({ index }) => texts[index] === undefined);
    return lacks(quantities) || lacks(goods) ? undefined : texts.map((text) => text ?? '');
  };
}

function foldName(name: string): string {
  return name.trim().toLowerCase();
}

/** Undefined when one line cannot be read: no line may be lost. */
function everyLine<Line>(
  lines: readonly Line[],
  read: (line: Line) => string[] | undefined,
): string[][] | undefined {
  const found = lines.map(read);
  return found.includes(undefined) ? undefined : (found as string[][]);
}

/** Shops escape a separator inside a text with a backslash. */
function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  for (const part of text.split(separator)) {
    const before = parts.at(-1);
    if (before?.endsWith('\\')) parts[parts.length - 1] = `${before}${separator}${part}`;
    else parts.push(part);
  }
  return parts;
}

/**
 * `sku:TEA-001|quantity:2` → its values by name. A part without a name continues the value before it. A text without
 * names is no line, and one with the same name twice is two lines.
 */
function readParts(
  line: string,
  between: string,
  mapped: ReadonlySet<string>,
): Map<string, string> | undefined {
  const texts: [name: string, value: string][] = [];
  for (const part of splitUnescaped(line, between)) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(colon, 0)).trim();
    const last = texts.at(-1);
    if (name !== '' && !name.includes('\\')) texts.push([foldName(name), part.slice(colon + 1)]);
    else if (last !== undefined) last[1] += `${between}${part}`;
    else return undefined;
  }
  const read = texts.map(([name]) => name).filter((name) => mapped.has(name));
  if (new Set(read).size < read.length) return undefined;
  return new Map(texts.map(([name, value]) => [name, value.replace(/\\([:;|])/g, '$1').trim()]));
}

function parseJsonLines(cell: string, pick: Pick, once: ReadonlySet<string>): string[][] | undefined {
  try {
    const value = parseJson(cell, once);
    if (!Array.isArray(value) || !value.every(isJsonObject)) return undefined;
    return everyLine(value, (line) =>
      pick((name) => {
        const found = member(line, name) ?? null;
        return found === null ? undefined : jsonText(found);
      }),
    );
  } catch {
    return undefined;
  }
}

interface Form {
  before: string;
  fields: readonly FormField[];
  targets: readonly string[];
}

interface FormField {
  /** `*` for a text that is not read. */
  target: string;
  isQuantity: boolean;
  /** The text after it, as the form has it and without the spaces around it. */
  spaced: string;
  after: string;
  next: FormField | undefined;
}

/** `{items[].sku} x {items[].quantity:number}`: a quantity is digits, other fields and `{*}` are any text. */
function createForm(form: string): Form {
  const [before = '', ...pieces] = form.trim().split('{');
  const fields: FormField[] = [];
  for (const piece of pieces.toReversed()) {
    const [target = '', literal = ''] = piece.split('}');
    const spaced = foldLine(withSingleSpaces(literal));
    const after = spaced.trim() || spaced;
    fields.unshift({ target, isQuantity: isQuantity(target), spaced, after, next: fields[0] });
  }
  const targets = fields.map(({ target }) => target).filter((target) => target !== '*');
  return { before: foldLine(withSingleSpaces(before)).trim(), fields, targets };
}

function isQuantity(target: string): boolean {
  return target.includes('quantity');
}

function withSingleSpaces(text: string): string {
  return text.replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? '\n' : ' '));
}

/** For searching, with the same length: lower case, spaces for line breaks. */
function foldLine(text: string): string {
  const spaced = text.replaceAll('\n', ' ');
  const folded = spaced.toLowerCase();
  if (folded.length === text.length) return folded;
  return Array.from(spaced, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  }).join('');
}

type ReadForms = (line: string) => string[] | undefined;

/** Undefined for a line that has no form, or when one of its texts holds a further line. */
function createFormReader(forms: readonly string[]): { targets: string[]; read: ReadForms } {
  const all = forms.map(createForm);
  const targets = [...new Set(all.flatMap((form) => form.targets))];
  const further = furtherLine(all);
  const read: ReadForms = (line) => {
    const text = withSingleSpaces(line);
    const folded = foldLine(text);
    for (const form of all) {
      const texts = readForm(text, folded, form);
      if (texts === undefined) continue;
      const isWhole = texts.every(
        ({ target, text }) => !further.words.test(text) && (target === '*' || !further.counts.test(text)),
      );
      if (!isWhole) return undefined;
      return targets.map((target) => texts.find((found) => found.target === target)?.text ?? '');
    }
    return undefined;
  };
  return { targets, read };
}

/**
 * What shows that a separator was missed: the words of a form (`Product ID:`), or a number beside the text between a
 * quantity and another field. Without spaces, as in the SKU `BOX2`, only a number at the end of a list item counts.
 */
function furtherLine(forms: readonly Form[]): { words: RegExp; counts: RegExp } {
  const literals = forms.flatMap(({ before, fields }) => [before, ...fields.map(({ after }) => after)]);
  const words = literals.filter((literal) => (literal.match(/\p{L}/gu)?.length ?? 0) >= 3);
  const counts = forms.flatMap(({ fields }) =>
    fields.flatMap(({ spaced, after, isQuantity, next }) => {
      const [loose, close] = [escapeForPattern(spaced), escapeForPattern(after)];
      const hasSpaces = spaced !== after;
      if (next?.isQuantity) return [...(hasSpaces ? [`${loose}\\d`] : []), `${close} ?\\d{1,9} ?[,;+&|/]`];
      if (!isQuantity || next === undefined || after.trim() === '') return [];
      return [...(hasSpaces ? [`[ ,;+&|/]\\d{1,9}${loose}`] : []), `[,;+&|/] ?\\d{1,9} ?${close}`];
    }),
  );
  return {
    words: anyOf(words.map((word) => escapeForPattern(word.replace(/^[^\p{L}]+/u, '')))),
    counts: anyOf(counts),
  };
}

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|') || '(?!)', 'iu');
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

interface FoundText {
  target: string;
  text: string;
}

/** Reads from left to right without backtracking, so that the time stays linear in the length of the text. */
function readForm(text: string, folded: string, { before, fields }: Form): FoundText[] | undefined {
  if (!folded.startsWith(before)) return undefined;
  const texts: FoundText[] = [];
  let position = before.length;
  for (const field of fields) {
    const end = (field.isQuantity ? endOfQuantity : endOfText)(folded, position, field);
    if (end === undefined) return undefined;
    const found = text.slice(position, end).trim();
    if (found.includes('\n')) return undefined;
    texts.push({ target: field.target, text: found });
    position = end + field.after.length;
  }
  return position === text.length ? texts : undefined;
}

function endOfQuantity(
  folded: string,
  position: number,
  { spaced, after, next }: FormField,
): number | undefined {
  const digits = / ?\d{1,9}(?:\.\d{1,4})?(?!\.?\d)/y;
  digits.lastIndex = position;
  if (!digits.test(folded)) return undefined;
  const end = digits.lastIndex;
  const space = folded[end] === ' ' ? 1 : 0;
  // The `х` of `2 хувцас` begins a word.
  const mayBeginWord = spaced !== after && /\p{L} $/u.test(spaced);
  return [end, end + space].find((start) => {
    const behind = start + after.length;
    if (
      !folded.startsWith(after, start) ||
      (mayBeginWord && /^\p{L}/u.test(folded.slice(behind, behind + 2)))
    )
      return false;
    return next !== undefined || behind === folded.length;
  });
}

/** The first place of the text after the field, with a quantity behind it when one comes next. */
function endOfText(folded: string, position: number, field: FormField): number | undefined {
  const { target, spaced, after, next } = field;
  const first = target === '*' ? position : position + 1;
  if (next === undefined) {
    const end = folded.length - after.length;
    return end >= first && folded.endsWith(after) ? end : undefined;
  }
  const lead = spaced !== after && spaced.startsWith(' ') ? 1 : 0;
  const isEnd = (end: number) =>
    !next.isQuantity || endOfQuantity(folded, end + after.length, next) !== undefined;
  for (let at = folded.indexOf(spaced, first - lead); at !== -1; at = indexAfter(folded, spaced, at)) {
    if (isEnd(at + lead)) return at + lead;
  }
  if (spaced === after) return undefined;
  for (let at = folded.indexOf(after, first); at !== -1; at = indexAfter(folded, after, at)) {
    if (isEnd(at) && !(lead === 1 && isInWord(folded, at, after))) return at;
  }
  return undefined;
}

function indexAfter(folded: string, text: string, at: number): number {
  return at < folded.length ? folded.indexOf(text, at + 1) : -1;
}

/** The `x` of `Max 2` is the end of a word. */
function isInWord(folded: string, at: number, text: string): boolean {
  return /^\p{L}{2}$/u.test(folded.slice(at - 1, at + 1)) && folded[at + text.length] === ' ';
}
