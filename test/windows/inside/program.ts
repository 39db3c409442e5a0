import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { request } from 'undici';

/** What a script of this folder gets, as the JSON file of its first argument. */
export interface Job {
  /** bin/merchant-orders.js of the installed package. */
  program: string;
  /** The working directory, with a space and letters that are not Latin in its path. */
  folder: string;
  resultPath: string;
}

export function readJob<Given extends Job>(): Given {
  const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Given;
  mkdirSync(job.folder, { recursive: true });
  return job;
}

export function writeResult({ resultPath }: Job, result: unknown): void {
  writeFileSync(resultPath, JSON.stringify(result));
}

export interface Ended {
  stdout: string;
  stderr: string;
  exitCode: number | null;
}

export function start(
  { program, folder }: Job,
  args: readonly string[],
  { stdin = '', env = {} }: { stdin?: string | Buffer; env?: Record<string, string> } = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text) => {
      texts[name] += text;
    });
  }
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, ended: ended.then((exitCode) => ({ ...texts, exitCode })) };
}

export function run(job: Job, ...rest: Parameters<typeof start> extends [Job, ...infer Rest] ? Rest : never) {
  return start(job, ...rest).ended;
}

/** `sandbox start` of the same program, with its database in the folder. */
export async function startSandbox(job: Job) {
  const { child, ended } = start(job, [
    'sandbox',
    'start',
    '--port',
    '0',
    '--db',
    join(job.folder, 'sandbox.db'),
    '--json',
    '--quiet',
  ]);
  const { baseUrl, apiKey, adminToken } = await new Promise<Record<string, string>>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (more) => {
      text += more;
      if (text.trimEnd().endsWith('}')) resolve(JSON.parse(text));
    });
    void ended.then(({ stderr }) => reject(new Error(`the sandbox ended: ${stderr}`)));
  });
  const admin = async (path: string) => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const { body } = await request(`${baseUrl}/_sandbox/${path}`, { headers, reset: true });
    return (await body.json()) as unknown;
  };
  return {
    baseUrl: baseUrl ?? '',
    apiKey: apiKey ?? '',
    info: async () => (await admin('info')) as { requests: number; orders: number },
    commits: async () => {
      const { orders } = (await admin('ledger?without=attempts')) as {
        orders: { externalOrderId: string; commits: number }[];
      };
      return orders;
    },
    stop: () => child.kill('SIGKILL'),
  };
}

/** Where the program keeps the configuration and the ledger when nothing else is said. */
export function configurationFolder(): string {
  const { LOCALAPPDATA = '', XDG_CONFIG_HOME = '' } = process.env;
  return join(process.platform === 'win32' ? LOCALAPPDATA : XDG_CONFIG_HOME, 'merchant-orders');
}

export function writeOrders(path: string, count: number): void {
  const rows = Array.from({ length: count }, (_, index) => `W-${index},99112233,TEA-001,NONE\r\n`);
  writeFileSync(path, `externalOrderId,customer.phone,items[].sku,collectionMode\r\n${rows.join('')}`);
}
