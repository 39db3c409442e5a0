import stringWidth from 'fast-string-width';

/** In columns of a terminal: Cyrillic letters take 1, Chinese characters and emoji 2, codes of styles none. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Ends with "…" where it is too wide. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const letter of text) {
    used += widthOf(letter);
    if (used > width) break;
    cut += letter;
  }
  return `${cut}…`;
}
