import { formatFieldPath } from '../../../orders/field-path.ts';
import { isJsonNumber, type Json, member } from '../../../orders/json.ts';
import { statedFields } from '../../../orders/order.ts';
import { isWords, oneLine } from '../message-text.ts';
import { ambiguousFieldNames, fieldNames } from './error-names.ts';

const maxPathLength = 200;
const maxSegments = 20;
const maxFields = 10;

/** `isItem`: one of several; `isPart`: below a field. */
export function fieldsOf(members: ReadonlyMap<string, Json>, isItem: boolean, isPart: boolean): string[] {
  const source = members.get('source');
  const pointer = [member(source, 'pointer'), member(source, 'parameter')]
    .map((value) => readFieldPath(value))
    .find(Boolean);
  if (pointer !== undefined) return [pointer];
  for (const name of fieldNames) {
    const value = members.get(name);
    if (value === undefined || (!isItem && ambiguousFieldNames.has(name))) continue;
    // In express-validator this is the part of the request, elsewhere a list of segments.
    if (name === 'location' && typeof value === 'string' && !/^[$/]/.test(value)) continue;
    const isSeveral = name === 'fields' || name === 'membernames';
    const values = isSeveral && Array.isArray(value) ? value.slice(0, maxFields) : [value];
    const isPlace = (one: Json) => typeof one === 'string' || Array.isArray(one);
    const paths = values
      .filter(isPlace)
      .flatMap(
        (one) =>
          withMissing(
            readFieldPath(one, isPart),
            members.get('message'),
            members.get('params') ?? members.get('info'),
          ) ?? [],
      );
    if (paths.length > 0) return paths;
  }
  // Beside a `reason`, `name` is the field (RFC 7807).
  const named = members.has('reason') ? readFieldPath(members.get('name')) : undefined;
  return named === undefined ? [] : [named];
}

const missingShapes = [
  /\brequired property ['"`]?([A-Za-z_]\w*)/,
  /^['"`]([A-Za-z_]\w*)['"`] is a required property/,
];

/** JSON Schema reports a missing property at the object that should have it. */
export function withMissing(
  path: string | undefined,
  text: Json | undefined,
  params?: Json,
): string | undefined {
  const shape = missingShapes.find((one) => typeof text === 'string' && one.test(text.slice(0, 300)));
  const missing =
    member(params, 'missingProperty') ??
    member(params, 'additionalProperty') ??
    shape?.exec(String(text))?.[1];
  if (typeof missing !== 'string') return path;
  if (path === undefined) return readFieldPath([missing]);
  return path === missing || path.endsWith(`.${missing}`) ? path : `${path}.${oneLine(missing)}`;
}

const orderNames = new Map(
  [...statedFields, 'phone', 'externalCustomerId', 'sku'].map((name) => [lettersOf(name), name]),
);
const prefixes = new Set([
  ...['$', '#', 'body', 'json', 'form', 'data', 'attributes', 'request', 'requestbody', 'payload', 'input'],
  ...['dto', 'create', 'arg', 'model', 'command', 'root', 'post', 'obj'],
]);
const orderPrefix =
  /^(?:create|new|merchant)*order(?:s|dto|request|input|body|command|payload|schema|in|create|model)?$/;

/**
 * A JSON pointer (RFC 6901), a path with dots, brackets or slashes, or a list of segments → `items[0].sku`; undefined when
 * it is empty, or the place of something else than a field of the order.
 */
export function readFieldPath(value: Json | undefined, isPart = false): string | undefined {
  const segments = segmentsOf(value);
  const named = segments
    .map((segment) => segment.replace(/["{}\\]/g, ''))
    .filter((segment) => segment.trim() !== '');
  if (named[0] === 'api') return undefined;
  let begin = 0;
  while (begin < named.length && isPrefix(named, begin)) begin += 1;
  while (/^\d+$/.test(named[begin] ?? '') && !isPart) begin += 1;
  const rest = named.slice(begin);
  const isPascalCase =
    rest.every((segment) => /^(?:[A-Z]|\d+$)/.test(segment)) && rest.some((segment) => /[a-z]/.test(segment));
  const path = rest.map(
    (segment) => orderNames.get(lettersOf(segment)) ?? (isPascalCase ? withSmallStart(segment) : segment),
  );
  if (path.length === 0) return undefined;
  const text = oneLine(
    formatFieldPath(path.map((segment) => (/^\d{1,9}$/.test(segment) ? Number(segment) : segment))),
  );
  return text === '' ? undefined : text;
}

function isPrefix(segments: readonly string[], index: number): boolean {
  const name = lettersOf(segments[index] ?? '') || (segments[index] ?? '');
  const isLast = index === segments.length - 1;
  if (!prefixes.has(name)) return orderPrefix.test(name);
  // A field of the order may have such a name, too.
  return !isLast || index > 0 || /^(?:\$|#|body|json|form)$/.test(name);
}

function withSmallStart(segment: string): string {
  return segment.replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, (start) => start.toLowerCase());
}

function lettersOf(name: string): string {
  return name.replace(/[_\-\s\d]/g, '').toLowerCase();
}

function segmentsOf(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.slice(0, maxSegments).map(segmentOf);
  return typeof value === 'string' && (isWords(value) || /^(?:[/#$]|\d+$)/.test(value))
    ? splitPath(value)
    : [];
}

export function splitPath(text: string): string[] {
  const short = text.slice(0, maxPathLength).trim();
  if (!/^(?:#?\/|[\w$]+\/[\w/]+$)/.test(short)) return short.split(/[.[\]]+/).slice(0, maxSegments);
  const segments = short.split('/').slice(0, maxSegments);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function segmentOf(segment: Json): string {
  const name = member(segment, 'key') ?? segment;
  return isJsonNumber(name) ? name.toString() : typeof name === 'string' ? name : '';
}

/** A field, a colon and the problem, as in Go's validator or a label. */
const goShape = /^Key: '(?:\w+\.)?([\w.[\]]+)' Error: ?(\S.*)$/;
const labelShape = /^["'`]?([A-Za-z_$][\w.[\]$/-]*)["'`]?: +(\S.*)$/;
const pathShape = /\w[.[/$]\w|^\$\./;
/** Starts with a field: class-validator's `items.0.sku must be a string`, joi's `"items[0].sku" is required`. */
const sentenceShape =
  /^(?:property |each value in |The )?((?=\S*[.[]\w|(?:request\/)?body\/|\S*_|[a-z]+[A-Z]|\S+ (?:must|should) |(?:sku|phone|items|total|customer|reason) )(?=\S*[a-z])[A-Za-z_][\w.[\]/-]*) \S/;
const quotedShape = /^["'`]([A-Za-z_][\w.[\]]*)["'`] \S/;

/** `message`: the text after the label, or without a label the whole text. */
export function readSentence(text: string): { path: string; message: string; isLabel: boolean } | undefined {
  const go = goShape.exec(text);
  const [, label = '', message = ''] = go ?? labelShape.exec(text) ?? [];
  const isField = go !== null || pathShape.test(label) || orderNames.get(lettersOf(label)) === label;
  const labelled = isField ? readFieldPath(label) : undefined;
  if (labelled !== undefined && message !== '') return { path: labelled, message, isLabel: true };
  const start = text.slice(0, 300).replace(/^(\S+\.)property (?=\S+ )/, '$1');
  const named = (quotedShape.exec(start) ?? sentenceShape.exec(start))?.[1];
  const path = named === undefined ? undefined : withMissing(readFieldPath(named), text);
  return path === undefined ? undefined : { path, message: text, isLabel: false };
}
