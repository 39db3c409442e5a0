import { createPrint, type Print } from '../../src/output/print.ts';
import { createRedaction } from '../../src/redact.ts';

export interface Captured {
  print: Print;
  out: () => string;
  err: () => string;
}

/** A print sink that records both streams. */
export function capture({ quiet = false, out = false, err = false, isTerminal = false } = {}): Captured {
  const written = { out: '', err: '' };
  const print = createPrint({
    stdout: { write: (text) => (written.out += text) },
    stderr: { write: (text) => (written.err += text) },
    quiet,
    isWindows: false,
    terminal: { stdout: out || isTerminal },
    ...createRedaction(),
    colour: { out, err },
  });
  return { print, out: () => written.out, err: () => written.err };
}
