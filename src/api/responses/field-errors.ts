import type { ErrorIssue } from '../../errors.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { oneLine, textOf } from './message-text.ts';
import { hasCodeShape } from './service-codes.ts';

const maxIssues = 100;
const mapNames = [
  'errors',
  'details',
  'fieldErrors',
  'field_errors',
  'validationErrors',
  'validation_errors',
];
const listNames = [
  ...[...mapNames, 'detail', 'message', 'fieldViolations', 'violations'],
  ...['invalidParams', 'invalid_params', 'invalid-params'],
];
const pathNames = ['field', 'pointer', 'param', 'parameter', 'path', 'loc', 'property', 'propertyPath'];
const messageNames = [
  ...['detail', 'message', 'msg', 'description', 'defaultMessage', 'problem', 'issue', 'reason'],
];
const codeNames = ['code', 'type', 'issue', 'reason'];
const valueNames = ['value', 'rejectedValue', 'input'];
/** Names in such a map that are not fields, or that stand for the whole order. */
const otherNames = new Set([
  ...['base', 'non_field_errors', 'requestId', 'request_id', 'timestamp', 'code', 'message'],
]);

/** A sentence that begins with a field name, as class-validator writes it: `items.0.sku must be a string`. */
const sentenceShape =
  /^(?:property |each value in )?((?=\S*[.[_]|[a-z]+[A-Z]|\S+ (?:must|should) |(?:sku|phone|items|total|customer|reason) )[A-Za-z_][\w.[\]]*) \S/;

export function readFieldErrors(body: Json | undefined, objects: readonly JsonObject[]): ErrorIssue[] {
  const issues: ErrorIssue[] = [];
  for (const issue of issuesIn(body, objects)) {
    const isKnown = issues.some(({ path, message }) => path === issue.path && message === issue.message);
    if (!isKnown) issues.push(issue);
    if (issues.length >= maxIssues) break;
  }
  return issues;
}

function* issuesIn(body: Json | undefined, objects: readonly JsonObject[]): Generator<ErrorIssue> {
  for (const object of isJsonObject(body) ? [...objects, body] : objects) {
    const own = issueOf(object, ['param', 'field', 'source']);
    if (own !== undefined) yield own;
    for (const name of listNames) yield* fromList(member(object, name));
    for (const name of mapNames) yield* fromMap(member(object, name));
  }
}

function* fromList(list: Json | undefined): Generator<ErrorIssue> {
  if (!Array.isArray(list)) return;
  for (const item of list.slice(0, 10 * maxIssues)) {
    const issue = typeof item === 'string' ? fromSentence(item) : issueOf(item, pathNames);
    if (issue !== undefined) yield issue;
    // Google nests field errors one level deeper, in the details.
    for (const inner of listOf(member(item, 'fieldViolations'))) {
      const violation = issueOf(inner, pathNames);
      if (violation !== undefined) yield violation;
    }
  }
}

function* fromMap(map: Json | undefined): Generator<ErrorIssue> {
  if (!isJsonObject(map)) return;
  for (const [field, value] of Object.entries(map).slice(0, 10 * maxIssues)) {
    const path = otherNames.has(field) ? undefined : readFieldPath(field);
    const message = oneLine(textOf(value) ?? textOf(member(value, 'message')) ?? '');
    if (path !== undefined && message !== '') yield { path, message };
  }
}

function fromSentence(text: string): ErrorIssue | undefined {
  const path = readFieldPath(sentenceShape.exec(text.slice(0, 300))?.[1]);
  return path === undefined ? undefined : { path, message: oneLine(text) };
}

function issueOf(item: Json, names: readonly string[]): ErrorIssue | undefined {
  const source = member(item, 'source');
  // `name` is the field only beside a `reason` (RFC 7807).
  const named = member(item, 'reason') === undefined ? undefined : member(item, 'name');
  const candidates = [
    member(source, 'pointer'),
    member(source, 'parameter'),
    ...names.map((name) => member(item, name)),
  ];
  const path = [...candidates, named].map(readFieldPath).find((found) => found !== undefined);
  const messages = messageNames.map((name) => [name, textOf(member(item, name))?.trim()] as const);
  const [messageName, text] = messages.find(([, found]) => found) ?? [];
  const message = oneLine(text ?? '');
  if (path === undefined || message === '') return undefined;
  const code = codeNames
    .filter((name) => name !== messageName)
    .map((name) => textOf(member(item, name)))
    .find((found) => found !== undefined && hasCodeShape(found));
  const value = valueNames.map((name) => oneLine(scalarOf(member(item, name)) ?? '')).find(Boolean);
  return {
    path,
    ...(code === undefined ? {} : { code }),
    message,
    ...(value === undefined ? {} : { value }),
  };
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value.slice(0, maxIssues) : [];
}

function scalarOf(value: Json | undefined): string | undefined {
  return isJsonNumber(value) ? value.toString() : typeof value === 'string' ? value : undefined;
}

const maxPathLength = 200;
/** Beginnings of a path that are not part of the order. */
const prefixes = [['$'], ['#'], ['body'], ['data', 'attributes']];

/** A JSON pointer (RFC 6901), a path with dots or brackets, or a list of steps → `items[0].sku`; undefined if empty. */
function readFieldPath(value: Json | undefined): string | undefined {
  const steps = typeof value === 'string' ? split(value) : Array.isArray(value) ? value.map(stepOf) : [];
  const named = steps.filter((step) => step.trim() !== '');
  const prefix = prefixes.find((names) => names.every((name, index) => named[index] === name)) ?? [];
  const path = named.slice(prefix.length);
  if (path.length === 0) return undefined;
  const text = oneLine(formatFieldPath(path.map((step) => (/^\d{1,9}$/.test(step) ? Number(step) : step))));
  return text === '' ? undefined : text;
}

function split(text: string): string[] {
  const short = text.slice(0, maxPathLength).trim();
  if (!/^#?\//.test(short)) return short.split(/[.[\]]+/);
  return short.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function stepOf(step: Json): string {
  return isJsonNumber(step) ? step.toString() : typeof step === 'string' ? step : '';
}
