import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { packageRoot, temporaryDirectory } from './cli.ts';

export interface ProgramOptions {
  env?: Record<string, string>;
  /** Null leaves standard input open. */
  stdin?: string | null;
  configDirectory?: string;
  /** Runs as this user; only root can. */
  uid?: number;
}

export const program = fileURLToPath(new URL('bin/merchant-orders.js', packageRoot));

/** Runs a TypeScript file of the project, the first argument, as a process of its own. */
export const runScript = fileURLToPath(new URL('test/support/run-script.js', packageRoot));

/** Runs the built program as a process of its own, to its end. */
export function runProgram(args: string[], options: ProgramOptions = {}) {
  return startProgram(args, options).ended;
}

/** Starts the built program; `ended` resolves with all it wrote and its exit code. */
export function startProgram(args: string[], options: ProgramOptions = {}) {
  const child = start(args, options);
  const stdout: string[] = [];
  const stderr: string[] = [];
  child.stdout?.on('data', (chunk) => stdout.push(String(chunk)));
  child.stderr?.on('data', (chunk) => stderr.push(String(chunk)));
  if (options.stdin !== null) child.stdin?.end(options.stdin ?? '');
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve)).then((exitCode) => {
    return { stdout: stdout.join(''), stderr: stderr.join(''), exitCode };
  });
  return { child, ended };
}

/** Starts `sandbox start` as a process of its own; resolves when it is ready. */
export async function startServedSandbox(...flags: string[]) {
  const child = start(
    ['sandbox', 'start', '--port', '0', '--db', ':memory:', '--json', '--quiet', ...flags],
    {},
  );
  const facts = await new Promise<Record<string, string>>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.trimEnd().endsWith('}')) resolve(JSON.parse(text));
    });
    child.on('close', (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    child.kill(signal);
    return ended;
  };
  onTestFinished(async () => void (await stop('SIGKILL')));
  const settings = facts as { baseUrl: string; apiKey: string; readOnlyApiKey: string; adminToken: string };
  /** The requests and the committed orders, from the log of the service. */
  const ledger = async () => {
    const headers = { authorization: `Bearer ${settings.adminToken}` };
    const { body } = await request(`${settings.baseUrl}/_sandbox/ledger`, { headers });
    return (await body.json()) as {
      requests: number;
      orders: { externalOrderId: string; commits: number }[];
    };
  };
  return { ...settings, ledger, stop };
}

function start(
  args: string[],
  { env = {}, configDirectory = temporaryDirectory(), uid }: ProgramOptions,
): ChildProcess {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('MERCHANT_ORDERS_') && name !== 'CI'),
  );
  return spawn(process.execPath, [program, ...args], {
    cwd: fileURLToPath(packageRoot),
    env: { ...clean, MERCHANT_ORDERS_CONFIG_DIR: configDirectory, ...env },
    ...(uid === undefined ? {} : { uid }),
  });
}

const printsLoadedFiles = `import { createRequire } from 'node:module';
import { writeSync } from 'node:fs';
const { cache } = createRequire('file:///');
process.on('exit', () => writeSync(2, '\\nloaded ' + JSON.stringify(Object.keys(cache))));`;

export interface LoadedModule {
  /** `src/main.ts`, `node_modules/commander/lib/command.js` */
  path: string;
  bytes: number;
}

/** What the program prints, and the modules in the files that it loads, as the build names them and their size. */
export async function runWithModules(args: string[], options: ProgramOptions = {}) {
  const env = { ...options.env, NODE_OPTIONS: importing(printsLoadedFiles) };
  const { stderr, ...result } = await runProgram(args, { ...options, env });
  const [said = '', list = '[]'] = stderr.split('\nloaded ');
  const files = JSON.parse(list) as string[];
  return { ...result, stderr: said, modules: files.flatMap(modulesOf) };
}

function modulesOf(file: string): LoadedModule[] {
  const [, library] = /\/(node_modules\/.*)/.exec(file) ?? [];
  // The binary of SQLite differs between systems.
  if (library?.endsWith('.node')) return [];
  if (library !== undefined) return [{ path: library, bytes: statSync(file).size }];
  const marks = readFileSync(file, 'utf8').matchAll(/^\/\/ ((?:src|node_modules)\/\S+) (\d+)$/gm);
  return Array.from(marks, ([, path = '', bytes]) => ({ path, bytes: Number(bytes) }));
}

function importing(script: string): string {
  return `--import "data:text/javascript,${encodeURIComponent(script)}"`;
}

// Not the figure of `resourceUsage`, which begins with that of the process that started it.
const printsPeak = `import { readFileSync } from 'node:fs';
process.on('exit', () => process.stderr.write(/^VmHWM.*$/m.exec(readFileSync('/proc/self/status', 'utf8'))[0]));`;

/** What the program prints, and the most memory that its process had, in MiB. */
export async function runWithPeak(args: string[]) {
  const env = { NODE_OPTIONS: importing(printsPeak) };
  const result = await runProgram(args, { env });
  return { ...result, peak: Number(/VmHWM:\s+(\d+)/.exec(result.stderr)?.[1]) / 1024 };
}
