import type { ServiceResponse } from '../http/attempt-result.ts';

const maxPageLength = 200_000;
const maxTextLength = 20_000;
const maxLines = 200;
const pageShape = /<(?:!doctype|html|head|title|body|center|div|span|script|style|h[1-6]|p|pre|br|hr)[\s/>]/i;
const xmlShape = /^\s*<(?:\?xml\s|([a-z][\w:.-]{0,80})(?:\s[^<>]*)?>.*<\/\1>\s*$)/is;
const cdata = /<!\[CDATA\[(.*?)(?:\]\]>|$)/gs;
const hidden = /<!--.*?(?:-->|$)|<(script|style|svg|address|footer|nav)\b.*?(?:<\/\1\s*>|$)/gis;
const inlineTag = /<\/?(?:a|abbr|b|code|em|font|i|kbd|small|span|strong|tt|u)\b[^>]*(?:>|$)/gi;
const cellTag = /<\/?t[dh]\b[^>]*(?:>|$)/gi;
const anyTag = /<[^>]*(?:>|$)/g;

/** A web page, such as from a gateway. */
export function isWebPage({ headers, body, text }: ServiceResponse): boolean {
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '');
  return (
    body === undefined &&
    text.trim() !== '' &&
    (isHtml || /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 500)))
  );
}

/** Products, and what their pages say of themselves. */
const gatewayWords =
  /firewall|\bwaf\b|gateway|proxy|\bvpn\b|cloudflare|cloudfront|akamai|incapsula|imperva|sucuri|mod_?security|barracuda|fortinet|fortiguard|zscaler|squid|varnish|guru meditation|nginx|openresty|haproxy|envoy|traefik|administrative rules|captcha|just a moment|checking your browser|attention required|\bray (?:id|[\da-f])|(?:incident|support) id|reference #|rate limited|your ip\b|(?:request|page|url|site|connection|traffic|ip|address) (?:was |is |has been )?blocked|^blocked\b|wordfence|potentially unsafe operation|could not be retrieved|security (?:check|service|solution)|галт хана/im;

/** What Cloudflare sends to clients that ask for no HTML. */
const cloudflareText = /^error code: 1\d{3}$/i;

/** A page of something in front of the service, by its own words. */
export function isGatewayPage(response: ServiceResponse): boolean {
  if (response.body === undefined && cloudflareText.test(response.text.trim())) return true;
  return isWebPage(response) && gatewayWords.test(decodeEntities(textOfPage(response.text)));
}

/** The index of the first tag of a page of HTML or XML. */
export function findPage(text: string): number | undefined {
  const page = text.slice(0, maxPageLength);
  const start = xmlShape.test(page) ? 0 : page.search(pageShape);
  return start < 0 ? undefined : start;
}

/** The start of a page without scripts, styles, comments and footers. */
export function visiblePart(page: string): string {
  return page.slice(0, maxPageLength).replace(hidden, (part) => (part.startsWith('<!--') ? '' : ' '));
}

/** The text of a page of HTML or XML without repetitions, the title first; other text unchanged. */
export function textOfPage(page: string): string {
  if (findPage(page) === undefined) return page;
  const text = visiblePart(page)
    .replace(cdata, (_, words: string) => words.replace(/<(?![a-z/!])/gi, '&lt;'))
    .replace(inlineTag, '')
    .replace(cellTag, ' ')
    .replace(anyTag, '\n');
  const lines = text
    .split('\n')
    .map((line) => decodeEntities(line).replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .slice(0, maxLines);
  if (lines.length > 1 && /^errors?$/i.test(lines[0] ?? '')) lines.shift();
  const said = lines.join('\n').slice(0, maxTextLength).split('\n').filter(isSaidOnce);
  const [heading = ''] = said;
  // Java servers show the message in a table of properties.
  const [message] = lines.flatMap((line) => /^message:? +(\S.*)$/i.exec(line)?.[1] ?? []);
  if (message === undefined) return said.join('\n');
  return contains(heading, message) ? heading : `${heading}: ${message}`;
}

function isSaidOnce(line: string, index: number, lines: readonly string[]): boolean {
  return !lines.some(
    (other, place) => place !== index && contains(other, line) && (place < index || !contains(line, other)),
  );
}

function contains(text: string, other: string): boolean {
  return text.toLowerCase().includes(other.toLowerCase().replace(/[.:!]$/, ''));
}

const entities: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: ' ', ndash: '–', mdash: '—' },
  ...{ hellip: '…', laquo: '«', raquo: '»', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', copy: '©' },
};

/** Common character references and all numeric ones; others stay. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (reference, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? '') : reference;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0x10ffff ? '' : String.fromCodePoint(point);
  });
}
