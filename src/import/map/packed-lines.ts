import { isJsonObject, jsonText, member } from '../../orders/json.ts';
import { parseJson } from '../../orders/parse-json.ts';
import { splitType } from './candidate.ts';
import { listOf } from './conditions.ts';
import type { LinesMapping } from './language.ts';
import { createFormReader, isQuantity } from './line-form.ts';

export type PackedLines = Exclude<LinesMapping, { wide: unknown }>;

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
