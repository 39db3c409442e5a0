import type * as z from 'zod';
import { advice, again } from '../../advice/advice.ts';
import { CliError, type ErrorIssue } from '../../errors.ts';
import { FieldPathError, formatFieldPath, parseFieldPath, unsafeNames } from '../../orders/field-path.ts';
import { isJsonObject, type Json, parseJson } from '../../orders/json.ts';
import { foldHeader, knownPath, nearMiss, noColumn } from '../columns/header.ts';
import { parseTarget, splitType } from './column.ts';
import { foldCell, listOf } from './conditions.ts';
import { type Mark, marksIn } from './entries.ts';
import { type LinesMapping, type MappingFile, presetShape, shape } from './language.ts';
import { minusTarget } from './lines.ts';
import { listsPayment } from './rules.ts';

/** Returns the problems of a preset, each with its path. */
export function checkPreset(preset: unknown): string[] {
  const found = presetShape.safeParse(preset);
  return found.success ? [] : problemsOf(found.error);
}

/** Error: `configuration_invalid`, with every problem by its path. */
export function parseMappingFile(text: string, name: string): MappingFile {
  const mapping = readJson(text, name);
  const unsafe = findUnsafeNames(mapping, []);
  if (unsafe.length > 0) throw invalid(name, unsafe);
  refuseQuestions(mapping, name);
  const found = shape.safeParse(mapping);
  if (!found.success) {
    throw invalid(name, problemsOf(found.error));
  }
  const problems = Object.entries(found.data.columns).flatMap(([path, mapped]) => {
    const isComputed =
      typeof mapped !== 'string' && (mapped.default ?? mapped.else ?? mapped.when) !== undefined;
    return isComputed && knownPath(splitType(path).name) === 'externalOrderId'
      ? [`columns.${path}: an order ID is read from cells, never from default, else or when`]
      : [];
  });
  const constants = Object.entries(found.data.constants).flatMap(([path, value]) => {
    try {
      const near = nearMiss(path, true);
      if (near !== undefined) {
        problems.push(`constants.${path}: not a field of an order; did you mean ${near}?`);
        return [];
      }
      const constant = { path: parseFieldPath(path), value: value as Json };
      if (constant.path[0] !== 'externalOrderId') return [constant];
      problems.push(`constants.${path}: every order needs an externalOrderId of its own`);
    } catch (error) {
      if (!(error instanceof FieldPathError)) throw error;
      problems.push(`constants.${path}: ${error.message}`);
    }
    return [];
  });
  const { amount_due: due, ...others } = found.data;
  if (due === noColumn) constants.push({ path: ['collectionMode'], value: 'NONE' });
  const { lines = noColumn } = found.data;
  if (lines !== noColumn && Object.hasOwn(found.data.constants, 'items'))
    problems.push('constants.items: every order would have these lines in place of those of "lines"');
  const all = [...problems, ...checkLines(lines), ...checkDecidedValues(found.data)];
  if (all.length > 0) throw invalid(name, all);
  return due === undefined || due === noColumn ? { ...others, constants } : { ...found.data, constants };
}

/** zod silently drops members with the names of prototypes. */
function findUnsafeNames(value: Json, path: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => findUnsafeNames(item, [...path, `${index}`]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = [...path, key];
    return unsafeNames.has(key)
      ? [`${place.join('.')}: "${key}" cannot be a name in a mapping`]
      : findUnsafeNames(inner, place);
  });
}

function checkLines(lines: MappingFile['lines']): string[] {
  if (lines === noColumn) return [];
  return listOf<LinesMapping>(lines).flatMap((way, place) => {
    const option = Array.isArray(lines) ? `lines.${place}` : 'lines';
    if ('wide' in way) {
      const fields = Object.values(way.wide).filter((target) => target !== minusTarget);
      const isLone =
        fields.length < Object.keys(way.wide).length &&
        !fields.some((target) => target.startsWith('items[].quantity'));
      return [
        ...fields.flatMap((target) => checkLineTargets([target], `${option}.wide`)),
        ...(isLone ? [`${option}.wide: "${minusTarget}" needs a column for items[].quantity`] : []),
      ];
    }
    const forms = listOf(way.form).flatMap((form) => {
      const targets = Array.from(form.matchAll(/\{([^{}]*)\}/g), ([, target = '']) => target);
      const read = targets.filter((target) => target !== '*');
      const isOpen = /[{}]/.test(form.replace(/\{[^{}]*\}/g, ''));
      if (isOpen || read.length === 0)
        return [`${option}.form: "${form}" needs fields such as {items[].sku}`];
      return checkLineTargets(read, `${option}.form`);
    });
    return [...forms, ...checkLineTargets(Object.keys(way.fields ?? {}), `${option}.fields`)];
  });
}

