import { isJsonObject, type Json, JsonTooLarge, parseJson } from '../../orders/json.ts';
import { hasOrderField } from '../../orders/order.ts';

const utf8 = new TextDecoder();
const byteOrderMarks: readonly [mark: readonly number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];
const statedCharset = /\b(?:charset|encoding)\s*=\s*["']?([\w.:-]{1,40})/i;

/**
 * Bytes → text: by the byte order mark, as UTF-8, or, if it is not UTF-8, by the charset that the header or the body states:
 * servers state one for all files, JSON in UTF-8 included. Without any it is windows-1251, the older encoding of Cyrillic.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const marked = byteOrderMarks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1];
  if (marked !== undefined) return decodeAs(marked, bytes) ?? '';
  const text = utf8.decode(bytes);
  const inHeader = statedCharset.exec(contentType)?.[1];
  const isUtf16 = /^utf-?16/i.test(inHeader ?? '');
  // A cut body may end in the middle of a character.
  const damage = text.indexOf('\ufffd');
  if (!isUtf16 && (damage === -1 || damage === text.length - 1)) return text;
  const stated = inHeader ?? statedCharset.exec(text.slice(0, 500))?.[1];
  const isOther = stated !== undefined && !/^utf-?8$/i.test(stated);
  return decodeAs(isOther ? stated : 'windows-1251', bytes) ?? text;
}

function decodeAs(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return undefined;
  }
}

const maxNesting = 2;

/**
 * The value of a body, whatever is around it: JSON, also in a JSON text, in an envelope that holds its body as text, behind
 * PHP notices, or in lines. Undefined for text without any. Error: `JsonTooLarge`.
 */
export function readBody(text: string): Json | undefined {
  let value = parse(text);
  if (value === undefined) value = parseLines(text) ?? parseAmongNotices(text);
  return value === undefined ? undefined : unwrapTexts(value, maxNesting);
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw error;
    return undefined;
  }
}

/** JSON in a text: the whole body, or members of an envelope, such as the `body` of a Lambda function. */
function unwrapTexts(value: Json, levels: number): Json {
  if (typeof value === 'string') return parseText(value, levels) ?? value;
  if (!isJsonObject(value) || hasOrderField(value)) return value;
  const { body, isBase64Encoded } = value;
  if (isBase64Encoded === true && typeof body === 'string')
    return unwrapTexts({ body: Buffer.from(body, 'base64').toString() }, levels);
  const members = Object.entries(value).map(([name, item]) => {
    return [name, typeof item === 'string' ? (parseText(item, levels) ?? item) : item] as const;
  });
  return Object.fromEntries(members);
}

const containerShape = /^\s*(?:\[.*\]|\{.*\})\s*$/s;

function parseText(text: string, levels: number): Json | undefined {
  if (levels === 0 || !containerShape.test(text)) return undefined;
  const value = parse(text);
  return value === undefined ? undefined : unwrapTexts(value, levels - 1);
}

/** One object a line (NDJSON, and RFC 7464). */
function parseLines(text: string): Json | undefined {
  const lines = text.split('\n').map((line) => line.replace('\x1e', '').trim());
  const objects = lines.filter((line) => line !== '');
  if (objects.length === 0 || !objects.every((line) => line.startsWith('{') && line.endsWith('}')))
    return undefined;
  return parse(`[${objects.join(',')}]`);
}

const containerStart = /[[{]\s*["[{\]}]/g;
const maxStarts = 10;
const maxAround = 20_000;
const tags = /<!--[^<>]*-->|<\/?(?:br|b|p|pre|font|i|a)\b[^<>]*>/gi;
const phpNotice =
  /^(?:PHP )?(?:Warning|Notice|Deprecated|Strict Standards|Fatal error)\s*: .* on line \d+$/gm;

function parseAmongNotices(text: string): Json | undefined {
  let starts = 0;
  for (const { index } of text.matchAll(containerStart)) {
    const before = withoutNotices(text.slice(0, index));
    starts += 1;
    if (index > maxAround || starts > maxStarts) return undefined;
    if (before !== '') continue;
    const end = text.lastIndexOf(text[index] === '{' ? '}' : ']') + 1;
    const after = withoutNotices(text.slice(end));
    if (end <= index || text.length - end > maxAround || after !== '') continue;
    const value = parse(text.slice(index, end));
    if (value !== undefined) return value;
  }
  return undefined;
}

function withoutNotices(text: string): string {
  return text
    .replace(tags, (tag) => (/^<\/?(?:br|p)/i.test(tag) ? '\n' : ''))
    .replace(phpNotice, '')
    .trim();
}
