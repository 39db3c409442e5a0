/** A command line of this program, ready to paste into a POSIX shell: single quotes keep every word as it is. */
export function formatCommandLine(words: readonly string[]): string {
  return ['merchant-orders', ...words.map(quote)].join(' ');
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
