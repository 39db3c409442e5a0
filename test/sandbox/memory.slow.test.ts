import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runScript } from '../support/program.ts';
import { anOrder, orders, send, temporaryFile } from './start.ts';

const maxMegabytes = 300;

/** A sandbox in a process of its own with an order of nearly 1 MiB, and what it used of memory at most. */
async function startProcess() {
  // Otherwise Node.js collects garbage only once there is much of it.
  const heap = '--max-old-space-size=160';
  const child = spawn(process.execPath, [heap, runScript, 'test/sandbox/serve-file.ts', temporaryFile()]);
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [line] = await once(child.stdout, 'data');
  const { baseUrl, apiKey: key } = JSON.parse(String(line)) as { baseUrl: string; apiKey: string };
  const order = anOrder({ note: 'x'.repeat(1_000_000) });
  const headers = { 'idempotency-key': 'K' };
  const { json } = await send(baseUrl, 'POST', orders, { key, headers, body: order });
  const request = `GET ${orders}/${json.id} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const peak = () =>
    Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  const isAlive = async () => (await send(baseUrl, 'GET', `${orders}?pageSize=1`, { key })).status === 200;
  return { request, open, peak, isAlive };
}

/** The number of responses that arrive. */
async function readResponses(socket: Socket, wanted: number): Promise<number> {
  let count = 0;
  let rest = '';
  socket.on('data', (bytes) => {
    const text = rest + bytes.toString('latin1');
    count += text.split('HTTP/1.1 200').length - 1;
    rest = text.slice(-11);
  });
  while (count < wanted && !socket.destroyed)
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return count;
}

describe.runIf(process.platform === 'linux')('the memory of a sandbox', () => {
  it('stays small for 2,000 pipelined reads, whether they are read or not', async () => {
    const { request, open, peak, isAlive } = await startProcess();
    const [slow, quick] = [await open(), await open()];
    slow.pause().write(request.repeat(2000));
    quick.write(request.repeat(2000));
    expect(await readResponses(quick, 2000)).toBe(2000);
    expect(await isAlive()).toBe(true);
    expect(peak()).toBeLessThan(maxMegabytes);
  });

  it('stays small for 200 clients that do not read', async () => {
    const { request, open, peak, isAlive } = await startProcess();
    const sockets = await Promise.all(Array.from({ length: 200 }, open));
    for (const socket of sockets) socket.pause().write(request.repeat(4));
    await delay(3000);
    expect(await isAlive()).toBe(true);
    expect(peak()).toBeLessThan(maxMegabytes);
  });
});
