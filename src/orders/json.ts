import { type Text, t } from '../advice/advice.ts';

let othersWritten = 0;

export class JsonNumber {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  toString(): string {
    return this.value;
  }

  /** For `JSON.stringify`. Returns text, and counts it, if the engine would write other digits: `1.5` for `1.50`. */
  toJSON(): number | string {
    const number = JSON.parse(this.value);
    if (`${number}` === this.value) return number;
    othersWritten += 1;
    return this.value;
  }
}

/** Parsed numbers keep their digits; plain numbers come from our own code. */
export type Json = string | number | boolean | null | JsonNumber | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

const numberShape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function createJsonNumber(text: string): JsonNumber | undefined {
  return numberShape.test(text) ? new JsonNumber(text) : undefined;
}

export function isJsonNumber(value: unknown): value is JsonNumber {
  return value instanceof JsonNumber;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value);
}

/** Ignores inherited members. */
export function member(value: Json | undefined, key: string): Json | undefined {
  if (!isJsonObject(value)) return undefined;
  const found = value[key];
  // Only functions and `__proto__` can be inherited; other keys skip the slower check.
  const mayBeInherited = typeof found === 'function' || key === '__proto__';
  return mayBeInherited && !Object.hasOwn(value, key) ? undefined : found;
}

export function hasMembers(object: JsonObject): boolean {
  for (const _ in object) return true;
  return false;
}

export function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return false;
  if (levels === 0) return true;
  // `Object.values` would take longer than the whole check.
  for (const key in value) {
    const child = (value as JsonObject)[key] as Json;
    if (typeof child === 'object' && isDeeperThan(levels - 1, child)) return true;
  }
  return false;
}

export function jsonText(value: Json): string {
  if (typeof value === 'string') return value;
  return isJsonNumber(value) ? value.toString() : writeJson(value);
}

export function writeJson(value: Json, keysOf?: (object: JsonObject) => string[]): string {
  const text = keysOf === undefined ? writeByEngine(value) : undefined;
  return text ?? writeValue(value, keysOf ?? Object.keys, '');
}

/** `line`: a line break and the indentation. */
export function indentJson(value: Json, line: `\n${string}` = '\n'): string {
  return writeByEngine(value, 2)?.replaceAll('\n', line) ?? writeValue(value, Object.keys, line);
}

/** Twice as fast; undefined if the engine would write other digits. */
function writeByEngine(value: Json, indentation?: number): string | undefined {
  const before = othersWritten;
  const text = JSON.stringify(value, undefined, indentation);
  return othersWritten === before ? text : undefined;
}

function writeValue(value: Json, keysOf: (object: JsonObject) => string[], line: '' | `\n${string}`): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonNumber(value)) return value.toString();
  const inner = line === '' ? '' : (`${line}  ` as const);
  let parts = '';
  if (Array.isArray(value)) {
    for (const item of value) parts += (parts === '' ? inner : `,${inner}`) + writeValue(item, keysOf, inner);
    return parts === '' ? '[]' : `[${parts}${line}]`;
  }
  const colon = line === '' ? ':' : ': ';
  for (const key of keysOf(value)) {
    parts += parts === '' ? inner : `,${inner}`;
    parts += JSON.stringify(key) + colon + writeValue(value[key] as Json, keysOf, inner);
  }
  return parts === '' ? '{}' : `{${parts}${line}}`;
}

export function copyJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyJson(item)]));
}

/** More than any order or page needs, few enough for memory and stack. */
const maxValues = 200_000;
export const maxJsonDepth = 500;

export class JsonTooLarge extends SyntaxError {}

class JsonTooDeep extends SyntaxError {}

/** Such as `is not JSON: it ends too early`. */
export function describeJsonError(error: unknown): Text {
  const message = error instanceof Error ? error.message : String(error);
  const isJson = error instanceof JsonTooDeep || error instanceof JsonTooLarge;
  return isJson ? message : t`is not JSON: ${message}`;
}

