import { STATUS_CODES } from 'node:http';
import type { ErrorIssue } from '../../errors.ts';
import { isJsonObject, type Json, parseJson } from '../../orders/json.ts';
import { isUuid } from '../../orders/order-reference.ts';
import { findPage, textOfPage, visiblePart } from './page-text.ts';
import { decodeEntities } from './xml-text.ts';

const maxTextLength = 20_000;
const maxMessageLength = 300;
const maxTexts = 20;

const escapeSequence = /(?!\s)\p{Cc}\[[\d;?]*[A-Za-z]/gu;

/** Text of the service on one line of 300 characters, without escape sequences, control characters and lone surrogates. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, maxTextLength)
    .replace(escapeSequence, '')
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  if (line.length <= maxMessageLength) return line;
  return `${line.slice(0, maxMessageLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Texts after each other, each said once; undefined when there is none. */
export function joinTexts(texts: readonly string[]): string | undefined {
  const said: string[] = [];
  for (const text of texts.slice(0, maxTexts)) {
    if (!said.some((other) => other.includes(withoutEnd(text)))) said.push(text);
  }
  const last = said.pop();
  return last === undefined ? undefined : [...said.map(withoutEnd), last].join('; ');
}

/** Without a full stop or white space at the end. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[.;:\s]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Without a full stop, which the sentence around it has. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/(?<![.\s])[.\s]+$/, '');
}

/** Whether the message of the service has the text and the field of its issue already. */
export function mentions(message: string, issue: Pick<ErrorIssue, 'path' | 'message'>): boolean {
  const spellings = [issue.path, issue.path.replace(/\[(\d+)\]/g, '.$1')];
  return message.includes(issue.message) && spellings.some((spelling) => message.includes(spelling));
}

const phrases = new Set(Object.values(STATUS_CODES).map((phrase) => lettersOf(phrase ?? '')));

/** Whether a text says no more than a status, such as `Bad Request`, `BadRequest` or `HTTP 400 Bad Request`. */
export function isStatusPhrase(text: string): boolean {
  const letters = lettersOf(text.slice(0, maxMessageLength));
  return phrases.has(letters) || phrases.has(letters.replace(/^(?:http|error|httperror|httpstatus)/, ''));
}

function lettersOf(text: string): string {
  return text.replace(/[^A-Za-z]/g, '').toLowerCase();
}

const notWords = [
  /^(?:[a-z][a-z\d+.-]*:\/\/|urn:|about:)\S*$/i,
  /^[/#]\S*$/,
  /^\d{4}-\d\d-\d\d(?:[T ]\d|$)/,
  /^[\da-f-]{20,}$/i,
];

/** Whether a text is for a person: no number, URL, path, time or ID. */
export function isWords(text: string): boolean {
  const line = text.slice(0, maxMessageLength).trim();
  return /\p{L}/u.test(line) && !isUuid(line) && !notWords.some((shape) => shape.test(line));
}

/** Whether a text has several words. */
export function hasSpace(text: string): boolean {
  return /\S\s/.test(text.trim());
}

const maxEmbeddedLength = 200_000;
const jsonStart = /[[{]\s*["[{\]}]/;
const jsonLook = /[[{]\s*["[{]|"\s*:\s*(?:["{[\d-]|true|false|null)|["\]}]\s*[\]}]/;
const stackFrame =
  /^\s*(?:at\s.|File "|\.{3} \d+ more$|from \S+:\d+:in |Traceback \(|goroutine \d|\S+\.rb:\d+:in |#\d+ (?:\S+\(\d+\): |\{main\}$)|Stack trace:$|thrown in \S+ on line \d+$|\S+\.go:\d)/;

/** PHP may print these before the body. */
const phpWarning = /^(?:Warning|Notice|Deprecated): .* in \S+ on line \d+$/gm;

/** ` at name (file:1:2)`, searched from its bracket, since a text may have many an ` at `. */
const inlineFrame = /\([^()\s]{1,300}:\d+:\d+\)(?<=( at [\w.<>$ ]{1,100} \([^()\s]{1,300}:\d+:\d+\)))/;

/** Ruby's text of an exception. */
const inspected = /^#<[\w:]+: (.*)>$/s;
const className = /^(?:[\w$]+\.)*[A-Z]\w*(?:Exception|Error): +/;

/** A text as words, and the JSON that stands in it: pages by their text, no stack traces, no raw JSON. */
export function readText(text: string): { words: string; embedded?: Json } {
  // JSON in the scripts of a page is no part of what it says; a page may also stand in a text of JSON.
  const isPage = (findPage(text) ?? Number.POSITIVE_INFINITY) < jsonPlace(text);
  const visible = isPage ? visiblePart(text) : text;
  const start = jsonPlace(visible);
  const embedded = parseEmbedded(visible, start);
  if (embedded !== undefined) {
    const before = plainText(visible.slice(0, start)).replace(phpWarning, '');
    return { words: withoutEnd(wordsOf(before)), embedded };
  }
  return { words: wordsOf(plainText(visible)) };
}

function plainText(text: string): string {
  const page = textOfPage(text);
  return (page === text ? decodeEntities(page) : page).slice(0, maxTextLength);
}

/** The end of the text where it has no JSON. */
function jsonPlace(text: string): number {
  const start = text.search(jsonStart);
  return start < 0 ? text.length : start;
}

function parseEmbedded(text: string, start: number): Json | undefined {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  if (end - start > maxEmbeddedLength) return undefined;
  try {
    const value = parseJson(text.slice(start, end));
    return Array.isArray(value) || isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function wordsOf(text: string): string {
  const isTraceback = text.includes('Traceback (most recent call last)');
  const lines = text
    .split(/\r?\n/)
    .filter((line) => !stackFrame.test(line) && !(isTraceback && /^\s/.test(line)));
  const words = withoutInlineFrames(lines.join('\n').trim()).replace(className, '').replace(inspected, '$1');
  if (!jsonLook.test(words)) return words;
  const bare = words.replace(/[[\]{}"\\\s]+/g, ' ');
  return bare.replace(/ (?=[:,])/g, '').trim();
}

function withoutInlineFrames(text: string): string {
  const found = inlineFrame.exec(text);
  if (found === null) return text;
  const [brackets, frame = ''] = found;
  return text.slice(0, found.index + brackets.length - frame.length);
}

/** The title of a web page on one line; undefined without one. */
export function pageTitle(page: string): string | undefined {
  const start = page.slice(0, maxTextLength);
  const opening = /<title\b[^<>]*>/i.exec(start);
  if (opening === null) return undefined;
  const title = oneLine(textOfPage(`<p>${start.slice(opening.index + opening[0].length).split('<')[0]}</p>`));
  return title === '' ? undefined : title;
}
