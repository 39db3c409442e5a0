import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { type Json, writeJson } from '../orders/json.ts';
import { createStyle } from './colour.ts';

export interface TextStream {
  write(text: string): unknown;
}

interface PrintOptions {
  stdout: TextStream;
  stderr: TextStream;
  quiet: boolean;
  colour: { out: boolean; err: boolean };
}

/** The print sink: the only way out of the program. Each call writes its text cleaned, and ends it with one newline. */
export interface Print {
  /** To stdout. Styles are let through, so text from outside must be cleaned before it is laid out. */
  data(text: string): void;
  /** To stderr, unless quiet, without styles: the text may quote the service or a file. */
  note(text: string): void;
  /** To stderr, always. The first word is highlighted when a colon follows it. */
  error(text: string): void;
  /** A question as `error` would write it, for a prompt. */
  alarm(text: string): string;
}

const esc = '\u001b';
const paletteCode = new RegExp(`(${esc}\\[(?:1|22|31|39)m)`);

export function createPrint({ stdout, stderr, quiet, colour }: PrintOptions): Print {
  const { red, bold } = createStyle(colour.err);
  const alarm = (text: string) => cleanText(text).replace(/^\w+(?=:)/, (word) => red(bold(word)));
  return {
    alarm,
    data: (text) => writeLine(stdout, cleanStyled(text, colour.out)),
    note: (text) => {
      if (!quiet) writeLine(stderr, cleanText(text));
    },
    error: (text) => writeLine(stderr, alarm(text)),
  };
}

function cleanStyled(text: string, colour: boolean): string {
  if (!colour) return cleanText(text);
  return text
    .split(paletteCode)
    .map((part, index) => (index % 2 === 1 ? part : cleanText(part)))
    .join('');
}

function writeLine(stream: TextStream, text: string): void {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  stream.write(`${text.slice(0, end)}\n`);
}

/** Waits until a slow reader has taken what was written, so that it does not pile up in memory. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.writableNeedDrain) await once(stream, 'drain').catch(() => undefined);
}

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
  return escapeJson(writeJson(value, Object.keys, '\n'));
}

function escapeJson(json: string): string {
  return json.replace(unsafeCharacter, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
