import type { ErrorIssue } from '../../errors.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { isUuid } from '../../orders/order-reference.ts';
import names from './error-names.json' with { type: 'json' };
import { hasSpace, isStatusPhrase, isWords, joinTexts, oneLine, readText } from './message-text.ts';
import { isInOrder, readFieldPath, readSentence, splitPath, withMissing } from './problem-field.ts';

interface Place {
  segments: readonly string[];
  /** Its names are fields. */
  isMap: boolean;
  isItem: boolean;
  depth: number;
}

type Members = ReadonlyMap<string, Json>;

const maxDepth = 16;
const maxValues = 20_000;
const maxIssues = 100;
const maxTexts = 20;
const maxFields = 10;
const maxNameLength = 60;

/** All texts for a person but those that were `sent`, and the fields that they are about. */
export function readErrorWords(body: Json, sent: ReadonlySet<string>) {
  const issues: ErrorIssue[] = [];
  /** Of sentences that begin with a field, which a list of fields beside them repeats. */
  const sentences: ErrorIssue[] = [];
  /** At names that do not say whether the text is for a person. */
  const others: ErrorIssue[] = [];
  const codes: Code[] = [];
  const texts: string[] = [];
  let requestId: string | undefined;
  let remaining = maxValues;

  function visit(value: Json, place: Place): void {
    remaining -= 1;
    if (remaining < 0 || place.depth > maxDepth) return;
    const inner = { ...place, depth: place.depth + 1 };
    if (isJsonObject(value)) return void visitObject(value, inner);
    const path = readFieldPath(place.segments);
    const words = textsIn(value)
      .map((text) => wordsOf(text, inner))
      .filter(Boolean);
    if (path === undefined) words.forEach(say);
    else addIssue(place.isMap || Array.isArray(value) ? issues : others, path, joinTexts(words));
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) {
      if (typeof item === 'string') continue;
      // Order lines with problems by field name have their index in the path; problems do not.
      const isLine = place.segments.length > 0 && isJsonObject(item) && !isProblem(item);
      const segments = isLine ? [...place.segments, String(index)] : place.segments;
      const isMap = place.isMap && (isLine || !isJsonObject(item));
      visit(item, { ...inner, segments, isMap, isItem: true });
    }
  }

  function visitObject(object: JsonObject, place: Place): void {
    const entries = Object.entries(object);
    const members = new Map(entries.map(([key, value]) => [plainName(key), value]));
    const isPart = place.isItem || place.segments.length > 0;
    const outer = readFieldPath(place.segments);
    const fields = fieldsOf(members, isPart, outer);
    const paths = fields.length > 0 || outer === undefined ? fields : [outer];
    const words = textsOf(members, place, fields.length > 0);
    const found = codesIn(members, isPart && paths.length > 0);
    if (words.length > 0 || fields.length > 0)
      for (const path of paths) addIssue(issues, path, joinTexts(words), found[0]?.code);
    if (paths.length === 0 || !isPart) {
      codes.push(...found);
      requestId ??= names.requestIds.map((name) => scalarOf(members.get(name))).find(Boolean);
      words.forEach(say);
    }
    const segments = fields.length === 1 && isPart ? fields : place.segments;
    for (const [key, value] of entries) {
      const name = plainName(key);
      const isOwn =
        fields.length > 0 ? isOwnName(name) : isPart && !place.isMap && names.fields.includes(name);
      const isSaid = (isOwn && textsIn(value).length > 0) || (isPart && name === 'params');
      if (!isSaid && remaining >= 0) visitMember(key, value, { ...place, segments }, members);
    }
  }

  function visitMember(key: string, value: Json, place: Place, members: Members): void {
    const name = plainName(key);
    const isText = typeof value === 'string';
    if (names.ignored.includes(name) || /^[@$](?!\.|$)/.test(key)) return;
    if (isText && (isTextName(name) || (name === 'status' && !hasSpace(value)))) return;
    const said = textsIn(value);
    const isField = isText
      ? place.isMap && hasSpace(value)
      : said.length > 0 && (place.isMap || said.some(hasSpace));
    const isMap = !isText && names.maps.some((map) => name.endsWith(map));
    // zod's error tree has the problems of elements in `items`, beside those of the list.
    const isTree = name === 'items' && place.segments.length > 0 && Array.isArray(members.get('errors'));
    if (isMap || isTree) return void visit(value, { ...place, isMap: true });
    const isWhole = names.envelopes.includes(name);
    if (isWhole && !(isField && (name === 'status' || (place.isMap && isTextName(name))))) {
      // The names of class-validator's constraints are rules; OData wraps the text with its language.
      const inner =
        name === 'constraints' && isJsonObject(value) ? Object.values(value) : member(value, 'value');
      return void visit((['constraints', 'message'].includes(name) && inner) || value, place);
    }
    if (!isWhole && names.facts.includes(name) && !isField) return;
    visit(value, { ...place, segments: [...place.segments, ...splitPath(key)] });
  }

  /** Its messages, else its headings, else its status. */
  function textsOf(members: Members, place: Place, isAtField: boolean): string[] {
    const [messages = [], headings = []] = [[...names.messages, ...names.details], names.headings].map(
      (group) =>
        group.flatMap((name) => {
          const value = members.get(name);
          const said = isAtField || typeof value === 'string' ? textsIn(value) : [];
          return joinTexts(said.map((text) => wordsOf(text, place)).filter(Boolean)) ?? [];
        }),
    );
    const saying = [messages, headings].map((group) => group.filter((text) => !isStatusPhrase(text)));
    const [first, ...more] =
      saying.find((group) => group.length > 0) ?? [...messages, ...headings].slice(0, 1);
    return first === undefined ? [] : [first, ...more.filter(hasSpace)];
  }

  /** Without JSON in it, which is read by itself. */
  function wordsOf(text: string, place: Place): string {
    const { words, embedded } = readText(text);
    if (embedded !== undefined)
      visit(embedded, { ...place, segments: place.isMap ? place.segments : [], isMap: true });
    return isWords(words) && !sent.has(words) ? words : '';
  }

  /** A message may have a line for each of several fields. */
  function say(text: string): void {
    const lines = text.split(/\n|; (?=[\w.[\]]{1,100}: )/).filter((line) => {
      const { path, message, isLabel } = readSentence(line.replace(/^\s*[-*•]\s/, '').trim());
      if (path !== undefined) addIssue(isLabel ? issues : sentences, path, message);
      return !isLabel;
    });
    const line = oneLine(lines.join('\n'));
    if (line !== '' && texts.length < maxTexts) texts.push(line);
  }

  visit(body, { segments: [], isMap: false, isItem: false, depth: 0 });
  codes.sort((one, other) => one.order - other.order);
  const spoken = others.filter(({ message }) => hasSpace(String(message)));
  const isSaid = texts.some((text) => !isStatusPhrase(text));
  const said = [issues, sentences, isSaid ? [] : spoken, texts.length > 0 ? [] : others];
  return { texts, issues: said.find((group) => group.length > 0) ?? [], code: codes[0]?.code, requestId };
}

