import { exitCodes } from '../../src/errors.ts';
import { canaryKey, type FuzzCase, type RunResult } from './case.ts';

export interface Finding {
  kind:
    | 'crash'
    | 'time'
    | 'memory'
    | 'bug'
    | 'stack'
    | 'exit code'
    | 'output'
    | 'key'
    | 'outcome'
    | 'left behind';
  detail: string;
}

const maxMemoryBytes = 320 * 1024 * 1024;
const knownCodes = new Set<number>(Object.values(exitCodes));
const afterSignals = new Set<number>([exitCodes.interrupted, exitCodes.terminated]);
/** Exit codes that promise that a create was not processed. */
const notCreated = new Set<number>([
  exitCodes.nothingSent,
  exitCodes.notFound,
  exitCodes.keyRefused,
  exitCodes.refused,
  exitCodes.unreachable,
]);
const stackLine = /^\s+at .*(?:node:|\.m?[jt]s:)\S*:\d+/m;
const bugWords =
  /FATAL ERROR|Maximum call stack|Invalid string length|Cannot read properties|is not (?:a function|iterable)|Array buffer allocation|ERR_INTERNAL/;
const control = /(?![\n\t])[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069]/gu;

/** libsql 0.5 ends the process when a text of a damaged database is not UTF-8. It cannot be caught, and nothing is lost. */
const endOfLibsql = /called `Result::unwrap\(\)` on an `Err` value: Utf8Error/;

export function isKnown({ stderr, signal }: RunResult): boolean {
  return signal === 'SIGABRT' && endOfLibsql.test(stderr);
}

/** What a run did that no run may do. */
export function judge(fuzzCase: FuzzCase, result: RunResult): Finding[] {
  if (isKnown(result)) return [];
  const { stdout, stderr, exitCode, signal, killedFor } = result;
  const findings: Finding[] = [];
  const add = (kind: Finding['kind'], detail: string) => findings.push({ kind, detail });
  if (killedFor === 'time') add('time', `it did not end in ${(result.milliseconds / 1000).toFixed(0)} s`);
  else if (killedFor === 'memory' || result.peakBytes > maxMemoryBytes) {
    add('memory', `${(result.peakBytes / 2 ** 20).toFixed(0)} MiB`);
  } else if (signal === 'SIGINT' && result.wasInterrupted) return findings;
  else if (signal !== null || exitCode === null) add('crash', `${signal}: ${lastLine(stderr)}`);
  else if (exitCode === exitCodes.unexpected) add('bug', lastLine(stderr));
  else if (!knownCodes.has(exitCode) || (afterSignals.has(exitCode) && !result.wasInterrupted)) {
    add('exit code', `${exitCode}: ${lastLine(stderr)}`);
  }
  if (killedFor !== undefined) return findings;
  const output = `${stdout}\n${stderr}`;
  const stack = stackLine.exec(output) ?? bugWords.exec(output);
  if (stack !== null && !fuzzCase.args.includes('--verbose')) add('stack', stack[0].trim());
  const [shown] = output.match(control) ?? [];
  if (shown !== undefined) add('output', `U+${shown.charCodeAt(0).toString(16)} reaches the terminal`);
  const unreadable = unreadableJson(fuzzCase, result);
  if (unreadable !== undefined) add('output', unreadable);
  const places = [['stdout', stdout], ['stderr', stderr], ...result.written] as [string, string][];
  for (const [place, text] of places) {
    if (!place.endsWith('config.json') && showsKey(text)) add('key', place.replace(/^.*fuzz-[^/]*/, ''));
  }
  const outcome = wrongOutcome(fuzzCase, result);
  if (outcome !== undefined) add('outcome', outcome);
  if (result.leftBehind.length > 0) add('left behind', result.leftBehind.join(', '));
  return findings;
}

const keyForms = [
  canaryKey,
  encodeURIComponent(canaryKey),
  ...[0, 1, 2].map(base64At),
  ...[0, 1, 2].map((offset) => base64At(offset).replaceAll('+', '-').replaceAll('/', '_')),
  canaryKey.replaceAll('/', '\\/'),
];

/** What base64 of any text has in it when the key begins at this place of a group of three bytes. */
function base64At(offset: number): string {
  const encoded = Buffer.from('x'.repeat(offset) + canaryKey).toString('base64');
  const from = offset === 0 ? 0 : 4;
  return encoded.slice(from, encoded.length - 4);
}

export function showsKey(text: string): boolean {
  const visible = text.replace(control, '');
  return keyForms.some((form) => text.includes(form) || visible.includes(form));
}

function unreadableJson({ args }: FuzzCase, { stdout, exitCode }: RunResult): string | undefined {
  const format = args.includes('--json') ? 'json' : args[args.lastIndexOf('--format') + 1];
  const isText = args.some((word) =>
    /^(?:-h|--help|help|-V|--version|--template|--list-presets)$/.test(word),
  );
  if (stdout === '' || isText || args[0] === '' || exitCode !== exitCodes.done) return undefined;
  if (format !== 'json' && format !== 'ndjson') return undefined;
  const texts = format === 'json' ? [stdout] : stdout.trimEnd().split('\n');
  try {
    for (const text of texts) JSON.parse(text);
    return undefined;
  } catch (error) {
    return `stdout is not ${format}: ${(error as Error).message.slice(0, 80)}`;
  }
}

function wrongOutcome({ created }: FuzzCase, result: RunResult): string | undefined {
  const twice = [...result.commits].find(([, count]) => count > 1);
  if (twice !== undefined) return `${twice[0].slice(0, 40)} was created ${twice[1]} times`;
  if (created === undefined || result.wasDeceived || result.exitCode === null) return undefined;
  const isCommitted = result.commits.has(created);
  if (result.exitCode === exitCodes.done && !isCommitted) return 'exit code 0, and the order does not exist';
  // A conflict says that the order exists.
  const isConflict = /already exists with other content/.test(result.stderr);
  if (notCreated.has(result.exitCode) && isCommitted && !isConflict)
    return `exit code ${result.exitCode}, and the order exists`;
  return undefined;
}

function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  const telling = lines.find((line) => /error|bug/i.test(line)) ?? lines.at(-1) ?? '';
  return telling.slice(0, 160);
}
