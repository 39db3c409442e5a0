import type { ServerResponse } from 'node:http';
import { cancelOrder } from '../../../src/api/operations/cancel.ts';
import { getOrder, lookUp } from '../../../src/api/operations/find.ts';
import { CliError } from '../../../src/errors.ts';
import { type Order, textField } from '../../../src/orders/order.ts';
import { type Intervention, startForeignService } from '../../support/foreign-service/service.ts';
import { connect, jumpingClock, type Kept } from './connect.ts';
import { createOne } from './create-one.ts';

/** What is done to one request, in place of its answer or to it. */
const strikes: [name: string, strike: (response: ServerResponse) => void][] = [
  ...Array.from({ length: 400 }, (_, place) => 200 + place).map((status): (typeof strikes)[number] => [
    `${status}`,
    (response) => response.writeHead(status).end(),
  ]),
  ['reset', (response) => response.socket?.resetAndDestroy()],
  ['close', (response) => response.destroy()],
  [
    'cut body',
    (response) =>
      void response.writeHead(200, { 'content-length': 500 }).write('{"id":"', () => response.destroy()),
  ],
  ['half headers', (response) => void response.socket?.end('HTTP/1.1 200 OK\r\nContent-Ty')],
  ['garbage', (response) => void response.socket?.end('\u0000 no answer at all\r\n\r\n')],
  [
    'another order',
    (response) => response.writeHead(200).end('{"id":"X","externalOrderId":"of-somebody-else"}'),
  ],
  ['no JSON', (response) => response.writeHead(200).end('<html>done</html>')],
  [
    'an error inside a 200',
    (response) => response.writeHead(200).end('{"success":false,"error":{"code":"NO"}}'),
  ],
];

/**
 * Promise 4: every status and every fault, on the first attempt or on all of them, before or after the service does
 * what it is asked. What the client reports is held against what the service did.
 */
export async function tryOutcomes(): Promise<Kept> {
  const figures = { strikes: strikes.length, calls: 0, duplicated: 0, misreported: 0, unknown: 0 };
  for (const [name, strike] of strikes) {
    // A service that says so after it did what it was asked lies, and no client can know better.
    const whens = saysNotProcessed(name) ? (['before'] as const) : (['before', 'after'] as const);
    for (const when of whens) {
      for (const isAlways of [false, true]) await tryOne(name, strike, when, isAlways, figures);
    }
  }
  const { duplicated, misreported } = figures;
  return {
    number: 4,
    promise: 'every status × operation and every fault: never twice, never misreported',
    figures,
    isKept: duplicated + misreported === 0,
  };
}

type Figures = { calls: number; duplicated: number; misreported: number; unknown: number };

async function tryOne(
  name: string,
  strike: (typeof strikes)[number][1],
  when: 'before' | 'after',
  isAlways: boolean,
  figures: Figures,
): Promise<void> {
  let struck: 'POST' | 'GET' | 'cancel' | undefined;
  let count = 0;
  const service = await startForeignService({
    intervene: ({ method, path }) => {
      const kind = path.endsWith('/cancel') ? 'cancel' : method;
      if (kind !== struck || (count++ > 0 && !isAlways)) return undefined;
      return (when === 'before' ? { before: strike } : { after: strike }) as Intervention;
    },
  });
  const client = connect(service.baseUrl, service.apiKey, {
    clock: jumpingClock(),
    random: () => 0.1,
    waitsForOutages: false,
  });
  const report = (what: string, isRight: boolean) => {
    figures.calls += 1;
    if (isRight) return;
    figures.misreported += 1;
    console.log(`misreported: ${what} (${name}, ${when}, ${isAlways ? 'always' : 'once'})`);
  };

  struck = 'POST';
  const order: Order = {
    externalOrderId: 'A',
    customer: { phone: '99112233' },
    items: [{ sku: 'TEA' }],
    collectionMode: 'NONE',
  };
  const creation = await createOne(client, order, 'K');
  const commits = service.commits().get('A') ?? 0;
  figures.duplicated += Math.max(0, commits - 1);
  if (creation.outcome === 'unknown') figures.unknown += 1;
  const isThere = creation.outcome === 'created' || creation.outcome === 'already_exists';
  const isRefused = creation.outcome === 'rejected' || creation.outcome === 'not_sent';
  report(`create: ${creation.outcome}`, !(isThere && commits === 0) && !(isRefused && commits > 0));

  struck = undefined;
  const other: Order = { ...order, externalOrderId: 'B' };
  const made = await createOne(client, other, 'L');
  if (!('order' in made)) throw new Error('an order that nothing befalls was not created');
  [struck, count] = ['GET', 0];
  const read = await orCode(() => getOrder(client, made.order.id));
  report(
    `get: ${String(read)}`,
    typeof read === 'string' ? read !== 'unexpected_failure' : read.id === made.order.id,
  );
  count = 0;
  const found = await orCode(() => lookUp(client, 'externalOrderId', 'B'));
  const isAbsent = Array.isArray(found) && found.length === 0;
  report('look-up: absent', !isAbsent || lies(name));
  [struck, count] = ['cancel', 0];
  const cancelled = await orCode(() => cancelOrder(client, made.order, 'sold out'));
  struck = undefined;
  const now = await getOrder(client, made.order.id);
  const isCancelled = textField(now.order, 'status') === 'cancelled';
  const says = typeof cancelled === 'string' ? cancelled : cancelled.outcome;
  if (says === 'unknown') figures.unknown += 1;
  report(
    `cancel: ${says}`,
    !(/cancelled$/.test(says) && !isCancelled && !lies(name)) &&
      !(/^(?:refused|not_found)$/.test(says) && isCancelled && !lies(name)),
  );
  await client.close();
  await service.stop();
}

function saysNotProcessed(name: string): boolean {
  return /^3\d\d$|^(?:401|403|404|405|429)$/.test(name);
}

/** A success or a refusal without a body, of a read or a cancellation: it is taken at its word. */
function lies(name: string): boolean {
  return /^[24]\d\d$/.test(name);
}

async function orCode<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return error.code;
    throw error;
  }
}
