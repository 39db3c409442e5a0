import { z } from 'zod';
import { CliError } from '../../errors.ts';
import type { Assignment } from '../../orders/assignment.ts';
import { FieldPathError, parseFieldPath } from '../../orders/field-path.ts';
import { type Json, parseJson } from '../../orders/json.ts';
import { splitType } from './candidate.ts';
import { cellTypes } from './column.ts';
import { knownPath, nearMiss } from './known-fields.ts';

const wanted = z.union([z.string(), z.array(z.string()).min(1)]);
const conditions = z.record(z.string(), wanted);

const column = z.union([
  z.string(),
  z
    .strictObject({
      from: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      join: z.string().optional(),
      default: z.string().optional(),
      strip_prefix: z.string().optional(),
      type: z.enum(cellTypes).optional(),
      when: conditions.optional(),
      else: z.string().optional(),
    })
    .refine(
      ({ from, when = {} }) => from !== undefined || Object.keys(when).length > 0,
      'it needs "from", or "when" with "default"',
    ),
]);

const shape = z.strictObject({
  columns: z.record(z.string(), column).default({}),
  constants: z.record(z.string(), z.unknown()).default({}),
  ignore: z.array(z.string()).default([]),
  group_by: z.string().optional(),
  skip_rows_when: conditions.optional(),
  refuse_rows_when: conditions.optional(),
});

/** A mapping file (`--map`): which columns fill which fields. Headers are not looked up yet. */
export interface MappingFile extends Omit<z.infer<typeof shape>, 'constants'> {
  constants: Assignment[];
}

export type MappedColumn = z.infer<typeof column>;
export type WantedByHeader = z.infer<typeof conditions>;

/** JSON text → mapping. Error: `configuration_invalid`, listing every problem by its path. */
export function parseMappingFile(text: string, name: string): MappingFile {
  const found = shape.safeParse(readJson(text, name));
  if (!found.success) {
    const problems = found.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
    );
    throw invalid(name, problems);
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
      const near = knownPath(path) === undefined ? nearMiss(path, true) : undefined;
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
  if (problems.length > 0) throw invalid(name, problems);
  return { ...found.data, constants };
}

function readJson(text: string, name: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw invalid(name, [(error as Error).message]);
  }
}

function invalid(name: string, problems: string[]): CliError {
  return new CliError('configuration_invalid', `${name} is not a valid mapping: ${problems.join('; ')}.`, {
    hint: 'A mapping is JSON such as {"columns": {"externalOrderId": "Order no"}, "constants": {"collectionMode": "NONE"}}.',
    outcome: 'not_sent',
  });
}
