/** What is looked through of a page or text must be bounded, or a hostile one takes minutes. */
const longestPage = 20_000;
const longestMessage = 300;
const pageShape = /<(?:!doctype|html|head|title|body|center|div|span|script|style|h[1-6]|p|pre|br|hr)[\s/>]/i;
const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", amp: '&' };

/** Text of the service on one line, without controls or halves of letters, shortened to 300 characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, longestPage)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  if (line.length <= longestMessage) return line;
  // Not through the middle of a surrogate pair.
  return `${line.slice(0, longestMessage).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The words of a page of HTML; any other text as it is. */
export function wordsOf(page: string): string {
  const start = page.slice(0, longestPage);
  if (!pageShape.test(start)) return start;
  return start
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}
