import { SaxesParser } from 'saxes';
import type { Json, JsonObject } from '../../orders/json.ts';

const maxDepth = 200;
const maxElements = 100_000;
const maxErrors = 100;
const htmlShape =
  /<(?:!doctype|html|head|body)[\s>]|^\s*<(?:b|br|center|div|h[1-6]|hr|p|pre|script|span|style|title)[\s/>]/i;

interface Element {
  name: string;
  members: JsonObject;
  text: string;
}

/**
 * The content of the root element as JSON: a text, or its attributes and elements by their local names, as lists where a name
 * is repeated or is the singular of its parent's. Undefined for HTML and for text that is not XML; with `isLenient`, damaged
 * XML is read as far as possible.
 */
export function readXml(text: string, isLenient: boolean): Json | undefined {
  if (htmlShape.test(text.slice(0, 2000))) return undefined;
  const stack: Element[] = [{ name: '', members: {}, text: '' }];
  let elements = 0;
  let errors = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    errors += 1;
    if (!isLenient || errors > maxErrors) throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1;
    const members: JsonObject = {};
    for (const [key, value] of Object.entries(attributes)) {
      if (!/^xmlns\b|^xsi:/.test(key)) add(members, localName(key), value, false);
    }
    stack.push({ name: localName(name), members, text: '' });
    if (elements > maxElements || stack.length > maxDepth) throw new Error('too many elements');
  });
  const addText = (chars: string) => {
    const open = stack.at(-1);
    if (open !== undefined) open.text += chars;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  const close = () => {
    const closed = stack.pop();
    const parent = stack.at(-1);
    if (closed === undefined || parent === undefined) return;
    add(parent.members, closed.name, contentOf(closed), isSingularOf(closed.name, parent.name));
  };
  parser.on('closetag', close);
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  while (stack.length > 1) close();
  const [root] = Object.entries(stack[0]?.members ?? {});
  if (root === undefined) return undefined;
  return typeof root[1] === 'string' ? { [root[0]]: root[1] } : root[1];
}

function contentOf({ members, text }: Element): Json {
  const words = text.trim();
  if (Object.keys(members).length === 0) return words;
  if (words !== '') add(members, 'text', words, false);
  return members;
}

function isSingularOf(name: string, parent: string): boolean {
  return [`${name}s`, `${name}list`].some((plural) => plural.toLowerCase() === parent.toLowerCase());
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function add(members: JsonObject, name: string, value: Json, isListed: boolean): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined;
  if (Array.isArray(before)) before.push(value);
  else if (before !== undefined) members[name] = [before, value];
  else {
    const first = isListed ? [value] : value;
    Object.defineProperty(members, name, {
      value: first,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}
