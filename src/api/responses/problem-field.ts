import { formatFieldPath } from '../../orders/field-path.ts';
import { isJsonNumber, type Json, member } from '../../orders/json.ts';
import { statedFields } from '../../orders/order.ts';
import { ambiguousFieldName, fieldName } from './error-names.ts';
import { hasSpace, isWords, oneLine } from './message-text.ts';

const maxPathLength = 200;
const maxSegments = 20;
const maxFields = 10;

/** The fields that a problem names. `isItem`: one of several problems; `outer`: the field that contains it. */
export function fieldsOf(
  members: ReadonlyMap<string, Json>,
  isItem: boolean,
  outer: string | undefined,
): string[] {
  const source = members.get('source');
  const name = members.get('name');
  const named = [...members].filter(([key, value]) => {
    const isProblem = Array.isArray(value) && value.some((one) => typeof one === 'string' && hasSpace(one));
    return fieldName.test(key) && (isItem || !ambiguousFieldName.test(key)) && !isProblem;
  });
  const places = [
    [member(source, 'pointer')],
    [member(source, 'parameter')],
    // Several fields, or the segments of one.
    ...named.map(([key, value]) =>
      /s$/.test(key) && Array.isArray(value) ? value.slice(0, maxFields) : [value],
    ),
    // Beside a `reason` it is the field (RFC 7807).
    members.has('reason') || isInOrder(name) ? [name] : [],
  ];
  // JSON Schema reports a property that is missing, or too much, at the object around it.
  const params = members.get('params');
  const property = member(params, 'missingProperty') ?? member(params, 'additionalProperty');
  const paths = places
    .map((some) => some.flatMap((place) => pathOf(place, outer, property) ?? []))
    .find((found) => found.length > 0);
  return paths ?? [];
}

function pathOf(place: Json | undefined, outer: string | undefined, property: Json | undefined) {
  if (typeof place !== 'string' && !Array.isArray(place)) return undefined;
  const path = readFieldPath(place, outer !== undefined);
  const whole =
    typeof property === 'string' ? [path, readFieldPath([property])].filter(Boolean).join('.') : path;
  return whole ? joinPaths(outer, whole) : undefined;
}

const missingShape =
  /\brequired property ['"`]?([A-Za-z_]\w*)|^['"`]([A-Za-z_]\w*)['"`] is a required property/;

/** JSON Schema reports a property that is missing at the object around it. */
export function withMissing(path: string, words: string): string {
  const missing = missingShape.exec(words)?.slice(1).find(Boolean);
  return missing === undefined || `.${path}`.endsWith(`.${missing}`) ? path : `${path}.${missing}`;
}

function joinPaths(outer: string | undefined, inner: string): string {
  const isWhole = outer === undefined || `${inner}.`.replace('[', '.').startsWith(`${outer}.`);
  return isWhole ? inner : inner.startsWith('[') ? `${outer}${inner}` : `${outer}.${inner}`;
}

function isInOrder(path: Json | undefined): boolean {
  const [first = ''] = typeof path === 'string' ? splitPath(path) : [];
  return orderNames.get(lettersOf(first)) === first;
}

const orderNames = new Map(
  [...statedFields, 'phone', 'externalCustomerId', 'sku'].map((name) => [lettersOf(name), name]),
);
const partOfRequest = /^(?:[$#]|body|json|form|query|headers?|cookies?)$/;
/** The only name of a path may be a field of the order. */
const prefix =
  /^(?:data|attributes|request|requestbody|payload|input|dto|create|arg|model|command|root|post|obj)$/;
const orderPrefix =
  /^(?:create|new|merchant)*order(?:s|dto|request|input|body|command|payload|schema|in|create|model)?$/;

/**
 * A JSON pointer (RFC 6901), a path with dots, brackets or slashes, or a list of segments → `items[0].sku`; undefined when
 * it is empty, or the place of something else than a field of the order.
 */
export function readFieldPath(
  value: Json | readonly string[] | undefined,
  isPart = false,
): string | undefined {
  const named = segmentsOf(value)
    .map((segment) => segment.replace(/["{}\\]/g, ''))
    .filter((segment) => segment.trim() !== '');
  const begin = named.findIndex((segment) => {
    const name = lettersOf(segment) || segment;
    const isPrefix =
      partOfRequest.test(name) || orderPrefix.test(name) || (named.length > 1 && prefix.test(name));
    return !isPrefix && (isPart || !/^\d+$/.test(segment));
  });
  if (begin < 0 || named[0] === 'api') return undefined;
  const rest = named.slice(begin);
  const isPascalCase = rest.every((segment) => /^[A-Z\d]/.test(segment)) && /[a-z]/.test(rest.join(''));
  const path = rest.map((segment) => {
    if (/^\d{1,9}$/.test(segment)) return Number(segment);
    const ordinary = segment.replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, (start) => start.toLowerCase());
    return orderNames.get(lettersOf(segment)) ?? (isPascalCase ? ordinary : segment);
  });
  return oneLine(formatFieldPath(path)) || undefined;
}

function lettersOf(name: string): string {
  return name.replace(/[_\-\s\d]/g, '').toLowerCase();
}

function segmentsOf(value: Json | readonly string[] | undefined): string[] {
  if (typeof value === 'string')
    return isWords(value) || /^(?:[/#$]|\d+$)/.test(value) ? splitPath(value) : [];
  if (!Array.isArray(value)) return [];
  return value.slice(0, maxSegments).map((segment: Json) => {
    const name = member(segment, 'key') ?? segment;
    return isJsonNumber(name) ? name.toString() : typeof name === 'string' ? name : '';
  });
}

export function splitPath(text: string): string[] {
  const short = text.slice(0, maxPathLength).trim();
  const isPointer = /^(?:#?\/|[\w$]+\/[\w/]+$)/.test(short);
  const segments = short.split(isPointer ? '/' : /[.[\]]+/).slice(0, maxSegments);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A field, a colon and the problem, as in Go's validator or a label. */
const goShape = /^Key: '(?:\w+\.)?([\w.[\]]+)' Error: ?(\S.*)$/;
const labelShape = /^["'`]?([A-Za-z_$][\w.[\]$/-]*|(?:\[\w+\])+)["'`]?: +(\S.*)$/;
const pathShape = /\w[.[/$]\w|^\$\.|^\[/;

/** Begins with a field: class-validator's `items.0.sku must be a string`, joi's `"items[0].sku" is required`. */
const sentenceShape =
  /^(?:property |each value in |The )?((?=\S*[.[]\w|(?:request\/)?body\/|\S*_|[a-z]+[A-Z]|\S+ (?:must|should) |(?:sku|phone|items|total|customer|reason) )(?=\S*[a-z])[A-Za-z_][\w.[\]/-]*) \S/;
const quotedShape = /^["'`]([A-Za-z_][\w.[\]]*)["'`] \S/;

/** The field that a sentence names first. `message`: without a label. */
export function readSentence(text: string): { path: string | undefined; message: string; isLabel: boolean } {
  const go = goShape.exec(text);
  const [, label = '', message = ''] = go ?? labelShape.exec(text) ?? [];
  const isField = go !== null || pathShape.test(label) || isInOrder(label);
  const labelled = isField ? readFieldPath(label) : undefined;
  if (labelled !== undefined && message !== '') return { path: labelled, message, isLabel: true };
  const start = text.slice(0, 300).replace(/^(\S+\.)property (?=\S+ )/, '$1');
  const named = (quotedShape.exec(start) ?? sentenceShape.exec(start))?.[1];
  return { path: readFieldPath(named), message: text, isLabel: false };
}
