import type { ErrorIssue } from '../../errors.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { isUuid } from '../../orders/order-reference.ts';
import * as names from './error-names.ts';
import { hasSpace, isStatusPhrase, isWords, joinTexts, oneLine, readText } from './message-text.ts';
import { fieldsOf, readFieldPath, readSentence, splitPath, withMissing } from './problem-field.ts';

interface ErrorWords {
  /** About the whole error. */
  texts: string[];
  issues: ErrorIssue[];
  /** At names that do not say whether the text is for a person. */
  otherTexts: ErrorIssue[];
  code: string | undefined;
  requestIds: string[];
}

interface Place {
  segments: readonly string[];
  /** Its names are fields. */
  isMap: boolean;
  isItem: boolean;
  /** Negative inside an error object, 0 for the whole body, positive in other objects. */
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
  const sentences: ErrorIssue[] = [];
  const otherTexts: ErrorIssue[] = [];
  const requestIds: string[] = [];
  const codes: (Code & { rank: number })[] = [];
  const texts: string[] = [];
  let remaining = maxValues;

  function visit(value: Json, place: Place): void {
    remaining -= 1;
    if (remaining < 0 || place.depth > maxDepth) return;
    const inner = { ...place, depth: place.depth + 1 };
    if (isJsonObject(value)) return void visitObject(value, inner);
    const said = textsIn(value);
    const path = readFieldPath(place.segments);
    const isSure = place.isMap || (Array.isArray(value) && (place.rank <= 0 || said.some(hasSpace)));
    const words = said.map((text) => wordsOf(text, place)).filter(Boolean);
    if (path === undefined) words.forEach(say);
    else addIssue(isSure ? issues : otherTexts, path, joinTexts(words));
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) {
      // Order lines with problems by field name have their index in the path; problems do not.
      const isLine = place.segments.length > 0 && isJsonObject(item) && !isProblem(item);
      const segments = isLine ? [...place.segments, String(index)] : place.segments;
      const isMap = place.isMap && (isLine || !isJsonObject(item));
      if (typeof item !== 'string')
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
    const isPart = place.isItem || place.segments.length > 0;
    const outer = readFieldPath(place.segments);
    const fields = fieldsOf(members, isPart, outer);
    const words = textsOf(members, place, fields.length > 0);
    const paths = fields.length > 0 || outer === undefined ? fields : [outer];
    for (const path of paths) addIssue(issues, path, joinTexts(words), codesIn(members)[0]?.code);
    if (paths.length === 0 || !isPart) {
      codes.push(...codesIn(members, place.rank).map((found) => ({ ...found, rank: place.rank })));
      requestIds.push(...valuesAt(members, names.requestIdName).map(scalarOf));
      words.forEach(say);
    }
    const segments = fields.length === 1 && isPart ? fields : place.segments;
    for (const [key, name, value] of entries) {
      const isText = names.isOwnName(name) && textsIn(value).length > 0;
      const isRead = fields.length > 0 && (isText || name === 'params');
      if (remaining >= 0 && !isRead) visitMember(key, value, { ...place, segments }, members);
    }
  }

  function visitMember(key: string, value: Json, place: Place, members: Members): void {
    const name = names.plainName(key);
    const isText = typeof value === 'string';
    if (isText && (names.isTextName(name) || (name === 'status' && !hasSpace(value)))) return;
    // zod's error tree has the problems of elements in `items`, beside those of the list.
    const isTree = name === 'items' && place.segments.length > 0 && Array.isArray(members.get('errors'));
    const role = isTree ? 'envelope' : names.roleOf(name);
    const isList = Array.isArray(value) && textsIn(value).length > 0;
    const isSentence = textsIn(value).some(hasSpace);
    const isField =
      role === undefined ||
      (role === 'envelope' && (isText || (isList && (place.isMap || name === 'status')))) ||
      (role === 'fact' && (place.isMap ? isList || isSentence : isList && isSentence));
    const rank = role === 'error' ? Math.min(place.rank, 0) - 1 : place.rank + 1;
    if (isField) visit(value, { ...place, rank, segments: [...place.segments, ...splitPath(key)] });
    else if (role === 'whole') visit(isJsonObject(value) ? Object.values(value) : value, { ...place, rank });
    else if (role !== 'fact' && role !== 'nothing')
      // OData wraps the text with its language.
      visit((name === 'message' && member(value, 'value')) || value, {
        ...place,
        rank,
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

  /** A message may have a line for each of several fields. */
  function say(text: string): void {
    const others = text
      .replace(symfonyPlace, '$1: ')
      .split(/\n|; (?=[\w.[\]]{1,100}: )/)
      .filter((line) => {
        const { path, message, isLabel } = readSentence(line.replace(/^\s*[-*•]\s/, '').trim());
        if (path !== undefined) addIssue(isLabel ? issues : sentences, path, message);
        return !isLabel;
      });
    const line = oneLine(others.join('\n'));
    if (line !== '' && texts.length < maxTexts) texts.push(line);
  }

  visit(body, { segments: [], isMap: false, isItem: false, rank: 0, depth: 0 });
  codes.sort((one, other) => one.order - other.order || one.rank - other.rank);
  // Beside fields, the text about the whole error often repeats the first one.
  return {
    texts,
    issues: issues.length > 0 ? issues : sentences,
    otherTexts,
    code: codes[0]?.code,
    requestIds,
  };
}

/** Symfony's text of problems has the place on a line above each: `Object(App\Order).items[0].quantity:`. */
const symfonyPlace = /^[ \t]{0,8}(?:Object\([^()\n]{1,200}\)|Array)\.?(\S{1,200}):\n[ \t]*/gm;

function addIssue(issues: ErrorIssue[], place: string, words = '', code?: string): void {
  const sentence = readSentence(words);
  const message = oneLine((sentence.path === place ? sentence.message : words) || (code ?? ''));
  const path = withMissing(place, message);
  const isKnown = issues.some((issue) => issue.path === path && issue.message === message);
  if (message === '' || isKnown || issues.length >= maxIssues) return;
  issues.push({ path, ...(code !== undefined && code !== message ? { code } : {}), message });
}

/** The reason of a `google.rpc.ErrorInfo` is the code of the service. */
function errorInfoIn({ '@type': type, reason: code }: JsonObject): string | undefined {
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

/** `order`: by the name of its member. */
interface Code {
  code: string;
  order: number;
}

function codesIn(members: Members, rank?: number): Code[] {
  return codeShapes.flatMap(([shape, isShape], order) =>
    valuesAt(members, shape)
      // The last part of a URI.
      .map((value) => scalarOf(value).split(/[/#:]/).at(-1) ?? '')
      .filter((code) => isShape(code, rank))
      .map((code) => ({ code, order })),
  );
}

function valuesAt(members: Members, names: RegExp): Json[] {
  return [...members].filter(([name]) => names.test(name)).map(([, value]) => value);
}

function isProblem(item: JsonObject): boolean {
  return Object.entries(item).some(([key, value]) => {
    const name = names.plainName(key);
    return typeof value === 'string' ? names.isOwnName(name) : name === 'message' || name === 'msg';
  });
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(0, maxTexts) : [];
}

function scalarOf(value: Json): string {
  return isJsonNumber(value) ? value.toString() : typeof value === 'string' ? value : '';
}
