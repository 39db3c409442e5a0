const esc = '\u001b';
const csi = `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`;
const stringSequence = `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\\p{Cc}]*(?:\u0007|${esc}\\\\|\u009c)`;
const shortSequence = `${esc}[ -/]*[0-~]`;

/** What a reader does not see or a terminal acts on: controls, text direction, zero-width space and BOM. */
export const hiddenCharacter = '(?:(?![\\n\\t])\\p{Cc}|[\\p{Bidi_Control}\u200b\ufeff])';

// No repeated class can contain what its sequence starts with, so no input makes this slower than linear.
const unwanted = new RegExp(`${csi}|${stringSequence}|${shortSequence}|${hiddenCharacter}`, 'gu');

/** Text without escape sequences, controls (newline and tab apart) and characters that turn text around. */
export function cleanText(text: string): string {
  return text.replace(unwanted, '');
}

/** The same on one line: line breaks and tabs become one space. */
export function cleanCell(text: string): string {
  return cleanText(text.replace(/\r\n?/g, '\n')).replace(/[\n\t\u2028\u2029]+/g, ' ');
}
