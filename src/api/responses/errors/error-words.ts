import type { ErrorIssue } from '../../../errors.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../../orders/json.ts';
import { isUuid } from '../../../orders/order-reference.ts';
import { hasSpace, isStatusPhrase, isWords, joinTexts, oneLine, readText } from '../message-text.ts';
import {
  fieldName,
  isTextName,
  plainName,
  problemCodeNames,
  requestIdName,
  roleOf,
  textNames,
  valueName,
} from './error-names.ts';
import { fieldsOf, readFieldPath, readSentence, splitPath, withMissing } from './problem-field.ts';

export interface ErrorWords {
  texts: { text: string; rank: number; isHeading: boolean }[];
  issues: ErrorIssue[];
  /** At names that do not say whether the text is for a person. */
  otherTexts: ErrorIssue[];
  codes: { code: string; order: number; rank: number }[];
  requestIds: string[];
}

/** `rank`: negative inside an error object, 0 for the whole body, positive in other objects. */
interface Place {
  segments: readonly string[];
  isMap: boolean;
  isItem: boolean;
  rank: number;
  depth: number;
}

type Members = ReadonlyMap<string, Json>;

const maxDepth = 16;
const maxValues = 20_000;
const maxIssues = 100;
const maxTexts = 20;

/** All texts for a person, and the fields that they are about. */
export function readErrorWords(body: Json): ErrorWords {
  const found: ErrorWords = { texts: [], issues: [], otherTexts: [], codes: [], requestIds: [] };
  const known = new Set<string>();
  const sentences: ErrorIssue[] = [];
  let remaining = maxValues;

  function addIssue(issue: ErrorIssue): void {
    const key = JSON.stringify([issue.path, issue.message]);
    if (issue.message === '' || known.has(key) || found.issues.length >= maxIssues) return;
    known.add(key);
    found.issues.push(issue);
  }

  /** A message may have a line for each problem. */
  function addText(words: string, rank: number, isHeading: boolean): void {
    const lines = words.split('\n').slice(0, maxTexts);
    const kept = lines.filter((line) => {
      const { paths, message, isLabel } = readSentence(line.trim());
      const issues = paths.map((path) => ({ path, message: oneLine(message) }));
      if (isLabel) issues.forEach(addIssue);
      else sentences.push(...issues);
      return !isLabel;
    });
    const text = oneLine(kept.join('\n'));
    if (text !== '' && found.texts.length < maxTexts) found.texts.push({ text, rank, isHeading });
  }

  function addAtField(texts: readonly string[], place: Place, isCertain: boolean): void {
    if (found.issues.length >= maxIssues) return;
    const path = readFieldPath(place.segments);
    const message = oneLine(joinTexts(texts.map((text) => wordsOf(text, place)).filter(Boolean)) ?? '');
    if (message === '') return;
    if (path === undefined) addText(message, place.rank, false);
    else if (isCertain) for (const one of withMissing(path, message)) addIssue({ path: one, message });
    else if (found.otherTexts.length < maxTexts) found.otherTexts.push({ path, message });
  }

  function visit(value: Json, place: Place): void {
    remaining -= 1;
    if (remaining < 0 || place.depth > maxDepth) return;
    if (Array.isArray(value)) visitList(value, place);
    else if (isJsonObject(value)) visitObject(value, place);
    else if (typeof value !== 'string') return;
    else if (place.segments.length > 0) addAtField([value], place, place.isMap);
    else addText(wordsOf(value, place), place.rank + 1, false);
  }

  function visitList(list: readonly Json[], place: Place): void {
    const texts = textsIn(list);
    const isField = place.segments.length > 0;
    if (isField) addAtField(texts, place, place.isMap || texts.some(hasSpace));
    else for (const text of texts) visit(text, place);
    const inner = { ...place, isItem: true, rank: place.rank + 1, depth: place.depth + 1 };
    for (const [index, item] of list.entries()) {
      if (remaining < 0) return;
      // Order lines with problems by field name have their index in the path; problems do not.
      const isLine = isField && isJsonObject(item) && !isProblem(item);
      const segments = isLine ? [...place.segments, String(index)] : place.segments;
      if (isJsonObject(item)) visit(item, { ...inner, segments, isMap: place.isMap && isLine });
      else if (textsIn(item).length > 0 && Array.isArray(item)) visit(item, { ...place, depth: inner.depth });
    }
  }

  function visitObject(object: JsonObject, place: Place): void {
    const members = membersOf(object);
    const isPart = place.isItem || place.segments.length > 0;
    const outer = readFieldPath(place.segments);
    const own = fieldsOf(members, isPart, outer);
    const fields = own.length === 0 && outer !== undefined ? [outer] : own;
    const { text, isHeading } = textIn(members, place, own.length > 0);
    if (fields.length > 0) addProblem(fields, text, members);
    if (fields.length === 0 || !isPart) {
      found.codes.push(...codesIn(members, place.rank));
      found.requestIds.push(...textsAt(members, requestIdName));
      addText(text, place.rank, isHeading);
    }
    const inner = { ...place, depth: place.depth + 1, ...(own.length === 1 && isPart && { segments: own }) };
    for (const [key, value] of Object.entries(object)) {
      if (remaining < 0) return;
      const name = plainName(key);
      const isRead = own.length > 0 && (name === 'params' || (isOwnName(name) && textsIn(value).length > 0));
      if (!isRead) visitMember(key, value, inner, members);
    }
  }

  function addProblem(paths: readonly string[], words: string, members: Members): void {
    const codes = problemCodeNames.flatMap((names) => textsAt(members, names)).filter(isCodeOfProblem);
    const sentence = readSentence(words);
    const isSaid = sentence.isLabel && sentence.paths.some((path) => paths.includes(path));
    const message = oneLine((isSaid ? sentence.message : words) || (codes[0] ?? ''));
    const code = codes.find((text) => text !== message);
    const value = [...members]
      .map(([name, one]) => (valueName.test(name) ? oneLine(scalarOf(one)) : ''))
      .find(Boolean);
    for (const path of paths) addIssue({ path, ...(code && { code }), message, ...(value && { value }) });
  }

  function visitMember(key: string, value: Json, place: Place, members: Members): void {
    const name = plainName(key);
    const isText = typeof value === 'string';
    if (!isText && !Array.isArray(value) && !isJsonObject(value)) return;
    if (isText && (isTextName(name) || (name === 'status' && !hasSpace(value)))) return;
    // zod's error tree has the problems of elements in `items`, beside those of the list.
    const isTree = name === 'items' && place.segments.length > 0 && Array.isArray(members.get('errors'));
    const role = isTree ? 'envelope' : roleOf(name);
    const inner = { ...place, rank: place.rank + 1 };
    const atField = { ...inner, segments: [...place.segments, ...splitPath(key)] };
    const isList = Array.isArray(value) && textsIn(value).length > 0;
    const isSentence = textsIn(value).some(hasSpace);
    // OData wraps the text with its language.
    const message = name === 'message' ? member(value, 'value') : undefined;
    if (role === 'nothing') return;
    if (message !== undefined) visit(message, place);
    else if (role === 'problem') visit(value, { ...place, rank: Math.min(place.rank, 0) - 1 });
    else if (role === 'whole')
      for (const text of isJsonObject(value) ? Object.values(value) : [value]) visit(text, inner);
    else if (
      role === 'fact'
        ? place.isMap
          ? isList || isSentence
          : isList && isSentence
        : isText || role === undefined
    )
      visit(value, atField);
    else if (role === 'envelope' && place.isMap && isList) visit(value, atField);
    else if (role !== 'fact') visit(value, { ...inner, isMap: place.isMap || role === 'map' });
  }

  /** Its messages, else its heading, else its status. */
  function textIn(members: Members, place: Place, isAtField: boolean) {
    const [messages, details, headings] = textNames.map((names) =>
      [...members].flatMap(([name, value]) => {
        const texts = names.test(name) && (isAtField || typeof value === 'string') ? textsIn(value) : [];
        return (
          texts
            .map((text) => wordsOf(text, place))
            .filter(Boolean)
            .join('; ') || []
        );
      }),
    ) as [string[], string[], string[]];
    const isSaying = (text: string) => !isStatusPhrase(text);
    const texts = [...messages, ...details];
    const [first, ...more] = texts.filter(isSaying);
    if (first !== undefined)
      return { text: joinTexts([first, ...more.filter(hasSpace)]) ?? '', isHeading: false };
    return { text: headings.find(isSaying) ?? texts[0] ?? headings[0] ?? '', isHeading: true };
  }

  function wordsOf(text: string, place: Place): string {
    const { words, embedded } = readText(text);
    const segments = place.isMap ? place.segments : [];
    if (embedded !== undefined) visit(embedded, { ...place, segments, isMap: true, depth: place.depth + 1 });
    return isWords(words) ? words : '';
  }

  visit(body, { segments: [], isMap: false, isItem: false, rank: 0, depth: 0 });
  // The text about the whole error often repeats the first problem.
  const problems = [...found.issues];
  const isKnown = ({ path, message }: ErrorIssue) =>
    problems.some((one) => one.path === path || one.path.endsWith(`.${path}`) || one.message === message);
  for (const issue of sentences) if (!isKnown(issue)) addIssue(issue);
  return found;
}

