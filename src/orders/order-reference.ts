const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const orderNumberShape = /^ORD-\d{4}-\d+$/i;

export const referenceKinds = ['id', 'number', 'external'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

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
