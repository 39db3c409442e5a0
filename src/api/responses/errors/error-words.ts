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

  /** A message may have a line for each problem. */
  function addText(words: string, rank: number): void {
    const lines = words.split('\n').slice(0, maxTexts);
    const kept = lines.filter((line) => {
      const { paths, message, isLabel } = readSentence(line.replace(/^\s*[-*•]\s/, '').trim());
      const named = paths.map((path) => ({ path, message: oneLine(message) }));
      if (isLabel) named.forEach(addIssue);
      else sentences.push(...named);
      return !isLabel;
    });
    const text = oneLine(kept.join('\n'));
    if (text !== '' && ranked.length < maxTexts) ranked.push({ text, rank });
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
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) {
        // Order lines with problems by field name have their index in the path; problems do not.
        const isLine = isField && isJsonObject(item) && !isProblem(item);
        const segments = isLine ? [...place.segments, String(index)] : place.segments;
        const isMap = place.isMap && (isLine || !isJsonObject(item));
        if (typeof item !== 'string')
          visit(item, { ...inner, segments, isMap, isItem: true, rank: place.rank + 1 });
      }
    if (!isJsonObject(value)) return;
    const members: Members = new Map(Object.entries(value).map(([key, one]) => [names.plainName(key), one]));
    const segments = addObject(members, place, true) ?? place.segments;
    const isRead = (name: string, one: Json) =>
      segments !== place.segments &&
      (name === 'params' || (names.isOwnName(name) && textsIn(one).length > 0));
    for (const [key, one] of Object.entries(value))
      if (remaining >= 0 && !isRead(names.plainName(key), one))
        visitMember(key, one, { ...inner, segments }, members);
  }

  /** Returns the field that the object names. */
  function addObject(members: Members, place: Place, isCertain: boolean): string[] | undefined {
    const isPart = place.isItem || place.segments.length > 0;
    const outer = readFieldPath(place.segments);
    const own = fieldsOf(members, isPart, outer);
    const text = textIn(members, place, own.length > 0);
    const fields = own.length > 0 || outer === undefined ? own : withMissing(outer, text);
    if (!isCertain && fields.length > 0) {
      const message = oneLine(text);
      if (message !== '' && otherTexts.length < maxTexts)
        otherTexts.push(...fields.map((path) => ({ path, message })));
    } else if (fields.length > 0) addProblem(fields, text, members);
    if (fields.length === 0 || !isPart) {
      codes.push(...codesIn(members, place.rank));
      requestIds.push(
        ...[...members].flatMap(([name, id]) =>
          names.requestIdName.test(name) && typeof id === 'string' ? id : [],
        ),
      );
      addText(text, place.rank);
    }
    return own.length === 1 && isPart ? own : undefined;
  }

  function addProblem(paths: readonly string[], words: string, members: Members): void {
    const stated = codesIn(members).map(({ code }) => code);
    const sentence = readSentence(words);
    const isSaid = sentence.isLabel && sentence.paths.some((path) => paths.includes(path));
    const message = oneLine((isSaid ? sentence.message : words) || (stated[0] ?? ''));
    const code = stated.find((text) => text !== message);
    const [value] = [...members].flatMap(([name, one]) =>
      names.valueName.test(name) ? oneLine(scalarOf(one)) || [] : [],
    );
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
      (role === 'envelope' && (isText || (place.isMap && isList))) ||
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

  /** Its messages, else its heading, else its status. */
  function textIn(members: Members, place: Place, isAtField: boolean): string {
    const [messages = [], details = [], headings = []] = names.textNames.map((shape) =>
      [...members].flatMap(([name, value]) => {
        const texts = shape.test(name) && (isAtField || typeof value === 'string') ? textsIn(value) : [];
        return joinTexts(texts.map((text) => wordsOf(text, place)).filter(Boolean)) ?? [];
      }),
    );
    const texts = [...messages, ...details];
    const [first, ...more] = texts.filter((text) => !isStatusPhrase(text));
    const heading = headings.find((text) => !isStatusPhrase(text)) ?? texts[0] ?? headings[0] ?? '';
    return first === undefined ? heading : (joinTexts([first, ...more.filter(hasSpace)]) ?? '');
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

const word = /^[A-Za-z][\w.-]{0,99}$/;
export const screaming = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Others are flags, or statuses of HTTP. */
const longNumber = /^(?:[16-9]\d\d|[1-9]\d{3,19})$/;
const vagueType = /^(?:blank|errors?|problems?|validation|rfc\d.*|section-.*|\w+response)$/i;
/** Kinds of values, and what express-validator and zod call problems with a field. */
const kindOfValue =
  /^(?:field|alternative(?:_grouped)?|unknown_fields|string|number|boolean|object|array|custom|validation|schema|[Ee]rror)$/;

const isCode = (text: string) => word.test(text) && !kindOfValue.test(text) && !isUuid(text);
const isName = (text: string) => screaming.test(text) && !isStatusPhrase(text);

/** The names and shapes of codes, best first. Problems with a field have no rank. */
const codeShapes: readonly [RegExp, (text: string, rank?: number) => boolean][] = [
  [/^(?:(?:error|service)?code|errortype)$/, isCode],
  [/^error$/, (text, rank = 0) => rank <= 0 && isCode(text) && !isStatusPhrase(text)],
  [/^type$/, (text, rank = 0) => rank <= 0 && isCode(text) && !vagueType.test(text)],
  [/^(?:issue|reason|keyword|rule|tag|kind|constraint)$/, (text, rank) => rank === undefined && isCode(text)],
  [/^name$/, (text, rank = 1) => rank <= 0 && isName(text)],
  // Google's errors hold the code in `status`, and the HTTP status in `code`.
  [/^status$/, (text, rank = 1) => rank < 0 && screaming.test(text)],
  [/^(?:error)?code$/, (text, rank) => rank !== undefined && longNumber.test(text)],
];

function codesIn(members: Members, rank?: number): Code[] {
  return codeShapes.flatMap(([shape, isShape], order) =>
    [...members].flatMap(([name, value]) => {
      // The last part of a URI.
      const code = scalarOf(value).split(/[/#:]/).at(-1) ?? '';
      return shape.test(name) && isShape(code, rank) ? { code, order, rank: rank ?? 0 } : [];
    }),
  );
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