const codeShape = /^[A-Za-z][\w.-]{0,99}$/;
export const screaming = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Shorter numbers are statuses or flags. */
const numericCode = /^[1-9]\d{3,19}$/;
const vagueType = /^(?:blank|errors?|problems?|validation|rfc\d.*|section-.*|\w+response)$/i;
/** Kinds of values, and what express-validator and zod call problems with a field. */
const vagueKind =
  /^(?:field|alternative(?:_grouped)?|unknown_fields|string|number|boolean|object|array|custom|validation|schema)$/;

function isCodeOfProblem(text: string): boolean {
  return codeShape.test(text) && !vagueKind.test(text) && !isUuid(text);
}

/** By their names and shapes, best first. */
const codeShapes: readonly [RegExp, (text: string, rank: number) => boolean][] = [
  [/^(?:(?:error|service)?code|errortype)$/, (text) => codeShape.test(text)],
  [/^error$/, (text, rank) => rank <= 0 && codeShape.test(text) && !isStatusPhrase(text)],
  [/^type$/, (text, rank) => rank <= 0 && codeShape.test(text) && !vagueType.test(text)],
  [/^name$/, (text, rank) => rank <= 0 && screaming.test(text) && !isStatusPhrase(text)],
  // Google's errors hold the code in `status`, and the HTTP status in `code`.
  [/^status$/, (text, rank) => rank < 0 && screaming.test(text)],
  [/^(?:error)?code$/, (text) => numericCode.test(text)],
];

