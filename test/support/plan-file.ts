import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runCli, temporaryDirectory } from './cli.ts';

/** What `import --dry-run` makes of a file. */
export interface FilePlan {
  /** Of a file that cannot be imported as it is: its code, message and hint. */
  error?: { code: string; message: string; hint?: string; draft?: unknown };
  orders: FileOrder[];
  problems: FileProblem[];
  /** How the file was read, and what was counted; undefined when the file cannot be imported. */
  summary?: Record<string, unknown> & { plan: Record<string, unknown> };
  exitCode: number;
}

export interface FileOrder {
  /** Its first row. */
  row: number;
  id: string;
  /** Why it is not to be delivered. */
  leftOut?: string;
  /** The codes of its errors, and what they are. */
  invalid?: string;
  message?: string;
  warnings?: { code: string; path?: string; message: string }[];
  /** What would be sent; undefined for an order that is left out. */
  order?: JsonOrder;
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into an order without narrowing each step
export type JsonOrder = Record<string, any>;

/** A problem as it is shown, the same ones once. */
export interface FileProblem {
  severity: 'error' | 'warning';
  /** Such as `row 3, order A-1, column C customer.phone`. */
  at: string;
  code: string;
  value?: string;
  problem: string;
  fix?: string;
  /** Such as `1 more row: 5`. */
  same?: string;
}

export interface PlanFileOptions {
  /** A mapping file, for `--map`. */
  map?: unknown;
  today?: string;
}

/** Plans the import of a file, or of text in a file `orders.csv`, by the command line. */
export async function planFile(
  file: string | { text: string | Uint8Array },
  flags: readonly string[] = [],
  { map, today }: PlanFileOptions = {},
): Promise<FilePlan> {
  const directory = temporaryDirectory();
  const path = typeof file === 'string' ? file : join(directory, 'orders.csv');
  if (typeof file !== 'string') writeFileSync(path, file.text);
  // Warnings are shown as whole as errors.
  const args = ['import', path, '--dry-run', '--details', '--format', 'ndjson', ...flags];
  if (map !== undefined) {
    const mapPath = join(directory, 'map.json');
    writeFileSync(mapPath, JSON.stringify(map));
    args.push('--map', mapPath);
  }
  const { stdout, stderr, exitCode } = await runCli(args, today === undefined ? {} : { today });
  const read = withoutFolders(stderr, [dirname(path), directory]).replaceAll(' --details', '');
  const lines = stdout.split('\n').filter((line) => line !== '');
  const last = lines.at(-1);
  const summary = last?.startsWith('{"file":') ? JSON.parse(last) : undefined;
  const error = errorOf(read);
  return {
    ...(error === undefined ? {} : { error }),
    orders: lines.slice(0, summary === undefined ? undefined : -1).map(orderOf),
    problems: read.split('\n\n').flatMap(problemOf),
    ...(summary === undefined ? {} : { summary: { ...summary, file: basename(path) } }),
    exitCode,
  };
}

function withoutFolders(text: string, folders: readonly string[]): string {
  return folders.reduce((rest, folder) => rest.replaceAll(`${folder}/`, ''), text);
}

function orderOf(line: string): FileOrder {
  const { row, externalOrderId: id, outcome, code, message, warnings, request } = JSON.parse(line);
  return {
    row,
    id,
    ...(outcome === 'left_out' ? { leftOut: code } : {}),
    ...(outcome === 'invalid' ? { invalid: code, message } : {}),
    ...(warnings === undefined ? {} : { warnings }),
    ...(request === undefined ? {} : { order: request }),
  };
}

const block =
  /^(?<warning>warning: )?(?<at>(?:file|header|row \d+)(?: {2}.*)?|(?:row \d+|header) \(line \d+\).*) {2}(?<code>\w+(?: \(\w+\))?)(?:\n {2}value {4}(?<value>.*))?\n {2}problem {2}(?<problem>.*)(?:\n {2}fix {6}(?<fix>.*))?(?:\n {11}same in (?<same>.*))?$/m;

function problemOf(text: string): FileProblem[] {
  const found = block.exec(text)?.groups;
  if (found === undefined) return [];
  const { warning, at = '', code = '', value, problem = '', fix, same } = found;
  return [
    {
      severity: warning === undefined ? 'error' : 'warning',
      at: at.replaceAll('  ', ', '),
      code,
      ...(value === undefined ? {} : { value }),
      problem,
      ...(fix === undefined ? {} : { fix }),
      ...(same === undefined ? {} : { same }),
    },
  ];
}

function errorOf(stderr: string): FilePlan['error'] {
  const line = stderr.split('\n').findLast((text) => text.startsWith('{"error":'));
  if (line === undefined) return undefined;
  const { code, message, hint, draft } = JSON.parse(line).error;
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(draft === undefined ? {} : { draft }),
  };
}
