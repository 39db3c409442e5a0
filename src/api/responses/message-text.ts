import { STATUS_CODES } from 'node:http';
import type { ErrorIssue } from '../../errors.ts';
import { isJsonObject, type Json, parseJson } from '../../orders/json.ts';
import { isUuid } from '../../orders/order-reference.ts';
import { decodeEntities, findPage, textOfPage, visiblePart } from './page-text.ts';

const maxTextLength = 20_000;
const maxMessageLength = 300;
const maxTexts = 20;

const escapeSequence = /(?!\s)\p{Cc}\[[\d;?]*[A-Za-z]/gu;

/** At most 300 characters on one line, without escape sequences, control characters and lone surrogates. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, maxTextLength)
    .replace(escapeSequence, '')
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  if (line.length <= maxMessageLength) return line;
  return `${line.slice(0, maxMessageLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Joins texts without repetitions; undefined if there are none. */
export function joinTexts(texts: readonly string[]): string | undefined {
  const said: string[] = [];
  for (const text of texts.slice(0, maxTexts)) {
    if (!said.some((other) => other.includes(withoutStop(text)))) said.push(text);
  }
  const last = said.pop();
  return last === undefined ? undefined : [...said.map(withoutStop), last].join('; ');
}

/** For use inside a sentence. */
export function withoutStop(sentence: string): string {
  return sentence.replace(/(?<![.;:\s])[.;:\s]+$/, '');
}

/** Whether the message includes the text and the field of the issue. */
export function mentions(message: string, issue: Pick<ErrorIssue, 'path' | 'message'>): boolean {
  const spellings = [issue.path, issue.path.replace(/\[(\d+)\]/g, '.$1')];
  return message.includes(String(issue.message)) && spellings.some((spelling) => message.includes(spelling));
}

/** Whether a word of the message, without quotes and marks around it, is this one. */
export function mentionsWord(message: string, word: string): boolean {
  return message.split(/[\s"'“”«»():;,]+/).some((found) => found === word || found === `${word}.`);
}

let phrases: ReadonlySet<string> | undefined;

export function isStatusPhrase(text: string): boolean {
  phrases ??= new Set(Object.values(STATUS_CODES).map((phrase) => lettersOf(phrase ?? '')));
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

export function isWords(text: string): boolean {
  const line = text.slice(0, maxMessageLength).trim();
  return /\p{L}/u.test(line) && !isUuid(line) && !notWords.some((shape) => shape.test(line));
}

export function hasSpace(text: string): boolean {
  return /\S\s/.test(text.trim());
}

const maxEmbeddedLength = 200_000;
const jsonStart = /[[{]\s*["[{\]}]/;
const jsonLook = /[[{]\s*["[{]|"\s*:\s*(?:["{[\d-]|true|false|null)|["\]}]\s*[\]}]/;
const stackFrame =
  /^\s*(?:at\s.|File "|\.{3} \d+ more$|from \S+:\d+:in |Traceback \(|goroutine \d|\S+\.rb:\d+:in |#\d+ (?:\S+\(\d+\): |\{main\}$)|Stack trace:$|--- End of |thrown in \S+ on line \d+$|\S+\.go:\d)/;
const frameInLine = / at (?:async )?[\w.<>$]{1,100} \([^()\s]{1,300}:\d+:\d+\).*/s;
const className = /^(?:[\w$]+\.)*[A-Z]\w*(?:Exception|Error): +/;
const rule = /^\s*[=_*~-]{3,}\s*$/;

/** Separates words from embedded JSON; HTML becomes text, stack traces go. */
export function readText(text: string): { words: string; embedded?: Json } {
  // JSON in the scripts of a page does not count, but a page may be inside JSON text.
  const isPage = (findPage(text) ?? Number.POSITIVE_INFINITY) < jsonPlace(text);
  const visible = isPage ? visiblePart(text) : text;
  const start = jsonPlace(visible);
  const before = visible.slice(0, start);
  const embedded = parseEmbedded(visible.slice(start));
  // A list of words, such as of fields, is part of the sentence around it.
  const isInSentence = Array.isArray(embedded) && embedded.every((item) => typeof item === 'string');
  if (embedded === undefined || (isInSentence && hasSpace(before))) return { words: wordsOf(visible) };
  return { words: withoutStop(wordsOf(before)), embedded };
}

/** The length of the text if it has no JSON. */
function jsonPlace(text: string): number {
  const start = text.search(jsonStart);
  return start < 0 ? text.length : start;
}

function parseEmbedded(text: string): Json | undefined {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  if (end > maxEmbeddedLength) return undefined;
  try {
    const value = parseJson(text.slice(0, end));
    return Array.isArray(value) || isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function wordsOf(text: string): string {
  const page = textOfPage(text);
  const lines = (page === text ? decodeEntities(page) : page).slice(0, maxTextLength).split(/\r?\n/);
  const isTraceback = lines.some((line) => line.startsWith('Traceback (most recent call last)'));
  const kept = lines.filter((line) => !stackFrame.test(line) && !(isTraceback && /^\s/.test(line)));
  const words = withoutStatusHeading(kept).join('\n').trim().replace(frameInLine, '').replace(className, '');
  if (!jsonLook.test(words)) return words;
  const bare = words.replace(/[[\]{}"\\\s]+/g, ' ');
  return bare.replace(/ (?=[:,)])|(?<=\() /g, '').trim();
}

/** Without a first line that only repeats the status, if it is underlined, and without the underlining. */
function withoutStatusHeading(lines: readonly string[]): string[] {
  const kept = lines.filter((line) => !rule.test(line));
  const isHeading =
    rule.test(lines[1] ?? '') && isStatusPhrase(lines[0] ?? '') && kept.slice(1).some(isWords);
  return isHeading ? kept.slice(1) : kept;
}

export function pageTitle(page: string): string | undefined {
  const start = page.slice(0, maxTextLength);
  const opening = /<title\b[^<>]*>/i.exec(start);
  if (opening === null) return undefined;
  const title = oneLine(textOfPage(`<p>${start.slice(opening.index + opening[0].length).split('<')[0]}</p>`));
  return title === '' ? undefined : title;
}
