import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { cleanText } from './clean-text.ts';
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
}

const esc = '\u001b';
const paletteCode = new RegExp(`(${esc}\\[(?:1|22|31|39)m)`);

export function createPrint({ stdout, stderr, quiet, colour }: PrintOptions): Print {
  const { red, bold } = createStyle(colour.err);
  return {
    data: (text) => writeLine(stdout, cleanStyled(text, colour.out)),
    note: (text) => {
      if (!quiet) writeLine(stderr, cleanText(text));
    },
    error: (text) =>
      writeLine(
        stderr,
        cleanText(text).replace(/^\w+(?=:)/, (word) => red(bold(word))),
      ),
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