const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const wordToken = /true|false|null/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** A number that the engine would write with other digits; may also match inside text. */
const otherDigits = /(?:^|[\s,[]|[\s"]:)-?(?:\d{1,15}[.eE]|\d{16}|(?<=-)0)/;

/** Ten times faster: parses with the engine what it reads the same way; undefined for other text. */
function parseFast(text: string): Json | undefined {
  if (text.length > maxValues || otherDigits.test(text)) return undefined;
  let containers = 0;
  const withJsonNumbers = (value: Json, depth: number): Json => {
    if (typeof value === 'number') return new JsonNumber(String(value));
    if (typeof value !== 'object' || value === null) return value;
    if (depth === maxJsonDepth) throw new JsonTooDeep('is nested too deeply');
    containers += 1;
    const members = value as JsonObject;
    for (const name of Object.keys(members)) {
      const read = withJsonNumbers(members[name] as Json, depth + 1);
      // Every name is an own member already, so assigning cannot change the prototype.
      if (read !== members[name]) members[name] = read;
    }
    return value;
  };
  try {
    const value = withJsonNumbers(JSON.parse(text), 0);
    // The engine drops duplicate names, at any depth.
    const brackets = countBrackets(text);
    return brackets <= maxJsonDepth || brackets === containers ? value : undefined;
  } catch {
    return undefined;
  }
}

function countBrackets(text: string): number {
  let count = 0;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) count += 1;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) count += 1;
  return count;
}

/**
 * Keeps digits as written. @throws SyntaxError naming the place, also for text that is nested too deeply or has too many
 * values, and for one of the names in `once` with two values
 */
export function parseJson(text: string, once?: ReadonlySet<string>): Json {
  const plain = once === undefined ? parseFast(text) : undefined;
  return plain ?? parseExactly(text, once, { values: maxValues, depth: maxJsonDepth });
}

/** A text that `writeJson` wrote, of any size. */
export function parseWritten(text: string): Json {
  return parseFast(text) ?? parseExactly(text, undefined, { values: text.length, depth: text.length });
}

function parseExactly(
  text: string,
  once: ReadonlySet<string> | undefined,
  max: { values: number; depth: number },
): Json {
  let position = 0;
  let values = 0;

  const unexpected = (): SyntaxError => {
    const character = text.codePointAt(position);
    if (character === undefined) return new SyntaxError('it ends too early');
    const found = JSON.stringify(String.fromCodePoint(character));
    return new SyntaxError(`unexpected ${found} ${placeOf(text, position)}`);
  };
  const next = () => {
    while (isSpace(text.charCodeAt(position))) position += 1;
    return text[position];
  };
  const take = (character: string): boolean => {
    if (next() !== character) return false;
    position += 1;
    return true;
  };
  const expect = (character: string) => {
    if (!take(character)) throw unexpected();
  };
  const token = (shape: RegExp): string | undefined => {
    shape.lastIndex = position;
    const found = shape.exec(text)?.[0];
    position += found?.length ?? 0;
    return found;
  };

  const readString = (): string => {
    let end = text.indexOf('"', position + 1);
    while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (end === -1) throw new SyntaxError(`the text ${placeOf(text, position)} has no closing quote`);
    const start = position;
    position = end + 1;
    try {
      return JSON.parse(text.slice(start, position));
    } catch {
      throw new SyntaxError(`the text ${placeOf(text, start)} has a wrong escape or a control character`);
    }
  };
  const readArray = (depth: number): Json[] => {
    const array: Json[] = [];
    if (take(']')) return array;
    do array.push(readValue(depth));
    while (take(','));
    expect(']');
    return array;
  };
  const readObject = (depth: number): JsonObject => {
    const object: JsonObject = {};
    if (take('}')) return object;
    do {
      if (next() !== '"') throw unexpected();
      const name = readString();
      expect(':');
      const value = readValue(depth);
      if (once?.has(name) && Object.hasOwn(object, name) && !isSame(value, object[name])) {
        throw new SyntaxError(`"${name}" has two values`);
      }
      setMember(object, name, value);
    } while (take(','));
    expect('}');
    return object;
  };
  const readValue = (depth: number): Json => {
    values += 1;
    if (values > max.values) throw new JsonTooLarge(`has more than ${max.values} values`);
    const first = next();
    if (first === '"') return readString();
    if (first === '{' || first === '[') {
      if (depth === max.depth) throw new JsonTooDeep(`is nested more than ${max.depth} levels deep`);
      position += 1;
      return first === '{' ? readObject(depth + 1) : readArray(depth + 1);
    }
    const digits = token(numberToken);
    if (digits !== undefined) return new JsonNumber(ownCopy(digits));
    const word = token(wordToken);
    if (word !== undefined) return words[word] as Json;
    throw unexpected();
  };

  const value = readValue(0);
  if (next() !== undefined) throw unexpected();
  return value;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isEscaped(text: string, quote: number): boolean {
  let start = quote;
  while (text[start - 1] === '\\') start -= 1;
  return (quote - start) % 2 === 1;
}

function placeOf(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n');
  return `in line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** A substring keeps the whole text in memory. */
function ownCopy(part: string): string {
  return JSON.parse(`"${part}"`);
}

function setMember(object: JsonObject, name: string, value: Json): void {
  // An assignment would change the prototype.
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function isSame(one: Json, other: Json | undefined): boolean {
  const sorted = (object: JsonObject) => Object.keys(object).sort();
  return other !== undefined && writeJson(one, sorted) === writeJson(other, sorted);
}
