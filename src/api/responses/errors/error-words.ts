import type { ErrorIssue } from '../../../errors.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../../orders/json.ts';
import { isUuid } from '../../../orders/order-reference.ts';
import { hasSpace, isStatusPhrase, isWords, joinTexts, oneLine, readText } from '../message-text.ts';
import * as names from './error-names.ts';
import { fieldsOf, readFieldPath, readSentence, splitPath, withMissing } from './problem-field.ts';

interface ErrorWords {
  /** About the whole error, best first. */
  texts: string[];
  issues: ErrorIssue[];
  /** At names that do not say whether the text is for a person. */
  otherTexts: ErrorIssue[];
  code: string | undefined;
  requestIds: string[];
}

/** `order`: by the name of its member. */
interface Code {
  code: string;
  order: number;
  rank: number;
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

/** All texts for a person but those that were `sent`, and the fields that they are about. */
export function readErrorWords(body: Json, sent: ReadonlySet<string>): ErrorWords {
  const issues: ErrorIssue[] = [];
  const otherTexts: ErrorIssue[] = [];
  const requestIds: string[] = [];
  const codes: Code[] = [];
  const ranked: { text: string; rank: number }[] = [];
  const sentences: ErrorIssue[] = [];
  let remaining = maxValues;

  function addIssue(issue: ErrorIssue): void {
    const isKnown = issues.some(({ path, message }) => path === issue.path && message === issue.message);
    if (issue.message !== '' && !isKnown && issues.length < maxIssues) issues.push(issue);
  }

  function addTexts(texts: readonly string[], rank: number): void {
    const kept = texts.map((text) => problemsIn(text).slice(0, maxTexts).filter(isNoLabel).join('\n'));
    const text = oneLine(joinTexts(kept.filter(Boolean)) ?? '');
    if (text !== '' && ranked.length < maxTexts) ranked.push({ text, rank });
  }

  function isNoLabel(line: string): boolean {
    const { paths, message, isLabel } = readSentence(line.replace(/^\s*[-*•]\s/, '').trim());
    const named = paths.map((path) => ({ path, message: oneLine(message) }));
    if (isLabel) named.forEach(addIssue);
    else sentences.push(...named);
    return !isLabel;
  }

  function visit(value: Json, place: Place): void {
    remaining -= 1;
    if (remaining < 0 || place.depth > maxDepth) return;
    const texts = textsIn(value);
    const isField = place.segments.length > 0;
    if (typeof value === 'string' || (isField && texts.length > 0)) {
      const isCertain = place.isMap || (Array.isArray(value) && (place.rank <= 0 || texts.some(hasSpace)));
      addObject(new Map([['message', joinTexts(texts) ?? '']]), place, isCertain);
    } else for (const text of texts) visit(text, place);
    const inner = { ...place, depth: place.depth + 1 };
    if (isJsonObject(value)) visitObject(value, inner);
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) {
      if (typeof item === 'string') continue;
      // Order lines with problems by field name have their index in the path; problems do not.
      const isLine = isField && isJsonObject(item) && !isProblem(item);
      const segments = isLine ? [...place.segments, String(index)] : place.segments;
      const isMap = place.isMap && (isLine || !isJsonObject(item));
      visit(item, { ...inner, segments, isMap, isItem: true, rank: place.rank + 1 });
    }
  }

  function visitObject(object: JsonObject, place: Place): void {
    const info = errorInfoIn(object);
    if (info !== undefined) return void codes.push({ code: info, order: -1, rank: place.rank });
    const entries = Object.entries(withExtensions(object)).map(
      ([key, value]) => [key, names.plainName(key), value] as const,
    );
    const members = new Map(entries.map(([, name, value]) => [name, value]));
    const fields = addObject(members, place, true);
    const segments = fields.length === 1 && isPart(place) ? fields : place.segments;
    for (const [key, name, value] of entries) {
      const isText = names.isOwnName(name) && textsIn(value).length > 0;
      const isRead = fields.length > 0 && (isText || name === 'params');
      if (remaining >= 0 && !isRead) visitMember(key, value, { ...place, segments }, members);
    }
  }

