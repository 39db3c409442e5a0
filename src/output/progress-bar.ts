import { type Options, SingleBar } from 'cli-progress';
import type { TextStream } from './print.ts';

const redrawMilliseconds = 100;

export interface Bar {
  /** Draws the line again, unless it was drawn just now. */
  redraw(): void;
  /** Lets something else write whole lines where the bar was, and draws it again below them. */
  aside(write: () => void): void;
  /** Draws it a last time and ends the line. */
  stop(): void;
}

/** A line that is redrawn in place, also while nothing happens. It hides no cursor and listens to no signal. */
export function createBar(stream: TextStream, width: number, now: () => number, line: () => string): Bar {
  const options: Options & { terminal: object } = {
    format: line,
    terminal: createBarTerminal(stream, width),
    hideCursor: false,
    gracefulExit: false,
    noTTYOutput: false,
    synchronousUpdate: false,
    forceRedraw: true,
    fps: 1000 / redrawMilliseconds,
  };
  const bar = new BackgroundBar(options);
  bar.start(1, 0);
  let drawnAt = now();
  return {
    redraw: () => {
      if (now() - drawnAt < redrawMilliseconds) return;
      drawnAt = now();
      bar.render();
    },
    aside: (write) => {
      stream.write('\r\u001b[K');
      write();
      bar.render();
    },
    stop: () => bar.stop(),
  };
}

class BackgroundBar extends SingleBar {
  /** cli-progress redraws by a timer that would keep the process alive. */
  override render(): void {
    super.render();
    (this as unknown as { timer: NodeJS.Timeout | null }).timer?.unref();
  }
}

/**
 * The terminal as cli-progress calls it. Its own saves the position of the cursor at the start and jumps back
 * to it at the end, over whatever was written since.
 */
function createBarTerminal(stream: TextStream, width: number) {
  const nothing = () => {};
  return {
    isTTY: () => true,
    getWidth: () => width,
    cursorSave: nothing,
    cursorRestore: nothing,
    lineWrapping: nothing,
    cursorTo: () => stream.write('\r'),
    write: (text: string) => stream.write(text),
    clearRight: () => stream.write('\u001b[K'),
    newline: () => stream.write('\n'),
  };
}
