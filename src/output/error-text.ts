import { cleanCell, shorten } from '../clean-text.ts';
import type { CliError, ErrorIssue } from '../errors.ts';
import type { Json } from '../orders/json.ts';
import { formatJsonLine } from './print.ts';
import type { Format } from './reporter.ts';

const maxIssuesShown = 20;
const maxValueLength = 200;

/** An error as text, or as a line of JSON. `stack` adds the trace of an unexpected failure. `wrap` is for a terminal. */
export function formatError(
  error: CliError,
  format: Format,
  stack: boolean,
  wrap = (line: string) => [line],
): string {
  if (format === 'json' || format === 'ndjson') return jsonLine(error);
  const { hint, status, serviceCode, requestId, hasShownIssues, idempotencyKey } = error.details;
  const issues = hasShownIssues ? [] : (error.details.issues ?? []);
  const isStop = ['interrupted', 'terminated', 'not_confirmed'].includes(error.code);
  const identifiers = [
    serviceCode && `code ${serviceCode}`,
    status && `status ${status}`,
    requestId && `request ${requestId}`,
    idempotencyKey && `idempotency key ${idempotencyKey}`,
  ].filter((text) => typeof text === 'string');
  const parts = [
    cleanCell(isStop ? error.message : `error: ${error.message}`),
    ...issues.slice(0, maxIssuesShown).map(formatIssue),
    ...(issues.length > maxIssuesShown ? [`  and ${issues.length - maxIssuesShown} more`] : []),
    ...(identifiers.length === 0 ? [] : [`  (${cleanCell(identifiers.join(', '))})`]),
    ...(hint === undefined ? [] : hint.split('\n')),
  ];
  return [
    ...parts.flatMap(wrap),
    ...(stack && error.code === 'unexpected_failure' ? [stackOf(error)] : []),
  ].join('\n');
}

function formatIssue({ path, code, message, value }: ErrorIssue) {
  const given = value === undefined ? '' : ` "${shorten(value, maxValueLength)}"`;
  return cleanCell(`  ${path}${given}: ${message}${code === undefined ? '' : ` (${code})`}`);
}

function jsonLine(error: CliError): string {
  const { hint, status, serviceCode, requestId, issues, draft, outcome, idempotencyKey } = error.details;
  const { code, message, exitCode } = error;
  const fields = {
    code,
    message,
    hint,
    status,
    serviceCode,
    requestId,
    issues,
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

interface UserShell {
  isWindows: boolean;
}

/** A command line of this program, to paste into the shell of the user. It belongs on a line of its own. */
export function formatCommandLine(words: readonly string[], { isWindows }: UserShell): string {
  return ['merchant-orders', ...(isWindows ? quoteForWindows(words) : words.map(quote))].join(' ');
}

interface ServiceSettings {
  sandbox: boolean;
  profile: { value: string; source: string } | undefined;
  baseUrl: { value: string; source: string } | undefined;
}

/** A command line of this program for the same service, by the flags of this one. */
export function commandFor(
  { settings, system }: { settings: ServiceSettings; system: UserShell },
  words: readonly string[],
): string {
  const named = ([flag, setting]: [string, ServiceSettings['profile']]) =>
    setting?.source === 'flag' ? [flag, setting.value] : [];
  const service = settings.sandbox
    ? ['--sandbox']
    : [...named(['--profile', settings.profile]), ...named(['--base-url', settings.baseUrl])];
  return formatCommandLine([...service, ...words], system);
}

/** A word for a POSIX shell. */
export function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (cleanCell(word) === word) return `'${word.replaceAll("'", "'\\''")}'`;
  // Line breaks and what the print sink takes out are written as bash, zsh and ksh read them.
  const escaped = [...word].map((letter) => (/['\\]/.test(letter) ? `\\${letter}` : escapeHidden(letter)));
  return `$'${escaped.join('')}'`;
}

function escapeHidden(letter: string): string {
  if (cleanCell(letter) === letter) return letter;
  return `\\U${(letter.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}

/**
 * Double quotes are read alike by cmd and PowerShell. A value that either would change is left out: a flag then ends
 * with `=`, which the command asks for or rejects, and never takes the next word as its value.
 */
function quoteForWindows(words: readonly string[]): string[] {
  const quoted: string[] = [];
  for (const word of words) {
    if (isPlainOnWindows(word)) quoted.push(word);
    else if (isQuotableOnWindows(word)) quoted.push(`"${word}"`);
    else if (/^--[\w-]+=/.test(word)) quoted.push(word.slice(0, word.indexOf('=') + 1));
    else if (/^--?[\w-]+$/.test(quoted.at(-1) ?? '')) quoted.push(`${quoted.pop()}=`);
  }
  return quoted;
}

/** PowerShell splits a word such as `-o.csv`, and makes a list of `a,b`. */
function isPlainOnWindows(word: string): boolean {
  return /^(?:--?[A-Za-z][\w-]*|[\w./\\][\w+=:./\\-]*)$/.test(word);
}

function isQuotableOnWindows(word: string): boolean {
  const isChanged = /["\u201c-\u201e%!$`]|\\$/.test(word);
  return word !== '' && !isChanged && cleanCell(word) === word;
}
