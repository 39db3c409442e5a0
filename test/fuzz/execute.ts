import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../support/cli.ts';
import { canaryKey, type FuzzCase, type RunResult } from './case.ts';
import type { Done, Order } from './in-process.ts';
import { startRawService } from './service.ts';

export interface Limits {
  /** A run that takes longer is ended, and is a finding: on the clock, and of the processor, which no other process uses up. */
  milliseconds: number;
  processorMilliseconds: number;
  heapMegabytes: number;
  residentBytes: number;
}

type Ended = Omit<RunResult, 'commits' | 'wasDeceived' | 'written' | 'leftBehind'>;

const root = fileURLToPath(packageRoot);
/** A process that ran many commands is replaced, so that the memory of one run is not that of others. */
const maxRunsOfProcess = 100;
/** A spawned process writes no longer file, so that the disk is not filled: 2.25 GiB in blocks of 512 bytes. */
const maxFileBlocks = 4.5 * 2 ** 20;
const maxReadBytes = 64 * 1024 * 1024;

export type Executor = ReturnType<typeof createExecutor>;

/** Runs cases in a process that lives for many of them, or in one of their own. */
export function createExecutor(limits: Limits) {
  let worker: Promise<ChildProcess> | undefined;
  let runs = 0;

  async function startWorker(): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      [
        `--max-old-space-size=${limits.heapMegabytes}`,
        'test/support/run-script.js',
        'test/fuzz/in-process.ts',
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' },
    );
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve()).once('close', () => reject(new Error('the worker ended')));
    });
    child.removeAllListeners('close');
    return child;
  }

  async function runInProcess(order: Order): Promise<Ended> {
    if (runs >= maxRunsOfProcess) await close();
    runs += 1;
    worker ??= startWorker();
    const child = await worker;
    const stderr: string[] = [];
    const listen = (chunk: Buffer) => void stderr.push(String(chunk));
    child.stderr?.on('data', listen);
    const started = performance.now();
    const watch = startWatch(child, limits);
    const done = await new Promise<Done | undefined>((resolve) => {
      child.once('message', (message) => resolve(message as Done)).once('close', () => resolve(undefined));
      child.send(order);
    });
    watch.stop();
    child.removeAllListeners('message').removeAllListeners('close');
    child.stderr?.off('data', listen);
    const milliseconds = performance.now() - started;
    const wasInterrupted = order.interruptAfterMilliseconds !== undefined;
    if (done !== undefined) return { ...done, signal: null, milliseconds, wasInterrupted };
    worker = undefined;
    runs = 0;
    return {
      stdout: '',
      stderr: stderr.join(''),
      exitCode: child.exitCode,
      signal: child.signalCode,
      milliseconds,
      peakBytes: watch.peakBytes(),
      wasInterrupted,
      ...watch.killedFor(),
    };
  }

  async function close(): Promise<void> {
    const child = await worker;
    worker = undefined;
    runs = 0;
    child?.kill('SIGKILL');
  }

  return {
    close,
    async run(fuzzCase: FuzzCase): Promise<RunResult> {
      const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
      const service = await startRawService(fuzzCase.script ?? {});
      try {
        const [directory, configDirectory, temporary] = ['work', 'config', 'temporary'].map((name) =>
          join(folder, name),
        ) as [string, string, string];
        for (const path of [directory, configDirectory, temporary]) mkdirSync(path, { mode: 0o700 });
        for (const [name, content] of Object.entries(fuzzCase.files ?? {}))
          writeFileSync(join(directory, name), content, { mode: 0o600 });
        const before = new Map(readContents(folder));
        const order: Order = {
          args: [...fuzzCase.args, ...quickly(fuzzCase)].map((word) => word.replaceAll('{url}', service.url)),
          env: {
            MERCHANT_ORDERS_BASE_URL: service.url,
            MERCHANT_ORDERS_API_KEY: canaryKey,
            ...withAddress(fuzzCase.env ?? {}, service.url),
          },
          stdin: fuzzCase.stdin,
          directory,
          configDirectory,
          temporary,
          interruptAfterMilliseconds: fuzzCase.interruptAfterMilliseconds,
        };
        const ended =
          fuzzCase.isSpawned && fitsProcess(order)
            ? await runSpawned(order, limits)
            : await runInProcess(order);
        const after = [...readContents(folder)];
        return {
          ...ended,
          commits: service.commits,
          wasDeceived: service.wasDeceived(),
          written: new Map(after.filter(([path, content]) => before.get(path) !== content)),
          leftBehind: readdirSync(temporary),
        };
      } finally {
        service.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** No run waits for long. */
function quickly({ args }: FuzzCase): string[] {
  const ofImport = args.includes('import') ? ['--max-wait', '1', '--max-outage', '1'] : [];
  return ['--timeout', '0.5', ...ofImport];
}

/** Linux starts no process with longer words. */
function fitsProcess({ args, env }: Order): boolean {
  return [...args, ...Object.values(env)].every((word) => word.length < 60_000 && !word.includes('\0'));
}

async function runSpawned(order: Order, limits: Limits): Promise<Ended> {
  const child = spawn(
    'sh',
    [
      ...['-c', `ulimit -f ${maxFileBlocks}; exec "$0" "$@"`, process.execPath],
      ...[
        `--max-old-space-size=${limits.heapMegabytes}`,
        join(root, 'bin/merchant-orders.js'),
        ...order.args,
      ],
    ],
    {
      cwd: order.directory,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        ...order.env,
        MERCHANT_ORDERS_CONFIG_DIR: order.configDirectory,
        TMPDIR: order.temporary,
      },
    },
  );
  child.stdin?.on('error', () => undefined).end(order.stdin);
  const text = { stdout: [] as string[], stderr: [] as string[] };
  child.stdout?.on('data', (chunk) => text.stdout.push(String(chunk)));
  child.stderr?.on('data', (chunk) => text.stderr.push(String(chunk)));
  const started = performance.now();
  const watch = startWatch(child, limits);
  const delay = order.interruptAfterMilliseconds;
  const presses =
    delay === undefined
      ? []
      : [delay, delay + 1000].map((wait) => setTimeout(() => child.kill('SIGINT'), wait));
  await once(child, 'close');
  for (const press of presses) clearTimeout(press);
  watch.stop();
  return {
    stdout: text.stdout.join(''),
    stderr: text.stderr.join(''),
    exitCode: child.exitCode,
    signal: child.signalCode,
    milliseconds: performance.now() - started,
    peakBytes: watch.peakBytes(),
    wasInterrupted: delay !== undefined,
    ...watch.killedFor(),
  };
}

/** Ends a process that takes too long or too much memory. */
function startWatch(child: ChildProcess, limits: Limits) {
  let reason: 'time' | 'memory' | undefined;
  let peak = 0;
  const kill = (why: 'time' | 'memory') => {
    reason ??= why;
    child.kill('SIGKILL');
  };
  const deadline = setTimeout(() => kill('time'), limits.milliseconds);
  const before = processorTimeOf(child.pid);
  const look = setInterval(() => {
    peak = Math.max(peak, residentOf(child.pid));
    if (peak > limits.residentBytes) kill('memory');
    if (processorTimeOf(child.pid) - before > limits.processorMilliseconds) kill('time');
  }, 50);
  return {
    peakBytes: () => peak,
    killedFor: () => (reason === undefined ? {} : { killedFor: reason }),
    stop() {
      clearTimeout(deadline);
      clearInterval(look);
    },
  };
}

function residentOf(pid: number | undefined): number {
  try {
    const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Milliseconds, as Linux counts them: in hundredths of a second. */
function processorTimeOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

function withAddress(env: Record<string, string>, url: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replaceAll('{url}', url)]),
  );
}

function* listFiles(directory: string): Generator<string> {
  for (const entry of existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : []) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* listFiles(path);
    else if (entry.isFile()) yield path;
  }
}

/** Path and content; without what goes in the meantime: SQLite deletes its `-wal` when a sandbox closes. */
function* readContents(directory: string): Generator<[string, string]> {
  for (const path of listFiles(directory)) {
    const content = readIfThere(path);
    if (content !== undefined) yield [path, content];
  }
}

function readIfThere(path: string): string | undefined {
  try {
    const { size } = lstatSync(path);
    return size > maxReadBytes ? `${size} bytes` : readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