function codesIn(members: Members, rank: number): ErrorWords['codes'] {
  return codeShapes.flatMap(([names, isCode], order) =>
    [...members].flatMap(([name, value]) => {
      // The last part of a URI.
      const code = scalarOf(value).split(/[/#:]/).at(-1) ?? '';
      return names.test(name) && isCode(code, rank) ? { code, order, rank } : [];
    }),
  );
}

function membersOf(object: JsonObject): Members {
  const members = new Map<string, Json>();
  for (const [key, value] of Object.entries(object)) {
    const name = plainName(key);
    if (!members.has(name)) members.set(name, value);
  }
  return members;
}

/** Whether a name belongs to a problem itself. */
function isOwnName(name: string): boolean {
  return [fieldName, valueName, ...problemCodeNames, ...textNames].some((names) => names.test(name));
}

function isProblem(item: JsonObject): boolean {
  return Object.entries(item).some(([key, value]) => {
    const name = plainName(key);
    return typeof value === 'string' ? isOwnName(name) : name === 'message' || name === 'msg';
  });
}

function textsIn(value: Json | readonly Json[]): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(0, maxTexts) : [];
}

function textsAt(members: Members, names: RegExp): string[] {
  return [...members].flatMap(([name, value]) =>
    names.test(name) && typeof value === 'string' ? [value] : [],
  );
}

function scalarOf(value: Json): string {
  return isJsonNumber(value) ? value.toString() : typeof value === 'string' ? value : '';
}
