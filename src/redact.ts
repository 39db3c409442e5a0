import { cleanText, mayHide } from './clean-text.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject } from './orders/json.ts';

/** `…a1b2`, which is enough to tell two keys apart. */
export function maskKey(apiKey: string): string {
  return apiKey.length > 8 ? `…${apiKey.slice(-4)}` : '…';
}

/** Replaces API keys in texts. */
export interface Redaction {
  add(apiKey: string): void;
  redact(text: string): string;
  /** False when certainly neither redacting nor cleaning changes any part of the text, also of JSON in it. */
  mayChange(text: string): boolean;
}

/** A shorter key could be any word or number of an order, and hiding it would damage what is shown. */
const minKeyLength = 8;

/** Without these, and without hidden characters, neither a text nor a part of it has an escape or a tag. */
const escapeCharacters = ['%', '&', '<', '\\', '\t'] as const;

/** Knows no key at first. A key is found in any case, in base64, URL-encoded, escaped as in JSON or HTML, and in pieces with hidden characters between them. */
export function createRedaction(): Redaction {
  const known = new Map<string, readonly string[]>();
  let all: readonly string[] = [];
  let shortest = Number.POSITIVE_INFINITY;
  const mayChange = (text: string) => {
    if (mayHide(text) || escapeCharacters.some((character) => text.includes(character))) return true;
    // Folded lines are all that `decode` takes out of a plain text.
    const lower = (text.includes('\n') ? text.replace(/\n+ */g, '') : text).toLowerCase();
    return all.some((form) => lower.includes(form));
  };
  return {
    mayChange,
    add: (key) => {
      if (key.length < minKeyLength) return;
      known.set(key, formsOf(key));
      all = [...known.values()].flat();
      shortest = Math.max(minKeyLength, Math.min(...all.map(({ length }) => length)));
    },
    redact: (text) => {
      // Cleaning and decoding never make a text longer.
      if (text.length < shortest || !mayChange(text)) return text;
      const cleaned = cleanText(text);
      let redacted = cleaned;
      for (const [key, forms] of known) redacted = redactOne(redacted, key, forms);
      return redacted === cleaned ? text : redacted;
    },
  };
}

/** Changes every text and name in a value. An `id` that contains a key is none: it would be stored, and sent in an address. */
export function redactJson(value: Json, redact: Redaction['redact']): Json {
  if (typeof value === 'string') return redact(value);
  if (isJsonNumber(value)) return redact(value.value) === value.value ? value : redact(value.value);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = redactJson(item, redact);
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) redactMember(value, name, item, redact);
  }
  return value;
}

function redactMember(object: JsonObject, name: string, item: Json, redact: Redaction['redact']): void {
  const redacted = redactJson(item, redact);
  const newName = redact(name);
  if (redacted === item && newName === name) return;
  if (newName !== name) delete object[name];
  const isLostId = name === 'id' && typeof redacted === 'string' && redacted !== item;
  const value = isLostId ? null : redacted;
  // An assignment to `__proto__` would change the prototype.
  Object.defineProperty(object, newName, { value, writable: true, enumerable: true, configurable: true });
}

function redactOne(text: string, key: string, forms: readonly string[]): string {
  const plain = decode(text);
  if (!forms.some((form) => plain.includes(form))) return text;
  const { letters, starts, ends } = locate(text);
  // Each is looked for again only behind the place where it was found, so that many keys take linear time.
  const positions = forms.map(() => -1);
  let redacted = '';
  let from = 0;
  for (let at = 0; ; ) {
    for (const [index, form] of forms.entries()) {
      if ((positions[index] ?? 0) < at) positions[index] = positionOf(letters, form, at);
    }
    const found = Math.min(...positions);
    if (found === Number.POSITIVE_INFINITY) break;
    redacted += text.slice(from, starts[found]) + maskKey(key);
    const lengths = forms.filter((_, index) => positions[index] === found).map(({ length }) => length);
    at = found + Math.max(...lengths);
    from = ends[at - 1] ?? text.length;
  }
  return redacted + text.slice(from);
}

function positionOf(letters: string, form: string, from: number): number {
  const position = letters.indexOf(form, from);
  return position < 0 ? Number.POSITIVE_INFINITY : position;
}

function formsOf(key: string): string[] {
  const encoded = [0, 1, 2].map((before) => base64Inside(key, before));
  const urlEncoded = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  // A key may contain what looks like an escape itself.
  const escaped = encodeURIComponent(key);
  return [...new Set([key, escaped, ...encoded, ...urlEncoded].map((text) => decode(text)))];
}

/** The letters of base64 that are the same whatever stands around the key; `before` is the number of bytes there, modulo 3. */
function base64Inside(key: string, before: number): string {
  const encoded = Buffer.from('\0'.repeat(before) + key).toString('base64');
  return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + key.length) * 8) / 6));
}

/** URL encoding, escapes of JSON and HTML, and what may stand between letters: tags, the breaks of folded lines, selectors of glyphs. */
const escapes = new RegExp(
  [
    /%(?:25)*([\da-f]{2})/,
    /\\+(?:u00([\da-f]{2}))?/,
    /&(?:amp;)*(?:#(?:x0*([\da-f]{2})|0*(\d{2,3}))|(amp|quot|apos|lt|gt));/,
    /<\/?[a-z][^<>]{0,200}>/,
    /[\r\n]+[\t ]*/,
    /(?:[\t\u2028\u2029]|[\ufe00-\ufe0f\u180b-\u180d\u180f])+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

function decodeEscape(
  _escape: string,
  url?: string,
  json?: string,
  hex?: string,
  decimal?: string,
  name?: string,
): string {
  const code = url ?? json ?? hex;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return named[name?.toLowerCase() ?? ''] ?? '';
}

/** The text without escapes, in lower case. */
function decode(text: string): string {
  return lowerCase(text.replace(escapes, decodeEscape));
}

/** The same with the start and end of each letter in the text. */
function locate(text: string) {
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  const add = (piece: string, start: number, width: number) => {
    for (let at = 0; at < piece.length; at += 1) {
      starts[length + at] = start + at;
      ends[length + at] = start + at + width;
    }
    length += piece.length;
    pieces.push(piece);
  };
  for (const match of text.matchAll(escapes)) {
    const [whole, ...codes] = match;
    add(text.slice(from, match.index), from, 1);
    add(decodeEscape(whole, ...codes), match.index, whole.length);
    from = match.index + whole.length;
  }
  add(text.slice(from), from, 1);
  return { letters: lowerCase(pieces.join('')), starts, ends };
}

/** Of ASCII only, so that the length stays the same. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
