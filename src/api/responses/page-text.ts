import type { ServiceResponse } from '../http/attempt-result.ts';
import { decodeEntities } from './xml-text.ts';

const maxPageLength = 200_000;
const maxTextLength = 20_000;
const maxLines = 200;
const pageShape = /<(?:!doctype|html|head|title|body|center|div|span|script|style|h[1-6]|p|pre|br|hr)[\s/>]/i;
const hidden = /<!--.*?(?:-->|$)|<(script|style|svg|address|footer|nav)\b.*?(?:<\/\1\s*>|$)/gis;
const inlineTags: ReadonlySet<string | undefined> = new Set(
  'a abbr b code em font i kbd small span strong td th tt u'.split(' '),
);
const tag = /<(\/?)([a-z][a-z\d]*)?[^>]*(?:>|$)/gi;
const vagueTitle = /^errors?$/i;

/** A web page, such as from a gateway. */
export function isWebPage({ headers, body, text }: ServiceResponse): boolean {
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');
  return (
    body === undefined && (isHtml || /^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 500)))
  );
}

/** The index of the first tag of an HTML page. */
export function findPage(text: string): number | undefined {
  const start = text.slice(0, maxPageLength).search(pageShape);
  return start < 0 ? undefined : start;
}

/** The start of a page without scripts, styles, comments and footers. */
export function visiblePart(page: string): string {
  return page.slice(0, maxPageLength).replace(hidden, (part) => (part.startsWith('<!--') ? '' : ' '));
}

/** The text of an HTML page without repetitions, the title first; other text unchanged. */
export function textOfPage(page: string): string {
  if (findPage(page) === undefined) return page;
  const lines = linesOf(visiblePart(page));
  const [label] = lines.flatMap(({ text }) => /^message:? +(\S.*)$/i.exec(text)?.[1] ?? []);
  const isHeading = ({ place }: Line) => place === 'title' || place === 'h1';
  const said: string[] = [];
  for (const { text } of label === undefined ? lines : lines.filter(isHeading)) {
    const isSaid = said.some((other) => contains(other, text));
    if (!isSaid) said.splice(0, said.length, ...said.filter((other) => !contains(text, other)), text);
  }
  const isLabelSaid = label === undefined || said.some((text) => contains(text, label));
  return (isLabelSaid ? said.join('\n') : [...said, label].join(': ')).slice(0, maxTextLength);
}

interface Line {
  place: string | undefined;
  text: string;
}

function linesOf(page: string): Line[] {
  const lines: Line[] = [];
  let place: string | undefined;
  let text = '';
  let end = 0;
  let length = 0;
  const endLine = () => {
    const line = decodeEntities(text)
      .replace(/[^\S\n]+/g, ' ')
      .trim()
      .slice(0, maxTextLength - length);
    if (line !== '' && !(place === 'title' && vagueTitle.test(line))) lines.push({ place, text: line });
    length += line.length;
    text = '';
  };
  for (const found of page.matchAll(tag)) {
    text += page.slice(end, found.index);
    end = found.index + found[0].length;
    const name = found[2]?.toLowerCase();
    if (inlineTags.has(name)) {
      if (name === 'td' || name === 'th') text += ' ';
      continue;
    }
    endLine();
    if (lines.length >= maxLines || length >= maxTextLength) return lines;
    if (name !== 'br') place = found[1] === '' ? name : undefined;
  }
  text += page.slice(end);
  endLine();
  return lines;
}

function contains(text: string, other: string): boolean {
  return text.toLowerCase().includes(other.toLowerCase().replace(/[.:!]$/, ''));
}
