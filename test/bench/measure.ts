import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** One run of a whole process. */
export interface Run {
  seconds: number;
  /** Seconds until the first byte of standard output. */
  firstOutput: number;
  /** Processor time of the process, in seconds; only with `isDetailed`. */
  processor: number;
  /** What of it is not the system's. */
  user: number;
  /** Peak memory in MiB; only with `isDetailed`. */
  peak: number;
  stdout: string;
}

export interface RunOptions {
  env?: Record<string, string> | undefined;
  /** Measures processor time and memory too, which costs some milliseconds at the start. */
  isDetailed?: boolean;
}

const report = `import { readFileSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const peak = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  process.stderr.write('bench ' + JSON.stringify({ peak: peak / 1024, processor: (user + system) / 1e6, user: user / 1e6 }));
});`;
const detailed = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(report)}"` };

/** Runs a program to its end. Error: an exit code other than 0. */
export async function run(command: readonly string[], options: RunOptions = {}): Promise<Run> {
  const [file = '', ...args] = command;
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  const env = { ...process.env, ...options.env, ...(options.isDetailed ? detailed : {}) };
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  let firstOutput = Number.NaN;
  child.stdout.on('data', (chunk) => {
    if (stdout === '') firstOutput = elapsed();
    // Only the end of a long list is needed.
    stdout = (stdout + chunk).slice(-65_536);
  });
  child.stderr.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-65_536);
  });
  const [exitCode] = await once(child, 'close');
  const seconds = elapsed();
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${stderr.slice(-2000)}`);
  const details = /bench (\{.*\})/.exec(stderr)?.[1] ?? '{"peak":null,"processor":null,"user":null}';
  return {
    seconds,
    firstOutput,
    stdout,
    ...(JSON.parse(details) as Pick<Run, 'peak' | 'processor' | 'user'>),
  };
}

/** Starts a script that prints its address and ends with its standard input. */
export async function startService(command: readonly string[]) {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [address] = await once(child.stdout, 'data');
  return {
    baseUrl: String(address).trim(),
    /** Processor time up to now, in seconds. */
    processor: () => {
      const afterName = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return (Number(afterName[11]) + Number(afterName[12])) / 100;
    },
    stop: async () => {
      const ended = once(child, 'close');
      child.stdin.end();
      await ended;
    },
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Runs two programs in turns, so that both meet the same disturbances. */
export async function inPairs<Result>(
  rounds: number,
  floor: () => Promise<Result>,
  ours: () => Promise<Result>,
): Promise<[floor: Result, ours: Result][]> {
  const pairs: [Result, Result][] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await floor(), await ours()]);
  return pairs;
}

/** The processors and the Node version, for the reader of the figures. */
export function describeMachine(): string {
  const info = readFileSync('/proc/cpuinfo', 'utf8');
  const names = info.match(/^model name\s*:\s*(.+)$/gm) ?? [];
  const name = names[0]?.replace(/^.*:\s*/, '') ?? 'unknown processor';
  return `${names.length} × ${name}, Node ${process.versions.node}`;
}
