const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const orderNumberShape = /^ORD-\d{4}-\d+$/i;
const orderNumberParts = /^ORD-(\d{4})-(\d+)$/;

export const chosenKinds = ['id', 'number', 'external', 'phone'] as const;
/** What a user may say that a reference is. */
export type ChosenKind = (typeof chosenKinds)[number];
/** A phone may be of several orders. */
export type ReferenceKind = Exclude<ChosenKind, 'phone'>;

export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** The service writes order numbers in capitals (interface section 2.1). */
export function toOrderNumber(text: string): string {
  return orderNumberShape.test(text) ? text.toUpperCase() : text;
}

/** What a reference may be, most likely kind first: any text may be an external order ID. */
export function readingsOf(reference: string): ReferenceKind[] {
  if (isUuid(reference)) return ['id', 'external'];
  if (orderNumberShape.test(reference)) return ['number', 'external'];
  return ['external'];
}

/**
 * `ord 2026 9`, `2026-000009`, `2026000009`, `000009`, `9` → `ORD-2026-000009`, with the year and the width of the newest
 * number. What stands before the digits does not count here. Undefined for other text.
 */
export function readOrderNumber(text: string, newest: string): string | undefined {
  const [, newestYear = '', newestSequence = ''] = orderNumberParts.exec(newest) ?? [];
  const digits = text.normalize('NFKC').replace(/^\D+/u, '');
  const [, year, rest = ''] = /^(?:(20\d\d)[\s\p{P}]+)?(\d[\d\s]*)$/u.exec(digits) ?? [];
  const joined = rest.replaceAll(/\s/g, '');
  const width = newestSequence.length;
  const joinsYear = year === undefined && joined.length === 4 + width && joined.startsWith('20');
  const sequence = (joinsYear ? joined.slice(4) : joined).replace(/^0+/, '');
  // One digit more: the sequence may have outgrown its width.
  if (newestYear === '' || sequence === '' || sequence.length > width + 1) return undefined;
  return `ORD-${joinsYear ? joined.slice(0, 4) : (year ?? newestYear)}-${sequence.padStart(width, '0')}`;
}

/** `ORD` with any one letter missing: `d-101` is an ID with a letter before it. */
const beforeNumber =
  /^(?:[oо0][rрp][dд]|[oо0][rрp]|[oо0][dд]|[rрp][dд]|№|no|nr|number|order|дугаар|захиалга|zahialga|zakhialga)?[\s\p{Pd}.:_/]*\d[\d\s\p{P}]*$/iu;

/** Digits, perhaps behind `ORD` or a word for an order; `UB-1` and `TEA 3` are something else. */
export function mayBeOrderNumber(text: string): boolean {
  return beforeNumber.test(text.trim().normalize('NFKC'));
}

/** `ub1` and `UB_1` as an ID may be written: `ub-1`, `ub/1` and so on. */
export function spellingsOf(id: string): string[] {
  const [, letters, digits] = /^(\p{L}+)[\s\p{P}]*(\d+)$/u.exec(id.trim().normalize('NFKC')) ?? [];
  if (letters === undefined || digits === undefined) return [id];
  return [id, ...['-', '', '_', '/', '.'].map((mark) => `${letters}${mark}${digits}`)];
}

/** The greatest; undefined if none has the shape of interface section 2.1. */
export function newestNumber(numbers: readonly string[]): string | undefined {
  return numbers
    .filter((number) => orderNumberParts.test(number))
    .sort()
    .at(-1);
}

/** With eight digits, or with a country code. */
export function isPhoneReference(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return /^\+?\d[\d ()-]*$/.test(text) && (digits === 8 || (digits > 8 && /^(?:\+|976)/.test(text)));
}

const latinByCyrillic = new Map(
  Array.from('АВЕКМНОРСТУХІЈЅҮ', (letter, index) => [letter, 'ABEKMHOPCTYXIJSY'[index] ?? '']),
);

/** Replaces Cyrillic letters by the Latin ones that look the same, in upper case. */
export function toLatin(text: string): string {
  return text.toUpperCase().replace(/\p{sc=Cyrl}/gu, (letter) => latinByCyrillic.get(letter) ?? letter);
}

/** Replaces spaces and other dashes by hyphens. */
export function toHyphens(text: string): string {
  return text.replace(/\s*\p{Pd}\s*|\s+/gu, '-');
}

/**
 * Equal for IDs that people or spreadsheets take for each other: `12`, `12.0`, `0012`, `#12`; Cyrillic `А-1`, `a-1`,
 * `A 1`. The ledger stores what it returns: a change needs another version of the ledger.
 */
export function foldExternalId(id: string): string {
  if (/^(?:[1-9]\d*|[A-Z][!-`{-~]*)$/.test(id)) return id;
  const marked = id.replace(/^[#№＃]\s*/u, '');
  const letters = /^[ -~]*$/.test(marked) ? marked.toUpperCase() : toLatin(marked.normalize('NFKC'));
  const text = toHyphens(letters);
  return /^0*(0|[1-9]\d*)(?:\.0+)?$/.exec(text)?.[1] ?? text;
}
