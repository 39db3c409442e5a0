import { cleanCell } from '../clean-text.ts';

export interface UserShell {
  isWindows: boolean;
}

/** A command line of this program, to paste into the shell of the user. It belongs on a line of its own. */
export function formatCommandLine(words: readonly string[], { isWindows }: UserShell): string {
  return ['merchant-orders', ...(isWindows ? quoteForWindows(words) : words.map(quote))].join(' ');
}

function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (cleanCell(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  // Line breaks and what the print sink takes out are written as bash, zsh and ksh read them.
  const escaped = [...word].map((letter) => (/['\\]/.test(letter) ? `\\${letter}` : escapeHidden(letter)));
  return `$'${escaped.join('')}'`;
}

function escapeHidden(letter: string): string {
  if (cleanCell(letter) === letter) return letter;
  return `\\U${(letter.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/**
 * Double quotes are read alike by cmd and PowerShell. A value that either would change is left out: a flag then ends
 * with `=`, which the command asks for or rejects, and never takes the next word as its value.
 */
function quoteForWindows(words: readonly string[]): string[] {
  const quoted: string[] = [];
  for (const word of words) {
    if (isPlainOnWindows(word)) quoted.push(word);
    else if (isQuotableOnWindows(word)) quoted.push(`"${word}"`);
    else if (/^--[\w-]+=/.test(word)) quoted.push(word.slice(0, word.indexOf('=') + 1));
    else if (/^--?[\w-]+$/.test(quoted.at(-1) ?? '')) quoted.push(`${quoted.pop()}=`);
  }
  return quoted;
}

/** PowerShell splits a word such as `-o.csv`, and makes a list of `a,b`. */
function isPlainOnWindows(word: string): boolean {
  return /^(?:--?[A-Za-z][\w-]*|[\w./\\][\w+=:./\\-]*)$/.test(word);
}

function isQuotableOnWindows(word: string): boolean {
  const isChanged = /["\u201c-\u201e%!$`]|\\$/.test(word);
  return word !== '' && !isChanged && cleanCell(word) === word;
}
