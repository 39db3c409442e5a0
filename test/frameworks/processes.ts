import { type SpawnOptions, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';

/** A process in the background, which ends with this one. Its output is kept for messages. */
export function startProcess([command = '', ...args]: string[], options: SpawnOptions) {
  const executable = command === 'node' ? process.execPath : command;
  const child = spawn(executable, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stdout?.on('data', (chunk) => output.push(String(chunk)));
  child.stderr?.on('data', (chunk) => output.push(String(chunk)));
  child.on('error', (error) => output.push(error.message));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('close', resolve);
    child.once('error', resolve);
  });
  return {
    output: () => output.join('').slice(-maxOutputCharacters),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined,
    stop: async () => {
      process.removeListener('exit', kill);
      child.kill('SIGTERM');
      const timer = setTimeout(kill, killMilliseconds);
      await ended;
      clearTimeout(timer);
    },
  };
}

const maxOutputCharacters = 4000;
const killMilliseconds = 2000;

/** Below the ephemeral ports: the system could give such a port to a client before somebody listens there. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    await new Promise((closed) => server.close(closed));
    if (isFree) return port;
  }
}

/** Runs the built program to its end. */
export async function runProgram(args: readonly string[], env: Record<string, string>, stdin = '') {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('MERCHANT_ORDERS_'));
  const child = spawn(process.execPath, ['bin/merchant-orders.js', ...args], {
    env: { ...Object.fromEntries(clean), ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.end(stdin);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { stdout, stderr, exitCode };
}
