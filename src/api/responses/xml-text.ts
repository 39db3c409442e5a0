import { isJsonObject, type Json, type JsonObject } from '../../orders/json.ts';

const entities: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: ' ', shy: '', ensp: ' ', emsp: ' ' },
  ...{ ndash: '–', mdash: '—', hellip: '…', bull: '•', middot: '·', laquo: '«', raquo: '»', rarr: '→' },
  ...{ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', prime: '′', times: '×' },
  ...{ copy: '©', reg: '®', trade: '™', deg: '°', euro: '€', pound: '£', sect: '§', para: '¶', larr: '←' },
};

/** Common character references and all numeric ones; others stay. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (reference, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? '') : reference;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0x10ffff ? '' : String.fromCodePoint(point);
  });
}

const maxTextLength = 200_000;
const maxDepth = 16;
const htmlShape =
  /<(?:!doctype|html|head|body)[\s>]|^<(?:b|br|center|div|h[1-6]|hr|p|pre|script|span|style)[\s/>]/i;

/** The children of the root element as JSON, without attributes; undefined for other text. */
export function readXml(text: string): Json | undefined {
  const page = text.slice(0, maxTextLength).trimStart();
  if (!/^<(?:\?xml|[A-Za-z])/.test(page) || htmlShape.test(page)) return undefined;
  const stack: { name: string; members: JsonObject; text: string }[] = [{ name: '', members: {}, text: '' }];
  const tokens =
    /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<(\/?)([A-Za-z][\w:.-]*)(?![\w:.-])[^<>]*>|([^<]+)/g;
  const close = () => {
    const closed = stack.pop();
    const parent = stack.at(-1);
    if (closed === undefined || parent === undefined) return;
    const isLeaf = Object.keys(closed.members).length === 0;
    add(parent.members, closed.name, isLeaf ? closed.text : closed.members);
  };
  for (const [token, cdata, slash, name, chars] of page.matchAll(tokens)) {
    const open = stack.at(-1);
    if (name === undefined && open !== undefined) open.text += cdata ?? decodeEntities(chars ?? '');
    if (name === undefined || token.endsWith('/>')) continue;
    if (slash !== '' && stack.length > 1) close();
    if (slash === '' && stack.length > maxDepth) break;
    if (slash === '') stack.push({ name, members: {}, text: '' });
  }
  while (stack.length > 1) close();
  const [root] = Object.values(stack[0]?.members ?? {});
  return isJsonObject(root) || typeof root === 'string' ? root : undefined;
}

function add(members: JsonObject, name: string, value: Json): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined;
  if (before === undefined)
    Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
  else if (Array.isArray(before)) before.push(value);
  else members[name] = [before, value];
}
