import { isJsonObject, type Json, type JsonObject, member } from '../../../orders/json.ts';
import { hasSpace, isStatusPhrase, isWords, joinTexts, oneLine, readText } from '../message-text.ts';
import { collectWords, type ErrorWords, maxTexts } from './collected-words.ts';
import {
  fieldNames,
  headingNames,
  messageNames,
  plainName,
  problemCodeNames,
  roleOf,
  valueNames,
} from './error-names.ts';
import { fieldsOf, readFieldPath, splitPath, withMissing } from './problem-field.ts';

interface Place {
  segments: readonly string[];
  isMap: boolean;
  isItem: boolean;
  rank: number;
  depth: number;
}

const maxDepth = 16;
const maxValues = 20_000;
const textNames: ReadonlySet<string> = new Set([...messageNames, ...headingNames]);
/** Names that belong to a problem itself. */
const ownNames: ReadonlySet<string> = new Set([
  ...textNames,
  ...fieldNames,
  ...problemCodeNames,
  ...valueNames,
]);

/** All texts for a person, and the fields that they are about. */
export function readErrorWords(body: Json): ErrorWords {
  const found = collectWords();
  let remaining = maxValues;

  function visit(value: Json, place: Place): void {
    remaining -= 1;
    if (remaining < 0 || place.depth > maxDepth) return;
    if (typeof value === 'string') addLeaf(value, place);
    else if (Array.isArray(value)) visitList(value, place);
    else if (isJsonObject(value)) visitObject(value, place);
  }

  function visitList(list: readonly Json[], place: Place): void {
    const texts = textsIn(list);
    if (place.segments.length === 0) for (const text of texts) addLeaf(text, place);
    else addAtField(texts, place, place.isMap || texts.some(hasSpace));
    for (const [index, item] of list.entries()) {
      if (remaining < 0) return;
      if (Array.isArray(item) && textsIn(item).length > 0) visit(item, { ...place, depth: place.depth + 1 });
      if (!isJsonObject(item)) continue;
      const isLine = place.segments.length > 0 && !isProblem(item);
      const segments = isLine ? [...place.segments, String(index)] : place.segments;
      const { rank, depth } = place;
      visit(item, { segments, isMap: place.isMap && isLine, isItem: true, rank: rank + 1, depth: depth + 1 });
    }
  }

  function visitObject(object: JsonObject, place: Place): void {
    const entries = Object.entries(object);
    const members = membersOf(entries);
    const outer = readFieldPath([...place.segments]);
    const isPart = place.isItem || place.segments.length > 0;
    const named = fieldsOf(members, isPart, outer !== undefined);
    const own = outer === undefined ? named : named.map((path) => joinPaths(outer, path));
    const fields = own.length === 0 && outer !== undefined ? [outer] : own;
    const words = textIn(members, place, own.length > 0);
    if (fields.length > 0) found.addIssues(fields, words?.text ?? '', members);
    if (fields.length === 0 || !isPart) {
      found.addObject({ members, rank: place.rank });
      if (words !== undefined) found.addText(words.text, place.rank, words.isHeading);
    }
    const [only] = own.length === 1 && isPart ? own : [];
    const segments = only === undefined ? place.segments : [only];
    for (const [key, value] of entries) {
      if (remaining < 0) return;
      const name = plainName(key);
      const isRead =
        own.length > 0 && (name === 'params' || (ownNames.has(name) && textsIn(value).length > 0));
      if (!isRead) visitMember(key, value, { ...place, segments, depth: place.depth + 1 }, members);
    }
  }

  function visitMember(key: string, value: Json, place: Place, members: ReadonlyMap<string, Json>): void {
    const name = plainName(key);
    if (
      typeof value === 'string'
        ? textNames.has(name) || (name === 'status' && !hasSpace(value))
        : !isContainer(value)
    )
      return;
    // zod's error tree has the problems of elements in `items`, beside those of the list.
    const isTree = name === 'items' && place.segments.length > 0 && Array.isArray(members.get('errors'));
    const role = isTree ? 'list' : roleOf(name);
    const inner = { ...place, rank: place.rank + 1 };
    const atField = { ...inner, segments: [...place.segments, ...splitPath(key)] };
    if (role === 'nothing') return;
    // OData wraps the text with its language.
    const message = name === 'message' ? member(value, 'value') : undefined;
    if (message !== undefined) visit(message, place);
    else if (role === 'problem') visit(value, { ...place, rank: Math.min(place.rank, 0) - 1 });
    else if (role === 'whole')
      for (const text of isJsonObject(value) ? Object.values(value) : [value]) visit(text, inner);
    else if (role === 'fact' && !isFieldText(value, place.isMap)) return;
    else if (role === undefined || role === 'fact' || typeof value === 'string') visit(value, atField);
    else visit(value, { ...inner, isMap: place.isMap || role === 'map' });
  }

  function addLeaf(text: string, place: Place): void {
    if (place.segments.length > 0) addAtField([text], place, place.isMap);
    else found.addText(wordsOf(text, place), place.rank + 1, false);
  }

  function addAtField(texts: readonly string[], place: Place, isCertain: boolean): void {
    if (found.isFull()) return;
    const path = readFieldPath([...place.segments]);
    const words = texts.map((text) => wordsOf(text, place)).filter((text) => text !== '');
    const message = oneLine(joinTexts(words) ?? '');
    if (message === '') return;
    if (path === undefined) found.addText(message, place.rank, false);
    else if (isCertain) found.addIssue({ path: withMissing(path, message) ?? path, message });
    else found.addOther({ path, message });
  }

  /** Its message, else its heading, else its status. */
  function textIn(members: ReadonlyMap<string, Json>, place: Place, isAtField: boolean) {
    const textsAt = (names: readonly string[]) =>
      names.flatMap((name) => {
        const value = members.get(name) ?? null;
        const texts = isAtField || typeof value === 'string' ? textsIn(value) : [];
        return (
          texts
            .map((text) => wordsOf(text, place))
            .filter((text) => text !== '')
            .join('; ') || []
        );
      });
    const isSaying = (text: string) => !isStatusPhrase(text);
    const messages = textsAt(messageNames);
    const [first, ...more] = messages.filter(isSaying);
    if (first !== undefined)
      return { text: joinTexts([first, ...more.filter(hasSpace)]) ?? '', isHeading: false };
    const headings = textsAt(headingNames);
    const heading = headings.find(isSaying) ?? messages[0] ?? headings[0];
    return heading === undefined ? undefined : { text: heading, isHeading: true };
  }

  function wordsOf(text: string, place: Place): string {
    const { words, embedded } = readText(text);
    if (embedded !== undefined)
      visit(embedded, {
        ...place,
        segments: place.isMap ? place.segments : [],
        isMap: true,
        depth: place.depth + 1,
      });
    return isWords(words) ? words : '';
  }

  visit(body, { segments: [], isMap: false, isItem: false, rank: 0, depth: 0 });
  return found.end();
}

function membersOf(entries: readonly [string, Json][]): Map<string, Json> {
  const members = new Map<string, Json>();
  for (const [key, value] of entries) {
    const name = plainName(key);
    if (!members.has(name)) members.set(name, value);
  }
  return members;
}

/** Whether an object is a problem, not an order line with problems by field name. */
function isProblem(item: JsonObject): boolean {
  return Object.entries(item).some(([key, value]) => {
    const name = plainName(key);
    return typeof value === 'string' ? ownNames.has(name) : name === 'message' || name === 'msg';
  });
}

function joinPaths(outer: string, inner: string): string {
  const isWhole = inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
  return isWhole ? inner : /^\[/.test(inner) ? `${outer}${inner}` : `${outer}.${inner}`;
}

function isContainer(value: Json): boolean {
  return Array.isArray(value) || isJsonObject(value);
}

function textsIn(value: Json | readonly Json[]): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').slice(0, maxTexts) : [];
}

/** Whether the value of a name that is usually not a field is text anyway. */
function isFieldText(value: Json, isMap: boolean): boolean {
  return textsIn(value).some(hasSpace) && (isMap || Array.isArray(value));
}
