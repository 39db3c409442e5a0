let othersWritten = 0;

/** A number that was parsed: its digits as they were written. */
export class JsonNumber {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  toString(): string {
    return this.value;
  }

  /** For the engine: as text, and counted, where it would write other digits, such as `1.5` for `1.50`. */
  toJSON(): number | string {
    const number = JSON.parse(this.value);
    if (`${number}` === this.value) return number;
    othersWritten += 1;
    return this.value;
  }
}

/** JSON. Numbers that were parsed keep their digits; plain numbers come from our own code. */
export type Json = string | number | boolean | null | JsonNumber | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

const numberShape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Text → JSON number with the same digits; undefined when the text is not a JSON number. */
export function createJsonNumber(text: string): JsonNumber | undefined {
  return numberShape.test(text) ? new JsonNumber(text) : undefined;
}

export function isJsonNumber(value: unknown): value is JsonNumber {
  return value instanceof JsonNumber;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value);
}

/** A member of an object. Inherited members are ignored. */
export function member(value: Json | undefined, key: string): Json | undefined {
  if (!isJsonObject(value)) return undefined;
  const found = value[key];
  // Inherited members are functions, or __proto__; no other key needs the slower question.
  const mayBeInherited = typeof found === 'function' || key === '__proto__';
  return mayBeInherited && !Object.hasOwn(value, key) ? undefined : found;
}

export function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return false;
  if (levels === 0) return true;
  // Without a list of the members, which takes longer than all of this. An array has its items as members.
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

/** Value → compact JSON text, with members in the order of `keysOf` and numbers as written. */
export function writeJson(value: Json, keysOf?: (object: JsonObject) => string[]): string {
  const text = keysOf === undefined ? writeByEngine(value) : undefined;
  return text ?? writeValue(value, keysOf ?? Object.keys, '');
}

/** The same with every item and member on a line of its own. `line` is a line break and the indentation of the value. */
export function indentJson(value: Json, line: `\n${string}` = '\n'): string {
  return writeByEngine(value, 2)?.replaceAll('\n', line) ?? writeValue(value, Object.keys, line);
}

/** In less than half the time; undefined where the engine would write other digits. */
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
