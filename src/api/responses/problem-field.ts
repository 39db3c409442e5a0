import { formatFieldPath } from '../../orders/field-path.ts';
import { isJsonNumber, type Json, member } from '../../orders/json.ts';
import { statedFields } from '../../orders/order.ts';
import { isWords, oneLine } from './message-text.ts';

const maxPathLength = 200;
const maxSegments = 20;

const missingShape =
  /\brequired property ['"`]?([A-Za-z_]\w*)|^['"`]([A-Za-z_]\w*)['"`] is a required property/;

/** JSON Schema reports a property that is missing at the object around it. */
export function withMissing(path: string, words: string): string {
  const missing = missingShape.exec(words)?.slice(1).find(Boolean);
  return missing === undefined || `.${path}`.endsWith(`.${missing}`) ? path : `${path}.${missing}`;
}

const orderNames: readonly string[] = [...statedFields, 'phone', 'externalCustomerId', 'sku'];

/** The field of the order with this name, whatever its case and marks. */
function orderName(name: string): string | undefined {
  return orderNames.find((field) => field.toLowerCase() === lettersOf(name));
}

export function isInOrder(path: Json | undefined): boolean {
  const [first = ''] = typeof path === 'string' ? splitPath(path) : [];
  return orderNames.includes(first);
}

/** Words for the order or the request around it, with which a path may begin. */
const prefix =
  /^(?:[$#]|body|json|form|query|headers?|data|attributes|request|requestbody|payload|input|dto|create|arg|model|command|root|obj|(?:create|new|merchant)*order(?:s|dto|request|input)?)$/;

/**
 * A JSON pointer (RFC 6901), a path with dots, brackets or slashes, or a list of segments → `items[0].sku`; undefined when
 * it is empty, or the place of something else than a field of the order. `outer`: the path of the object that names it.
 */
export function readFieldPath(
  value: Json | readonly string[] | undefined,
  outer?: string,
): string | undefined {
  const named = segmentsOf(value)
    .map((segment) => segment.replace(/["{}\\]/g, ''))
    .filter((segment) => segment.trim() !== '');
  const begin = named.findIndex(
    (segment) =>
      !prefix.test(lettersOf(segment) || segment) && (outer !== undefined || !/^\d+$/.test(segment)),
  );
  if (begin < 0 || named[0] === 'api') return undefined;
  const rest = named.slice(begin);
  const isPascalCase = rest.every((segment) => /^[A-Z\d]/.test(segment)) && /[a-z]/.test(rest.join(''));
  const path = rest.map((segment) => {
    if (/^\d{1,9}$/.test(segment)) return Number(segment);
    const ordinary = isPascalCase ? segment.replace(/^[A-Z]/, (start) => start.toLowerCase()) : segment;
    return orderName(segment) ?? ordinary;
  });
  const inner = oneLine(formatFieldPath(path));
  if (inner === '') return undefined;
  const isWhole = outer === undefined || `${inner}.`.replace('[', '.').startsWith(`${outer}.`);
  return isWhole ? inner : inner.startsWith('[') ? `${outer}${inner}` : `${outer}.${inner}`;
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
