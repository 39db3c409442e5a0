import {
  type CommandLine,
  createSay,
  joinPieces,
  type Language,
  linesOf,
  type Piece,
  piecesOf,
  plainText,
  type Say,
  Sentence,
  type Text,
  t,
} from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import type { CliError, ErrorIssue } from '../errors.ts';
import type { Json } from '../orders/json.ts';
import { formatJsonLine } from './print.ts';
import type { Format } from './reporter.ts';

const maxIssuesShown = 20;
const maxValueLength = 200;

interface ErrorLook {
  /** With the trace of an unexpected failure. */
  stack?: boolean;
  /** For a terminal. */
  wrap?(pieces: readonly Piece[]): string[];
  language?: Language | undefined;
}

export function formatError(
  error: CliError,
  format: Format,
  line: CommandLine,
  { stack, wrap = (pieces) => [joinPieces(pieces)], language }: ErrorLook = {},
): string {
  if (format === 'json' || format === 'ndjson') return jsonLine(error, line);
  const say = createSay(line, language);
  const { hint, status, serviceCode, requestId, hasShownIssues, idempotencyKey } = error.details;
  const issues = hasShownIssues ? [] : (error.details.issues ?? []);
  const isStop = ['interrupted', 'terminated', 'not_confirmed'].includes(error.code);
  const identifiers = [
    serviceCode && t`code ${serviceCode}`,
    status && t`status ${status}`,
    requestId && t`request ${requestId}`,
    idempotencyKey && t`idempotency key ${idempotencyKey}`,
  ].filter((text) => text instanceof Sentence);
  const parts = [
    cleanCell(say(isStop ? error.sentence : t`error: ${error.sentence}`)),
    ...issues.slice(0, maxIssuesShown).map((issue) => formatIssue(issue, say)),
    ...(issues.length > maxIssuesShown ? [`  ${say(t`and ${issues.length - maxIssuesShown} more`)}`] : []),
    ...(identifiers.length === 0 ? [] : [`  (${cleanCell(identifiers.map(say).join(', '))})`]),
  ].map((text): Piece[] => [{ text, isCommand: false }]);
  const next = hint === undefined ? [] : linesOf(piecesOf(hint, line, language));
  return [
    ...[...parts, ...next].flatMap(wrap),
    ...(stack && error.code === 'unexpected_failure' ? [stackOf(error)] : []),
  ].join('\n');
}

function formatIssue(
  { path, flag = path, code, message, value, rows = [], count = 1 }: ErrorIssue,
  say: Say,
) {
  const given = value === undefined ? '' : ` "${shorten(value, maxValueLength)}"`;
  const same = count === 1 ? '' : `, ${say(describeOthers(count - 1, rows.slice(1)))}`;
  return cleanCell(`  ${flag}${given}: ${say(message)}${code === undefined ? '' : ` (${code})`}${same}`);
}

/** `same in 2 more rows: 14, 25` */
export function describeOthers(others: number, rows: readonly number[]): Text {
  const named = `${rows.join(', ')}${rows.length < others ? ', ...' : ''}`;
  return t`same in ${others} more {row|rows}: ${named}`;
}

function jsonLine(error: CliError, line: CommandLine): string {
  const { hint, status, serviceCode, requestId, issues, draft, outcome, idempotencyKey } = error.details;
  const { code, message, exitCode } = error;
  const shell = { isWindows: line.isWindows };
  const fields = {
    code,
    message,
    hint: hint === undefined ? undefined : plainText(hint, line),
    status,
    serviceCode,
    requestId,
    issues: issues?.map(({ flag: _, ...issue }) => ({ ...issue, message: plainText(issue.message, shell) })),
    draft,
    outcome,
    idempotencyKey,
    exitCode,
  };
  return formatJsonLine(JSON.parse(JSON.stringify({ error: fields })) as Json);
}

function stackOf(error: CliError): string {
  const origin = error.cause instanceof Error ? error.cause : error;
  return origin.stack ?? String(origin);
}
