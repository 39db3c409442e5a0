import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { idempotencyKey } from '../../../src/api/requests.ts';
import { entriesOfKey } from '../../../src/import/send/merchant-entries.ts';
import { sendOrder } from '../../../src/import/send/send-order.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { hashBody } from '../../../src/ledger/order-log.ts';
import { writeOrderBody } from '../../../src/orders/order.ts';
import { defaultPaths } from '../../../src/orders/unnamed-fields.ts';
import { createRunLocks } from '../../../src/system/run-locks.ts';
import { openDatabase, type Schema } from '../../../src/system/sqlite.ts';
import { connectTo, type ReceivedRequest, type Reply, startStubService } from '../../api/stub-service.ts';
import { temporaryDirectory } from '../../support/cli.ts';
import { ledgerEntry } from '../../support/ledger.ts';
import { runScript } from '../../support/program.ts';
import { orderOf } from './services.ts';

const order = orderOf('A-1');
const edited = orderOf('A-1', 2, { total: '5' });
const body = writeOrderBody(order.order);
const key = idempotencyKey('A-1', body, 0);

/** Starts a run whose first create never gets a response. */
async function startRun() {
  let arrived = (): void => undefined;
  const inFlight = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let creates = 0;
  const respond = ({ method, body: sent }: ReceivedRequest): Reply => {
    if (method === 'GET') return { json: { data: [] } };
    creates += 1;
    if (creates === 1) return () => arrived();
    return { status: 201, json: { ...JSON.parse(sent), id: 'S-1', orderNumber: 'ORD-1' } };
  };
  const { baseUrl, requests } = await startStubService(respond);
  const directory = temporaryDirectory();
  const child = fork(runScript, [
    'test/import/send/send-dying.ts',
    baseUrl,
    directory,
    JSON.stringify(order),
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await inFlight;
  const clock = { now: 2000 };
  const parts = {
    open: (schema: Schema) => openDatabase(join(directory, 'ledger.db'), schema),
    locks: await createRunLocks(join(directory, 'runs'), () => undefined),
    reserve: () => () => undefined,
    now: () => clock.now,
  };
  const ledger = await openLedger(parts, { service: 'https://api.example', apiKey: 'sandbox_1' });
  onTestFinished(() => ledger.close());
  const client = connectTo(baseUrl);
  const sender = { client, finder: createOrderFinder(client), ledger, entries: entriesOfKey(ledger) };
  const send = async (sent: typeof order) => {
    const { outcome } = await sendOrder(sent, {
      ...sender,
      run: 'next',
      recreatesCancelled: false,
      fieldPaths: defaultPaths,
      now: parts.now,
    });
    return outcome;
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { ledger, send, kill, clock, directory, posts: () => requests('POST') };
}

const intent = ledgerEntry({
  bodyHash: hashBody(body),
  idempotencyKey: key,
  run: 'killed',
  lastRun: 'killed',
});

it('an order is left to the run that sends it, and sent with the same key after that run was killed', async () => {
  const { ledger, send, kill, directory, posts } = await startRun();
  expect(ledger.orders.find('A-1')).toEqual(intent);
  const left = { row: 2, externalOrderId: 'A-1', outcome: 'not_sent', attempts: 0, code: 'in_other_run' };
  expect(await send(order)).toEqual({ ...left, message: 'run killed is sending it now' });
  await kill();
  expect(await send(order)).toEqual({
    row: 2,
    externalOrderId: 'A-1',
    outcome: 'created',
    attempts: 1,
    orderId: 'S-1',
    orderNumber: 'ORD-1',
    idempotencyKey: key,
    createdByRun: 'next',
  });
  const sent = posts().map(({ headers, body: bytes }) => [headers['idempotency-key'], bytes]);
  expect(sent).toEqual([
    [key, body],
    [key, body],
  ]);
  expect(readdirSync(join(directory, 'runs'))).toEqual([]);
});

it('other content is sent ten minutes after the killed run was noticed', async () => {
  const { ledger, send, kill, clock, posts } = await startRun();
  await kill();
  const deferred = { outcome: 'unknown', code: 'earlier_attempt_open', attempts: 0 };
  expect(await send(edited)).toMatchObject(deferred);
  // The ledger now holds the latest time at which that process can have sent the request.
  expect(ledger.orders.find('A-1')).toEqual({ ...intent, state: 'unknown', unknownAt: 2000 });
  clock.now = 601_999;
  expect(await send(edited)).toMatchObject(deferred);
  expect(posts().length).toBe(1);
  clock.now = 602_000;
  expect(await send(edited)).toMatchObject({ outcome: 'created', createdByRun: 'next' });
  expect(posts().length).toBe(2);
});
