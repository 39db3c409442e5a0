const esc = '\u001b';
const csi = `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`;
const stringSequence = `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\\p{Cc}]*(?:\u0007|${esc}\\\\|\u009c)`;
const shortSequence = `${esc}[ -/]*[0-~]`;

/** Selectors of a glyph: of Mongolian letters, and of emoji. */
const selectors = '\u180b-\u180d\u180f\ufe00-\ufe0f';

/** Characters that are invisible or that a terminal acts on: controls, text direction, zero width, tags. */
export const hiddenCharacter = `(?:(?![\\n\\t])\\p{Cc}|\\p{Bidi_Control}|[\ufff9-\ufffb]|(?![${selectors}])\\p{Default_Ignorable_Code_Point})`;

// No repeated class contains the start of its own sequence, so that matching stays linear for every input.
const sequence = `${csi}|${stringSequence}|${shortSequence}`;
const unwanted = new RegExp(`${sequence}|${hiddenCharacter}`, 'gu');
/** Letters and marks, the joiners, the soft hyphen and the vowel separator of Mongolian. */
const partOfWords = '\\p{L}\\p{M}\u200c\u200d\u00ad\u180e';
const unwantedInData = new RegExp(`${sequence}|(?![${partOfWords}])${hiddenCharacter}`, 'gu');

const escapeStart = new RegExp(`[${esc}\u0080-\u009f]`, 'g');

/** What most texts are written with, Cyrillic included: where there is nothing else, there is nothing to remove. */
const extraordinary = /[^\n\t -~\u0400-\u04ff]/;

/** False when certainly no character is hidden, or begins an escape sequence. */
export function mayHide(text: string): boolean {
  return extraordinary.test(text);
}

/** Removes escape sequences, controls (except newline and tab), and characters that are invisible or turn text around. */
export function cleanText(text: string): string {
  return mayHide(text) ? text.replace(unwanted, '') : text;
}

/** For data that a program reads: as `cleanText`, but keeps what names and words are written with, such as the joiners of Persian and of emoji. */
export function cleanData(text: string): string {
  return mayHide(text) ? text.replace(unwantedInData, '') : text;
}

/** Takes out no more than what starts an escape sequence, ESC and C1: for text that stays as it is otherwise. */
export function removeEscapes(text: string): string {
  return text.replace(escapeStart, '');
}

/** Cleaned, and on one line: line breaks and tabs become a space. */
export function cleanCell(text: string): string {
  return onOneLine(text, cleanText);
}

export function cleanDataCell(text: string): string {
  return onOneLine(text, cleanData);
}

function onOneLine(text: string, clean: (text: string) => string): string {
  return clean(text.replace(/\r\n?/g, '\n')).replace(/[\n\t\u2028\u2029]+/g, ' ');
}

/** The beginning of a text that is longer than it may be shown, with `…`. No character is cut in two. */
export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** `already_exists` as a person reads it. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}
