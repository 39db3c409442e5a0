import type { TextStream } from '../print.ts';
import { drawRows, measureColumns } from '../table.ts';

/** One line at the bottom of a terminal that is drawn again and again, whatever its width becomes. */
export interface StatusLine {
  /** Draws the first of these texts that fits; the last one is cut when none does. */
  draw(texts: readonly string[]): void;
  clear(): void;
}

const clearBelow = '\r\u001b[J';
const [wrapOff, wrapOn] = ['\u001b[?7l', '\u001b[?7h'];

/**
 * The cursor stays at the beginning of the line: a terminal that becomes narrower breaks the line below it, and one that
 * is already narrower than it said does not break it at all.
 */
export function createStatusLine(stderr: TextStream, terminal: { readonly width: number }): StatusLine {
  return {
    clear: () => stderr.write(clearBelow),
    draw: (texts) => stderr.write(`${clearBelow}${wrapOff}${fitText(texts, terminal.width)}${wrapOn}\r`),
  };
}

/** The last column stays free: some terminals break the line as soon as it is used. */
function fitText(texts: readonly string[], width: number): string {
  const space = Math.max(1, width - 1);
  const fitting = texts.find((text) => (measureColumns([[text]])[0] ?? 0) <= space);
  const last = texts.at(-1) ?? '';
  return fitting ?? drawRows([[last]], [space]).join('');
}
