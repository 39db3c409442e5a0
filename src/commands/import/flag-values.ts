import { InvalidArgumentError } from 'commander';
import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import { parseCount } from '../../flags.ts';
import {
  type ErrorLimit,
  type LeftOutReason,
  leftOutReasons,
  parseErrorLimit,
  parseRowList,
  parseShard,
  type Shard,
} from '../../import/choices.ts';
import { knownPath, nearMiss } from '../../import/columns/known-fields.ts';
import type { MappedFlag } from '../../import/map/explicit-mapping.ts';
import type { LeaveOutFlag } from '../../import/map/rules.ts';
import { type Assignment, parseAssignment } from '../../orders/assignment.ts';
import { FieldPathError, formatFieldPath } from '../../orders/field-path.ts';

export function collectAssignment(text: string, earlier: Assignment[] | undefined): Assignment[] {
  try {
    const assignment = parseAssignment(text);
    if (assignment.path[0] === 'externalOrderId') {
      throw new FieldPathError('Every order needs an externalOrderId of its own');
    }
    const path = formatFieldPath(assignment.path);
    const near = knownPath(path) === undefined ? nearMiss(path, true) : undefined;
    if (near !== undefined) {
      throw new FieldPathError(`${path} is not a field of an order; did you mean ${near}?`);
    }
    return [...(earlier ?? []), assignment];
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new InvalidArgumentError(/[.?]$/.test(error.message) ? error.message : `${error.message}.`);
  }
}

/** Splits at the last "=": a header may contain one, a field does not. */
export function collectMapped(text: string, earlier: MappedFlag[] | undefined): MappedFlag[] {
  const equals = text.lastIndexOf('=');
  if (equals < 1 || equals === text.length - 1) throw new InvalidArgumentError("Expected 'Header=path'.");
  return [...(earlier ?? []), { header: text.slice(0, equals), path: text.slice(equals + 1) }];
}

export function collectText(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), text];
}

export function collectLeaveOut(text: string, earlier: LeaveOutFlag[] | undefined): LeaveOutFlag[] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError("Expected 'Header=value'.");
  return [...(earlier ?? []), { header: text.slice(0, equals), value: text.slice(equals + 1) }];
}

/** Who pays for orders that are not paid is said with --unpaid. */
export const includedReasons = leftOutReasons.filter((reason) => reason !== 'unpaid');

export function collectReason(text: string, earlier: LeftOutReason[] | undefined): LeftOutReason[] {
  const reason = leftOutReasons.find((known) => known === text);
  if (reason === 'unpaid') {
    throw new InvalidArgumentError('Choose instead: --unpaid collect or --unpaid prepaid.');
  }
  if (reason === undefined) {
    throw new InvalidArgumentError(`Expected one of ${includedReasons.join(', ')}.`);
  }
  return [...(earlier ?? []), reason];
}

export function parseRows(text: string): (row: number) => boolean {
  const rows = parseRowList(text);
  if (rows === undefined)
    throw new InvalidArgumentError('Expected row numbers and ranges, such as 14,20-31.');
  return rows;
}

export function parseMaxErrors(text: string): ErrorLimit {
  const limit = parseErrorLimit(text);
  if (limit === undefined) throw new InvalidArgumentError('Expected a number, or a percentage up to 100%.');
  return limit;
}

export function parseShardFlag(text: string): Shard {
  const shard = parseShard(text);
  if (shard === undefined)
    throw new InvalidArgumentError('Expected k/n such as 1/4, with at most 1024 parts.');
  return shard;
}

export function parseConcurrency(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const count = parseCount(text);
  if (count > maxConcurrency) throw new InvalidArgumentError(`The maximum is ${maxConcurrency}.`);
  return count;
}

export function parseRate(text: string): number {
  if (!/^\d{1,5}(?:\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('Expected a number above 0, such as 20 or 0.5.');
  }
  return Number(text);
}
