import type { ErrorIssue } from '../errors.ts';
import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../orders/json.ts';
import { textOf } from './error-places.ts';
import { oneLine } from './message-text.ts';
import { readFieldPath } from './read-field-path.ts';
import { hasCodeShape } from './service-code.ts';

const mostIssues = 100;
/** Where a problem may be told as a member named after its field, or as one of a list. */
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
/** Names in such a map that are no fields, or that stand for the whole order. */
const otherNames = new Set([
  ...['base', 'non_field_errors', 'requestId', 'request_id', 'timestamp', 'code', 'message'],
]);

/** A field named at the start of a sentence, as class validators write: `items.0.sku must be a string`. */
const sentenceShape =
  /^(?:property |each value in )?((?=\S*[.[_]|[a-z]+[A-Z]|\S+ (?:must|should) |(?:sku|phone|items|total|customer|reason) )[A-Za-z_][\w.[\]]*) \S/;

/** What is wrong with which field, from the places of an error body; at most 100 problems. */
export function readFieldErrors(body: Json | undefined, places: readonly JsonObject[]): ErrorIssue[] {
  const issues: ErrorIssue[] = [];
  for (const issue of issuesIn(body, places)) {
    const isKnown = issues.some(({ path, message }) => path === issue.path && message === issue.message);
    if (!isKnown) issues.push(issue);
    if (issues.length >= mostIssues) break;
  }
  return issues;
}

function* issuesIn(body: Json | undefined, places: readonly JsonObject[]): Generator<ErrorIssue> {
  for (const place of isJsonObject(body) ? [...places, body] : places) {
    const own = issueOf(place, ['param', 'field', 'source']);
    if (own !== undefined) yield own;
    for (const name of listNames) yield* fromList(member(place, name));
    for (const name of mapNames) yield* fromMap(member(place, name));
  }
}

function* fromList(list: Json | undefined): Generator<ErrorIssue> {
  if (!Array.isArray(list)) return;
  for (const item of list.slice(0, 10 * mostIssues)) {
    const issue = typeof item === 'string' ? fromSentence(item) : issueOf(item, pathNames);
    if (issue !== undefined) yield issue;
    // Google keeps its field errors one level down, in the details.
    for (const inner of listOf(member(item, 'fieldViolations'))) {
      const violation = issueOf(inner, pathNames);
      if (violation !== undefined) yield violation;
    }
  }
}

function* fromMap(map: Json | undefined): Generator<ErrorIssue> {
  if (!isJsonObject(map)) return;
  for (const [field, value] of Object.entries(map).slice(0, 10 * mostIssues)) {
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
  // RFC 7807 names the field and the reason; elsewhere a name may be anything.
  const named = member(item, 'reason') === undefined ? undefined : member(item, 'name');
  const places = [
    member(source, 'pointer'),
    member(source, 'parameter'),
    ...names.map((name) => member(item, name)),
  ];
  const path = [...places, named].map(readFieldPath).find((found) => found !== undefined);
  const told = messageNames.map((name) => [name, textOf(member(item, name))?.trim()] as const);
  const [from, text] = told.find(([, found]) => found) ?? [];
  const message = oneLine(text ?? '');
  if (path === undefined || message === '') return undefined;
  const code = codeNames
    .filter((name) => name !== from)
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
  return Array.isArray(value) ? value.slice(0, mostIssues) : [];
}

function scalarOf(value: Json | undefined): string | undefined {
  return isJsonNumber(value) ? value.toString() : typeof value === 'string' ? value : undefined;
}
