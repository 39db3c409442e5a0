import { t } from '../advice/advice.ts';
import {
  type FieldPath,
  FieldPathError,
  formatFieldPath,
  parseFieldPath,
  readField,
  removeField,
} from './field-path.ts';
import {
  copyJson,
  describeJsonError,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  writeJson,
} from './json.ts';

export interface Assignment {
  path: FieldPath;
  value: Json;
}

/** `path=text` sets text, `path:=json` sets any JSON value. @throws FieldPathError */
export function parseAssignment(text: string): Assignment {
  const equals = text.indexOf('=');
  if (equals < 1) {
    throw new FieldPathError(
      t`A path and its value need "=" between them; write path=text, or path:=json for a number, true, false or a list`,
    );
  }
  const isJson = text[equals - 1] === ':';
  const name = text.slice(0, isJson ? equals - 1 : equals);
  const path = parseFieldPath(name);
  const value = text.slice(equals + 1);
  return { path, value: isJson ? parseValue(value, name) : value };
}

const countedSku = /^([^\s=,"]+)\s+[x×х]\s+([1-9]\d{0,5})$/iu;

/** `TEA-001 x 2`, with a Latin or Cyrillic x or a times sign. */
export function parseCountedSku(text: string): { sku: string; count: string } | undefined {
  const [, sku, count] = countedSku.exec(text.trim()) ?? [];
  return sku === undefined || count === undefined ? undefined : { sku, count };
}

/**
 * A SKU alone, `SKU x N`, or `key=value,key:=json,...`; a value with commas is in double quotes. `skus` stay SKUs when
 * they look like one with a count. @throws FieldPathError
 */
export function parseLineSpec(spec: string, skus: readonly string[] = []): Assignment[] {
  if (!spec.includes('=')) {
    const text = spec.trim();
    const counted = skus.includes(text) ? undefined : parseCountedSku(text);
    if (counted === undefined) return [{ path: ['sku'], value: text }];
    return [
      { path: ['sku'], value: counted.sku },
      { path: ['quantity'], value: parseValue(counted.count, 'quantity') },
    ];
  }
  return splitAtCommas(spec).map((part) => parseAssignment(unquoteValue(part)));
}

/** What `parseLineSpec` reads as this line; undefined for names that no path can have. */
export function formatLineSpec(line: JsonObject): string | undefined {
  const { sku, ...others } = line;
  if (typeof sku === 'string' && Object.keys(others).length === 0 && /^[^\s=]+$/.test(sku)) return sku;
  const entries = Object.entries(line);
  if (entries.length === 0 || !entries.every(([name]) => isPathName(name))) return undefined;
  return entries
    .map(([name, value]) =>
      typeof value === 'string' ? `${name}=${quoteValue(value)}` : `${name}:=${writeJson(value)}`,
    )
    .join(',');
}

/** The flags of `create` that hold the text of one field. */
export const textFlags = [
  { flag: '--external-order-id', option: 'externalOrderId', path: ['externalOrderId'] },
  { flag: '--phone', option: 'phone', path: ['customer', 'phone'] },
  { flag: '--external-customer-id', option: 'externalCustomerId', path: ['customer', 'externalCustomerId'] },
  { flag: '--total', option: 'total', path: ['total'] },
  { flag: '--delivery-date', option: 'deliveryDate', path: ['requestedDeliveryDate'] },
] as const;

/** The flags of `create` that make exactly this order, which has the fields at their default paths. */
export function orderFlags(order: JsonObject): string[] {
  const { items, collectionMode, collectionAmount, ...rest } = copyJson(order) as JsonObject;
  const lines = Array.isArray(items)
    ? items.map((line) => (isJsonObject(line) ? formatLineSpec(line) : undefined))
    : [];
  const hasLines = lines.length > 0 && !lines.includes(undefined);
  const isCollected = collectionMode === 'COLLECT' && typeof collectionAmount === 'string';
  const isPrepaid = collectionMode === 'NONE' && collectionAmount === undefined;
  const take = (flags: readonly (typeof textFlags)[number][]) =>
    flags.flatMap(({ flag, path }) => {
      const value = readField(rest, path);
      if (typeof value !== 'string') return [];
      removeField(rest, path);
      return [flag, value];
    });
  const names = take(textFlags.slice(0, 3));
  const totalAndDate = take(textFlags.slice(3));
  const others = {
    ...(hasLines ? {} : { items }),
    ...(isCollected || isPrepaid ? {} : { collectionMode, collectionAmount }),
    ...rest,
  };
  return [
    ...names,
    ...(hasLines ? lines.flatMap((line) => ['--item', line as string]) : []),
    ...(isCollected ? ['--collect', collectionAmount] : []),
    ...(isPrepaid ? ['--prepaid'] : []),
    ...totalAndDate,
    ...Object.entries(others).flatMap(([name, value]) => assignmentsOf([name], value)),
  ];
}

function assignmentsOf(path: FieldPath, value: Json | undefined): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return ['--set', `${formatFieldPath(path)}=${value}`];
  const isDeep = isJsonObject(value) && Object.keys(value).length > 0 && Object.keys(value).every(isPathName);
  if (isDeep) return Object.entries(value).flatMap(([name, inner]) => assignmentsOf([...path, name], inner));
  return ['--set', `${formatFieldPath(path)}:=${writeJson(value)}`];
}

function isPathName(name: string): boolean {
  return /^\w+$/.test(name);
}

function quoteValue(text: string): string {
  return /^[^\s,"\\[\]{}]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function parseValue(value: string, name: string): Json {
  try {
    return parseJson(value);
  } catch (error) {
    const problem = describeJsonError(error);
    throw new FieldPathError(t`the value of "${name}" ${problem}; for text write "=" in place of ":="`);
  }
}

function splitAtCommas(spec: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < spec.length; index++) {
    const character = spec[index] as string;
    if (isQuoted && character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if ('[{'.includes(character)) depth++;
    else if (']}'.includes(character)) depth--;
    else if (character === ',' && depth === 0) {
      parts.push(spec.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, spec.slice(start)];
}

/** `name="Black tea"` → `name=Black tea`; JSON after `:=` keeps its quotes. */
function unquoteValue(part: string): string {
  const match = /^([^=]*[^=:])="((?:[^"\\]|\\.)*)"$/.exec(part.trim());
  return match ? `${match[1]}=${(match[2] ?? '').replace(/\\(.)/g, '$1')}` : part.trim();
}
