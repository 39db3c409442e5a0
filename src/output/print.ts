import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Chalk } from 'chalk';
import { joinPieces, type Language, linesOf, type Piece, piecesOf, type Text } from '../advice/advice.ts';
import { cleanData, cleanText, hiddenCharacter, mayHide } from '../clean-text.ts';
import { indentJson, type Json, type JsonObject, writeJson } from '../orders/json.ts';

interface TextStream {
  write(text: string): unknown;
}

interface PrintOptions {
  stdout: TextStream;
  stderr: TextStream;
  quiet: boolean;
  terminal: { stdout: boolean };
  colour: { out: boolean; err: boolean };
  redact(text: string): string;
  /** False only if neither redacting nor cleaning changes the text. */
  mayChange(text: string): boolean;
  wrapNote?(line: readonly Piece[]): string[];
  isWindows: boolean;
  /** Of notes. */
  language?: Language | undefined;
}

export type Print = ReturnType<typeof createPrint>;

const esc = '\u001b';
const paletteCode = new RegExp(`(${esc}\\[(?:1|2|22|31|39)m)`);

/** The print sink: all output goes through it, is cleaned and redacted, and ends with one newline. */
export function createPrint(options: PrintOptions) {
  const {
    stdout,
    stderr,
    quiet,
    terminal,
    colour,
    redact,
    wrapNote = (line) => [joinPieces(line)],
  } = options;
  const { red, bold } = createStyle(colour.err);
  /** The text that `error` would write, for a prompt. */
  const alarm = (text: string) =>
    redact(cleanText(text)).replace(/^[\p{L}\d_]+(?: \([\w.-]+\))?(?=:)/u, (word) => red(bold(word)));
  const clean = (text: string) => redact(terminal.stdout ? cleanStyled(text, colour.out) : cleanData(text));
  return {
    alarm,
    /** To stdout. Styles get through, so text from outside must be cleaned before it is laid out. */
    data: (text: string) => writeLine(stdout, clean(text)),
    /** As `data`, but all in one write; with `escapeHidden`, hidden characters are escaped rather than removed. */
    lines: (texts: readonly string[], escapeHidden = (text: string) => text) => {
      // One look at all lines is cheap, and most pages need no change.
      const shown = options.mayChange(texts.join(''))
        ? texts.map((text) => clean(escapeHidden(text)))
        : texts;
      if (texts.length > 0) stdout.write(shown.map(ended).join(''));
    },
    /** To stderr, unless quiet. No styles, because the text may quote the service or a file. */
    note: (text: Text) => {
      if (quiet) return;
      const pieces = piecesOf(text, options, options.language).map((piece) => ({
        ...piece,
        text: redact(cleanText(piece.text)),
      }));
      writeLine(stderr, linesOf(pieces).flatMap(wrapNote).join('\n'));
    },
    /** To stderr, unless quiet. Styles get through, as in `data`. */
    styledNote: (text: string) => {
      if (!quiet) writeLine(stderr, redact(cleanStyled(text, colour.err)));
    },
    /** To stderr, even if quiet. A first word with a colon is highlighted. */
    error: (text: string) => writeLine(stderr, alarm(text)),
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
  stream.write(ended(text));
}

function ended(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return `${text.slice(0, end)}\n`;
}

/** Waits for a slow reader, so that output does not pile up in memory. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.writableNeedDrain) await once(stream, 'drain').catch(() => undefined);
}

export function printJsonLines(print: Print, values: readonly Json[]): void {
  const lines = values.map((value) => writeJson(value));
  print.lines(lines, escapeJson);
}

/** Hidden characters are escaped, so that it still parses to the same value. */
export function formatJsonLine(value: Json): string {
  return escapeJson(writeJson(value));
}

export function formatJson(value: Json): string {
  return escapeJson(indentJson(value));
}

/** Writes `{name: [items], ...rest}` as `formatJson` does, but each item as it arrives. */
export function createJsonList(print: Print, name: string) {
  // Held back: only the next item shows whether a comma follows.
  let last: string | undefined;
  return {
    add: (items: readonly Json[]) => {
      const texts = items.map((item) => `    ${indentJson(item, '\n    ')}`);
      const before = last === undefined ? `{\n  ${JSON.stringify(name)}: [` : `${last},`;
      last = texts.pop() ?? last;
      if (items.length > 0) print.lines([before, ...texts.map((text) => `${text},`)], escapeJson);
    },
    end: (rest: JsonObject) => {
      if (last === undefined) print.data(formatJson({ [name]: [], ...rest }));
      else print.lines([last, '  ],', formatJson(rest).slice('{\n'.length)], escapeJson);
    },
  };
}

let unsafeCharacter: RegExp | undefined;

function escapeJson(json: string): string {
  if (!mayHide(json)) return json;
  unsafeCharacter ??= new RegExp(`${hiddenCharacter}|[\u2028\u2029]`, 'gu');
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(unsafeCharacter, (character) => character.split('').map(escapeUnit).join(''));
}

interface ColourOptions {
  env: Record<string, string | undefined>;
  isTerminal: boolean;
  noColourFlag: boolean;
}

/** chalk itself does not read NO_COLOR and CLICOLOR. */
export function hasColour({ env, isTerminal, noColourFlag }: ColourOptions): boolean {
  if (noColourFlag || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  if (env.CLICOLOR === '0' || env.TERM === 'dumb') return false;
  return isTerminal;
}

export function streamColours(
  env: ColourOptions['env'],
  terminal: { stdout: boolean; stderr: boolean },
  noColourFlag: boolean,
): { out: boolean; err: boolean } {
  const isOn = (isTerminal: boolean) => hasColour({ env, isTerminal, noColourFlag });
  return { out: isOn(terminal.stdout), err: isOn(terminal.stderr) };
}

export type Style = ReturnType<typeof createStyle>;

/** Exactly these styles get through the print sink. */
export function createStyle(on: boolean) {
  const chalk = new Chalk({ level: on ? 1 : 0 });
  // chalk joins all its arguments: passed to `map`, it would print the index too.
  return {
    bold: (text: string) => chalk.bold(text),
    dim: (text: string) => chalk.dim(text),
    red: (text: string) => chalk.red(text),
  };
}
