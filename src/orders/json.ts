import { isLosslessNumber, LosslessNumber, parse } from 'lossless-json';

/** JSON. Numbers that were parsed keep their digits; plain numbers come from our own code. */
export type Json = string | number | boolean | null | LosslessNumber | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

/** Far more levels than any order has, far fewer than overflow the stack. */
const maxDepth = 500;

/**
 * Keeps digits as written. @throws SyntaxError naming the position, also for text that is nested too deeply, and for
 * one of the names in `once` with two values
 */
export function parseJson(text: string, once?: ReadonlySet<string>): Json {
  const onDuplicateKey = ({ key, newValue }: { key: string; newValue: unknown }) => {
    if (once?.has(key)) throw new SyntaxError(`"${key}" has two values`);
    return newValue;
  };
  try {
    const value = parse(text, undefined, { onDuplicateKey }) as Json;
    if (isDeeperThan(maxDepth, value)) throw new RangeError();
    return value;
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError('nested too deeply');
    throw error;
  }
}

const numberShape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Text → JSON number with the same digits; undefined when the text is not a JSON number. */
export function createJsonNumber(text: string): LosslessNumber | undefined {
  return numberShape.test(text) ? new LosslessNumber(text) : undefined;
}

export function isJsonNumber(value: unknown): value is LosslessNumber {
  return isLosslessNumber(value);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value);
}

/** A member of an object. Inherited members are ignored. */
export function member(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function jsonText(value: Json): string {
  if (typeof value === 'string') return value;
  return writeJson(value);
}

/** Value → compact JSON text, with members in the order of `keysOf` and numbers as written. */
export function writeJson(value: Json, keysOf: (object: JsonObject) => string[] = Object.keys): string {
  if (isJsonNumber(value)) return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item, keysOf)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = keysOf(value).map((key) => {
    return `${JSON.stringify(key)}:${writeJson(value[key] as Json, keysOf)}`;
  });
  return `{${members.join(',')}}`;
}

export function copyJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyJson(item)]));
}

function isDeeperThan(levels: number, value: Json): boolean {
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}
