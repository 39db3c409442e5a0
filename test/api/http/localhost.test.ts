import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { runProgram } from '../../support/program.ts';

/** A server that keeps its requests; undefined when this machine does not have the address. */
async function listen(address: string, port: number) {
  const received: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    received.push(request);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const listening = once(server.listen(port, address), 'listening').then(() => true);
  if (!(await listening.catch(() => false))) return undefined;
  return { received, port: (server.address() as AddressInfo).port };
}

async function isServed(address: string, port: number): Promise<boolean> {
  const socket = connect(port, address);
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** Lists the orders of localhost in a process whose resolver leads every name to 127.0.0.2, as a hosts file can. */
async function listOrders(port: number) {
  const resolver = join(temporaryDirectory(), 'resolver.cjs');
  const answer = "const [one, all] = ['127.0.0.2', [{ address: '127.0.0.2', family: 4 }]];";
  const lookup = '(name, options, done) => (options.all ? done(null, all) : done(null, one, 4))';
  writeFileSync(resolver, `${answer} require('node:dns').lookup = ${lookup};`);
  return runProgram(['list', '--json'], {
    env: {
      NODE_OPTIONS: `--require ${resolver}`,
      MERCHANT_ORDERS_BASE_URL: `http://localhost:${port}`,
      MERCHANT_ORDERS_API_KEY: 'live_key-of-the-tests',
    },
  });
}

describe('http://localhost', () => {
  it.each(['127.0.0.1', '::1'])('is %s, wherever the name leads', async (address) => {
    let service = await listen(address, 0);
    // Another test may have the same port at the other address of localhost.
    while (service !== undefined && (await isServed(address === '::1' ? '127.0.0.1' : '::1', service.port)))
      service = await listen(address, 0);
    if (service === undefined) return;
    const elsewhere = await listen('127.0.0.2', service.port);
    const { exitCode, stderr } = await listOrders(service.port);
    expect(exitCode, stderr).toBe(0);
    expect(service.received.some(({ headers }) => headers.authorization !== undefined)).toBe(true);
    expect(elsewhere?.received ?? []).toEqual([]);
  });
});
