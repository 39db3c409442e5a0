/** A deliberate fault: one change of one file that breaks a promise of the pages. */
export interface Mutant {
  /** Within its room. */
  name: string;
  /** What it breaks, as the pages promise it. */
  promise: string;
  file: string;
  /** Stands exactly once in the file; spaces, line breaks and commas before a closing bracket do not count. */
  find: string;
  replace: string;
  /** The files or folders of tests that cover it, as few as possible. */
  tests: readonly string[];
  /** Why no sensible test can notice it. */
  known?: string;
}

/** The source with the fault. Error: when the place is not there exactly once. */
export function applyMutant(source: string, { file, find, replace }: Mutant): string {
  const places = [...source.matchAll(patternOf(find))];
  const [place] = places;
  if (place === undefined || places.length > 1)
    throw new Error(`stands ${places.length} times in ${file}, not once: ${find}`);
  return source.slice(0, place.index) + replace + source.slice(place.index + place[0].length);
}

/** Formatting moves line breaks, and adds a comma before a bracket on a line of its own. */
function patternOf(find: string): RegExp {
  const tokens = find.match(/[\p{L}\p{N}_$]+|[^\s]/gu) ?? [];
  const patterns = tokens.map((token) => {
    const escaped = token.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
    if (/^[)\]}]$/.test(token)) return `(?:,\\s*)?${escaped}`;
    return /^\w+$/.test(token) ? `(?<!\\w)${escaped}(?!\\w)` : escaped;
  });
  return new RegExp(patterns.join('\\s*'), 'gu');
}
