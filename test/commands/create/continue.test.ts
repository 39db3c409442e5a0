import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';

const args = [
  'create',
  '--external-order-id',
  'Q-1',
  '--phone',
  '99112233',
  '--item',
  'T',
  '--prepaid',
  '--yes',
];

/** A service without keys that sends `100 Continue`, which nobody asked for, before its response to a POST. */
async function startContinuing(showsOrders: boolean) {
  const orders: object[] = [];
  const json = (status: number, value: unknown) => {
    const text = JSON.stringify(value);
    const length = Buffer.byteLength(text);
    return `HTTP/1.1 ${status} -\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`;
  };
  const respond = (head: string, body: string): string => {
    if (!head.startsWith('POST')) return json(200, { orders: showsOrders ? orders : [], hasMore: false });
    const number = orders.push({
      ...JSON.parse(body),
      id: `S-${orders.length}`,
      orderNumber: 'ORD-2026-000001',
    });
    return `HTTP/1.1 100 Continue\r\n\r\n${json(201, orders[number - 1])}`;
  };
  const serve = (socket: Socket) => {
    let received = '';
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        received += bytes;
        const [head = '', body] = received.split('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (body === undefined || body.length < length) return;
        received = '';
        socket.write(respond(head, body));
      });
  };
  const server = createServer(serve);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const env = {
    MERCHANT_ORDERS_BASE_URL: `http://127.0.0.1:${port}`,
    MERCHANT_ORDERS_API_KEY: 'key-of-the-tests',
  };
  return { orders, run: () => runCli([...args, '--json'], { env, configDirectory: temporaryDirectory() }) };
}

it('is created once, and looked up, when the response follows a 100 Continue', async () => {
  const { orders, run } = await startContinuing(true);
  const { exitCode, stdout } = await run();
  expect([exitCode, JSON.parse(stdout)._outcome, orders.length]).toEqual([0, 'created', 1]);
});
