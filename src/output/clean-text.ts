import { stringify } from 'lossless-json';
import { type Json, writeJson } from '../orders/json.ts';

const esc = '\u001b';
const csi = `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`;
const stringSequence = `(?:${esc}[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\\p{Cc}]*(?:\u0007|${esc}\\\\|\u009c)`;
const shortSequence = `${esc}[ -/]*[0-~]`;

/** Characters that are invisible or that a terminal acts on: controls, text direction, zero-width space and BOM. */
const hiddenCharacter = '(?:(?![\\n\\t])\\p{Cc}|[\\p{Bidi_Control}\u200b\ufeff])';

// No repeated class contains the start of its own sequence, so that matching stays linear for every input.
const unwanted = new RegExp(`${csi}|${stringSequence}|${shortSequence}|${hiddenCharacter}`, 'gu');

/** Removes escape sequences, controls (except newline and tab) and bidirectional controls. */
export function cleanText(text: string): string {
  return text.replace(unwanted, '');
}

/** The same on one line: line breaks and tabs become a space. */
export function cleanCell(text: string): string {
  return cleanText(text.replace(/\r\n?/g, '\n')).replace(/[\n\t\u2028\u2029]+/g, ' ');
}

const unsafeCharacter = new RegExp(`${hiddenCharacter}|[\u2028\u2029]`, 'gu');

/** JSON on one line. It parses to the same value, and hidden characters are escaped. */
export function formatJsonLine(value: Json): string {
  return escapeJson(writeJson(value));
}

export function formatJson(value: Json): string {
  return escapeJson(stringify(value, undefined, 2) ?? '');
}

function escapeJson(json: string): string {
  return json.replace(unsafeCharacter, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