function addIssue(issues: ErrorIssue[], place: string, words = '', code?: string): void {
  const sentence = readSentence(words);
  const message = oneLine((sentence.path === place ? sentence.message : words) || (code ?? ''));
  const path = withMissing(place, message);
  const isKnown = issues.some((issue) => issue.path === path && issue.message === message);
  if (message === '' || isKnown || issues.length >= maxIssues) return;
  issues.push({ path, ...(code !== undefined && code !== message ? { code } : {}), message });
}

/** The fields that a problem names. `isPart`: one of several problems; `outer`: the field that contains it. */
function fieldsOf(members: Members, isPart: boolean, outer: string | undefined): string[] {
  const source = members.get('source');
  const name = members.get('name');
  const named = names.fields
    .filter((field) => isPart || !names.doubtfulFields.includes(field))
    .map((field) => ({ value: members.get(field), isList: field.endsWith('s') }))
    .filter(({ value }) => !(Array.isArray(value) && textsIn(value).some(hasSpace)))
    // Several fields, or the segments of one.
    .map(({ value, isList }) => (isList && Array.isArray(value) ? value.slice(0, maxFields) : [value]));
  // Beside a `reason` the name is the field (RFC 7807).
  const isField = members.has('reason') || isInOrder(name);
  const places = [
    [member(source, 'pointer')],
    [member(source, 'parameter')],
    ...named,
    isField ? [name] : [],
  ];
  const paths = places.map((some) => some.flatMap((place) => readFieldPath(place, outer) ?? []));
  return paths.find((found) => found.length > 0) ?? [];
}

/** `order`: by the name of its member. */
interface Code {
  code: string;
  order: number;
}

const word = /^(?:[A-Za-z][\w.-]{0,99}|[1-9]\d{3,19})$/;
export const screaming = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/** By their names, best first. GraphQL has the code of an error in `extensions`, AWS in `__type`; a URI ends in one. */
function codesIn(members: Members, isAtField: boolean): Code[] {
  const codeOf = (value: Json | undefined) => scalarOf(value).split(/[/#:]/).at(-1) ?? '';
  const codeAt = (name: string) => codeOf(members.get(name));
  const isLike = (shape: RegExp, code: string) => [code, isAtField || shape.test(code)] as const;
  const found = [
    [codeOf(member(members.get('extensions'), 'code')), true] as const,
    ...names.codes.map((name) => [codeAt(name), true] as const),
    [codeAt('error'), !isStatusPhrase(codeAt('error'))] as const,
    isLike(/^[A-Z]/, codeAt('type')),
    ...names.otherCodes.map((name) => isLike(screaming, codeAt(name))),
    [codeAt('name'), !isAtField && screaming.test(codeAt('name'))] as const,
  ];
  return found.flatMap(([code, isCode], order) =>
    isCode && word.test(code) && !isUuid(code) ? [{ code, order }] : [],
  );
}

/** `errorCode`, `error_code`, `Error-Code` and `ns:errorCode` → `errorcode`. */
export function plainName(name: string): string {
  const short = name.slice(0, maxNameLength).replace(/^[A-Za-z\d]+:/, '');
  return short.replace(/[_-]/g, '').toLowerCase();
}

export function isTextName(name: string): boolean {
  return [names.messages, names.details, names.headings].some((group) => group.includes(name));
}

/** Whether a name belongs to a problem itself. */
function isOwnName(name: string): boolean {
  return (
    isTextName(name) ||
    name === 'name' ||
    [names.fields, names.codes, names.otherCodes].some((group) => group.includes(name))
  );
}

function isProblem(item: JsonObject): boolean {
  return Object.entries(item).some(([key, value]) => {
    const name = plainName(key);
    return typeof value === 'string' ? isOwnName(name) : name === 'message' || name === 'msg';
  });
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(0, maxTexts) : [];
}

function scalarOf(value: Json | undefined): string {
  return isJsonNumber(value) ? value.toString() : typeof value === 'string' ? value : '';
}