  /** Returns the fields that the object names. */
  function addObject(members: Members, place: Place, isCertain: boolean): string[] {
    const outer = readFieldPath(place.segments);
    const own = fieldsOf(members, isPart(place), outer);
    const texts = textsOf(members, place, own.length > 0);
    const text = joinTexts(texts) ?? '';
    const fields = own.length > 0 || outer === undefined ? own : withMissing(outer, text);
    if (!isCertain && fields.length > 0) {
      const message = oneLine(text);
      if (message !== '' && otherTexts.length < maxTexts)
        otherTexts.push(...fields.map((path) => ({ path, message })));
    } else if (fields.length > 0) addProblem(fields, text, members);
    if (fields.length === 0 || !isPart(place)) {
      codes.push(...codesIn(members, place.rank));
      requestIds.push(...valuesAt(members, names.requestIdName).map(scalarOf));
      addTexts(texts, place.rank);
    }
    return own;
  }

  function addProblem(paths: readonly string[], words: string, members: Members): void {
    const stated = codesIn(members).map(({ code }) => code);
    const sentence = readSentence(words);
    const isSaid = sentence.isLabel && sentence.paths.some((path) => paths.includes(path));
    const message = oneLine((isSaid ? sentence.message : words) || (stated[0] ?? ''));
    const code = stated.find((text) => text !== message);
    const values = valuesAt(members, names.valueName).map((one) => oneLine(scalarOf(one)));
    const value = values.find(Boolean);
    for (const path of paths) addIssue({ path, ...(code && { code }), message, ...(value && { value }) });
  }

  function visitMember(key: string, value: Json, place: Place, members: Members): void {
    const name = names.plainName(key);
    const isText = typeof value === 'string';
    if (isText && (names.isTextName(name) || (name === 'status' && !hasSpace(value)))) return;
    // zod's error tree has the problems of elements in `items`, beside those of the list.
    const isTree = name === 'items' && place.segments.length > 0 && Array.isArray(members.get('errors'));
    const role = isTree ? 'envelope' : names.roleOf(name);
    const inner = { ...place, rank: role === 'problem' ? Math.min(place.rank, 0) - 1 : place.rank + 1 };
    const isList = Array.isArray(value) && textsIn(value).length > 0;
    const isSentence = textsIn(value).some(hasSpace);
    const isField =
      role === undefined ||
      (role === 'envelope' && (isText || (isList && (place.isMap || name === 'status')))) ||
      (role === 'fact' && (place.isMap ? isList || isSentence : isList && isSentence));
    if (isField) visit(value, { ...inner, segments: [...place.segments, ...splitPath(key)] });
    else if (role === 'whole') visit(isJsonObject(value) ? Object.values(value) : value, inner);
    else if (role !== 'fact' && role !== 'nothing')
      // OData wraps the text with its language.
      visit((name === 'message' && member(value, 'value')) || value, {
        ...inner,
        isMap: place.isMap || role === 'map',
      });
  }

  /** Its messages, else its headings, else its status. */
  function textsOf(members: Members, place: Place, isAtField: boolean): string[] {
    const [messages = [], details = [], headings = []] = names.textNames.map((shape) =>
      valuesAt(members, shape).flatMap((value) => {
        const texts = isAtField || typeof value === 'string' ? textsIn(value) : [];
        return joinTexts(texts.map((text) => wordsOf(text, place)).filter(Boolean)) ?? [];
      }),
    );
    const isSaying = (text: string) => !isStatusPhrase(text);
    const [first, ...more] = [...messages, ...details].filter(isSaying);
    if (first !== undefined) return [first, ...more.filter(hasSpace)];
    const sentences = headings.filter(isSaying).filter(hasSpace);
    if (sentences.length > 0) return sentences;
    return [...headings.filter(isSaying), ...messages, ...details, ...headings].slice(0, 1);
  }

  function wordsOf(text: string, place: Place): string {
    const { words, embedded } = readText(text);
    const segments = place.isMap ? place.segments : [];
    if (embedded !== undefined) visit(embedded, { ...place, segments, isMap: true, depth: place.depth + 1 });
    return isWords(words) && !sent.has(words) ? words : '';
  }

  visit(body, { segments: [], isMap: false, isItem: false, rank: 0, depth: 0 });
  // The text about the whole error often repeats the first problem.
  const problems = [...issues];
  const isKnown = ({ path, message }: ErrorIssue) =>
    problems.some((one) => one.path === path || one.path.endsWith(`.${path}`) || one.message === message);
  for (const issue of sentences) if (!isKnown(issue)) addIssue(issue);
  codes.sort((one, other) => one.order - other.order || one.rank - other.rank);
  const texts = ranked.sort((one, other) => one.rank - other.rank).map(({ text }) => text);
  return { texts, issues, otherTexts, code: codes[0]?.code, requestIds };
}

