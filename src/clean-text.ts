const esc = '\u001b';
const csi = `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`;
const stringSequence = `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\\p{Cc}]*(?:\u0007|${esc}\\\\|\u009c)`;
const shortSequence = `${esc}[ -/]*[0-~]`;

const selectors = '\u180b-\u180d\u180f\ufe00-\ufe0f';

/** Characters that are invisible or that a terminal acts on: controls, text direction, zero width, tags. */
export const hiddenCharacter = `(?:(?![\\n\\t])\\p{Cc}|\\p{Bidi_Control}|[\ufff9-\ufffb]|(?![${selectors}])\\p{Default_Ignorable_Code_Point})`;

// No repeated class contains the start of its own sequence, so that matching stays linear for every input.
const sequence = `${csi}|${stringSequence}|${shortSequence}`;
let unwanted: RegExp | undefined;
/** Letters and marks, the joiners, the soft hyphen and the vowel separator of Mongolian. */
const partOfWords = '\\p{L}\\p{M}\u200c\u200d\u00ad\u180e';
let unwantedInData: RegExp | undefined;

const escapeStart = new RegExp(`[${esc}\u0080-\u009f]`, 'g');

/** Texts with no other characters, Cyrillic included, need no cleaning. */
const extraordinary = /[^\n\t -~\u0400-\u04ff]/;

export function mayHide(text: string): boolean {
  return extraordinary.test(text);
}

/** Removes escape sequences, controls (except newline and tab), and characters that are invisible or turn text around. */
export function cleanText(text: string): string {
  if (!mayHide(text)) return text;
  unwanted ??= new RegExp(`${sequence}|${hiddenCharacter}`, 'gu');
  return text.replace(unwanted, '');
}

/** As `cleanText`, for files and JSON: keeps the joiners that Persian and emoji need. */
export function cleanData(text: string): string {
  if (!mayHide(text)) return text;
  unwantedInData ??= new RegExp(`${sequence}|(?![${partOfWords}])${hiddenCharacter}`, 'gu');
  return text.replace(unwantedInData, '');
}

/** Removes only ESC and C1, which start escape sequences. */
export function removeEscapes(text: string): string {
  return text.replace(escapeStart, '');
}

export function cleanCell(text: string): string {
  return onOneLine(text, cleanText);
}

export function cleanDataCell(text: string): string {
  return onOneLine(text, cleanData);
}

function onOneLine(text: string, clean: (text: string) => string): string {
  return clean(text.replace(/\r\n?/g, '\n')).replace(/[\n\t\u2028\u2029]+/g, ' ');
}

/** Cuts a longer text and adds `…`, without splitting a surrogate pair. */
export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** `already_exists` → `already exists`. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}