function checkLineTargets(targets: readonly string[], option: string): string[] {
  const seen = new Set<string>();
  return targets.flatMap((target) => {
    try {
      const { path, isExtra } = parseTarget(target);
      const field = formatFieldPath(path);
      const near = isExtra ? nearMiss(splitType(target).name, true) : undefined;
      if (near !== undefined)
        return [`${option}: ${target} is not a field of an order; did you mean ${near}?`];
      if (!/^items\[\]\../.test(field))
        return [`${option}: "${target}" is not a field of a line, such as items[].sku`];
      if (seen.has(field)) return [`${option}: ${field} is listed twice`];
      seen.add(field);
    } catch (error) {
      if (!(error instanceof FieldPathError)) throw error;
      return [`${option}: ${error.message}`];
    }
    return [];
  });
}

/** Returns the problems of `values`, each with its path. */
function checkDecidedValues({ values = {}, columns }: Pick<MappingFile, 'values' | 'columns'>): string[] {
  const isMode = (path: string) => knownPath(splitType(path).name) === 'collectionMode';
  const mode = Object.keys(columns).find(isMode);
  const twice = findTwice(Object.keys(values), foldHeader).map((name) => `values.${name}: is listed twice`);
  const problems = Object.entries(values).flatMap(([name, listed]) => {
    if (Object.keys(listed).length === 0) return [`values.${name}: lists no value`];
    const decided = (text: string) => `${foldCell(text)} ${listed[text]}`;
    const byMeaning = new Map(Object.keys(listed).map((text) => [decided(text), text]));
    const repeated = findTwice([...byMeaning.values()], foldCell);
    return repeated.map((text) => `values.${name}: "${text}" is listed twice, with different meanings`);
  });
  if (mode !== undefined && listsPayment(values)) {
    problems.push(`columns.${mode}: "values" already says who pays; leave one of the two out`);
  }
  return [...twice, ...problems];
}

function findTwice(names: readonly string[], fold: (name: string) => string): string[] {
  const known = new Set<string>();
  return names.filter((name) => {
    const folded = fold(name);
    const isTwice = known.has(folded);
    known.add(folded);
    return isTwice;
  });
}

function problemsOf({ issues }: z.ZodError): string[] {
  return issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
}

function readJson(text: string, name: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw invalid(name, [(error as Error).message]);
  }
}

const maxShown = 20;

function invalid(name: string, problems: string[]): CliError {
  const different = [...new Set(problems)];
  const more = different.length - maxShown;
  const shown = different.slice(0, maxShown).join('; ') + (more > 0 ? `; and ${more} more` : '');
  return new CliError('configuration_invalid', `${name} is not a valid mapping: ${shown}.`, {
    hint: 'A mapping is JSON such as {"columns": {"externalOrderId": "Order no"}, "constants": {"collectionMode": "NONE"}}.',
  });
}

function issueOf({ path, choices }: Mark): ErrorIssue {
  const message =
    path[0] === 'ignore'
      ? 'write the header alone if the column is not read, or say what it holds'
      : choices[0] === noColumn || path[0] === 'constants'
        ? writeWhat(path)
        : choices.length > 1
          ? `choose ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, and write only that`
          : choices.length === 1
            ? `write ${choices[0]} if that is right`
            : writeWhat(path);
  return { path: path.map((part) => (part === '' ? '(blank)' : part)).join('.'), message };
}

function writeWhat([key, field = '']: readonly string[]): string {
  if (key === 'amount_due')
    return `write the name of the column with what the courier collects, or ${noColumn} if all orders are prepaid`;
  if (key === 'constants')
    return 'write the line of every order, such as Parcel, or leave it out and name the column of the products';
  if (key !== 'columns') return 'write what is meant';
  const isId = knownPath(splitType(field).name) === 'externalOrderId';
  return `write the name of its column${isId ? '' : `, or ${noColumn} if no column holds it`}`;
}

/** Error: `configuration_invalid`, with each question by its path. */
function refuseQuestions(mapping: Json, name: string): void {
  const issues = marksIn(mapping).map(issueOf);
  if (issues.length === 0) return;
  const count = issues.length === 1 ? '1 open question' : `${issues.length} open questions`;
  throw new CliError('configuration_invalid', `${name} has ${count}.`, {
    hint: advice`Replace each text that begins with "? " with your answer, and run the same command again.${again()}`,
    issues,
  });
}