/** A message may have a line for each problem, or a label for each of several in a line: `total: …; items[0].sku: …`. */
function problemsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const parts = line.split('; ', maxTexts + 1);
    return parts.length <= maxTexts && parts.every((part) => readSentence(part).isLabel) ? parts : [line];
  });
}

/** The reason of a `google.rpc.ErrorInfo` is the code of the service. */
function errorInfoIn(object: JsonObject): string | undefined {
  const { '@type': type, reason: code } = object;
  const isInfo = typeof type === 'string' && type.endsWith('google.rpc.ErrorInfo');
  return isInfo && typeof code === 'string' && word.test(code) ? code : undefined;
}

/** GraphQL has the code of an error in `extensions`. */
function withExtensions(object: JsonObject): JsonObject {
  const { extensions, ...rest } = object;
  if (!isJsonObject(extensions) || typeof extensions.code !== 'string') return object;
  const { code, ...others } = extensions;
  return { code, ...rest, extensions: others };
}

const word = /^[A-Za-z][\w.-]{0,99}$/;
export const screaming = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Others are flags, or statuses of HTTP. */
const longNumber = /^(?:[16-9]\d\d|[1-9]\d{3,19})$/;
const vagueType = /^(?:blank|errors?|problems?|validation|rfc\d.*|section-.*|\w+response)$/i;
/** Kinds of values, and what express-validator and zod call problems with a field. */
const kindOfValue =
  /^(?:field|alternative(?:_grouped)?|unknown_fields|string|number|boolean|object|array|custom|validation|schema)$/;

/** Class names of frameworks. */
const className =
  /^(?:\w*Validation|Zod|Vali|Bad_?Request|Http|Type|Syntax|UnprocessableEntity)?(?:Error|Exception)$|(?:Error|Exception)$(?<=\..*)/i;

const isCode = (text: string) => word.test(text) && !kindOfValue.test(text) && !isUuid(text);
const isName = (text: string) => isCode(text) && !isStatusPhrase(text);

/** The names and shapes of codes, best first. Problems with a field have no rank. */
const codeShapes: readonly [RegExp, (text: string, rank?: number) => boolean][] = [
  [/^(?:(?:error|service)?code|errortype)$/, isCode],
  [/^error$/, (text, rank = 0) => rank <= 0 && isName(text)],
  [/^type$/, (text, rank = 0) => rank <= 0 && isCode(text) && !vagueType.test(text)],
  [/^(?:issue|reason|keyword|rule|tag|kind|constraint)$/, (text, rank) => rank === undefined && isCode(text)],
  [/^name$/, (text, rank = 1) => rank <= 0 && isName(text) && !className.test(text)],
  // Google's errors hold the code in `status`, and the HTTP status in `code`.
  [/^status$/, (text, rank = 1) => rank < 0 && screaming.test(text)],
  [/^(?:error)?code$/, (text, rank) => rank !== undefined && longNumber.test(text)],
];

function codesIn(members: Members, rank?: number): Code[] {
  return codeShapes.flatMap(([names, isShape], order) =>
    valuesAt(members, names)
      // The last part of a URI.
      .map((value) => scalarOf(value).split(/[/#:]/).at(-1) ?? '')
      .filter((code) => isShape(code, rank))
      .map((code) => ({ code, order, rank: rank ?? 0 })),
  );
}

function valuesAt(members: Members, names: RegExp): Json[] {
  return [...members].filter(([name]) => names.test(name)).map(([, value]) => value);
}

/** Of the body, not the whole. */
function isPart({ isItem, segments }: Place): boolean {
  return isItem || segments.length > 0;
}

function isProblem(item: JsonObject): boolean {
  return Object.entries(item).some(([key, value]) => {
    const name = names.plainName(key);
    return typeof value === 'string' ? names.isOwnName(name) : name === 'message' || name === 'msg';
  });
}

function textsIn(value: Json | readonly Json[]): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(0, maxTexts) : [];
}

function scalarOf(value: Json): string {
  return isJsonNumber(value) ? value.toString() : typeof value === 'string' ? value : '';
}
