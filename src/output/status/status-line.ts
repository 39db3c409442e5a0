import type { TextStream } from '../print.ts';
import { drawRows, measureColumns } from '../table.ts';

/** One line at the bottom of a terminal that is drawn again and again, whatever its width becomes. */
export interface StatusLine {
  /** Draws the first of these texts that fits; the last one is cut when none does. */
  draw(texts: readonly string[]): void;
  clear(): void;
}

/** `terminal.width` is read at each drawing, since the user may change it. */
export function createStatusLine(stderr: TextStream, terminal: { readonly width: number }): StatusLine {
  let drawnWidth = 0;
  const clear = () => {
    // A terminal that was made narrower has broken the line into several.
    const above = Math.max(0, Math.ceil(drawnWidth / Math.max(1, terminal.width)) - 1);
    drawnWidth = 0;
    stderr.write(above === 0 ? '\r\u001b[K' : `\r\u001b[${above}A\u001b[J`);
  };
  return {
    clear,
    draw: (texts) => {
      clear();
      const text = fitText(texts, terminal.width);
      drawnWidth = widthOf(text);
      stderr.write(text);
    },
  };
}

/** The last column stays free: some terminals break the line as soon as it is used. */
function fitText(texts: readonly string[], width: number): string {
  const space = Math.max(1, width - 1);
  const fitting = texts.find((text) => widthOf(text) <= space);
  const last = texts.at(-1) ?? '';
  return fitting ?? drawRows([[last]], [space]).join('');
}

function widthOf(text: string): number {
  return measureColumns([[text]])[0] ?? 0;
}
