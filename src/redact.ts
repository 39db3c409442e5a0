import { mayHide } from './clean-text.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject } from './orders/json.ts';

/** `…a1b2`, which is enough to tell two keys apart. */
export function maskKey(apiKey: string): string {
  return apiKey.length > 8 ? `…${apiKey.slice(-4)}` : '…';
}

export type Redaction = ReturnType<typeof createRedaction>;

/** A shorter key could be any word or number of an order, and hiding it would damage what is shown. */
const minKeyLength = 8;

const maxMissing = 4;
/** A shorter beginning of a key could be a phone, an order number, or what all keys of a service begin with. */
const minCutLength = 16;

/** Knows no key at first. A key is found in any case, URL-encoded, escaped as in JSON, in base64, and without its end. */
export function createRedaction() {
  const known = new Map<string, RegExp>();
  let beginnings: readonly string[] = [];
  /** False when certainly neither redacting nor cleaning changes any part of the text, also of JSON in it. */
  const mayChange = (text: string) => {
    // What JSON or a URL escapes may be a part of the key.
    if (mayHide(text) || text.includes('%') || text.includes('\\')) return true;
    const lower = text.toLowerCase();
    return beginnings.some((beginning) => lower.includes(beginning));
  };
  return {
    mayChange,
    add: (key: string) => {
      if (key.length < minKeyLength) return;
      known.set(key, patternOf(key));
      beginnings = [...known.keys()].flatMap((one) =>
        spellings.map((spell) => decode(withoutOpenEscape(spell(shortestOf(one))))),
      );
    },
    redact: (text: string) => {
      if (!mayChange(text)) return text;
      // The patterns take long to compile, so they are kept for texts that have a key.
      const decoded = decode(text);
      if (!beginnings.some((beginning) => decoded.includes(beginning))) return text;
      let redacted = text;
      for (const [key, pattern] of known) redacted = redacted.replace(pattern, () => maskKey(key));
      return redacted;
    },
  };
}

function decode(text: string): string {
  const decoded = text.replace(/%(?:25)*([\da-f]{2})|\\+(?:u00([\da-f]{2}))?/gi, (_, url = '', json = '') =>
    url + json === '' ? '' : String.fromCharCode(Number.parseInt(url + json, 16)),
  );
  return decoded.replaceAll('\\', '').toLowerCase();
}

function withoutOpenEscape(text: string): string {
  return text.replace(/[%\\][^%\\]{0,5}$/, '');
}

const spellings: readonly ((key: string) => string)[] = [
  (key) => key,
  ...[0, 1, 2].flatMap((before) => [
    (key: string) => base64Inside(key, before),
    (key: string) => base64Inside(key, before).replaceAll('+', '-').replaceAll('/', '_'),
  ]),
];

/** Base64 without the letters that depend on what surrounds the key. `before`: the bytes before it, modulo 3. */
function base64Inside(key: string, before: number): string {
  const encoded = Buffer.from('\0'.repeat(before) + key).toString('base64');
  return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + key.length) * 8) / 6));
}

function shortestOf(key: string): string {
  return key.slice(0, Math.max(key.length - maxMissing, minCutLength));
}

/** The whole key comes before shortened ones, so that no part of it is left. */
function patternOf(key: string): RegExp {
  const spelled = spellings.map((spell) => ({
    letters: lettersOf(spell(key)).map(letterPattern),
    shortest: lettersOf(spell(shortestOf(key))).length,
  }));
  const whole = spelled.map(({ letters }) => letters.join(''));
  const cut = spelled.map(({ letters, shortest }) => {
    const end = letters.slice(shortest).reduceRight((rest, letter) => `(?:${letter}${rest})?`, '');
    return letters.slice(0, shortest).join('') + end;
  });
  return new RegExp([...new Set([...whole, ...cut])].join('|'), 'gi');
}

/** Consecutive backslashes count as one, so that a pattern has only one way to match them. */
function lettersOf(text: string): string[] {
  return text.match(/\\+|[^\\]/g) ?? [];
}

/** A letter as it stands, escaped as in JSON, or URL-encoded, and that once more or twice. */
function letterPattern(letter: string, place: number, letters: readonly string[]): string {
  if (letter === '%') return '%(?:25){0,4}';
  const code = letter.charCodeAt(0).toString(16).padStart(2, '0');
  const encoded = `(?:%(?:25){0,3}|\\\\{1,4}u00)${code}`;
  if (letter.startsWith('\\')) return `(?:\\\\|%(?:25){0,3}5c){${letter.length},${4 * letter.length}}`;
  const isEscaped = /["/]/.test(letter) && !letters[place - 1]?.startsWith('\\');
  return `(?:${isEscaped ? '\\\\{0,4}' : ''}${letter.replace(/[$()*+.?[\]^{|}]/, '\\$&')}|${encoded})`;
}

/** An `id` that contains a key becomes null: it would be stored, and sent in a URL. */
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
