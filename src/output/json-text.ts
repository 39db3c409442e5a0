import { stringify } from 'lossless-json';
import { type Json, writeJson } from '../orders/json.ts';
import { hiddenCharacter } from './clean-text.ts';

const unsafeCharacter = new RegExp(`${hiddenCharacter}|[\u2028\u2029]`, 'gu');

/** JSON on one line. It reads back as the same value, and nothing in it acts on a terminal. */
export function formatJsonLine(value: Json): string {
  return escapeJson(writeJson(value));
}

/** The same for people: indented by two spaces. */
export function formatJson(value: Json): string {
  return escapeJson(stringify(value, undefined, 2) ?? '');
}

function escapeJson(json: string): string {
  return json.replace(unsafeCharacter, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
